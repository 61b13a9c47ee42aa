"""Halves of characters (lone surrogates): JSON can spell them, and nothing can store, send or show them."""

import json
from typing import Any


def whole(text: str) -> str:
    """`text` with a question mark for each half of a character."""
    return text.encode("utf-8", "replace").decode()


def whole_json(value: Any) -> Any:
    """Plain JSON data with every text in it made `whole`, names of fields included.

    Raises:
        RecursionError: if it is nested too deeply.
    """
    return json.loads(whole(json.dumps(value, ensure_ascii=False)))
