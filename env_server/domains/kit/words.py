"""Plain English for lists, small numbers, amounts, dates and names, and a caller's words in the second person."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def listed(parts: Iterable[str]) -> str:
    """Return a list in words: `a`, `a and b`, `a, b and c`."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def number_word(number: int) -> str:
    """Return a number up to ten in words, a greater one in digits."""
    return _COUNTS[number] if number < len(_COUNTS) else str(number)


def counted(number: int, noun: str) -> str:
    """Return a counted noun: `one bag`, `two bags`."""
    return f"{number_word(number)} {noun}{'' if number == 1 else 's'}"


def money(amount: float) -> str:
    """Return dollars with two decimals and without a sign: `54.10`."""
    return f"{amount:.2f}"


def spoken(day: str) -> str:
    """Return a date in spoken form: `2026-03-09` becomes `March 9, 2026`."""
    made = date.fromisoformat(day)
    return f"{made:%B} {made.day}, {made.year}"


def full_name(row: Mapping[str, str]) -> str:
    """Return the first and last name in a row: `Ada Holm`."""
    return f"{row['first_name']} {row['last_name']}"


def turned(text: str, words: Mapping[str, str], *, any_case: bool = False) -> str:
    """Return `text` with each whole word (or phrase) of `words` replaced, as from the first to the second person.

    With `any_case` the keys, which are in lower case, also match words with capital letters.
    """
    found = _either(tuple(words), any_case=any_case)
    return found.sub(lambda match: words[match[0].lower() if any_case else match[0]], text)


@lru_cache(maxsize=64)
def _either(words: tuple[str, ...], *, any_case: bool) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE if any_case else 0)
