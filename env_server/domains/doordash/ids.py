"""Ids derived from their content, so that equal things get equal ids in any order of creation."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

_LINE_DIGITS = 10


def line_id(item_id: str, options: Mapping[str, str]) -> str:
    """Return the id of a line: the item's id and, if the item has options, `_LINE_DIGITS` digits for its choices in any
    order.
    """
    return f"{item_id}-{number(_LINE_DIGITS, item_id, sorted(options.items()))}" if options else item_id


def order_id(user_id: str, restaurant_id: str, quantities: Mapping[str, int], taken: Callable[[str], bool]) -> str:
    """Return the id of a new order of `quantities` (line id -> how many), 'D' and eight digits, that is not `taken`."""
    return _first("D", 8, taken, user_id, restaurant_id, sorted(quantities.items()))


def address_id(user_id: str, parts: Mapping[str, str], taken: Callable[[str], bool]) -> str:
    """Return the id of a new address, 'addr_' and six digits, that is not `taken`."""
    return _first("addr_", 6, taken, user_id, sorted(parts.items()))


def number(length: int, *parts: Any) -> str:
    """Return `length` decimal digits derived from JSON-like `parts`."""
    digest = hashlib.sha256(json.dumps(parts).encode()).digest()
    return f"{int.from_bytes(digest[:8], 'big') % 10**length:0{length}d}"


def _first(prefix: str, length: int, taken: Callable[[str], bool], *parts: Any) -> str:
    attempt = 0
    while taken(found := prefix + number(length, *parts, attempt)):
        attempt += 1
    return found
