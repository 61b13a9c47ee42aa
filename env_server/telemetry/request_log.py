"""The log of requests: one line for each, as JSON or as text.

It uses `logging` alone. A line through structlog's processors would take a tenth of the time of a step.
"""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

LOGGER = logging.getLogger("env_server.requests")

_NAMED = ("episode", "turn")
"""What endpoints put into the state of a request for its line."""


def log_request(scope: Mapping[str, Any], status: int, seconds: float) -> None:
    """Log a request that has been answered. A status of 0 means that the client left before the answer began."""
    if not LOGGER.isEnabledFor(logging.INFO):
        return
    state = scope["state"]
    fields = {
        "method": scope["method"],
        "path": scope["path"],
        "status": status,
        "ms": round(seconds * 1000, 2),
        **{name: state[name] for name in _NAMED if name in state},
        "request_id": state["request_id"],
    }
    # `LOGGER.info` would look for its caller, which no line names.
    LOGGER.handle(LOGGER.makeRecord(LOGGER.name, logging.INFO, "", 0, "request", (fields,), None))


class JsonLine(logging.Formatter):
    """Formats the line of a request as a JSON object, with the fields that all lines of the log have."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        facts = {"event": record.msg, "level": "info", "logger": record.name, "timestamp": at}
        return orjson.dumps({**_fields(record), **facts}).decode()


class TextLine(logging.Formatter):
    """Formats the line of a request for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields = dict(_fields(record))
        at = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S")
        path = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in fields.pop("path"))
        head = f"{at} {fields.pop('method'):6} {path} {fields.pop('status')} {fields.pop('ms'):.2f} ms"
        return " ".join([head, *(f"{name}={value}" for name, value in fields.items())])


def _fields(record: logging.LogRecord) -> Mapping[str, Any]:
    return record.args if isinstance(record.args, Mapping) else {}
