"""The socket that a command listens on, and how it is served until the process is told to stop."""

import asyncio
import logging
import socket
import sys
from typing import Any

import uvicorn

LAST_CALLS_S = 3
"""Seconds that calls which still run have over HTTP once the process is told to stop."""


def listen(who: str, host: str, port: int) -> socket.socket:
    """A listening socket at `host` and `port`, 0 for a free one; ends the process with one line where there is none.

    Args:
        who: The command's name, for that line.
        host: A name or an address, also one of IPv6.
        port: The port.
    """
    reason = "a port is a number from 0 to 65535"
    if port in range(65_536):
        try:
            return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        except (OSError, UnicodeError) as e:
            reason = getattr(e, "strerror", None) or str(e)
    sys.exit(f"{who}: cannot listen on {host} port {port}: {reason}")


async def serve_on(listening: socket.socket, app: Any, **options: Any) -> None:
    """Serve an ASGI application until the process is told to stop.

    Args:
        listening: Where.
        app: The application.
        options: Fields of `uvicorn.Config`.
    """
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=LAST_CALLS_S, **options)
    # For good: uvicorn returns before the calls that it cancels have ended.
    logging.getLogger("uvicorn.error").addFilter(_no_cancelled_call)
    await uvicorn.Server(config).serve([listening])


def _no_cancelled_call(record: logging.LogRecord) -> bool:
    """Leave out the traceback of a call that was ended with the server; another line counts those calls."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def url(listening: socket.socket, host: str) -> str:
    """Where a socket at `host` is reached: scheme, host and the port that it has."""
    at = f"[{host}]" if ":" in host else host
    return f"http://{at}:{listening.getsockname()[1]}"


def say(line: str) -> None:
    """Print a line on stderr, where the process has one."""
    if sys.stderr is not None:
        print(line, file=sys.stderr, flush=True)
