"""The trainers' API keys, and which paths a session of the page opens instead."""

import hmac
from collections.abc import Mapping

ANONYMOUS = "anonymous"
"""The name of every caller of a server without keys."""


def owner(keys: Mapping[str, bytes], given: bytes) -> str | None:
    """Return the name of the key `given`, or None. How long this takes does not tell which key it resembles."""
    found = None
    for name, key in keys.items():
        if hmac.compare_digest(given, key):
            found = name
    return found


def is_page(path: str) -> bool:
    """Return whether `path` is a page for people. Every other path belongs to the API."""
    return path in {"/", "/page"} or path.startswith("/page/")
