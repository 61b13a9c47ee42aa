"""How both clients reach the server: address, credential, time limits, and when a call is sent again."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

import httpx2

from trainer_client.batch import Unfinished
from trainer_client.calls import Call, R
from trainer_client.errors import ServerError, from_answer

CONNECT_S = 10.0

IDLE_S = 60.0
"""How long an unused connection is kept: half of what the server keeps it, so that the client closes first."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the server is and how patient to be. Times in seconds."""

    url: str
    key: str | None
    timeout_s: float
    patience_s: float
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

    @property
    def attempts(self) -> int | None:
        """How often a call is made: once without patience, else until it is over."""
        return None if self.patience_s > 0 else 1

    def again(self, error: Exception) -> bool | float:
        """Whether to send a call again after `error`; as a number: after so many seconds."""
        if isinstance(error, httpx2.TransportError):
            return True
        if not isinstance(error, ServerError | Unfinished) or not error.retryable:
            return False
        if error.retry_after is None:
            return True
        # Not all callers that were told the same time should come back at the same moment.
        return min(error.retry_after, self.patience_s) + random.uniform(0, 1)


def read(call: Call[R], status: int, content: bytes, headers: Mapping[str, str]) -> R:
    """The reply to `call`.

    Raises:
        ServerError: if the answer is none.
    """
    if status != httpx2.codes.OK:
        raise from_answer(status, content, headers)
    return call.read(content)
