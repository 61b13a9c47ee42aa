"""How much an endpoint may send: no more is read than an answer can be."""

from collections.abc import AsyncIterator

import httpx2

MOST_BYTES = 4 * 1024 * 1024
"""Bytes of one response."""


class TooMuch(httpx2.RequestError):
    """The response is larger than any answer, or packed, so that nobody knows how large it is."""


class _Limited(httpx2.AsyncByteStream):
    """A stream that ends with `TooMuch` where it would go on for too long."""

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
    """Have `response` read as far as it may be; called before anything of it is.

    Raises:
        TooMuch: if it is packed, which nobody asked for: a few packed bytes may be gigabytes.
    """
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise TooMuch("it is packed, and was to come as it is")
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Limited(response.stream)
