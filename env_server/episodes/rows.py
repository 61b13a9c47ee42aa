"""Rows as SQL holds them: ASCII-escaped JSON text in the row's own key order, so that they come back exactly."""

import json
from typing import Any


def row_text(row: Any) -> str:
    """A row as stored."""
    return json.dumps(row, separators=(",", ":"), allow_nan=False)


def row_value(text: str) -> Any:
    """A row from its stored text."""
    return json.loads(text)
