"""Captures the output of code up to a limit. The rest is counted and discarded."""

import io
import os
from typing import Final, cast

MARK: Final = "\n[... {count} {unit} cut]"


def clipped(text: str, limit: int) -> str:
    """Return the first `limit` characters of a text. A marker states how many are missing."""
    return text if len(text) <= limit else text[:limit] + MARK.format(count=len(text) - limit, unit="characters")


class Capture(io.BufferedIOBase):
    """A binary stream that keeps its first `limit` bytes and cannot be closed."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.kept = bytearray()
        self.lost = 0

    def writable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the descriptor that extension modules print to. `Streams` reads that descriptor too."""
        return 1

    def close(self) -> None:
        """Do nothing. Later calls also print to this stream."""

    def write(self, data: bytes | bytearray | memoryview, /) -> int:  # type: ignore[override]
        """Store the bytes up to the limit. Return the length of `data`."""
        room = self.limit - len(self.kept)
        size = memoryview(data).nbytes
        if size <= room:
            self.kept += data
        else:
            self.kept += memoryview(data).cast("B")[: max(room, 0)]
            self.lost += size - max(room, 0)
        return size

    def take(self) -> str:
        """Return the output since the last call of this method, with a marker if it was cut."""
        text = self.kept.decode("utf-8", "replace")
        lost, self.lost = self.lost, 0
        self.kept.clear()
        return text + MARK.format(count=lost, unit="bytes") if lost else text


class Streams:
    """Standard output and standard error of the code: the Python objects and their file descriptors."""

    def __init__(self, limit: int) -> None:
        self.captures = Capture(limit), Capture(limit)
        self.out, self.err = (
            io.TextIOWrapper(
                cast("io.BytesIO", capture), encoding="utf-8", errors="backslashreplace", write_through=True
            )
            for capture in self.captures
        )

    def take(self) -> tuple[str, str]:
        """Return standard output and standard error since the last call."""
        out, err = self.captures
        size = os.fstat(1).st_size
        if size:  # C code writes past Python's objects. Descriptors 1 and 2 are the same file.
            out.write(os.pread(1, out.limit + 1, 0))
            out.lost += max(size - out.limit - 1, 0)
            os.ftruncate(1, 0)
            os.lseek(1, 0, os.SEEK_SET)
        return out.take(), err.take()


def descriptors() -> None:
    """Redirect standard input to nothing, and standard output and standard error to one unnamed file."""
    nothing = os.open("/dev/null", os.O_RDONLY)
    unnamed = os.memfd_create("output")
    os.dup2(nothing, 0)
    os.dup2(unnamed, 1)
    os.dup2(unnamed, 2)
    os.close(nothing)
    os.close(unnamed)
