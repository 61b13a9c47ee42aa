"""A full audit finds exactly the planted faults."""

from dataclasses import replace

from env_server.audit.findings import MEANING, FindingKind
from env_server.audit.rollouts import Played
from env_server.audit.run import audit, choose, episodes, from_play
from env_server.audit.tasks import TaskChecks
from env_server.backends.local import LocalBackend
from env_server.domains.pack import Pack
from tests.audit.library.planted import EXPECTED
from tests.audit.test_world import OF_NO_TASK


async def test_each_planted_fault_is_found_and_nothing_else(local: LocalBackend, library: Pack) -> None:
    """Every kind of finding is planted in the small domain or elsewhere. Its sound tasks have no findings."""
    found: dict[str, set[FindingKind]] = {}
    report = await audit(local, library, choose(library))
    for finding in report.findings:
        found.setdefault(finding.task_id, set()).add(finding.kind)
        assert finding.fault == (finding.kind is not FindingKind.GOLD_CHANGES_NOTHING)
    assert found == EXPECTED
    assert set().union(OF_NO_TASK, *EXPECTED.values()) == set(FindingKind) == set(MEANING)


async def test_rates_tell_who_solved_what(local: LocalBackend, library: Pack) -> None:
    """The oracle solves every solvable task. Doing nothing solves the tasks that require nothing."""
    ticks: list[None] = []
    chosen = choose(library)
    report = await audit(local, library, chosen, lambda: ticks.append(None))
    assert len(ticks) == episodes(library, chosen) == 7 * 10
    oracle, null = report.rates["train"]["oracle"], report.rates["train"]["null"]
    assert (oracle.tasks, oracle.solved, oracle.unscored) == (8, 6, 1)
    assert (null.solved, null.unscored, null.calls) == (1, 1, 0)
    assert report.rates["test"]["oracle"].share == 1.0
    assert report.plain()["rates"]["train"]["oracle"]["rate"] == 0.75
    assert report.plain()["faults"] == report.faults == sum(finding.fault for finding in report.findings)


async def test_one_split_or_a_few_tasks_can_be_chosen(local: LocalBackend, library: Pack) -> None:
    """A limit applies to each split. A single split has no overlap."""
    assert [task.task_id for _, task in choose(library, limit=1).tasks] == ["sound", "namesake"]
    report = await audit(local, library, choose(library, "test", 2))
    assert (report.tasks, report.findings) == ({"test": 2}, ())


def played(number: int, policy: str, reward: float, *, partial: bool = False) -> Played:
    """An episode of task `number` of a split."""
    return Played(policy, "train", f"t{number}", reward, partial=partial)


def test_what_is_partly_judged_is_not_solved_blindly() -> None:
    """A full reward without the judge's part does not prove a blind solution."""
    habit = [played(i, "null", 1.0, partial=True) for i in range(99)]
    assert list(from_play(habit)) == []
    (chance,) = from_play([*habit, played(99, "null", 1.0)])
    assert (chance.task_id, chance.kind, chance.fault) == ("t99", FindingKind.SOLVED_BLINDLY, False)
    often = [played(i, "null", 1.0) for i in (98, 99)]
    assert [f.fault for f in from_play([*habit[:98], *often])] == [True, True]
    (failed,) = from_play([played(0, "oracle", 0.0, partial=True)])
    assert failed.kind is FindingKind.ORACLE_FAILS


async def test_an_empty_component_of_a_public_pack_is_a_note(library: Pack) -> None:
    """In a public pack an empty component scores 1, as in the benchmark; in any other pack it is a mistake."""
    hollow = library.find("hollow")
    for name, fault in (("builtin", True), ("tau2", False), ("tau1", False)):
        (finding,) = await TaskChecks(replace(library, name=name)).findings("train", hollow)
        assert (finding.kind, finding.fault) == (FindingKind.EMPTY_COMPONENT, fault)
