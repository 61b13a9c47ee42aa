"""What the loading process is told, and what it answers: plain data that travels as JSON."""

from dataclasses import dataclass
from typing import Literal

What = Literal["steps", "mcp", "peer", "resets", "echo"]


@dataclass(frozen=True, slots=True)
class Job:
    """One measurement."""

    what: What
    """`steps` plays episodes of ours and `mcp` the same calls over MCP; `echo` sends the steps to an echo, `peer` calls
    a tool of another server's; `resets` only begins episodes."""

    port: int
    pid: int
    """The server's process, whose CPU time is read at both ends."""

    domain: str
    plans: str
    """The file with the plans."""

    sessions: int
    """Connections, each with one request under way."""

    seconds: float
    """How long to measure; beginning episodes to play steps in does not count."""

    episodes: int | None = None
    """Play or begin exactly this many, however long it takes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What one measurement saw, of the requests that fell into it."""

    requests: int
    seconds: float
    cpu_s: float | None
    """CPU time of the server; None where the machine does not tell."""

    p50_ms: float
    p99_ms: float
    reply_bytes: float
    """Mean size of a reply."""

    @property
    def per_s(self) -> float:
        """Requests per second."""
        return self.requests / self.seconds

    @property
    def per_cpu_s(self) -> float | None:
        """Requests per CPU-second of the server; None also where it used too little to tell."""
        return self.requests / self.cpu_s if self.cpu_s else None

    @property
    def cpu_us(self) -> float | None:
        """CPU microseconds of the server per request."""
        return None if self.cpu_s is None else self.cpu_s / self.requests * 1e6
