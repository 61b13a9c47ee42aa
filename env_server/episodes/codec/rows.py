"""The SQL form of rows: JSON text in the row's own key order, with non-ASCII characters escaped.

A row is read back exactly as it was written.
"""

import json
from typing import Any

from env_server.state import FrozenDict


def row_text(row: Any) -> str:
    """Return a row's stored text. It is the text that agents read."""
    return row.text if isinstance(row, FrozenDict) else json.dumps(row, allow_nan=False)


def row_value(text: str) -> Any:
    """Return the row of a stored text."""
    return json.loads(text)
