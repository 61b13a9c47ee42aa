"""The fields in which two JSON values differ."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

ABSENT = object()
"""Marks a value that is absent on one side."""


def row_fields(before: Any | None, after: Any | None) -> Iterator[tuple[str, Any, Any]]:
    """Yield the differing fields of a row as `differences` does. A row that only one side has gives one line."""
    if before is None or after is None:
        yield "(whole row)", ABSENT if before is None else "there", ABSENT if after is None else "there"
        return
    found = list(differences(before, after))
    yield from found or [("(types or order)", before, after)]


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the differences of two JSON values as (path such as `items[1].price`, before, after).

    `ABSENT` stands for a missing value.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            where = f"{path}.{name}" if path else str(name)
            yield from differences(before.get(name, ABSENT), after.get(name, ABSENT), where)
    elif isinstance(before, list) and isinstance(after, list):
        for i, (one, other) in enumerate(zip_longest(before, after, fillvalue=ABSENT)):
            yield from differences(one, other, f"{path}[{i}]")
    elif before is not after and before != after:
        yield path, before, after
