"""JSON as models write it: parsed strictly if possible, repaired within limits, then checked.

Parsing takes linear time in the text's length. Repair does not, so its input is limited: see `REPAIR_LIMIT`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection
from contextvars import ContextVar
from typing import Any

import json_repair

from env_server.tools.parse.result import Unreadable

REPAIR_LIMIT = 16 * 1024
"""Maximum characters of broken JSON that are repaired in one message. Repair is far slower than parsing."""

LEAST_COST = 512
"""Minimum cost of one repair, in characters, which limits the number of repairs."""

_left: ContextVar[list[int] | None] = ContextVar("repair_left", default=None)

MAX_DEPTH = 64
"""Maximum nesting depth of objects and lists. A deeper value is refused."""

MAX_BROKEN = 32
"""Maximum number of unreadable objects tried in one text.

The rest counts as prose, because each try may scan it all.
"""

TOO_DEEP = f"The JSON is nested more than {MAX_DEPTH} levels deep; send a flatter object."

_SMALLEST, _LARGEST = -(2**63), 2**64 - 1

# strict=False allows raw line breaks inside strings, which are the most common flaw and harmless.
_decoder = json.JSONDecoder(strict=False)
_SPACE = re.compile(r"\s*+")
_MOST_BRACKETS = 1000
_MOST_QUOTES = 1000
_ANY_QUOTE = re.compile("[\"'\u201c\u201d]")
_LONG_RUN = re.compile(r"[^\s\"',:{}\[\]]{400}")
_BRACKET = re.compile(r"[\[\]{}]")
QUOTE = "[\"'`\u201c\u201d\u2018\u2019]?"
_NAME_KEY = re.compile(rf"\bname{QUOTE}\s*+[:=]\s*+{QUOTE}([\w.\-]+)")
_ARGUMENTS_KEY = re.compile(rf"\b(?:arguments|parameters|kwargs|args){QUOTE}\s*+[:=]")
_NOT_FINITE = re.compile(rf"(\w*){QUOTE}\s*+[:,\[]\s*+[-+]?(?:NaN|Infinity)\b")


class OneMessage:
    """A context for one message. It limits all repairs within it to `REPAIR_LIMIT` characters together."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        """Begin the message."""
        self._token = _left.set([REPAIR_LIMIT])

    def __exit__(self, *_: object) -> None:
        """Return to the limit before."""
        _left.reset(self._token)


def skip_space(text: str, pos: int) -> int:
    """Return the first position from `pos` that is not whitespace."""
    match = _SPACE.match(text, pos)
    return match.end() if match else pos


def decode_at(text: str, pos: int) -> tuple[Any, int] | None:
    """Return the JSON value that starts exactly at `pos`, and its end; None if there is none.

    Raise `Unreadable` if it is nested too deeply.
    """
    try:
        value, end = _decoder.raw_decode(text, pos)
    except ValueError:  # not JSON, or a number with thousands of digits
        return None
    except RecursionError:
        raise Unreadable(TOO_DEEP) from None
    return value, end


def read(text: str, start: int, end: int) -> tuple[Any, int, bool]:
    """Return the value at `start`, its end, and whether it was repaired.

    A valid value may have any length. Otherwise `text[start:end]` is repaired. Raise `Unreadable`.
    """
    found = decode_at(text, start)
    if found is not None:
        return found[0], found[1], False
    return repair(text[start:end]), end, True


def read_if_meant(text: str, start: int, end: int, known: Collection[str]) -> tuple[Any, int, bool] | None:
    """Read a value that may be data, as `read` does. Return None if it is broken and not marked as a call.

    Broken text that is too long to repair counts as data too. Raise `Unreadable`.
    """
    try:
        found = decode_at(text, start)
    except Unreadable:
        if is_marked(text[start : start + REPAIR_LIMIT], known):
            raise
        return None
    if found is not None:
        return found[0], found[1], False
    if end - start > REPAIR_LIMIT or not is_marked(text[start:end], known):
        return None
    return repair(text[start:end]), end, True


def repair(source: str) -> Any:
    """Return the object or list that `source` most likely means. Raise `Unreadable` if it cannot be repaired."""
    left = _left.get()
    if len(source) > (REPAIR_LIMIT if left is None else left[0]):
        raise Unreadable(f"The JSON is not valid and too long to repair (over {REPAIR_LIMIT} characters in a message).")
    if left is not None:
        left[0] -= max(len(source), LEAST_COST)
    if _depth(source) > MAX_DEPTH:
        raise Unreadable(TOO_DEEP)
    # The repair library takes quadratic time on these inputs. No call that is worth a repair has them.
    too_many = (
        len(_BRACKET.findall(source)) + source.count("(") > _MOST_BRACKETS
        or len(_ANY_QUOTE.findall(source)) > _MOST_QUOTES
    )
    if too_many or _LONG_RUN.search(source):
        raise Unreadable("The JSON is not valid and too intricate to repair.")
    if bad := _NOT_FINITE.search(source):
        where = f"Argument {bad[1]!r}" if bad[1] else "The JSON"
        raise Unreadable(f"{where} is NaN or Infinity; only finite numbers are allowed.")
    try:
        value: Any = json_repair.loads(source, skip_json_loads=True)
    except Exception:  # a third-party parser with arbitrary input: any error means that it cannot repair the text
        value = None
    if not isinstance(value, dict | list) or not value:
        raise Unreadable("The JSON is not valid and could not be repaired.")
    return value


def _depth(source: str) -> int:
    depth = deepest = 0
    for bracket in _BRACKET.finditer(source):
        depth = depth + 1 if bracket[0] in "[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def is_marked(source: str, known: Collection[str]) -> bool:
    """Return whether broken JSON is meant as a call: it names a known tool, or has both a name and arguments."""
    name = _NAME_KEY.search(source)
    return name is not None and (name[1] in known or _ARGUMENTS_KEY.search(source) is not None)


def text_problem(text: str) -> str | None:
    """Return why `text` cannot be stored and sent as UTF-8 JSON, or None."""
    if "\0" in text:
        return "contains a NUL character"
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError:
        return "contains a lone surrogate"
    return None


def value_problem(value: Any, depth: int = 2) -> str | None:
    """Return why `value`, an argument (level 2 of its call's arguments), is not valid JSON, or None."""
    if isinstance(value, str):
        return text_problem(value)
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return None if _SMALLEST <= value <= _LARGEST else "is an integer of more than 64 bits"
    if isinstance(value, float):
        return None if math.isfinite(value) else "is NaN or Infinity"
    if isinstance(value, dict | list):
        return _container_problem(value, depth)
    return "is not a JSON value"


def _container_problem(value: dict[Any, Any] | list[Any], depth: int) -> str | None:
    if depth > MAX_DEPTH:
        return f"is nested more than {MAX_DEPTH} levels deep"
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                return "has a key that is not a string"
            if problem := text_problem(key):
                return problem
        value = list(value.values())
    for item in value:
        if problem := value_problem(item, depth + 1):
            return problem
    return None
