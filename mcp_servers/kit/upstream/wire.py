"""Transports of requests: a socket, or a call of an ASGI application in this process."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import anyio
import httpx2

Message = MutableMapping[str, Any]
App = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]
"""An ASGI application."""

MAX_BODY = 16 * 1024 * 1024
"""Maximum bytes of a response. A longer response is refused."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request. `path` is absolute and percent-encoded, `query` is encoded. Neither holds a secret."""

    method: str
    base: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class WireError(Exception):
    """An error that prevented a complete response."""


class NotSent(WireError):
    """The service was not reached, so the request had no effect."""


class Slow(WireError):
    """The service did not answer in time."""


class Cut(WireError):
    """The connection broke after the request may have been read."""


class TooLong(WireError):
    """The response has more than `MAX_BODY` bytes."""


class Wire(Protocol):
    """A transport that carries one request at a time."""

    async def send(self, request: Request) -> Reply:
        """Send a request and return the complete response. Raise `WireError` on failure."""

    async def aclose(self) -> None:
        """Close the connections. The wire can be used again afterwards."""


class Socket:
    """HTTP over sockets. It follows no redirects, because a key must go only to the host that the operator named."""

    def __init__(self, timeout_s: float, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        """Set a timeout of `timeout_s` seconds without data. A `transport` replaces the sockets."""
        self._timeout_s = timeout_s
        self._transport = transport
        self._client: httpx2.AsyncClient | None = None

    async def send(self, request: Request) -> Reply:
        """See `Wire`."""
        if self._client is None:
            # Connecting has a shorter timeout than the response, so that a request that was not sent is recognized as
            # such.
            timeout = httpx2.Timeout(self._timeout_s, connect=self._timeout_s / 2)
            self._client = httpx2.AsyncClient(timeout=timeout, follow_redirects=False, transport=self._transport)
        url = f"{request.base}{request.path}" + (f"?{request.query}" if request.query else "")
        with _unlogged():
            try:
                return await self._exchange(self._client, request, url)
            except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as e:
                raise NotSent(type(e).__name__) from None
            except httpx2.TimeoutException as e:
                raise Slow(type(e).__name__) from None
            except httpx2.HTTPError as e:
                raise Cut(type(e).__name__) from None

    async def _exchange(self, client: httpx2.AsyncClient, request: Request, url: str) -> Reply:
        asked = client.stream(request.method, url, headers=dict(request.headers), content=request.body or None)
        async with asked as response:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MAX_BODY:
                    raise TooLong
            return Reply(response.status_code, dict(response.headers), bytes(body))

    async def aclose(self) -> None:
        """See `Wire`."""
        client, self._client = self._client, None
        if client is not None:
            with _unlogged():
                await client.aclose()


class InProcess:
    """A call of an ASGI application without an HTTP client. The application gets the same messages as from a server."""

    def __init__(self, app: App) -> None:
        """Carry requests to `app`."""
        self._app = app

    async def send(self, request: Request) -> Reply:
        """See `Wire`."""
        given: list[Message] = []
        unread = [request.body]

        async def receive() -> Message:
            if not unread:
                await anyio.sleep_forever()  # The client never disconnects, so this wait has no end.
            return {"type": "http.request", "body": unread.pop(), "more_body": False}

        async def send(message: Message) -> None:
            given.append(message)

        try:
            await self._app(_scope(request), receive, send)
        except ConnectionError as e:
            raise Cut(type(e).__name__) from None
        if not given or given[-1].get("more_body"):
            raise Cut("application")
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in given[0]["headers"]}
        body = b"".join([message.get("body", b"") for message in given[1:]])
        if len(body) > MAX_BODY:
            raise TooLong
        return Reply(given[0]["status"], headers, body)

    async def aclose(self) -> None:
        """See `Wire`."""


def _scope(request: Request) -> Message:
    scheme, host, pairs = _origin(request.base)
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": scheme,
        "path": unquote(request.path),
        "raw_path": request.path.encode("ascii"),
        "query_string": request.query.encode("ascii"),
        "root_path": "",
        "headers": [(b"host", host), *headers],
        "server": pairs,
        "client": ("127.0.0.1", 0),
    }


@cache
def _origin(base: str) -> tuple[str, bytes, tuple[str, int]]:
    parts = urlsplit(base)
    scheme, host = parts.scheme or "http", parts.hostname or "localhost"
    return scheme, parts.netloc.encode("ascii"), (host, parts.port or (443 if scheme == "https" else 80))


_asking: ContextVar[bool] = ContextVar("asking", default=False)


class _OwnSilence(logging.Filter):
    """A filter that drops log lines of an HTTP client about this process's requests.

    They hold whole URLs and headers.
    """

    def filter(self, _record: logging.LogRecord, /) -> bool:
        """Return whether the line belongs to a request of other code."""
        return not _asking.get()


_SILENCE = _OwnSilence("ours")
for _name in ("httpx2", *(f"httpcore2.{part}" for part in ("connection", "http11", "http2", "proxy", "socks"))):
    logging.getLogger(_name).addFilter(_SILENCE)


@contextmanager
def _unlogged() -> Iterator[None]:
    token = _asking.set(True)
    try:
        yield
    finally:
        _asking.reset(token)
