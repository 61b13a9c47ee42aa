"""Verdicts in what a model wrote, with or without words around them."""

import json
import re
from typing import Any

from pydantic import ValidationError

from env_server.rewards.judge.inquiry import Form, Unfit

_MOST_BRACES = 200
"""Places at which an object may begin that are looked at."""

_THOUGHT = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.S | re.I)


def read(text: str, form: type[Form]) -> Form:
    """The object of the form in `text`: the last one, as a model may try it out before it answers.

    Raises:
        Unfit: if there is none.
    """
    objects = _objects(_THOUGHT.sub("", text))
    if not objects:
        raise Unfit("There is no JSON object in it.")
    try:
        return form.model_validate(objects[-1])
    except ValidationError as e:
        first = e.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise Unfit(f"The JSON object has not the form that was asked for: {where}: {first['msg']}.") from e


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects in `text` that stand in no other one."""
    decoder, found = json.JSONDecoder(), list[dict[str, Any]]()
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
            found.append(value)
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)
    return found
