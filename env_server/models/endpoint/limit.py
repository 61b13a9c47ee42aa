"""A size limit for the responses of an endpoint."""

from collections.abc import AsyncIterator

import httpx2

MOST_BYTES = 4 * 1024 * 1024
"""The maximum size of one response, in bytes."""


class TooMuch(httpx2.RequestError):
    """The response is larger than any answer, or compressed, so that its size is unknown."""


class _Limited(httpx2.AsyncByteStream):
    """A stream that raises `TooMuch` after `MOST_BYTES` bytes."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_BYTES
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise TooMuch(f"it has more than {MOST_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def limit(response: httpx2.Response) -> None:
    """Limit the size of `response`; called before its body is read.

    Raises:
        TooMuch: if it is compressed, which the request does not allow: a few compressed bytes may expand to gigabytes.
    """
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise TooMuch("it is compressed, which the request does not allow")
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Limited(response.stream)
