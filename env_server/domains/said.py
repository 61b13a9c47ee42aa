"""When a message says a value: one rule for the reward and for the scripted user."""

import re
from collections.abc import Sequence
from decimal import Decimal

_IN_TEXT = re.compile(r"(?<![\w.])-?\$?\d[\d,]*(?:\.\d+)?(?!\w)")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)


def said(values: Sequence[str], message: str) -> list[bool]:
    """Whether `message` says each of `values`.

    A number is said when the same number stands in the message ("54.04" in "$54.04.", "1,200" for "1200"); any other
    value, a code with leading zeros among them, when it stands there as whole words, whatever the case.
    """
    lowered = message.lower()
    numbers = {number for found in _IN_TEXT.findall(message) if (number := _number(found)) is not None}
    return [_words(value, lowered) if (n := _number(value)) is None else n in numbers for value in values]


def _words(value: str, lowered: str) -> bool:
    pattern = r"\s+".join(re.escape(word) for word in value.lower().split())
    return re.search(rf"(?<!\w){pattern}(?!\w)", lowered) is not None


def _number(text: str) -> Decimal | None:
    plain = text.strip().replace("$", "").replace(",", "")
    return Decimal(plain) if _NUMBER.fullmatch(plain) else None
