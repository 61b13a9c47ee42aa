"""The way to the server: its address and credential, the limits of a connection, and one attempt at a call."""

import asyncio
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from trainer_client.client.calls import ApiCall, R
from trainer_client.client.errors import Damaged, from_answer, unreadable

TIMEOUT_S = 150.0
"""Default limit of one attempt: a server's longest turn (`STEP_TIMEOUT_S`, 60 s), a judge's verdict after it (60 s),
and a reserve for the network."""

PATIENCE_S = 300.0
"""Default limit of all attempts: twice `TIMEOUT_S`, so that an attempt without any answer is followed by another."""

CONNECT_S = 10.0

CONNECT_PATIENCE_S = 5.0
"""Default patience with a server that refuses connections and has never answered: its address is probably wrong."""

DEFAULT_URL = "http://127.0.0.1:8000"

IDLE_S = 60.0
"""How long an unused connection is kept: half of what the server keeps it, so that the client closes first."""

_UNREADABLE = (httpx2.DecodingError, zlib.error)

_SENDING = ".send_request_headers.started"
"""End of the name of the trace event that starts an attempt's clock. Before it the call waits for a free connection."""


@dataclass(frozen=True, slots=True)
class Times:
    """Maximum times of the parts of one attempt, in seconds."""

    answer: float
    """From sending the request to the end of its answer."""
    connect: float = CONNECT_S
    free: float | None = None
    """Waiting for a free connection; by default without a limit: a call that waits its turn has not failed."""

    @property
    def timeout(self) -> httpx2.Timeout:
        """These times in httpx2's form."""
        return httpx2.Timeout(self.answer, connect=min(self.connect, self.answer), pool=self.free)


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the server is and how long to wait for it; times in seconds."""

    url: str
    key: str | None = field(repr=False)
    timeout: float
    connections: int
    own_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Further headers of the caller, for a proxy before the server for example."""

    def __post_init__(self) -> None:
        """Check the key here: the HTTP library would quote it in its error.

        Raises:
            ValueError: if no header can carry it.
        """
        key = self.key
        if key is not None and not (key and key == key.strip() and key.isascii() and key.isprintable()):
            raise ValueError("the key is empty or has characters that no header can carry, perhaps a line end after it")

    @property
    def base_url(self) -> str:
        """The address to which a call's path is appended."""
        return self.url.rstrip("/")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        sent = {**self.own_headers, "content-type": "application/json"}
        return sent if self.key is None else {**sent, "authorization": f"Bearer {self.key}"}

    @property
    def times(self) -> Times:
        """Maximum times of one attempt."""
        return Times(self.timeout)

    @property
    def limits(self) -> httpx2.Limits:
        """The size of the connection pool."""
        return httpx2.Limits(
            max_connections=self.connections, max_keepalive_connections=self.connections, keepalive_expiry=IDLE_S
        )


def send(http: httpx2.Client, connection: Connection, call: ApiCall[R], times: Times) -> R:
    """Send `call` once and return its reply, if it comes within `times`.

    The clock is read after each part of the body. An answer that stops halfway may take up to twice as long, because
    httpx2 fixes the timeout of a read before the first one. A head that comes byte by byte gets as long for each byte.

    Raises:
        ServerError: if the answer is no reply.
        httpx2.TransportError: if there is no whole answer.
    """
    sent = time.monotonic()

    def trace(event: str, _info: dict[str, Any]) -> None:
        nonlocal sent
        if event.endswith(_SENDING):
            sent = time.monotonic()

    with http.stream(**_request(connection, call, times), extensions={"trace": trace}) as answer:
        try:
            content = b"".join(_until(answer.iter_bytes(), sent + times.answer, times.answer))
        except _UNREADABLE as error:
            content = _damaged(answer, error)
    return _read(answer, call, content)


async def send_async(http: httpx2.AsyncClient, connection: Connection, call: ApiCall[R], times: Times) -> R:
    """`send` for asyncio. Here the head too has to come within `times`."""

    async def trace(event: str, _info: dict[str, Any]) -> None:
        if event.endswith(_SENDING):
            limit.reschedule(asyncio.get_running_loop().time() + times.answer)

    try:
        async with (
            asyncio.timeout(None) as limit,
            http.stream(**_request(connection, call, times), extensions={"trace": trace}) as answer,
        ):
            try:
                content = await answer.aread()
            except _UNREADABLE as error:
                content = _damaged(answer, error)
    except TimeoutError:
        raise _late(times.answer) from None
    return _read(answer, call, content)


def _request(connection: Connection, call: ApiCall[R], times: Times) -> dict[str, Any]:
    return {
        "method": call.method,
        "url": connection.base_url + call.path,
        "content": call.body,
        "params": call.query,
        "headers": connection.headers,
        "timeout": times.timeout,
    }


def _until(chunks: Iterator[bytes], end: float, seconds: float) -> Iterator[bytes]:
    for chunk in chunks:
        yield chunk
        if time.monotonic() > end:
            raise _late(seconds)


def _late(seconds: float) -> httpx2.ReadTimeout:
    return httpx2.ReadTimeout(f"no whole answer within {seconds:g} s")


def _damaged(answer: httpx2.Response, error: Exception) -> bytes:
    """Return no content where the status alone is an error, and raise otherwise."""
    if answer.is_success:
        text = f"{answer.request.method} {answer.url}: {error}"
        raise unreadable(answer.status_code, text, answer.headers) from error
    return b""


def _read(answer: httpx2.Response, call: ApiCall[R], content: bytes) -> R:
    if answer.status_code != httpx2.codes.OK:
        raise from_answer(answer.status_code, content, answer.headers)
    try:
        return call.read(content, str(answer.url))
    except Damaged as error:
        raise unreadable(answer.status_code, error.text, answer.headers) from error
