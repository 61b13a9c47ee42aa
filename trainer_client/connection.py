"""How both clients reach the server: address, credential and time limits."""

from collections.abc import Mapping
from dataclasses import dataclass

import httpx2

from trainer_client.calls import Call, R
from trainer_client.errors import from_answer

CONNECT_S = 10.0

IDLE_S = 60.0
"""How long an unused connection is kept: half of what the server keeps it, so that the client closes first."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the server is and how long to wait for it. Times in seconds."""

    url: str
    key: str | None
    timeout_s: float
    connections: int

    @property
    def base_url(self) -> str:
        """The address that paths are put behind."""
        return self.url.rstrip("/")

    @property
    def headers(self) -> dict[str, str]:
        """What every request carries."""
        sent = {"content-type": "application/json"}
        return sent if self.key is None else {**sent, "authorization": f"Bearer {self.key}"}

    @property
    def timeout(self) -> httpx2.Timeout:
        """Waiting for a free connection has no limit: a call that waits its turn has not failed."""
        return httpx2.Timeout(self.timeout_s, connect=CONNECT_S, pool=None)

    @property
    def limits(self) -> httpx2.Limits:
        """The pool of connections."""
        return httpx2.Limits(
            max_connections=self.connections, max_keepalive_connections=self.connections, keepalive_expiry=IDLE_S
        )


def read(call: Call[R], status: int, content: bytes, headers: Mapping[str, str]) -> R:
    """The reply to `call`.

    Raises:
        ServerError: if the answer is none.
    """
    if status != httpx2.codes.OK:
        raise from_answer(status, content, headers)
    return call.read(content)
