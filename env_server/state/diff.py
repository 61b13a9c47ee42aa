"""Comparison of two states over one base."""

from typing import Any, NamedTuple

from env_server.state.view import State


class RowDiff(NamedTuple):
    """One row that differs. `before` and `after` are its values in the two states, None for no row."""

    table: str
    key: str
    before: Any | None
    after: Any | None


def diff_states(before: State, after: State) -> list[RowDiff]:
    """Return the rows that differ, sorted by table and key. The cost depends on the changes, not on the base.

    Rows are compared as the hash compares them.

    Raises:
        ValueError: if the two states do not share a base.
    """
    a, b = before.overlay, after.overlay
    if a.base is not b.base and a.base.digest != b.base.digest:
        raise ValueError("the two states do not share a base snapshot")
    found: list[RowDiff] = []
    for table in sorted(a.changes.keys() | b.changes.keys()):
        base = a.base.tables[table]
        left, right = a.changes.get(table), b.changes.get(table)
        keys = (left.rows.keys() if left else set()) | (right.rows.keys() if right else set())
        for key in sorted(keys):
            one, two = a.get(table, key), b.get(table, key)
            if one is not two and (one is None or two is None or base.digest(key, one) != base.digest(key, two)):
                found.append(RowDiff(table, key, one, two))
    return found
