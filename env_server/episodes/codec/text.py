"""JSON text of values from callers and models, which may hold any numbers and characters."""

import json
import math
import re
from typing import Any

import orjson

_SURROGATE = re.compile("[\ud800-\udfff]")


def dumps(value: Any) -> str:
    """Return `value` as compact JSON. Lone surrogates become U+FFFD; NaN and infinities become null."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # an integer of more than 64 bits, or a lone surrogate
        return json.dumps(_tame(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def loads(text: str | bytes) -> Any:
    """Return the value that `dumps` wrote. Integers of more than 64 bits may come back as floats."""
    try:
        return orjson.loads(text)
    except ValueError:  # an integer beyond the range of floats
        return json.loads(text)


def _tame(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list | tuple):
        return [_tame(v) for v in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", k): _tame(v) for k, v in value.items()}
    return value
