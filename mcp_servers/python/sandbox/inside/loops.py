"""asyncio without sockets: its loop wakes itself through a pair of sockets, which a worker cannot have."""

import os
from asyncio.selector_events import BaseSelectorEventLoop
from typing import Any


class _End:
    """One end of a pipe with the methods of a socket that the loop calls."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def fileno(self) -> int:
        """Return the descriptor."""
        return self.descriptor

    def recv(self, size: int) -> bytes:
        """Read what is there."""
        return os.read(self.descriptor, size)

    def send(self, data: bytes) -> int:
        """Write."""
        return os.write(self.descriptor, data)

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self.descriptor)


def _make_self_pipe(self: Any) -> None:
    read, write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    self._ssock, self._csock = _End(read), _End(write)
    self._internal_fds += 1
    self._add_reader(read, self._read_from_self)


def wake_by_pipe() -> None:
    """Have event loops use a pipe."""
    vars_of_loop: Any = BaseSelectorEventLoop
    vars_of_loop._make_self_pipe = _make_self_pipe
