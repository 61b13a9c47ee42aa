"""When a message says a value: the rule by which `communicate` counts what was told."""

from collections.abc import Sequence

from env_server.reading.words.values import Words

MOST_NUMBERS = 40
"""Distinct numbers in one message beyond which it says none of them: a table of all values tells nobody one of them."""

MOST_DAYS = 10
"""Distinct dates in one message beyond which it says none of them: a calendar tells nobody one day."""


def said(values: Sequence[str], message: str) -> list[bool]:
    """Whether `message` says each of `values`.

    A number is said when a number of the same magnitude stands in the message: "54.04" in "$54.04.", "1,200" for
    "1200", "1.7GB" for "1.7", "three versions" for "3", and "-$7.50" or "$7.50 less" for "7.50", whose sign words may
    carry. List markers ("3. " at the start of a line) and the ends of a range ("5-7") are not numbers said, and a
    message with more than `MOST_NUMBERS` distinct numbers says none. A date is said in any usual form, with or without
    its year ("March 21st" for "2026-03-21"); more than `MOST_DAYS` different ones say none. A time of day is said on
    either clock. Any other value, a code with leading zeros among them, is said when it stands in the message as whole
    words, whatever the case.
    """
    words = Words(message)
    return [_says(words, value) for value in values]


def _says(words: Words, value: str) -> bool:
    if not words.name(value):
        return False
    kind = words.kind(value)
    if kind in {"number", "digits"}:
        return len(words.numbers) <= MOST_NUMBERS
    return kind != "day" or len(set(words.days)) <= MOST_DAYS
