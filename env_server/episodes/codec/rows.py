"""Rows as SQL holds them: ASCII-escaped JSON text in the row's own key order, so that they come back exactly."""

import json
from typing import Any

from env_server.state import FrozenDict


def row_text(row: Any) -> str:
    """A row as stored: the very text that agents read."""
    return row.text if isinstance(row, FrozenDict) else json.dumps(row, allow_nan=False)


def row_value(text: str) -> Any:
    """A row from its stored text."""
    return json.loads(text)
