"""The output of a child process, as whole lines of limited length.

The SDK joins and splits all that it has of a line at each piece that arrives. For a line of hundreds of megabytes this
takes minutes, and holds up everything else in this process. But it reads a child's output by a codec that its caller
names. The codec here keeps the pieces of a line until the line is whole, tells the connection when a line is too long,
and leaves out lines that cannot be messages, such as what a server prints at its start.
"""

import codecs
import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

from env_server.providers.live.connection.answers import whole_characters

ENCODING: Final = "mcp-lines"
MOST_BYTES: Final = 32_000_000
"""Maximum length of a line. A result that is kept has a million characters at most."""

log = logging.getLogger(__name__)


too_long: ContextVar[Callable[[], None]] = ContextVar("too_long")
"""The function to call when a line is too long. The code that opens a connection sets it."""


class WholeLines(codecs.IncrementalDecoder):
    """Decodes UTF-8 line by line."""

    def __init__(self, errors: str = "strict") -> None:
        """Begin with nothing."""
        super().__init__(errors)
        self._pieces: list[bytes] = []
        self._size = 0
        self._told = self._over = False

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override] # noqa: ARG002 -- of the SDK
        """Return the lines that `data` completes; nothing after a line that is too long."""
        if self._over:
            return ""
        *lines, rest = bytes(data).split(b"\n")
        whole = []
        for line in lines:
            whole.append(b"".join((*self._pieces, line)))
            self._pieces.clear()
            self._size = 0
        self._pieces.append(rest)
        self._size += len(rest)
        if self._size > MOST_BYTES or any(len(line) > MOST_BYTES for line in whole):
            self._over = True
            self._pieces.clear()
            log.warning("a server printed a line of more than %d bytes", MOST_BYTES)
            too_long.get()()
            return ""
        messages = (whole_characters(line) for line in whole if self._is_message(line))
        return "".join(f"{line.decode('utf-8', self.errors)}\n" for line in messages)

    def _is_message(self, line: bytes) -> bool:
        found = line.lstrip().startswith(b"{")
        if not found and line.strip() and not self._told:
            self._told = True
            log.warning("a server prints text among its messages, which is ignored: %r", line[:200])
        return found


def _search(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != ENCODING:
        return None
    plain = codecs.lookup("utf-8")
    return codecs.CodecInfo(plain.encode, plain.decode, incrementaldecoder=WholeLines, name=ENCODING)


codecs.register(_search)
