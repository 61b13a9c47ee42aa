"""Texts that might make a regular expression slow: repetitions of beginnings of what it matches."""

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from random import Random
from typing import Any

codes: Any = import_module("re._constants")  # the parser of `re` has no public name
parser: Any = import_module("re._parser")

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_LETTERS = "a b1-,xz\"#$(.:;'?"
_KINDS = {"WORD": str.isalnum, "DIGIT": str.isdigit, "SPACE": str.isspace}


def beginnings(pattern: re.Pattern[str], rng: Random, count: int) -> Iterator[str]:
    """Yield beginnings of texts that a pattern might match, some of them with a space at the end."""
    tree = parser.parse(pattern.pattern, pattern.flags & (re.IGNORECASE | re.DOTALL | re.MULTILINE | re.VERBOSE))
    for _ in range(count):
        text = _text(tree, rng)
        if text:
            yield text[: rng.randint(1, len(text))] + rng.choice(("", " "))


def _text(tree: Iterable[tuple[Any, Any]], rng: Random) -> str:
    """Return a text for a part of a pattern. Conditions such as look-aheads are left out."""
    return "".join(_part(code, of, rng) for code, of in tree)


def _part(code: Any, of: Any, rng: Random) -> str:
    if code is codes.LITERAL:
        return chr(of)
    if code in (codes.ANY, codes.NOT_LITERAL):
        return "a" if of != ord("a") else "b"
    if code is codes.IN:
        return _one_of(of, rng)
    if code is codes.BRANCH:
        return _text(rng.choice(of[1]), rng)
    if code is codes.SUBPATTERN:
        return _text(of[-1], rng)
    if code is codes.ATOMIC_GROUP:
        return _text(of, rng)
    if code in _REPEATS:
        least, most, inner = of
        return "".join(_text(inner, rng) for _ in range(min(most, least + rng.randint(0, 1))))
    return ""


def _one_of(choices: list[tuple[Any, Any]], rng: Random) -> str:
    """Return a character of a set, if a usual one belongs to it."""
    denied = choices[0][0] is codes.NEGATE
    fitting = [letter for letter in _LETTERS if any(_fits(letter, *choice) for choice in choices) is not denied]
    fitting = fitting or [chr(of) for code, of in choices if code is codes.LITERAL]
    fitting = fitting or [chr(of[0]) for code, of in choices if code is codes.RANGE]
    return rng.choice(fitting) if fitting else ""


def _fits(letter: str, code: Any, of: Any) -> bool:
    if code is codes.LITERAL:
        return bool(ord(letter) == of)
    if code is codes.RANGE:
        return bool(of[0] <= ord(letter) <= of[1])
    if code is codes.CATEGORY:
        *_, kind = str(of).split("_")
        return _KINDS[kind](letter) is not ("_NOT_" in str(of))
    return False
