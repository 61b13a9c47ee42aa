"""The rule by which a message says a value; `communicate` counts told values by it."""

from collections.abc import Sequence

from env_server.reading.words.values import Words, with_sums_in_digits

MOST_NUMBERS = 40
"""The maximum count of distinct numbers in a message. With more, it says none of them, since a table of all values
tells no single one.
"""

MOST_DAYS = 10
"""The maximum count of distinct dates in a message. With more, it says none of them, since a calendar tells no single
day.
"""


def said(values: Sequence[str], message: str) -> list[bool]:
    """Return whether `message` says each of `values`.

    A number is said if a number of the same magnitude stands in the message: "54.04" in "$54.04.", "1,200" for "1200",
    "1.7GB" for "1.7", "three versions" for "3", "54 dollars and 4 cents" for "54.04", and "-$7.50" or "$7.50 less" for
    "7.50", since words may carry the sign. List markers ("3. " at the start of a line) and the ends of a range ("5-7")
    do not count as numbers. A message with more than `MOST_NUMBERS` distinct numbers says none. A date is said in any
    usual form, with or without its year ("March 21st" for "2026-03-21"). A message with more than `MOST_DAYS` distinct
    dates says none. A time of day is said in 12-hour or 24-hour notation. Any other value, including a code with
    leading zeros, is said if it stands in the message as whole words, in any case.
    """
    words = Words(with_sums_in_digits(message))
    return [_says(words, value) for value in values]


def _says(words: Words, value: str) -> bool:
    if not words.name(value):
        return False
    kind = words.kind(value)
    if kind in {"number", "digits"}:
        return len(words.numbers) <= MOST_NUMBERS
    return kind != "day" or len(set(words.days)) <= MOST_DAYS
