"""The socket that a command listens on, and the loop that serves it until the process is told to stop."""

import asyncio
import logging
import socket
import sys
from typing import Any

import uvicorn

LAST_CALLS_S = 3
"""Seconds that running HTTP calls get to finish after the process is told to stop."""


def listen(who: str, host: str, port: int) -> socket.socket:
    """Return a listening socket at `host` and `port`. Exit with a one-line message if that fails.

    Port 0 takes a free port.

    Args:
        who: The command's name, for the message.
        host: A host name, or an IPv4 or IPv6 address.
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
        listening: The listening socket.
        app: The application.
        options: Fields of `uvicorn.Config`.
    """
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=LAST_CALLS_S, **options)
    # The change is permanent, because uvicorn returns before the calls that it cancels have ended.
    logging.getLogger("uvicorn.error").addFilter(_no_cancelled_call)
    await uvicorn.Server(config).serve([listening])


def _no_cancelled_call(record: logging.LogRecord) -> bool:
    """Return False for the traceback of a call that the shutdown cancelled. Another log line counts these calls."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def url(listening: socket.socket, host: str) -> str:
    """Return the URL of a socket at `host`: the scheme, the host and the port."""
    at = f"[{host}]" if ":" in host else host
    return f"http://{at}:{listening.getsockname()[1]}"


def say(line: str) -> None:
    """Print a line on stderr, if the process has one."""
    if sys.stderr is not None:
        print(line, file=sys.stderr, flush=True)
