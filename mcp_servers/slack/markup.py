"""Converts Slack's markup to readable text: names instead of ids, written-out links."""

import re
from collections.abc import Iterable, Mapping
from html import unescape

_REFERENCE = re.compile(r"<([@#!]?)([^<>|\s]+)(?:\|([^<>]*))?>")


def mentioned(texts: Iterable[str]) -> list[str]:
    """Return the ids of the members that the texts mention, each once."""
    found = (match for text in texts for match in _REFERENCE.finditer(text))
    return list(dict.fromkeys(match[2] for match in found if match[1] == "@"))


def readable(text: str, names: Mapping[str, str]) -> str:
    """Return `text` with names instead of ids, written-out links, and resolved entities such as `&amp;`.

    Names replace the ids of members, channels and groups.

    Args:
        text: A message as Slack stores it.
        names: Members' names by their ids. An id without a name stays.
    """

    def spell(match: re.Match[str]) -> str:
        sign, target, label = match.groups()
        if sign == "@":
            return f"@{names.get(target, label or target)}"
        if sign == "#":
            return f"#{label or target}"
        if sign == "!":
            return label or f"@{target}"
        return f"{label} ({target})" if label and label != target else target

    return unescape(_REFERENCE.sub(spell, text))
