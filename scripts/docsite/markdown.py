"""Pieces of Markdown."""

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. Bars and line breaks within a cell are kept out of the table's own."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(map(cell, line))} |\n" for line in lines) + "\n"


def cell(text: str) -> str:
    """Return a text as it stands in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: object) -> str:
    """Return a short text as code, or nothing if it is empty. A bar inside stays a bar, also in a table."""
    shown = str(text)
    return f"`{shown}`" if shown else ""


def block(text: str, language: str = "text") -> str:
    """Return a block of code."""
    return f"```{language}\n{text.rstrip()}\n```\n\n"
