"""The input and the output of the loading process: plain data that is sent as JSON."""

from dataclasses import dataclass
from typing import Literal

What = Literal["steps", "mcp", "peer", "peer_resets", "resets", "echo", "resume", "episodes"]


@dataclass(frozen=True, slots=True)
class Job:
    """One measurement."""

    what: What
    """`steps` plays episodes and `mcp` makes the same calls over MCP. `echo` sends the steps to an echo, `peer` calls a
    tool of another server, and `peer_resets` and `resets` only begin episodes. `resume` plays a turn of each episode
    before the next turn of any. `episodes` begins and plays episodes, and waits where the server says so; only the
    steps of the second half of the time are counted.
    """

    port: int
    pid: int
    """Process id of the server. Its CPU time is read at the start and the end."""

    domain: str
    plans: str
    """Path of the file with the plans."""

    sessions: int
    """Number of connections, each with one request at a time."""

    seconds: float
    """Duration of the measurement. Resets that prepare episodes for steps do not count."""

    episodes: int | None = None
    """Play or begin exactly this many episodes, without a time limit."""

    replicas: tuple[int, ...] = ()
    """Ports of further servers. A session's requests go to all of them in turn."""

    also: tuple[int, ...] = ()
    """Further processes whose CPU time counts, each with its children: other servers, and the database."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The result of one measurement, over the requests that ended within it."""

    requests: int
    seconds: float
    cpu_s: float | None
    """CPU seconds of the server; None if the machine does not provide them."""

    p50_ms: float
    p99_ms: float
    reply_bytes: float
    """Mean size of a reply in bytes."""

    @property
    def per_s(self) -> float:
        """Return requests per second."""
        return self.requests / self.seconds

    @property
    def per_cpu_s(self) -> float | None:
        """Return requests per CPU-second of the server; None if the CPU time is unknown or zero."""
        return self.requests / self.cpu_s if self.cpu_s else None

    @property
    def cpu_us(self) -> float | None:
        """Return CPU microseconds of the server per request."""
        return None if self.cpu_s is None else self.cpu_s / self.requests * 1e6
