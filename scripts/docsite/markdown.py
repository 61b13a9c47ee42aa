"""Pieces of Markdown."""

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. Bars within a cell are escaped, and line breaks become spaces."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(map(cell, line))} |\n" for line in lines) + "\n"


def cell(text: str) -> str:
    """Return a text in the form that a cell of a table needs."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: object) -> str:
    """Return a short text as code, or an empty text if it is empty."""
    shown = str(text)
    return f"`{shown}`" if shown else ""


def block(text: str, language: str = "text") -> str:
    """Return a block of code."""
    return f"```{language}\n{text.rstrip()}\n```\n\n"
