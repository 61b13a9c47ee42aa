"""Texts of a page: JSON values as a person reads them, and cuts, so that a page stays small."""

import json
from dataclasses import dataclass
from typing import Any

from markupsafe import escape

from env_server.state.fields import ABSENT

LONGEST = 6_000
"""Bytes of HTML that one text may take on a page of many turns."""

BUDGET = 110_000
"""Bytes of HTML that the texts of one page may take together. A turn beyond it is a line with a link."""

LONGEST_VALUE = 400
"""The maximum length of a value in a cell of a table, in characters."""


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text, cut to what its page has room for. `left` counts the characters that were cut."""

    text: str
    left: int = 0


class Cut:
    """Cuts texts, so that a page stays small however long its transcript is."""

    def __init__(self, longest: int = LONGEST, budget: int = BUDGET) -> None:
        """Allow `longest` bytes for one text and `budget` for all. Bytes are those of the escaped text."""
        self._longest, self.left = longest, budget

    def words(self, text: str) -> ShownText:
        """Return the part of `text` for which there is room."""
        room = max(0, min(self._longest, self.left))
        size = html_size(text)
        shown = text if size <= room else text[: room * len(text) // size]
        self.left -= min(size, room)
        return ShownText(shown, len(text) - len(shown))

    def value(self, value: Any) -> str:
        """Return a JSON value on one line, cut to a cell of a table."""
        text = shown_value(value)
        shown = self.words(text[:LONGEST_VALUE]).text
        return shown if shown == text else f"{shown}…"


def shown_value(value: Any) -> str:
    """Return a JSON value as a person reads it."""
    if value is ABSENT:
        return "(none)"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def pretty(value: Any) -> str:
    """Return a JSON value with indents. A text that holds JSON is shown as this JSON."""
    found = value
    if isinstance(value, str):
        try:
            found = json.loads(value)
        except ValueError:
            return value
    return found if isinstance(found, str) else json.dumps(found, indent=2, ensure_ascii=False)


def emoji_words(name: str) -> str:
    """Return the name of an emoji of Slack, such as `white_check_mark`, in words."""
    return {"+1": "thumbs up", "-1": "thumbs down", "tada": "party popper"}.get(name) or name.replace("_", " ")


def html_size(text: str) -> int:
    """Return the bytes that `text` takes in a page."""
    return len(str(escape(text)).encode("utf-8", "replace"))
