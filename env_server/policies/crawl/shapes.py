"""Values for arguments in a user's words, by the shape of words and the names of arguments, in any domain."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from env_server.policies.rules.extraction import STEM, sentences, stems, told

Schema = Mapping[str, Any]

KEPT = 10_000
"""The cache size for extracted values; the same words are read many times."""

_CODE = re.compile(r"#?\b(?:(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]+\w|\w*[a-z]_\w+|[A-Z]{5,})\b|#\d+\b|\b\d{7,}\b")
_NUMBERED = re.compile(r"\W?[A-Za-z]{1,4}\W?\d+")
_EMAIL = re.compile(r"\S+@\S+")
_NAME = re.compile(r"\b([A-Z][\w'-]+) ([A-Z][\w'-]+)\b")
_AFTER_NAME = re.compile(r"\bname\W+(?:is\W+)?([A-Z][\w'-]+) ([A-Z][\w'-]+)")
_ZIP = re.compile(r"(?<![\d-])\d{5}(?![\d-])")
_BIRTH = re.compile(r"\b(birth|born|dob)\b", re.I)
_NOBODY = frozenset(["My", "The", "It", "Please", "Is", "Was", "For", "By", "I", "Dr", "In", "On", "At", "To", "And"])
"""Words that begin a sentence or a title, but not the name of a person."""


def fillers(text: str, name: str, schema: Schema) -> list[Any]:
    """Return the values in `text` that fit an argument by their shape alone, the likeliest first."""
    if "enum" in schema:
        return _options(text, schema["enum"])
    if schema.get("type") != "string":
        return []
    pattern = re.compile(schema.get("pattern", ""))
    return [value for value in dict.fromkeys(_strings(text, name)) if pattern.search(value)]


@lru_cache(KEPT)
def _strings(text: str, name: str) -> Sequence[str]:
    words = name.split("_")
    if "email" in words:
        return _told(text, "email")
    if "phone" in words:
        return _told(text, "phone")
    if "zip" in words:
        return _ZIP.findall(text)
    if name in ("first_name", "last_name", "full_name"):
        return [{"first_name": a, "last_name": b, "full_name": f"{a} {b}"}[name] for a, b in people(text)]
    if "dob" in words or "birth" in words:
        return _days(text, born=True)
    if "date" in words or "day" in words:
        return _days(text, born=False)
    return codes(text, words)


def people(text: str) -> list[tuple[str, str]]:
    """Return the names of people that `text` may contain; those after the word "name" come first."""
    said = [(a, b) for a, b in _NAME.findall(text) if a not in _NOBODY]
    return list(dict.fromkeys([*_AFTER_NAME.findall(text), *said]))


def codes(text: str, words: Sequence[str]) -> list[str]:
    """Return the codes in the sentences of `text` that have one of an argument's words, `order` of `order_id`."""
    kinds = [word[:STEM] for word in words if word != "id"]
    return [code for s in sentences(text) if any(kind in s.lower() for kind in kinds) for code in every_code(s)]


@lru_cache(KEPT)
def every_code(text: str) -> Sequence[str]:
    """Return all words that look like a code: letters with digits, words joined by `_`, many capitals or digits."""
    return tuple(_CODE.findall(_EMAIL.sub(" ", text)))


@lru_cache(KEPT)
def mask(value: str) -> str:
    """Return the shape of a code: digits become equal, and so do letters. Letters before a number stay, since they name
    its kind.
    """
    if _NUMBERED.fullmatch(value):
        return re.sub(r"\d", "9", value)
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", value)))


def _told(text: str, name: str) -> list[str]:
    return list(told(text).get(name, ()))


def _days(text: str, *, born: bool) -> list[str]:
    """Return the days in the sentences of `text` about a birth if `born`, else in all others."""
    return _dates(s for s in sentences(text) if bool(_BIRTH.search(s)) is born)


def _dates(texts: Iterable[str]) -> list[str]:
    return [day for text in texts for name in ("dob", "date") for day in told(text).get(name, ())]


def _options(text: str, options: Sequence[Any]) -> list[Any]:
    """Return the options of which `text` has all the words."""
    wanted = stems(text)
    return [o for o in options if isinstance(o, str) and stems(o) and stems(o) <= wanted]
