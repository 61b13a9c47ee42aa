"""Whether a value stands in a text or in the results of tools."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_NUMBER = re.compile(r"(?<![\w.])[-\u2212]?\d+(?:,\d{3})*(?:\.\d+)?")

Value = float | str | list[str]


def stands_in(value: Value, text: str, structured: Iterable[Any] = ()) -> bool:
    """Return whether `value` stands in `text` or in one of the structured results.

    A number may stand there in any notation that has at least its decimals. A text must stand there as a phrase of
    whole words. Of a list, each entry must stand there.
    """
    structures = list(structured)
    if isinstance(value, list):
        return all(stands_in(entry, text, structures) for entry in value)
    if isinstance(value, str):
        if not plain(value):
            return True
        where = plain(" ".join([text, *(json.dumps(each, ensure_ascii=False) for each in structures)]))
        return re.search(rf"(?<!\w){re.escape(plain(value))}(?!\w)", where) is not None
    decimals = len(written(value).partition(".")[2])
    return any(round(number, decimals) == value for number in (*_in_text(text), *_in_structure(structures)))


def plain(text: str) -> str:
    """`text` in the form in which phrases are compared."""
    return " ".join(text.casefold().split()).strip(" .,;:!?'\"")


def normalised(instruction: str) -> str:
    """An instruction without case and punctuation. Instructions with equal results count as duplicates."""
    return " ".join(re.findall(r"\w+(?:\.\d+)?", instruction.casefold()))


def written(value: float) -> str:
    """A number in plain notation, without an exponent and without needless zeros."""
    text = repr(value) if "e" not in repr(value) else f"{value:.12f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _in_text(text: str) -> Iterator[float]:
    return (float(found.replace(",", "").replace("\u2212", "-")) for found in _NUMBER.findall(text))


def _in_structure(value: Any) -> Iterator[float]:
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _in_structure(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
