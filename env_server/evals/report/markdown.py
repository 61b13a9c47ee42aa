"""Tables and figures as Markdown shows them."""

from collections.abc import Iterable, Sequence

LONGEST = 80
"""Characters of a name that are shown: a model may call a tool anything."""

UNKNOWN = "\N{EN DASH}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words: bool = False) -> list[str]:
    """A table with a blank line after it; nothing without rows. After the first column come figures, or `words`."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return []
    return [f"| {' | '.join(head)} |", f"|---{('|---' if words else '|--:') * (len(head) - 1)}|", *lines, ""]


def code(name: str) -> str:
    """A name as it is, whatever is in it: nothing a model wrote can end the cell or the line it stands in."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name[:LONGEST])
    # Renderers differ over a bar that is escaped within code.
    shown = shown.replace("`", "'").replace("|", "\N{BROKEN BAR}")
    return f"`{shown}{'…' if len(name) > LONGEST else ''}`" if shown.strip() else UNKNOWN


def percent(share: float | None) -> str:
    """A share of 1."""
    return UNKNOWN if share is None else f"{share:.1%}".replace("%", " %")


def interval(bounds: Sequence[float] | None) -> str:
    """A pair of shares."""
    return UNKNOWN if bounds is None else f"{bounds[0] * 100:.1f} to {percent(bounds[1])}"


def number(value: float | None) -> str:
    """A count, or a mean with one decimal."""
    if value is None:
        return UNKNOWN
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def dollars(cost: float | None) -> str:
    """An amount of US dollars."""
    return UNKNOWN if cost is None else f"${cost:,.4f}"
