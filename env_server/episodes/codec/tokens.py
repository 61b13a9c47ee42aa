"""Agent tokens. A token is signed, expires, and gives access to one episode's tools only.

A token is `agt_<episode id>.<expiry, seconds since the epoch>.<HMAC-SHA256 of both>`.
"""

import base64
import hmac

PREFIX = "agt_"


class Tokens:
    """Maker and checker of agent tokens with one secret."""

    def __init__(self, secret: str, lifetime_s: float) -> None:
        """Store the secret. A token lives `lifetime_s` seconds."""
        self._secret = secret.encode()
        self._lifetime = lifetime_s

    def make(self, episode_id: str, now: float) -> str:
        """Return a token for `episode_id`, issued at `now`."""
        return self.make_again(episode_id, now, now)

    def make_again(self, episode_id: str, since: float, now: float) -> str:
        """Return the token issued at `since` if at least half of its lifetime is left at `now`; else a later one.

        `since` may be after `now`: another process, with a clock that is ahead, issued the token.
        """
        half = self._lifetime / 2
        claim = f"{episode_id}.{int(since + self._lifetime + half * max(0.0, (now - since) // half))}"
        return f"{PREFIX}{claim}.{self._sign(claim)}"

    def episode_of(self, token: str, now: float) -> str | None:
        """Return the episode of `token`; None if the token is invalid, was changed, or has expired."""
        claim, _, signature = token.removeprefix(PREFIX).rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(claim).encode()):
            return None
        episode_id, _, expiry = claim.rpartition(".")
        return episode_id if int(expiry) >= now else None

    def _sign(self, claim: str) -> str:
        digest = hmac.digest(self._secret, claim.encode(), "sha256")  # a third of the time of `hmac.new`
        return base64.urlsafe_b64encode(digest[:24]).decode()
