"""XML-like elements as models write them: enough to read arguments, and no more of XML than that."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from env_server.tools.parse.calls import quoted
from env_server.tools.parse.jsonish import decode_at, skip_space
from env_server.tools.parse.result import Unreadable

OPENING = re.compile(r"<([A-Za-z_][\w.-]*+)((?:[\s/][^<>]*+)?)>")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.-]*+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}


def attributes(source: str) -> dict[str, str]:
    """The attributes in what follows an element's name, entities decoded."""
    return {match[1]: unescape(match[2] or match[3] or "") for match in _ATTRIBUTE.finditer(source)}


def children(source: str) -> dict[str, Any]:
    """The child elements that `source` consists of, by name (or by their `name` attribute).

    Raises `Unreadable` where there is other text, an element is not closed, or one is given twice.
    """
    values: dict[str, Any] = {}
    cursor = skip_space(source, 0)
    while cursor < len(source):
        opening = OPENING.match(source, cursor)
        if opening is None:
            raise Unreadable("Expected a JSON object or one element per argument.")
        name = attributes(opening[2]).get("name", opening[1])
        if name in values:
            raise Unreadable(f"The argument {quoted(name)} is given twice; send a list as JSON.")
        inner, end = contents(source, opening)
        values[name] = value_of(unescape(inner))
        cursor = skip_space(source, end)
    return values


def contents(source: str, opening: re.Match[str]) -> tuple[str, int]:
    """The text inside the element that `opening` opens, and where the element ends. Raises `Unreadable`."""
    if opening[2].endswith("/"):
        return "", opening.end()
    closing = f"</{opening[1]}>"
    end = source.find(closing, opening.end())
    if end < 0:
        raise Unreadable(f"The element <{opening[1][:80]}> is not closed.")
    return source[opening.end() : end], end + len(closing)


def value_of(text: str) -> Any:
    """The value that an element's text stands for: JSON objects and lists, true, false and null, else text.

    Numbers stay text, since "00123" may well be an identifier; validation turns them into numbers where
    the tool wants one. One line break at either end is layout.
    """
    text = text.removeprefix("\n").removesuffix("\n")
    word = text.strip()
    if word in _WORDS:
        return _WORDS[word]
    if word[:1] in ("{", "["):
        found = decode_at(word, 0)
        if found is not None and found[1] == len(word):
            return found[0]
    return text
