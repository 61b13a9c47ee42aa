"""The log of requests: one line for each, as JSON or as text.

It writes to the stream of the log itself, once for all requests that end in one iteration of the event loop. A line
through structlog or `logging` would take up to a tenth of the time of a step.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from time import time
from typing import Any, TextIO

import orjson

NAME = "env_server.requests"
"""The name of the logger in JSON lines."""

_NAMED = ("episode", "turn")
"""The names that endpoints put into the state of a request, for its line in the log."""


class RequestLog:
    """Writes a line for each request, or nothing as long as it has no stream."""

    def __init__(self) -> None:
        """Write nothing until `begin`."""
        self._stream: TextIO | None = None
        self._as_text = False
        self._lines: list[str] = []

    @property
    def is_on(self) -> bool:
        """Whether requests leave a line."""
        return self._stream is not None

    def begin(self, stream: TextIO, level: int, *, as_text: bool) -> None:
        """Write to `stream` from now on, as JSON or for people, if `level` lets `INFO` pass; else write nothing."""
        self.end()
        self._stream = stream if level <= logging.INFO else None
        self._as_text = as_text

    def end(self) -> None:
        """Write what waits, and nothing more."""
        self._flush()
        self._stream = None

    def write(self, scope: Mapping[str, Any], status: int, seconds: float) -> None:
        """Write the line of a request that has been answered, in the next iteration of the running event loop.

        A status of 0 means that the client left before the answer began. A stream that cannot be written loses the line
        and fails no request.
        """
        if self._stream is None:
            return
        state = scope["state"]
        fields = {"method": scope["method"], "path": scope["path"], "status": status, "ms": round(seconds * 1000, 2)}
        for name in _NAMED:
            if name in state:
                fields[name] = state[name]
        fields["request_id"] = state["request_id"]
        line = text_line(fields, time()) if self._as_text else json_line(fields, time())
        self._lines.append(line)
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        lines, self._lines = self._lines, []
        if self._stream is None or not lines:
            return
        with suppress(OSError, ValueError):  # ValueError: the stream is closed
            self._stream.write("\n".join(lines) + "\n")
            self._stream.flush()


REQUEST_LOG = RequestLog()
"""The log of requests of this process."""


def json_line(fields: Mapping[str, Any], at: float) -> str:
    """Return a request's line as a JSON object, with the fields that all lines of the log have."""
    second = int(at)
    stamp = f"{_time_of(second)}.{int((at - second) * 1e6):06}Z"
    return orjson.dumps({**fields, "event": "request", "level": "info", "logger": NAME, "timestamp": stamp}).decode()


@lru_cache(maxsize=2)
def _time_of(second: int) -> str:
    """Return a UTC time as text. Most requests of one second follow each other, so the cached text is used again."""
    return datetime.fromtimestamp(second, UTC).isoformat().removesuffix("+00:00")


def text_line(fields: Mapping[str, Any], at: float) -> str:
    """Return a request's line for a terminal. No character of a path ends the line or steers the terminal."""
    others = dict(fields)
    stamp = datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S")
    path = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in others.pop("path"))
    head = f"{stamp} {others.pop('method'):6} {path} {others.pop('status')} {others.pop('ms'):.2f} ms"
    return " ".join([head, *(f"{name}={value}" for name, value in others.items())])
