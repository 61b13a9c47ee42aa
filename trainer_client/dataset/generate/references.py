"""References to results of earlier steps: `${step1.bars[0].close}` in arguments, answers and evidence."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_REFERENCE = re.compile(r"\$\{\s*step[_ ]?(\d+)((?:\.[^.\[\]{}]+|\[\d+\])*)\s*\}")
_PART = re.compile(r"[^.\[\]]+")
_OPENED = "${"


def steps_named(value: Any) -> Iterator[int]:
    """The numbers of the steps that `value` refers to.

    Raises:
        ValueError: if a reference cannot be read.
    """
    for text in _texts(value):
        found = [*_REFERENCE.finditer(text)]
        if text.count(_OPENED) != len(found):
            raise ValueError(f"{text!r:.100} is no reference of the form ${{step1.field}}")
        yield from (int(each[1]) for each in found)


def resolved(value: Any, results: Mapping[int, Any]) -> Any:
    """`value` with every reference replaced. A text that is one reference alone gets the type of what it refers to.

    Args:
        value: A JSON value.
        results: The result of each step, by its number.

    Raises:
        LookupError: if a step has no result, or the result lacks the field.
    """
    if isinstance(value, dict):
        return {name: resolved(inner, results) for name, inner in value.items()}
    if isinstance(value, list):
        return [resolved(inner, results) for inner in value]
    if not isinstance(value, str):
        return value
    whole = _REFERENCE.fullmatch(value.strip())
    if whole:
        return _found(whole, results)
    return _REFERENCE.sub(lambda each: as_text(_found(each, results)), value)


def as_text(value: Any) -> str:
    """A value as it stands within a text."""
    return value if isinstance(value, str) else json.dumps(value)


def _found(reference: re.Match[str], results: Mapping[int, Any]) -> Any:
    step, path = int(reference[1]), reference[2]
    if step not in results:
        raise LookupError(f"{reference[0]}: step {step} has no result")
    found = results[step]
    for part in _PART.findall(path):
        try:
            found = found[int(part)] if isinstance(found, list) else found[part]
        except (LookupError, TypeError, ValueError):
            raise LookupError(f"{reference[0]}: the result of step {step} has no {part!r} there") from None
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
