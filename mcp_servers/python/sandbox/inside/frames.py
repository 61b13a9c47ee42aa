"""Frames of the protocol between the server and a worker.

A frame is 16 random bytes, the length of the body as 32 bits, and the body. The server draws the random bytes anew for
each request and the reply repeats them, so bytes that code wrote ahead never pass for the reply to a later call.
"""

import os
import struct
from typing import Final

_HEAD: Final = struct.Struct("!16sI")
HEAD: Final = _HEAD.size
READY: Final = bytes(16)  # the identity of a worker's first frame, which answers no request


def new_identity() -> bytes:
    """Draw the identity of a request."""
    return os.urandom(16)


def pack(identity: bytes, body: bytes) -> bytes:
    """Build a frame."""
    return _HEAD.pack(identity, len(body)) + body


def unpack_head(head: bytes | bytearray) -> tuple[bytes, int]:
    """Return the identity and the body's length of a frame that starts with these 20 bytes."""
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
        EOFError: The other side is gone.
    """
    identity, length = unpack_head(_read_exactly(descriptor, HEAD))
    return identity, _read_exactly(descriptor, length)


def write(descriptor: int, frame: bytes) -> None:
    """Write a whole frame to a blocking descriptor.

    Raises:
        OSError: The other side is gone.
    """
    rest = memoryview(frame)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
