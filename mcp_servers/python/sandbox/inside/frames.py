"""Frames of the protocol between the server and a worker.

A frame is 16 random bytes, the length of the body as 32 bits, and the body. The server draws new random bytes for each
request, and the reply repeats them. Bytes that code wrote in advance therefore never pass for the reply to a later
call.
"""

import os
import struct
from typing import Final

_HEAD: Final = struct.Struct("!16sI")
HEAD: Final = _HEAD.size
READY: Final = bytes(16)  # The identity of a worker's first frame, which answers no request.


def new_identity() -> bytes:
    """Return a random identity for a request."""
    return os.urandom(16)


def pack(identity: bytes, body: bytes) -> bytes:
    """Return a frame."""
    return _HEAD.pack(identity, len(body)) + body


def unpack_head(head: bytes | bytearray) -> tuple[bytes, int]:
    """Return the identity and the body length of a frame whose header is these 20 bytes."""
    identity, length = _HEAD.unpack_from(head)
    return identity, length


def _read_exactly(descriptor: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(descriptor, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read(descriptor: int) -> tuple[bytes, bytes]:
    """Wait for a frame and return its identity and body.

    Raises:
        EOFError: The other end is closed.
    """
    identity, length = unpack_head(_read_exactly(descriptor, HEAD))
    return identity, _read_exactly(descriptor, length)


def write(descriptor: int, frame: bytes) -> None:
    """Write a whole frame to a blocking descriptor.

    Raises:
        OSError: The other end is closed.
    """
    rest = memoryview(frame)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
