"""Agent tokens: signed, expiring, and good for one episode's own tools and nothing else.

A token is `agt_<episode id>.<expiry, seconds since the epoch>.<HMAC-SHA256 of both>`.
"""

import base64
import hashlib
import hmac

PREFIX = "agt_"


class Tokens:
    """Makes and checks agent tokens with one secret."""

    def __init__(self, secret: str, lifetime_s: float) -> None:
        """Sign with `secret`; a token lives `lifetime_s` seconds."""
        self._secret = secret.encode()
        self._lifetime = lifetime_s

    def make(self, episode_id: str, now: float) -> str:
        """A token for `episode_id`, issued at `now`."""
        return self.make_again(episode_id, now, now)

    def make_again(self, episode_id: str, since: float, now: float) -> str:
        """The token issued at `since` while half of its life is before it; later one of which that is true at `now`."""
        half = self._lifetime / 2
        claim = f"{episode_id}.{int(since + self._lifetime + half * ((now - since) // half))}"
        return f"{PREFIX}{claim}.{self._sign(claim)}"

    def episode_of(self, token: str, now: float) -> str | None:
        """The episode that `token` is for; None if it is not one of ours, was tampered with, or has expired."""
        claim, _, signature = token.removeprefix(PREFIX).rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(claim).encode()):
            return None
        episode_id, _, expiry = claim.rpartition(".")
        return episode_id if int(expiry) >= now else None

    def _sign(self, claim: str) -> str:
        digest = hmac.new(self._secret, claim.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:24]).decode()
