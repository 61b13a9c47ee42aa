"""Audit findings about a domain as a whole. Each fault is planted in a small domain of another package."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from env_server.audit.findings import FindingKind
from env_server.audit.run import audit, choose
from env_server.audit.world import of_the_world
from env_server.backends.local import LocalBackend
from env_server.domains.kit import Db, Domain
from env_server.domains.pack import Pack
from env_server.domains.packs import available
from tests.e2e.lending import domain
from tests.e2e.lending.tasks import TASKS
from tests.e2e.lending.world import world

OF_NO_TASK = {
    FindingKind.WORLD_VARIES,
    FindingKind.WORLD_UNSOUND,
    FindingKind.RULE_UNTESTED,
    FindingKind.POLICY_TOO_WEAK,
}


def found(changed: Domain) -> list[tuple[FindingKind, str]]:
    """Return the findings for a domain's world and rules."""
    pack = available(changed, {})["builtin"]
    findings = list(of_the_world(pack))
    assert all(finding.fault and not finding.task_id + finding.split for finding in findings)
    return [(finding.kind, finding.detail) for finding in findings]


def changing(change: Callable[[int, dict[str, list[Any]]], None]) -> Callable[[], dict[str, list[Any]]]:
    """The domain's world, changed by `change(number of earlier calls, rows)`."""
    made = count()

    def changed() -> dict[str, list[Any]]:
        rows = world()
        change(next(made), rows)
        return rows

    return changed


def test_a_sound_domain_has_none() -> None:
    """The world is the same each time, and its rules name templates that exist."""
    assert found(domain) == []


def test_a_world_that_varies_is_found() -> None:
    """The finding names the table with other rows, or with the same rows in another order."""
    title = changing(lambda time, rows: rows["books"][0].update(title=f"Title {time}"))
    assert found(replace(domain, world=title)) == [(FindingKind.WORLD_VARIES, "in table books")]
    turned = changing(lambda time, rows: rows["books"].reverse() if time % 2 else None)
    assert found(replace(domain, world=turned)) == [(FindingKind.WORLD_VARIES, "in the order of rows")]


def test_a_world_that_is_unsound_from_the_start_is_found() -> None:
    """Each invariant violation of the base becomes a finding, up to a limit."""

    def lent_twice(db: Db[Any]) -> Iterator[str]:
        yield from (f"{row['book_id']} is lent twice" for row in db[domain.tables[1]])

    findings = found(replace(domain, invariants=lent_twice))
    assert findings[0] == (FindingKind.WORLD_UNSOUND, "b0 is lent twice")
    assert len(findings) == 20


def test_invariants_that_fail_are_found() -> None:
    """An invariant check that raises an error on the base is a finding."""

    def stumbling(db: Db[Any]) -> list[str]:
        raise KeyError("m99")

    assert found(replace(domain, invariants=stumbling)) == [
        (FindingKind.WORLD_UNSOUND, "the check fails: KeyError: 'm99'")
    ]


def test_a_rule_without_its_template_is_found() -> None:
    """A rule may name all templates or none."""
    rules = {1: "bring-back", 2: "lent-out", 3: "*", 4: None}
    changed = replace(domain, tasks=replace(TASKS, rules=rules))
    assert found(changed) == [(FindingKind.RULE_UNTESTED, "rule 2 names 'lent-out'")]


async def test_the_whole_audit_has_them(local: LocalBackend, library: Pack) -> None:
    """The report has these findings beside those of the tasks."""
    unsound = replace(library.domain, invariants=lambda _: ["nothing is lent"])
    report = await audit(local, available(unsound, {})["builtin"], choose(library, "test", 1))
    assert [(f.kind, f.detail) for f in report.findings] == [(FindingKind.WORLD_UNSOUND, "nothing is lent")]
    assert report.faults == 1
