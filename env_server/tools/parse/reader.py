"""The interface between the parser and the module of a format."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from env_server.tools.parse.result import Parsed


@dataclass(frozen=True, slots=True)
class FormatReader:
    """One format. The module that holds it is its only place."""

    format: str
    """Its name, as in `info.format` of a step."""

    order: int
    """Of several formats whose marks start at the same place, the one with the lowest number is read first."""

    hints: tuple[str, ...]
    """Every mark contains at least one of these substrings. A text with none of them is not searched for marks."""

    mark: Callable[[str, Collection[str]], int]
    """Return the possible start of the format in a text, or -1."""

    read: Callable[[str, int, Collection[str]], Parsed | None]
    """Return the calls from a start on, or None if the text is prose.

    Raises:
        Unreadable: if a call was meant but cannot be read.
    """
