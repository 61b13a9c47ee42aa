"""Extraction of argument values from words, and the comparison of two texts."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from env_server.policies.rules.values import singular
from env_server.vocabulary import declared

Told = dict[str, list[Any]]
"""Name -> the values told under that name, in the order of the words."""

STEM = 5
"""The number of first letters by which two words count as the same: `cancel` and `cancelled`."""

_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b|\b([A-Z][a-z]+ \d{1,2}, \d{4})\b")
_SHAPES = {
    ("email",): re.compile(r"\b([\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
    ("phone", "phone_number"): re.compile(r"(?<!\d)(\+?\d{3}-\d{3}-\d{4})(?!\d)"),
    ("zip",): re.compile(r"\bzip\D{1,20}(\d{5})\b", re.I),
    ("full_name",): re.compile(r"\b(?:name is|about) ([A-Z][\w'-]+ [A-Z][\w'-]+)"),
    ("first_name",): re.compile(r"\b(?:name is|about) ([A-Z][\w'-]+) [A-Z]"),
    ("last_name",): re.compile(r"\b(?:name is|about) [A-Z][\w'-]+ ([A-Z][\w'-]+)"),
}
_CODE = re.compile(r"#?\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]+")
_NUMBER = re.compile(r"(?<![\w.-])\$?(\d+(?:\.\d+)?)(?![\w-])")
_WORD = re.compile(
    r"\b(?!(?:a|an|and|are|at|be|by|for|from|have|i|id|in|is|it|me|my|of|on|or|please|that|the|this|to|user|with"
    r"|would|you)\b)"
    r"[a-z0-9]+"
)
_SAME = {
    "cancel": re.compile(r"\bcall\w* (?:\w+ ){0,4}?off|\btak\w+ back\b|\bundo|\bscrap|\bvoid|\bnot go(?:ing)? ahead"),
    "modify": re.compile(r"\b(?:chang|alter|edit|correct|switch|redirect)\w*"),
    "update": re.compile(r"\b(?:chang|alter|edit|correct|switch|upgrad|downgrad|mov)\w*"),
    "book": re.compile(r"\b(?:reserv|arrang|buy)\w*"),
}
"""A common verb of tools -> other words for it. Domains declare more of both."""

_OF_FACTS = re.compile(r"\b(?:e-?mail address|zip code|phone number|user id|date of birth)\b", re.I)
_YES = re.compile(r"^\W*(yes|yeah|sure|correct|right|ok|okay|please do|go ahead|i confirm)\b", re.I)


class Met(NamedTuple):
    """A value in an answer."""

    name: str
    value: Any
    about: frozenset[str]
    """The stems of the words in the record that holds it."""


def told(text: str) -> Told:
    """Return the values in `text` that are recognised by shape: addresses, numbers and names of people, days."""
    found: Told = {}
    for names, shape in _SHAPES.items():
        for name in names:
            found[name] = shape.findall(text)
    for sentence in sentences(text):
        name = "dob" if re.search(r"\b(birth|born)\b", sentence) else "date"
        found.setdefault(name, []).extend(_day(match) for match in _DATE.finditer(sentence))
    return found


def codes(text: str, kind: str) -> list[str]:
    """Return the ids of a kind in `text`: words with digits in a sentence that names the kind."""
    text = _SHAPES[("email",)].sub(" ", text)
    return [c for s in sentences(text) if kind in s.lower().replace(" id", "_id") for c in _CODE.findall(s)]


def numbers(text: str, kind: str) -> list[int | float]:
    """Return the numbers in the sentences of `text` that name the kind."""
    found = [n for s in sentences(text) if stem(kind) in stems(s) for n in _NUMBER.findall(s)]
    return [int(n) if n.isdecimal() else float(n) for n in found]


def sentences(text: str) -> list[str]:
    """Return the sentences of `text`."""
    return re.split(r"(?<=[.!?;])\s+", text)


def stem(word: str) -> str:
    """Return the part of `word` that its other forms share."""
    return word.lower()[:STEM]


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of `text`, without words that have no meaning of their own."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower().replace("_", " ")))


def wished(text: str) -> frozenset[str]:
    """Return the stems of the words in which the user wishes for something, and of other words for the same verbs."""
    wish = _OF_FACTS.sub(" ", text)
    lower = wish.lower()
    found = {stem(verb) for verb, same in _SAME.items() if same.search(lower)}
    declares = {stem(verb) for verb, same in declared().synonyms.items() if any(re.search(s, lower) for s in same)}
    return stems(wish) | found | declares


def agrees(words: str) -> bool:
    """Return whether `words` begin with a yes."""
    return _YES.match(words) is not None


def met(answer: str, subject: str) -> Iterator[Met]:
    """Yield the values in a tool's answer with the words of their record. An answer of one word is the
    id of `subject`.
    """
    try:
        yield from _walk(subject, json.loads(answer))
    except ValueError:
        if re.fullmatch(r"\S+", answer):
            yield Met(f"{subject}_id", answer, frozenset())


def labelled(answer: str) -> Iterator[tuple[str, str]]:
    """Yield each id in a tool's answer with the name or title of its record, in lower case."""
    try:
        yield from _labelled(json.loads(answer))
    except ValueError:
        return


def _labelled(value: Any) -> Iterator[tuple[str, str]]:
    inner: Any = value if isinstance(value, list) else ()
    if isinstance(value, Mapping):
        label = value.get("name") or value.get("title")
        if isinstance(label, str):
            yield from ((str(v), label.lower()) for k, v in value.items() if k.endswith("_id"))
        inner = value.values()
    for one in inner:
        yield from _labelled(one)


def leaves(answer: str) -> Iterator[tuple[str, Any]]:
    """Yield the words for each value in a tool's answer, and the value. Values of ids are left out."""
    try:
        yield from _leaves("", json.loads(answer))
    except ValueError:
        return


def _leaves(words: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        label = value.get("name") or value.get("title")
        start = f"{words} {label}" if isinstance(label, str) else words
        for key, inner in value.items():
            if not key.endswith("_id"):
                yield from _leaves(f"{start} {key.replace('_', ' ')}".strip(), inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(words, inner)
    elif value is not None and not isinstance(value, bool):
        yield words, value


def _walk(name: str, value: Any) -> Iterator[Met]:
    if isinstance(value, Mapping):
        about = stems(json.dumps(value))
        records = all(isinstance(inner, Mapping) for inner in value.values())
        for key, inner in value.items():
            if records:
                yield Met(f"{singular(name)}_id", key, stems(json.dumps(inner)))
            if isinstance(inner, Mapping | list):
                yield from _walk(key, inner)
            else:
                yield Met(key, inner, about)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, Mapping | list):
                yield from _walk(name, inner)
            else:
                yield Met(f"{singular(name)}_id", inner, frozenset())


def _day(match: re.Match[str]) -> str:
    """Return a date in the format of arguments; words that only look like a date stay unchanged."""
    iso, words = match.groups()
    try:
        return iso or f"{datetime.strptime(words, '%B %d, %Y'):%Y-%m-%d}"
    except ValueError:
        return str(words)
