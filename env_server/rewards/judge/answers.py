"""Extraction of a verdict from a model's answer, with or without text around it."""

import json
import re
from typing import Any

from pydantic import ValidationError

from env_server.models import whole
from env_server.rewards.judge.inquiry import Form, Inquiry, Unfit

_MOST_BRACES = 200
"""The maximum number of `{` at which an object is tried."""

_THOUGHT = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.S | re.I)


class _Twice(dict[str, Any]):
    """An object with a duplicate name. Parsers disagree about which value counts."""


def read(text: str, inquiry: Inquiry) -> Form:
    """Return the answer to `inquiry` in `text`: an object of its form that is a verdict.

    A model may write trial objects before its answer. If two objects decide differently, the answer is ambiguous.

    Raises:
        Unfit: if there is no such object, or if several of them differ.
    """
    fitting: list[Form] = []
    decisions: list[Any] = []
    fault = Unfit("There is no JSON object in it")
    for value in _candidates(text):
        try:
            found = _formed(value, inquiry.form)
            decision = _decided(inquiry.value(found))
        except Unfit as e:
            fault = e
        else:
            fitting.append(found)
            decisions.append(decision)
    if not fitting:
        raise fault
    if any(decision != decisions[0] for decision in decisions):
        raise Unfit("There are several answers in it, and they differ")
    return fitting[-1]


def _formed(value: dict[str, Any], form: type[Form]) -> Form:
    try:
        found = form.model_validate(value)
    except ValidationError as e:
        first = e.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise Unfit("The JSON object has not the form that was asked for", f"{where}: {first['msg']}") from e
    if _has_twice(value):
        raise Unfit("In the JSON object a name stands twice")
    return found


def _has_twice(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_has_twice, value))
    return isinstance(value, _Twice) or (isinstance(value, dict) and any(map(_has_twice, value.values())))


def _decided(value: Any) -> Any:
    """Return the decision without the reasons."""
    if isinstance(value, dict):
        return {name: _decided(part) for name, part in value.items() if name != "reason"}
    return [_decided(part) for part in value] if isinstance(value, list | tuple) else value


def _candidates(text: str) -> list[dict[str, Any]]:
    """Return the whole text if it is an object, else the outermost objects in it, after the thoughts."""
    try:
        everything = _DECODER.decode(text)
    except (ValueError, RecursionError):
        everything = None
    return [everything] if isinstance(everything, dict) else _objects(_THOUGHT.sub("", text))


def _objects(text: str) -> list[dict[str, Any]]:
    found = list[dict[str, Any]]()
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, at)
            found.append(value)
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = {whole(name): whole(part) if isinstance(part, str) else part for name, part in pairs}
    return value if len(value) == len(pairs) else _Twice(value)


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
