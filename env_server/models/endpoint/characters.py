"""Lone surrogates (halves of characters). JSON can represent them, but they cannot be stored, sent or shown."""

import json
from typing import Any


def whole(text: str) -> str:
    """Return `text` with a question mark for each lone surrogate."""
    return text.encode("utf-8", "replace").decode()


def whole_json(value: Any) -> Any:
    """Return plain JSON data with `whole` applied to every text in it, including field names.

    Raises:
        RecursionError: if it is nested too deeply.
    """
    return json.loads(whole(json.dumps(value, ensure_ascii=False)))
