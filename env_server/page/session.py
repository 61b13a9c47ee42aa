"""Sessions of the page: signed cookies that expire, and the tokens of their forms.

A cookie is `<name>.<id>.<expiry>.<signature>`. The signature covers the key with which the person signed in, so that a
session ends when its key is withdrawn. Nothing is stored; every process with the same secret accepts it.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from env_server.api.gate import ANONYMOUS, owner

LIFETIME_S = 43_200
"""Seconds until a session expires: half a day."""


@dataclass(frozen=True, slots=True)
class Session:
    """A person at a browser. `name` is the name of their key; empty for a visitor who has not signed in."""

    name: str
    id: str
    expires: int


class Sessions:
    """Maker and checker of session cookies and form tokens."""

    def __init__(self, secret: str, keys: Mapping[str, str]) -> None:
        """Sign with `secret`. Without `keys`, everybody is signed in."""
        self._secret = hmac.new(secret.encode(), b"sessions of the page", hashlib.sha256).digest()
        self._keys = {name: key.encode() for name, key in keys.items()}

    @property
    def ask(self) -> bool:
        """Whether a person has to sign in."""
        return bool(self._keys)

    def sign_in(self, key: str, now: float) -> Session | None:
        """Return a session of the owner of `key`; None if the server does not know the key."""
        name = owner(self._keys, key.strip().encode())
        return None if name is None else self._begun(name, now)

    def visit(self, now: float) -> Session:
        """Return a session of somebody who has not signed in."""
        return self._begun("", now)

    def cookie(self, session: Session) -> str:
        """Return the value of the session's cookie."""
        name = base64.urlsafe_b64encode(session.name.encode()).decode()
        claim = f"{name}.{session.id}.{session.expires}"
        return f"{claim}.{self._sign('cookie', claim, self._keys.get(session.name, b''))}"

    def read(self, cookie: str, now: float) -> Session | None:
        """Return the session of a cookie; None if it was changed or has expired, or if its key is gone."""
        try:
            claim, signature = cookie.rsplit(".", 1)
            encoded, id, expires = claim.split(".")
            name = base64.urlsafe_b64decode(encoded).decode()
            session = Session(name, id, int(expires))
        except ValueError:
            return None
        if name and name not in self._keys:
            return None
        expected = self._sign("cookie", claim, self._keys.get(name, b""))
        good = hmac.compare_digest(signature.encode(), expected.encode()) and session.expires >= now
        return session if good else None

    def caller(self, session: Session) -> str | None:
        """Return the name under which the person calls; None if they have to sign in first."""
        return session.name or (None if self._keys else ANONYMOUS)

    def form_token(self, session: Session) -> str:
        """Return the token that every form of this session carries."""
        return self._sign("form", session.id, session.name.encode())

    def is_form_token(self, session: Session, token: str) -> bool:
        """Return whether `token` belongs to a form of this session."""
        return hmac.compare_digest(token.encode(), self.form_token(session).encode())

    def _begun(self, name: str, now: float) -> Session:
        return Session(name, secrets.token_urlsafe(12), int(now) + LIFETIME_S)

    def _sign(self, use: str, claim: str, key: bytes) -> str:
        message = b"\0".join((use.encode(), claim.encode(), hashlib.sha256(key).digest()))
        return base64.urlsafe_b64encode(hmac.new(self._secret, message, hashlib.sha256).digest()[:24]).decode()
