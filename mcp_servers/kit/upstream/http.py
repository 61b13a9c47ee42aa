"""The HTTP client of all APIs: keys in headers, retries, a rate limit, cursors, and errors that a model can act on."""

import base64
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import anyio
import stamina
from pydantic_core import from_json, to_json

from mcp_servers.kit.errors import PASSING, ErrorKind, UpstreamError
from mcp_servers.kit.redact import Redactor
from mcp_servers.kit.upstream.rate import bucket
from mcp_servers.kit.upstream.replies import Explain, failure, misread
from mcp_servers.kit.upstream.wire import (
    Cut,
    InProcess,
    NotSent,
    Reply,
    Request,
    Slow,
    Socket,
    TooLong,
    Wire,
    WireError,
)

_log = logging.getLogger(__name__)

MAX_PAUSE_S = 30.0
"""The longest wait, for a retry or for the rate limit, in seconds. A longer wait becomes an error for the model."""

_KEYS = {"apikey", "api_key", "key", "token", "access_token"}


@dataclass(frozen=True)
class Service:
    """An API and its request settings."""

    name: str
    base_url: str
    headers: Mapping[str, str] = field(repr=False)
    """Headers that carry the key. The key is never part of a URL or a body."""
    timeout_s: float = 20.0
    """Timeout of one attempt, in seconds."""
    attempts: int = 3
    per_minute: int | None = None
    """Maximum calls per minute that this process makes with this key. None sets no limit."""
    explain: Explain | None = None
    """A function that reads the vendor's errors.

    It maps status and JSON body to kind and text, or to None if it is no error.
    """

    def secrets(self) -> tuple[str, ...]:
        """Return the texts that must not leave the process: each header's value, with and without its scheme."""
        return tuple({text for value in self.headers.values() for text in (value, value.rpartition(" ")[2])})


class Upstream:
    """An async client of one service. Every method converts network errors to `UpstreamError`."""

    def __init__(self, service: Service, wire: Wire | None = None) -> None:
        """Make a client of `service` that uses `wire`. None uses sockets."""
        self.service = service
        self.redact = Redactor(service.secrets())
        self._wire = wire or Socket(service.timeout_s)
        parts = urlsplit(service.base_url.rstrip("/"))
        self._base, self._root = f"{parts.scheme}://{parts.netloc}", parts.path
        self._headers = {"accept": "application/json", **service.headers}
        self._bucket = bucket(service.name, tuple(service.headers.items()), service.per_minute)

    async def get(self, *segments: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send a GET request and return its JSON. Each of `segments` becomes one segment of the path, with any content.

        Args:
            segments: The path below the base URL.
            params: The query. None values are left out. Booleans become `true` and `false`. A list repeats the
                parameter.
        """
        return await self._patiently(self._request("GET", self._path(segments), _query(params)), write=False)

    async def post(self, *segments: str, json: Any, write: bool = False) -> Any:
        """Send JSON in a POST request and return the JSON of the response.

        Args:
            segments: As in `get`.
            json: The body.
            write: Whether the call changes data. A write is retried only if it certainly had no effect (not reached, or
                429). A timeout, a 5xx, a cut response or an unreadable response becomes `OUTCOME_UNKNOWN`.
        """
        return await self._patiently(self._request("POST", self._path(segments), "", to_json(json)), write=write)

    def cursor(self, next_url: str | None) -> str | None:
        """Return the address of the next page as text that a model can pass back. The text has no host and no key.

        The client requests the page from the service's own host, whatever host the address names. Return None if there
        is no address, or if its path is not below the base URL.
        """
        if not next_url:
            return None
        try:
            parts = urlsplit(next_url)
        except ValueError:
            return None
        if not parts.path.startswith(f"{self._root}/"):
            return None
        page = self.redact.text(f"{parts.path.removeprefix(self._root)}?{_keyless(parts.query)}")
        return base64.urlsafe_b64encode(page.encode()).decode().rstrip("=")

    async def follow(self, next_url: str, *under: str, more: int | None = None) -> Any:
        """Return a next page from the service's own host.

        Args:
            next_url: The result of `cursor`, or the vendor's address.
            under: Segments that the path must begin with.
            more: How many segments must follow `under`. None allows any number.
        """
        segments, query = _opened((self.cursor(next_url) if "://" in next_url else next_url) or "")
        rest = len(segments) - len(under)
        if not segments or tuple(segments[: len(under)]) != under or more not in (None, rest):
            raise UpstreamError(
                ErrorKind.BAD_REQUEST, "cursor is not one that this tool gave", "pass a cursor as it was given"
            )
        return await self._patiently(self._request("GET", self._path(segments), query), write=False)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()

    def _path(self, segments: Sequence[str]) -> str:
        return f"{self._root}/{'/'.join([_segment(part) for part in segments])}"

    def _request(self, method: str, path: str, query: str, body: bytes = b"") -> Request:
        headers = {**self._headers, "content-type": "application/json; charset=utf-8"} if body else self._headers
        return Request(method, self._base, path, query, headers, body)

    async def _patiently(self, request: Request, *, write: bool) -> Any:
        try:
            return await self._once(request, write)
        except UpstreamError as e:
            if self.service.attempts <= 1 or not _again(e, write):
                raise
            first = e
        tries = stamina.retry_context(
            on=lambda e: _pause(e, write), attempts=self.service.attempts, timeout=2 * self.service.timeout_s
        )
        async for attempt in tries:
            with attempt:
                if attempt.num == 1:
                    raise first
                _log.info("%s: attempt %d of %d", self.service.name, attempt.num, self.service.attempts)
                return await self._once(request, write)
        raise first

    async def _once(self, request: Request, write: bool) -> Any:
        await self._keep_to_the_rate()
        try:
            with anyio.fail_after(self.service.timeout_s):
                reply = await self._wire.send(request)
        except (WireError, TimeoutError) as e:
            raise self._lost(e, write) from None
        if _log.isEnabledFor(logging.DEBUG):
            asked = self.redact.line(f"{request.method} {request.path}?{request.query}")
            _log.debug("%s: %s answered with %d", self.service.name, asked, reply.status)
        return self._read(reply, write)

    async def _keep_to_the_rate(self) -> None:
        if self._bucket is None or (wait := self._bucket.wait_s()) <= 0:
            return
        if wait > MAX_PAUSE_S:
            self._bucket.give_back()
            limit = f"{self.service.name} may be called {self.service.per_minute} times a minute"
            raise UpstreamError(ErrorKind.RATE_LIMITED, limit, retry_after=wait)
        await anyio.sleep(wait)

    def _lost(self, error: Exception, write: bool) -> UpstreamError:
        name = self.service.name
        match error:
            case NotSent():
                return UpstreamError(ErrorKind.UNAVAILABLE, f"{name} cannot be reached")
            case TooLong():
                kind, happened = ErrorKind.MALFORMED, f"the answer of {name} is too long"
            case Slow() | TimeoutError():
                kind, happened = ErrorKind.TIMED_OUT, f"{name} did not answer within {self.service.timeout_s:g} s"
            case Cut() | _:
                kind, happened = ErrorKind.UNAVAILABLE, f"{name} broke the connection"
        return UpstreamError(ErrorKind.OUTCOME_UNKNOWN if write else kind, happened)

    def _read(self, reply: Reply, write: bool) -> Any:
        """Return the JSON of a response. Raise an error if there is none."""
        body, problem = None, misread(reply)
        if problem is None:
            try:
                body = from_json(reply.body, allow_inf_nan=False)
            except ValueError:
                problem = "JSON that cannot be read"
            if self.redact.holds(reply.body):
                body = self.redact.value(body)
        error = failure(self.service.name, self.service.explain, reply, body, problem, write)
        if error is not None:
            raise UpstreamError(error.kind, self.redact.line(error.happened), retry_after=error.retry_after)
        return body


def _segment(text: str) -> str:
    if not text or set(text) == {"."}:
        raise UpstreamError(ErrorKind.BAD_REQUEST, f"{text!r} cannot be part of an address")
    return quote(text, safe="")


def _query(params: Mapping[str, Any] | None) -> str:
    if not params:
        return ""
    given = {name: _word(value) for name, value in params.items() if value is not None}
    return urlencode(given, doseq=True)


def _word(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _opened(cursor: str) -> tuple[list[str], str]:
    """Return the decoded path segments and the query of a cursor. Return no segments if the cursor is invalid."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
    except ValueError:
        return [], ""
    path, _, query = text.partition("?")
    return [unquote(part) for part in path.removeprefix("/").split("/")], _keyless(query)


def _keyless(query: str) -> str:
    """Return a query without parameters that could hold a key."""
    return urlencode([(name, value) for name, value in parse_qsl(query) if name.lower() not in _KEYS])


def _again(error: Exception, write: bool) -> bool:
    """Return whether a retry may help and cannot do harm."""
    if not isinstance(error, UpstreamError) or error.kind not in PASSING:
        return False
    # A write has one of these kinds only if it had no effect. All other failures became OUTCOME_UNKNOWN.
    return not write or error.kind in (ErrorKind.RATE_LIMITED, ErrorKind.UNAVAILABLE)


def _pause(error: Exception, write: bool) -> bool | float:
    """Return whether stamina should retry, or after how many seconds."""
    if not _again(error, write):
        return False
    after = error.retry_after if isinstance(error, UpstreamError) else None
    return True if after is None else after if after <= MAX_PAUSE_S else False


def in_process(app: Any) -> Wire:
    """Return a wire to an ASGI application in this process."""
    return InProcess(app)
