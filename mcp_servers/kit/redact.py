"""Removes secrets from text that leaves the process: results, errors and log lines."""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, quote_plus

MASK = "[secret]"
SHORTEST = 4
"""Minimum characters of a secret that is masked. Shorter ones would match ordinary words."""

_IN_URLS = re.compile(r"(?i)\b((?:api[_-]?key|access[_-]?token|token)=)[^&\s\"'<>]+")


class Redactor:
    """A set of secrets to mask, both literally and as they look in a URL."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Store the secrets that are not too short."""
        known = {secret for secret in secrets if len(secret) >= SHORTEST}
        forms = {form for secret in known for form in (secret, quote(secret, safe=""), quote_plus(secret))}
        self._forms = sorted(forms, key=len, reverse=True)
        self._bytes = [form.encode() for form in self._forms]

    def text(self, text: str) -> str:
        """Return `text` with every secret masked."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, MASK)
        return text

    def line(self, text: str) -> str:
        """Return an error or log line with every secret masked. Also mask what looks like a key in a URL."""
        return _IN_URLS.sub(rf"\1{MASK}", self.text(text))

    def holds(self, body: bytes) -> bool:
        """Return whether JSON holds a secret, or could hold one in escapes."""
        if not self._bytes:
            return False
        return b"\\" in body or any(form in body for form in self._bytes)

    def value(self, value: Any) -> Any:
        """Return a JSON value with every secret masked in its texts and names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.value(item) for key, item in value.items()}
        return value
