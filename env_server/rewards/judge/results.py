"""The part of a result of a server's tool that a judge sees: which of the agent's statements it has, never its text.

Web pages, messages and documents can contain instructions to whoever reads them. A judge that never sees their text
cannot follow them.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from env_server.domains.kit import ShownFact

MOST_LISTED = 40
"""The maximum number of the agent's figures and quotations that are listed for one result."""

_FIGURE: Final = re.compile(r"\d{4}-\d{2}-\d{2}|\d+(?:,\d{3})*(?:\.\d+)?")
_QUOTED: Final = re.compile('["“]([^"“”\n]{2,200})["”]')


class Statements:
    """The figures, dates and quotations in an agent's messages, and the facts that its task needs."""

    def __init__(self, words: Iterable[str], facts: Sequence[ShownFact] = ()) -> None:
        """Read the agent's messages."""
        self._said = list(dict.fromkeys(found for text in words for found in _stated(text)))
        self._facts = facts

    def seen(self, result: str) -> dict[str, Any]:
        """Return the entries for one result: its length, what it has of the agent's statements, and needed facts."""
        found = _Result(result)
        entries: dict[str, Any] = {
            "characters": len(result),
            "has": [said for said in self._said if found.has(said)][:MOST_LISTED],
        }
        shows = [list(fact.shows) for fact in self._facts if all(map(found.has, fact.shows))]
        return {**entries, "shows": shows} if shows else entries


class _Result:
    """A result in which values are looked for."""

    def __init__(self, text: str) -> None:
        self._text = _plain(text)
        self._figures = {_number(found) for found in _FIGURE.findall(text)}

    def has(self, value: str) -> bool:
        """Return whether a figure, or the words of a date or a quotation, stand in it."""
        return _number(value) in self._figures if _FIGURE.fullmatch(value) else _plain(value) in self._text


def _stated(text: str) -> list[str]:
    """Return the figures, dates and quotations of a message."""
    quoted = [found.strip() for found in _QUOTED.findall(text)]
    return [*_FIGURE.findall(text), *(each for each in quoted if each)]


def _number(text: str) -> str:
    """Return a figure without separators and trailing zeros, so that 1,200.50 and 1200.5 are equal."""
    plain = text.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
