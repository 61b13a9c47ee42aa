"""Checks of the parts that all tasks of a pack share: its world, and the rules of its policy."""

from collections.abc import Iterator
from itertools import islice

from env_server.audit.findings import AuditFinding, FindingKind
from env_server.domains.kit import Db, GeneratedTasks
from env_server.domains.pack import Pack
from env_server.domains.packs import PUBLIC, builtin
from env_server.state import State

EVERY = "*"
"""Template name of a rule that every template tests."""

MOST_FAULTS = 20
"""Maximum number of reported faults of a world. One wrong line of a generator may be wrong in every row."""


def of_the_world(pack: Pack) -> Iterator[AuditFinding]:
    """Yield the findings about the world and the rules of `pack`. A world read from files is not checked."""
    if pack.name not in PUBLIC:
        first = builtin.snapshot(pack.domain)
        again = (builtin.snapshot(pack.domain), pack.snapshot)  # the pack's may have been read from the cache folder
        if (other := next((one for one in again if one.digest != first.digest), None)) is not None:
            parts = [name for name, table in first.tables.items() if table.rows != other.tables[name].rows]
            yield _finding(
                FindingKind.WORLD_VARIES, f"in table {', '.join(parts)}" if parts else "in the order of rows"
            )
        for fault in islice(_wrong(pack), MOST_FAULTS):
            yield _finding(FindingKind.WORLD_UNSOUND, fault)
    yield from _rules(pack)


def _wrong(pack: Pack) -> Iterator[str]:
    try:
        yield from pack.domain.invariants(Db(State.at(pack.snapshot), pack.dialect))
    except Exception as e:  # code of the domain, whose errors are findings
        yield f"the check fails: {type(e).__name__}: {e}"


def _rules(pack: Pack) -> Iterator[AuditFinding]:
    if isinstance(pack.tasks, GeneratedTasks):
        known = {template.name for template in pack.tasks.templates}
        for rule, template in pack.tasks.rules.items():
            if template not in (None, EVERY) and template not in known:
                yield _finding(FindingKind.RULE_UNTESTED, f"rule {rule} names {template!r}")


def _finding(kind: FindingKind, detail: str) -> AuditFinding:
    return AuditFinding(kind, "", "", detail)
