"""One attempt at a call: the request is sent and the answer read, all within one time limit."""

import asyncio
import time
import zlib
from collections.abc import Iterator
from typing import Any

import httpx2

from trainer_client.calls import Call, R
from trainer_client.connection import Connection, Times
from trainer_client.errors import Damaged, from_answer, unreadable

_UNREADABLE = (httpx2.DecodingError, zlib.error)

_SENDING = ".send_request_headers.started"
"""How the event ends from which an attempt's time counts; before it the call waits for a free connection."""


def send(http: httpx2.Client, connection: Connection, call: Call[R], times: Times) -> R:
    """The reply to `call`, if it comes in the `times`.

    The clock is looked at when a part of the body has come, so an answer that stops halfway may take up to twice as
    long: httpx2 fixes the time for a read before the first. A head that comes byte by byte is given as long for each.

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


async def send_async(http: httpx2.AsyncClient, connection: Connection, call: Call[R], times: Times) -> R:
    """`send` for asyncio; here the head, too, has to come in time."""

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


def _request(connection: Connection, call: Call[R], times: Times) -> dict[str, Any]:
    return {
        "method": call.method,
        "url": connection.base_url + call.path,
        "content": call.body,
        "params": call.query,
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
    """Nothing, where the status alone says enough."""
    if answer.is_success:
        text = f"{answer.request.method} {answer.url}: {error}"
        raise unreadable(answer.status_code, text, answer.headers) from error
    return b""


def _read(answer: httpx2.Response, call: Call[R], content: bytes) -> R:
    if answer.status_code != httpx2.codes.OK:
        raise from_answer(answer.status_code, content, answer.headers)
    try:
        return call.read(content, str(answer.url))
    except Damaged as error:
        raise unreadable(answer.status_code, error.text, answer.headers) from error
