"""Formats tables and figures as Markdown."""

from collections.abc import Iterable, Sequence

LONGEST = 80
"""Maximum number of characters shown of a name. A model may invent tool names of any length."""

UNKNOWN = "\N{EN DASH}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words: bool = False) -> list[str]:
    """Return the lines of a table and a blank line; none without rows.

    The columns after the first are right-aligned figures, or with `words` left-aligned text.
    """
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return []
    return [f"| {' | '.join(head)} |", f"|---{('|---' if words else '|--:') * (len(head) - 1)}|", *lines, ""]


def code(name: str) -> str:
    """Return a name as inline code. It is escaped, so text from a model cannot end the table's cell or line."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name[:LONGEST])
    # Markdown renderers disagree about an escaped bar in code.
    shown = shown.replace("`", "'").replace("|", "\N{BROKEN BAR}")
    return f"`{shown}{'…' if len(name) > LONGEST else ''}`" if shown.strip() else UNKNOWN


def percent(share: float | None) -> str:
    """Return a share as a percentage."""
    return UNKNOWN if share is None else f"{share:.1%}".replace("%", " %")


def interval(bounds: Sequence[float] | None) -> str:
    """Return a pair of shares as an interval."""
    return UNKNOWN if bounds is None else f"{bounds[0] * 100:.1f} to {percent(bounds[1])}"


def number(value: float | None) -> str:
    """Return a count, or a mean with one decimal."""
    if value is None:
        return UNKNOWN
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def dollars(cost: float | None) -> str:
    """Return an amount of US dollars."""
    return UNKNOWN if cost is None else f"${cost:,.4f}"
