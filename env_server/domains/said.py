"""When a message says a value: one rule for the reward and for the scripted user."""

import re
from collections.abc import Sequence
from decimal import Decimal

from env_server.domains.dates import Day, as_day, days_in

MOST_NUMBERS = 40
"""Distinct numbers in one message beyond which it says none of them: a table of all values tells nobody one of them."""

MOST_DAYS = 10
"""Distinct dates in one message beyond which it says none of them: a calendar tells nobody one day."""

_PLAIN = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]++)(?:\.[0-9]++)?+"
# Signs stay outside: magnitudes are compared. Two numbers joined by a hyphen or an en dash are the ends of a range.
_FOUND = re.compile(
    rf"(?<![\w.])(?:usd)?({_PLAIN})((?:[-\u2010\u2011\u2013](?:us)?\$?{_PLAIN})*)(?:usd)?(?!\w|\.[0-9])", re.IGNORECASE
)
_MARKER = re.compile(r"^[ \t>*_#-]*[0-9]{1,3}[.)][*_]*(?=[ \t]+\S)", re.MULTILINE)
_NUMBER = re.compile(r"(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)


def said(values: Sequence[str], message: str) -> list[bool]:
    """Whether `message` says each of `values`.

    A number is said when a number of the same magnitude stands in the message: "54.04" in "$54.04.", "1,200" for
    "1200", and "-$7.50", "USD 7.50" or "$7.50 less" for "7.50", whose sign words may carry. List markers ("3. " at the
    start of a line) and the ends of a range ("5-7") are not numbers said, and a message with more than `MOST_NUMBERS`
    distinct numbers says none. A date is said in any usual form, with or without its year ("March 21st" for
    "2026-03-21"); more than `MOST_DAYS` different ones say none. Any other value, a code with leading zeros among
    them, is said when it stands in the message as whole words, whatever the case.
    """
    flat = " ".join(message.lower().split())
    numbers = _numbers(message)

    def one(value: str) -> bool:
        if (number := _number(value)) is not None:
            return number in numbers
        day = as_day(value)
        return _words(value, flat) if day is None else _says_day(day, message)

    return [one(value) for value in values]


def _says_day(wanted: Day, message: str) -> bool:
    days = set(days_in(message))
    return len(days) <= MOST_DAYS and any(wanted.meets(day) for day in days)


def _numbers(message: str) -> set[Decimal]:
    found: set[Decimal] = set()
    for match in _FOUND.finditer(_MARKER.sub("", message)):
        number = None if match[2] else _number(match[1])
        if number is not None:
            found.add(number)
        if len(found) > MOST_NUMBERS:
            return set()
    return found


def _words(value: str, flat: str) -> bool:
    """Whether `value` stands in `flat`, which has single spaces, with no letter or digit on either side."""
    wanted = " ".join(value.lower().split())
    start = flat.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not _inside_word(flat[start - 1 : start]) and not _inside_word(flat[end : end + 1]):
            return True
        start = flat.find(wanted, start + 1)
    return False


def _inside_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _number(text: str) -> Decimal | None:
    """The magnitude of a number in its usual forms; None for anything else."""
    plain = re.sub(r"^[-\u2212$]*|,", "", text.strip())
    return Decimal(plain) if _NUMBER.fullmatch(plain) else None
