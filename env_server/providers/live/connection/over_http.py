"""The HTTP client under an MCP client. A failure becomes a JSON-RPC error, because the SDK ends a client at the first
transport error, and hides the status of a reply.
"""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
from mcp.types import INTERNAL_ERROR

from env_server.providers.live.connection.answers import whole_characters
from env_server.providers.live.connection.lines import MOST_BYTES

CONNECT_S = 10.0
MARK = "env-server/http"
"""The key of our data in an error."""

_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
_TELLING = frozenset({401, 402, 403, 407, 429})


@dataclass(frozen=True)
class HttpTrouble:
    """The failure of a request over HTTP."""

    status: int | None = None
    """The status of the reply; None if there was none."""

    sent: bool = True
    """Whether the request may have reached the server."""

    session_lost: bool = False
    """Whether the server does not know the session any more."""

    retry_after: float | None = None
    """Seconds after which the server accepts another request, if it says so."""


def trouble_of(data: Any) -> HttpTrouble | None:
    """Return the HTTP failure in the data of an error; None if it is an error of another origin."""
    found = data.get(MARK) if isinstance(data, dict) else None
    return HttpTrouble(**found) if isinstance(found, dict) else None


def http_client(headers: Mapping[str, str], connections: int) -> httpx2.AsyncClient:
    """Return a client for one MCP server. Deadlines of calls are the caller's."""
    limits = httpx2.Limits(max_connections=connections + 4, max_keepalive_connections=connections + 4)
    return httpx2.AsyncClient(
        headers=dict(headers),
        timeout=httpx2.Timeout(None, connect=CONNECT_S),
        transport=_Steady(httpx2.AsyncHTTPTransport(limits=limits)),
    )


class _Steady(httpx2.AsyncBaseTransport):
    """A transport that answers each failed POST by a reply with a JSON-RPC error."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method != "POST":
            return await self._inner.handle_async_request(request)
        try:
            reply = await self._inner.handle_async_request(request)
            if reply.status_code < 400 and not reply.headers.get("content-type", "").startswith("application/json"):
                return _events(reply)
            body = await _read(reply)
            await reply.aclose()
        except _NOT_SENT as e:
            return _error(503, "cannot connect", e, HttpTrouble(sent=False))
        except httpx2.TransportError as e:
            return _error(502, "the connection broke", e, HttpTrouble())
        if body is None:
            return _error(502, f"its answer has more than {MOST_BYTES} bytes", None, HttpTrouble())
        said = _trouble(request, reply)
        if said is not None:
            return _error(reply.status_code, _message(reply.status_code, body), None, said)
        kept = {
            name: value for name, value in reply.headers.items() if name not in ("content-encoding", "content-length")
        }
        return httpx2.Response(reply.status_code, headers=kept, content=whole_characters(body))

    async def aclose(self) -> None:
        await self._inner.aclose()


def _events(reply: httpx2.Response) -> httpx2.Response:
    """Return a reply whose events have no half characters. A compressed one is left as it is."""
    if "content-encoding" in reply.headers or not isinstance(reply.stream, httpx2.AsyncByteStream):
        return reply
    kept = {name: value for name, value in reply.headers.items() if name != "content-length"}
    return httpx2.Response(
        reply.status_code, headers=kept, stream=_WholeEvents(reply.stream), extensions=reply.extensions
    )


class _WholeEvents(httpx2.AsyncByteStream):
    """A stream of events, line by line."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces, size = list[bytes](), 0
        async for piece in self._inner:
            *lines, rest = piece.split(b"\n")
            for line in lines:
                yield _whole(b"".join((*pieces, line))) + b"\n"
                pieces, size = [], 0
            pieces.append(rest)
            size += len(rest)
            if size > MOST_BYTES:
                raise httpx2.RemoteProtocolError(f"a line of more than {MOST_BYTES} bytes")
        yield b"".join(pieces)

    async def aclose(self) -> None:
        await self._inner.aclose()


def _whole(line: bytes) -> bytes:
    """Return a line of an event with whole characters."""
    name, found, data = line.partition(b":")
    return name + found + whole_characters(data) if name == b"data" else line


async def _read(reply: httpx2.Response) -> bytes | None:
    """Return the body of a reply; None if it is too long."""
    pieces, size = list[bytes](), 0
    async for piece in reply.aiter_bytes():
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            return None
    return b"".join(pieces)


def _trouble(request: httpx2.Request, reply: httpx2.Response) -> HttpTrouble | None:
    """Return the fault of a reply; None if the SDK understands it as it is."""
    status = reply.status_code
    if status in _TELLING or status >= 500:
        return HttpTrouble(status, retry_after=_seconds(reply.headers.get("retry-after")))
    if status == 404 and "mcp-session-id" in request.headers:
        return HttpTrouble(status, session_lost=True)
    return None


def _message(status: int, body: bytes) -> str:
    """Return the status with the message of a JSON-RPC error, if the body holds one."""
    try:
        said = json.loads(body)["error"]["message"]
    except (ValueError, TypeError, KeyError):
        said = None
    return f"HTTP status {status}" + (f": {said}" if isinstance(said, str) else "")


def _error(status: int, message: str, cause: Exception | None, trouble: HttpTrouble) -> httpx2.Response:
    why = f"{message} ({str(cause) or type(cause).__name__})" if cause is not None else message
    told = {name: value for name, value in vars(trouble).items() if value is not None}
    error = {"code": INTERNAL_ERROR, "message": why, "data": {MARK: told}}
    return httpx2.Response(status, json={"jsonrpc": "2.0", "id": None, "error": error})


def _seconds(text: str | None) -> float | None:
    """Return the seconds of a Retry-After header, which is a number or a date."""
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
