"""HTTP connections with limits: their number, the size of a head, and the time that a request may take to arrive.

A connection *waits* while the server has no whole request of its client: it is idle, or a request has begun to arrive.
A connection that waits may be closed at any time. A connection whose request is being answered is never closed.
"""

import asyncio
import resource
from asyncio.events import TimerHandle
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from agent_env_schemas import ErrorCode
from env_server.api.problems import problem_response
from env_server.errors import ProblemError
from env_server.telemetry.metrics import CLOSED_CONNECTIONS, CONNECTIONS

LARGEST_HEAD = 16_384
"""Maximum size in bytes of the request line and the headers."""

MOST_CONNECTIONS = 16_384
"""Maximum number of connections if the operator sets no limit, even if the descriptors would allow more."""

MOST_DESCRIPTORS = 65_536
"""Number of descriptors up to which a process raises its own limit."""

NEARLY_FULL = 0.9
"""Share of the maximum number of connections from which the log gets a warning."""

WARN_EVERY_S = 60.0
"""Minimum seconds between two warnings of `NEARLY_FULL`."""

RETRY_AFTER_S = 1.0
"""Seconds after which a client that was refused because all connections were taken may try again."""

HEALTH = frozenset(("/healthz", "/readyz", "/health"))
"""Paths that are answered even if the server has no free connection."""

_PHRASES = {400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large"}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of one process on its connections. Times in seconds."""

    connections: int
    head_timeout_s: float
    body_timeout_s: float


def raise_descriptor_limit() -> int:
    """Raise the soft limit of open descriptors to the hard one, to at most `MOST_DESCRIPTORS`. Return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


def connections_within(descriptors: int) -> int:
    """Return how many connections leave a quarter of the descriptors to files, endpoints and child processes."""
    return max(1, min(MOST_CONNECTIONS, descriptors * 3 // 4))


class ConnectionPool:
    """The open connections of a process.

    Attributes:
        waiting: the connections that wait, the one that has waited longest first.
        leaving: the connections that this server is closing.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        """Accept connections within `limits`."""
        self.limits = limits
        self.waiting: dict[LimitedConnection, None] = {}
        self.leaving: set[LimitedConnection] = set()
        self._warned_at = float("-inf")

    def admit(self, opened: int, now: float) -> None:
        """Count a new connection, the last of `opened`. If there are too many, close the one that waits longest."""
        CONNECTIONS.set(opened)
        taken, most = opened - len(self.leaving), self.limits.connections
        if taken >= NEARLY_FULL * most and now - self._warned_at >= WARN_EVERY_S:
            self._warned_at = now
            log.warning("nearly all connections are taken", connections=taken, most=most, waiting=len(self.waiting))
        if taken > most and self.waiting:
            next(iter(self.waiting)).give_up("full")

    def is_full(self, opened: int) -> bool:
        """Return whether the `opened` connections whose requests are being answered reach the server's limit."""
        return opened - len(self.waiting) - len(self.leaving) >= self.limits.connections


class JoinedWrites(asyncio.Transport):
    """The transport of one answer. It holds back the first data written and sends it together with the next.

    uvicorn writes the head and the body of an answer one after the other, and each is sent at once. In a profile, the
    two system calls took 15 % of the time. The first data waits no longer than until the event loop has run what is
    ready, so a slow body does not delay the head. uvicorn calls only these methods.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        """Write to `transport`."""
        self._transport, self._loop = transport, loop
        self._begun = False
        self._held = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write `data` after what is held back, or hold it back if it is the first."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        elif self._begun:
            self._transport.write(data)
        else:
            self._begun, self._held = True, bytes(data)
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        """Write what is held back, and close the transport."""
        self._flush()
        self._transport.close()

    def is_closing(self) -> bool:
        """Return whether the transport is closing or closed."""
        return self._transport.is_closing()


class LimitedConnection(HttpToolsProtocol):
    """A connection of a `ConnectionPool`."""

    def __init__(self, pool: ConnectionPool, **given: Any) -> None:
        """Belong to `pool`. `given` is what uvicorn gives each connection."""
        super().__init__(**given)
        self._pool = pool
        self._in_head, self._head_bytes = False, 0
        self._arrived = 0
        self._refusal = 0
        self._timer: TimerHandle | None = None
        self._timer_of = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn declares it
        """Accept the connection. Its first request has to begin within the time for a head."""
        super().connection_made(transport)
        self._pool.admit(len(self.connections), self.loop.time())
        self._pool.waiting[self] = None
        self._await("head")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._await("")
        self._pool.waiting.pop(self, None)
        self._pool.leaving.discard(self)
        super().connection_lost(exc)
        CONNECTIONS.set(len(self.connections))

    def data_received(self, data: bytes) -> None:
        """Parse `data`, and await the rest of the request for a limited time."""
        self._arrived = len(data)
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > LARGEST_HEAD and not self.transport.is_closing():
                self._refuse(431)
                return
            self._await("head")
        elif (request := self._request) is not None and request.more_body:
            self._await("body")
        elif self._timer is not None:
            self._await("")

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._in_head, self._head_bytes = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Start the application, unless the head is too large, names two hosts, or no connection is free.

        Raises:
            ValueError: if the head is refused. The parser then calls `send_400_response`.
        """
        self._in_head = False
        if self._head_bytes + self._arrived > LARGEST_HEAD and self._head_size() > LARGEST_HEAD:
            self._refusal = 431
            raise ValueError("the head is too large")
        if [name for name, _ in self.headers].count(b"host") > 1:
            self._refusal = 400
            raise ValueError("the request names two hosts")
        whole, before = self.app, self._request
        if self._pool.is_full(len(self.connections)) and self.url not in _HEALTH_URLS:
            CLOSED_CONNECTIONS.add(("refused",))
            self.app = _overloaded
        try:
            super().on_headers_complete()
        finally:
            self.app = whole
        if self._request is not None and self._request is not before and self.scope["method"] != "HEAD":
            # its application has not started yet; the answer to HEAD has no body to wait for
            self._request.transport = JoinedWrites(self.transport, self.loop)

    def _head_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def on_message_complete(self) -> None:
        """Note that the request has arrived completely, so that the connection no longer waits."""
        self._pool.waiting.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.response_complete:
            self._pool.waiting[self] = None

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the WebSocket."""
        self._pool.waiting.pop(self, None)
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Refuse a head that cannot be parsed, or that `on_headers_complete` has refused."""
        if self._refusal:
            self._refuse(self._refusal)
        else:
            super().send_400_response(msg)

    def shutdown(self) -> None:
        """Close the connection if it waits, since the server stops; else finish the request."""
        if self in self._pool.waiting:
            self.give_up("stopping")
        else:
            super().shutdown()

    def give_up(self, reason: str) -> None:
        """Close the connection, which waits. Count it by `reason`."""
        CLOSED_CONNECTIONS.add((reason,))
        self._pool.waiting.pop(self, None)
        self._pool.leaving.add(self)
        request = self._request
        if self._in_head or (request is not None and request.more_body and not request.response_started):
            self._refuse(408)
        else:
            self.transport.close()

    @property
    def _request(self) -> RequestResponseCycle | None:
        """The last request whose head has arrived, if there was one. uvicorn declares that there always is one."""
        return self.cycle

    def _await(self, part: str) -> None:
        """Give the client a limited time to send `part` of a request. Further calls for it change nothing.

        `""` ends the wait.
        """
        if part == self._timer_of:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_of = part
        if part:
            limits = self._pool.limits
            seconds = limits.head_timeout_s if part == "head" else limits.body_timeout_s
            self._timer = self.loop.call_later(seconds, self._late, seconds)

    def _late(self, seconds: float) -> None:
        if self.flow.read_paused:  # the client waits for this server
            self._timer = self.loop.call_later(seconds, self._late, seconds)
        elif not self.transport.is_closing():
            self.give_up(f"{self._timer_of}_timeout")

    def _refuse(self, status: int) -> None:
        """Answer with `status` and close the connection."""
        line = f"HTTP/1.1 {status} {_PHRASES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        self.transport.write(line.encode())
        self.transport.close()


_HEALTH_URLS = frozenset(path.encode() for path in HEALTH)


async def _overloaded(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that all connections are in use."""
    problem = ProblemError(ErrorCode.OVERLOADED, "all connections of this server are in use", retry_after=RETRY_AFTER_S)
    app: ASGIApp = problem_response(problem, None, {"Connection": "close"})
    await app(scope, receive, send)
