"""`communicate`: which required values a message to the user says."""

import re
from collections.abc import Collection, Sequence
from decimal import Decimal, InvalidOperation

from env_server.domains.kit import Dialect

_NUMBER = re.compile(r"(?<![\w.])-?\$?\d[\d,]*(?:\.\d+)?(?!\w)")


def newly_said(outputs: Sequence[str], message: str, dialect: Dialect, already: Collection[int] = ()) -> list[int]:
    """The indices of `outputs` that `message` says, without those in `already`.

    A number is said when the same number stands in the message ("54.04" in "$54.04.", "1,200" for "1200"); any other
    value when it stands there as whole words, whatever the case. Under a dialect with `outputs_as_substrings` the
    public benchmarks' rule holds: a substring of the lower-cased message without its commas.
    """
    open_ones = [i for i in range(len(outputs)) if i not in already]
    if not open_ones:
        return []
    lowered = message.lower()
    if dialect.outputs_as_substrings:
        plain = lowered.replace(",", "")
        return [i for i in open_ones if outputs[i].lower() in plain]
    numbers = {n for found in _NUMBER.findall(message) if (n := _number(found)) is not None}
    return [i for i in open_ones if _says(outputs[i], lowered, numbers)]


def _says(output: str, lowered: str, numbers: Collection[Decimal]) -> bool:
    number = _number(output)
    if number is not None:
        return number in numbers
    pattern = r"\s+".join(re.escape(word) for word in output.lower().split())
    return re.search(rf"(?<!\w){pattern}(?!\w)", lowered) is not None


def _number(text: str) -> Decimal | None:
    plain = text.strip().replace("$", "").replace(",", "")
    if not plain or not plain.isascii():
        return None
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
