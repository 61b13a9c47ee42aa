"""Audit of cheating policies: their results in a builtin domain, and whether they looked up enough to count."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from env_server.audit.findings import FindingKind
from env_server.audit.lessons import learn, remember, to_learn
from env_server.audit.report import upper
from env_server.audit.rollouts import REMEMBERS, Played, games, play_all
from env_server.audit.run import CRAWLERS, EVERY, audit, choose, episodes, too_weak
from env_server.backends.local import thrown_away
from env_server.domains.pack import Pack
from env_server.policies.base import Brief, Policy
from env_server.policies.crawl import ANSWERING, CLOSINGS, remembering
from env_server.settings import Settings
from tests.domains import made

FEW, LESSONS = 3, 1


@pytest.fixture(scope="module")
def telecom() -> Pack:
    """A builtin domain."""
    return made.pack("telecom")


async def test_every_policy_is_played_and_counted(telecom: Pack) -> None:
    """Each policy has its rate with a bound, the early writer only for tasks with a write; each episode is counted."""
    chosen, ticks = choose(telecom, "test", FEW), list[None]()
    async with thrown_away(Settings(_env_file=None)) as local:
        report = await audit(local, telecom, chosen, lambda: ticks.append(None), EVERY, LESSONS)
    rates = report.rates["test"]
    assert list(rates) == [name for name in EVERY if name not in (*ANSWERING, REMEMBERS)]
    assert rates["oracle"].solved == FEW
    writes = len(games(telecom, chosen.tasks, ["early-writer"]))
    assert (rates["crawl-refuse"].tasks, rates["early-writer"].tasks) == (FEW, writes)
    assert rates["crawl-refuse"].calls > 0
    assert rates["crawl-refuse"].plain()["at_most"] >= rates["crawl-refuse"].plain()["rate"]
    assert len(ticks) == episodes(telecom, chosen, EVERY, LESSONS)


async def test_lessons_are_the_same_each_time_and_come_of_train_tasks(telecom: Pack) -> None:
    """Learning is deterministic, uses the user's words, and plays no measured task."""
    tasks = to_learn(telecom, LESSONS)
    assert {task.split for task in tasks} == {"train"}
    async with thrown_away(Settings(_env_file=None)) as local:
        once, again = [await learn(local, telecom, tasks) for _ in range(2)]
    assert once == again
    assert all(lesson.words and lesson.solved <= set(CLOSINGS) for lesson in once.lessons)


async def test_crawlers_find_what_refusals_rest_on(telecom: Pack) -> None:
    """The crawler makes all look-ups of the first refusals in a builtin domain."""
    chosen = choose(telecom, "test", 40)
    refusals = [(split, task) for split, task in chosen.tasks if task.template in ("resume-ended", "suspend-twice")]
    assert refusals
    async with thrown_away(Settings(_env_file=None)) as local:
        report = await audit(local, telecom, type(chosen)(tuple(refusals)), policies=["crawl-refuse"])
    assert [finding for finding in report.findings if finding.fault] == []


async def test_cheats_of_answers_submit_and_earn_nothing() -> None:
    """In a domain with answers, all cheats submit within the limits, and solve none of the first tasks."""
    research, names = made.pack("research"), [*ANSWERING, REMEMBERS]
    async with thrown_away(Settings(_env_file=None)) as local:
        chosen = choose(research, "test", FEW)
        known = remember(to_learn(research, 20))
        rules: dict[str, Callable[[Brief], Policy]] = {**ANSWERING, REMEMBERS: partial(remembering, known)}
        played = await play_all(local, research, chosen.tasks, rules)
    assert Counter(p.policy for p in played) == dict.fromkeys(names, FEW)
    assert {p.stop for p in played} == {"completed"}
    assert {p.reward for p in played} == {0.0}
    looking = [p for p in played if p.policy.startswith("look-")]
    assert all(p.calls - p.failed > FEW for p in looking)


@pytest.mark.parametrize("policy", CRAWLERS)
def test_a_crawler_that_misses_look_ups_is_a_fault(policy: str) -> None:
    """Nine of ten refusals need all their look-ups. Other messages and other policies do not count."""

    def episodes_with(proved: int) -> list[Played]:
        found = [Played(policy, "test", str(i), 0.0, proved=i < proved) for i in range(10)]
        return [*found, Played(policy, "test", "x", 0.0), Played("oracle", "test", "y", 0.0, proved=False)]

    assert list(too_weak(episodes_with(9))) == []
    [finding] = too_weak(episodes_with(8))
    assert (finding.kind, finding.fault) == (FindingKind.POLICY_TOO_WEAK, True)
    assert "8 of 10" in finding.detail


def test_the_bound_is_wilsons() -> None:
    """The bound has known values, is never below the rate, and comes closer to it with more trials."""
    assert [round(upper(*of), 4) for of in ((0, 200), (0, 500), (31, 200), (1, 1))] == [0.0188, 0.0076, 0.2116, 1.0]
    assert upper(0, 0) == 1.0
    assert all(upper(hits, 50) > hits / 50 for hits in range(50))
    assert upper(5, 100) > upper(50, 1000)
