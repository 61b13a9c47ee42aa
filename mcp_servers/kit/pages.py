"""Formats pages of a list as text: whole rows, and how to get the rows that follow or that do not fit."""

from collections.abc import Callable, Sequence

from mcp_servers.kit.text import RESULT, outside

ROOM = RESULT - 1_000
"""Maximum characters of rows in the text of a page. The rest is for the words around the rows."""


def fitting(rows: Sequence[str], room: int = ROOM, between: int = 1) -> int:
    """Return how many of the first rows fit in `room`, at least one. `between` characters follow each row."""
    for count, row in enumerate(rows):
        room -= len(row) + between
        if room < 0:
            return max(count, 1)
    return len(rows)


def page(
    rows: Sequence[str],
    cursor: str | None = None,
    *,
    head: str = "",
    between: str = "\n",
    mark: bool = False,
    size: str = "limit",
) -> str:
    """Return the text of a page. The text alone is enough to reach every row of the list.

    A page that does not fit shows its first rows. Its text then holds no cursor, because a cursor would skip the rows
    that do not fit. It states which page size to request instead.

    Args:
        rows: The rows of the page.
        cursor: The cursor of the next page.
        head: Lines before the rows.
        between: The separator between rows.
        mark: Whether the rows are outside text and need the marks of data.
        size: The argument that sets the number of rows in a page.
    """
    shown = fitting(rows, ROOM - len(head) - len(cursor or ""), len(between))
    said = between.join(rows[:shown]) if not head else f"{head}\n{between.join(rows[:shown])}"
    wrap: Callable[[str], str] = (lambda text: outside(text, RESULT)) if mark else str
    if shown < len(rows):
        return (
            f"{wrap(said)}\nThese are the first {shown:,} of the {len(rows):,} rows of this page; there is no room for "
            f"more. To read every row begin again with {size}={shown}, and follow the pages of that size."
        )
    return f"{wrap(said)}\nThere is more: pass cursor={cursor!r} for the next page." if cursor else wrap(said)
