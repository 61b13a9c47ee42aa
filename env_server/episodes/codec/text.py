"""JSON text of what callers and models write, whatever numbers and characters they chose."""

import json
import math
import re
from typing import Any

import orjson

_SURROGATE = re.compile("[\ud800-\udfff]")


def dumps(value: Any) -> str:
    """`value` as compact JSON; half surrogate pairs become U+FFFD, and NaN and infinities null."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # an integer of more than 64 bits, or half a surrogate pair
        return json.dumps(_tame(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def loads(text: str | bytes) -> Any:
    """What `dumps` wrote; integers of more than 64 bits may come back as floats."""
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
