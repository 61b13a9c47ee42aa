"""Pages of a list as text: whole rows, and how to get those that follow or that a text has no room for."""

from collections.abc import Callable, Sequence

from mcp_servers.kit.text import RESULT, outside

ROOM = RESULT - 1_000
"""Characters of rows that the text of a page holds; the rest is for the words around them."""


def fitting(rows: Sequence[str], room: int = ROOM, between: int = 1) -> int:
    """How many of the first rows have room together, with `between` characters after each; at least one."""
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
    """The text of a page, so that who reads nothing else can see every row of a list.

    A page that has no room shows its first rows and, in place of a cursor that would lead past the others, with which
    size of pages all can be read.

    Args:
        rows: The page's rows.
        cursor: The next page's.
        head: Lines before the rows.
        between: What stands between rows.
        mark: Whether the rows are outside text.
        size: The argument that says how many rows a page has.
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
