"""Prints text on terminals of any width. Lines break between words, so that an address stays whole for copying."""

import re

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

NARROWEST = 20
"""Minimum width of a text in columns."""


def put(screen: Console, text: Text, *, indent: int = 0, label: Text | None = None) -> None:
    """Print a text with an indent. A `label` is printed in the indent of the first line."""
    width = max(screen.width - indent, NARROWEST)
    lines = [line for part in text.split("\n", allow_blank=True) for line in part.divide(_ends(part.plain, width))]
    for number, line in enumerate(lines):
        line.rstrip()
        margin = label.copy() if label is not None and number == 0 else Text()
        margin.append(" " * (indent - margin.cell_len))
        screen.print(margin.append_text(line), soft_wrap=True)


def _ends(text: str, width: int) -> list[int]:
    """Return the offsets of a paragraph's line breaks. A word longer than a line gets a line of its own."""
    ends, used = [], 0
    for word in re.finditer(r"\s*\S+\s*", text):
        if used and used + cell_len(word[0].rstrip()) > width:
            ends.append(word.start())
            used = 0
        used += cell_len(word[0])
    return ends
