"""How difficult a task is, and a choice of difficulties."""

import re
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

EASIEST, HARDEST = 1, 5
"""The lowest and the highest level of difficulty. A task of the lowest level takes one look-up and one change."""

_LEVEL = f"[{EASIEST}-{HARDEST}]"
_RANGE = re.compile(rf"({_LEVEL})(?:-({_LEVEL}))?")


def levels(difficulty: int | str) -> range:
    """Return the levels that `difficulty` names: 2 is that level, '1-3' are the levels from 1 to 3.

    Raises:
        ValueError: if it is neither; the message says what is accepted.
    """
    match = _RANGE.fullmatch(str(difficulty))
    if match is None or (match[2] is not None and match[2] < match[1]):
        raise ValueError(f"give a level from {EASIEST} to {HARDEST}, or a range such as '1-3'")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def _plain(given: object) -> int | str:
    """Return what was given in its only form: a number for a level, a text for a range."""
    found = levels(given if isinstance(given, str) or type(given) is int else "")
    return found[0] if len(found) == 1 else f"{found[0]}-{found[-1]}"


Difficulty = Annotated[
    int | str,
    BeforeValidator(_plain),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": EASIEST, "maximum": HARDEST},
                {"type": "string", "pattern": f"^{_LEVEL}(-{_LEVEL})?$"},
            ]
        }
    ),
]
"""A level, such as 2, or a range of levels, such as '1-3'. In a query, both are text."""
