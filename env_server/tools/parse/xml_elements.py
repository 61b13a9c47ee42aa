"""XML-like elements as models write them. The parser supports only what arguments need."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from env_server.tools.parse.calls import quoted
from env_server.tools.parse.lenient_json import decode_at, skip_space
from env_server.tools.parse.result import Unreadable

OPENING = re.compile(r"<([A-Za-z_][\w.-]*+)((?:[\s/][^<>]*+)?)>")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.-]*+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}


def attributes(source: str) -> dict[str, str]:
    """Return the attributes in the rest of an opening tag, with entities decoded."""
    return {match[1]: unescape(match[2] or match[3] or "") for match in _ATTRIBUTE.finditer(source)}


def children(source: str) -> dict[str, Any]:
    """Return the values of the child elements of `source` by name (or by their `name` attribute).

    Raise `Unreadable` if there is other text, an element is not closed, or one is given twice.
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
    """Return the text inside the element of `opening`, and the element's end. Raise `Unreadable`."""
    if opening[2].endswith("/"):
        return "", opening.end()
    closing = f"</{opening[1]}>"
    end = source.find(closing, opening.end())
    if end < 0:
        raise Unreadable(f"The element <{opening[1][:80]}> is not closed.")
    return source[opening.end() : end], end + len(closing)


def value_of(text: str) -> Any:
    """Return the value of an element's text: JSON objects and lists, true, false and null, else text.

    Numbers stay text, because "00123" may be an identifier. Validation converts them to numbers if the tool expects
    one. One line break at either end is layout and is removed.
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
