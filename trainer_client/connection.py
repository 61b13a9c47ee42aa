"""How both clients reach the server: address, credential and limits."""

from dataclasses import dataclass, field

import httpx2

TIMEOUT_S = 150.0
"""The default for one attempt: a server's longest turn (`STEP_TIMEOUT_S`, 60 s), a judge's verdict after it (60 s), and
some more for the way."""

PATIENCE_S = 300.0
"""The default for all attempts: twice that, so that an attempt that got no answer at all is followed by another."""

CONNECT_S = 10.0

IDLE_S = 60.0
"""How long an unused connection is kept: half of what the server keeps it, so that the client closes first."""


@dataclass(frozen=True, slots=True)
class Times:
    """How long the parts of one attempt may take. In seconds."""

    answer: float
    """From sending the request to the end of its answer."""
    connect: float = CONNECT_S
    free: float | None = None
    """Waiting for a free connection; by default without a limit: a call that waits its turn has not failed."""

    @property
    def timeout(self) -> httpx2.Timeout:
        """The same for httpx2."""
        return httpx2.Timeout(self.answer, connect=min(self.connect, self.answer), pool=self.free)


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the server is and how long to wait for it. Times in seconds."""

    url: str
    key: str | None = field(repr=False)
    timeout_s: float
    connections: int

    def __post_init__(self) -> None:
        """Check the key here: who refused it later would quote it.

        Raises:
            ValueError: if no header can carry it.
        """
        key = self.key
        if key is not None and not (key and key == key.strip() and key.isascii() and key.isprintable()):
            raise ValueError("the key is empty or has characters that no header can carry, perhaps a line end after it")

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
    def times(self) -> Times:
        """How long an attempt may take."""
        return Times(self.timeout_s)

    @property
    def limits(self) -> httpx2.Limits:
        """The pool of connections."""
        return httpx2.Limits(
            max_connections=self.connections, max_keepalive_connections=self.connections, keepalive_expiry=IDLE_S
        )
