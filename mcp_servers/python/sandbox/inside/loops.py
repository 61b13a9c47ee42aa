"""asyncio without sockets. Its event loop wakes itself through a socket pair, which a worker is not allowed to open."""

import os
from asyncio.selector_events import BaseSelectorEventLoop
from typing import Any


class _End:
    """One end of a pipe, with the socket methods that the event loop calls."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def fileno(self) -> int:
        """Return the descriptor."""
        return self.descriptor

    def recv(self, size: int) -> bytes:
        """Read the available bytes, up to `size`."""
        return os.read(self.descriptor, size)

    def send(self, data: bytes) -> int:
        """Write the bytes and return how many were written."""
        return os.write(self.descriptor, data)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.descriptor)


def _make_self_pipe(self: Any) -> None:
    read, write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    self._ssock, self._csock = _End(read), _End(write)
    self._internal_fds += 1
    self._add_reader(read, self._read_from_self)


def wake_by_pipe() -> None:
    """Make event loops use a pipe instead of a socket pair."""
    vars_of_loop: Any = BaseSelectorEventLoop
    vars_of_loop._make_self_pipe = _make_self_pipe
