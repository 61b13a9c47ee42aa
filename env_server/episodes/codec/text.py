"""JSON text: of rows, which are read back exactly as they were written, and of values from callers and models.

Values from callers and models may hold any numbers and characters.
"""

import json
import math
import re
from typing import Any

import orjson

from env_server.state import FrozenDict

_SURROGATE = re.compile("[\ud800-\udfff]")


def row_text(row: Any) -> str:
    """Return a row's stored text, which agents read: JSON in the row's own key order, non-ASCII characters escaped."""
    return row.text if isinstance(row, FrozenDict) else json.dumps(row, allow_nan=False)


def row_value(text: str) -> Any:
    """Return the row of a stored text."""
    return json.loads(text)


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
