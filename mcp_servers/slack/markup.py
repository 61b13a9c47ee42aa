"""Slack's markup as people read it: names in place of ids, addresses in place of links."""

import re
from collections.abc import Iterable, Mapping
from html import unescape

_REFERENCE = re.compile(r"<([@#!]?)([^<>|\s]+)(?:\|([^<>]*))?>")


def mentioned(texts: Iterable[str]) -> list[str]:
    """The ids of the members whom the texts mention, each once."""
    found = (match for text in texts for match in _REFERENCE.finditer(text))
    return list(dict.fromkeys(match[2] for match in found if match[1] == "@"))


def readable(text: str, names: Mapping[str, str]) -> str:
    """`text` with members', channels' and groups' names, links written out, and `&amp;` and the like resolved.

    Args:
        text: A message as Slack stores it.
        names: Members' names by their ids; an id without a name stays.
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
