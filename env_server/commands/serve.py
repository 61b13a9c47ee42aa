"""`env-server serve`: run one server process until a signal ends it."""

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

import structlog
import uvicorn
from dotenv import dotenv_values
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from env_server.api.protocol import BoundedHeads
from env_server.app import create_app
from env_server.background_loading import is_plain
from env_server.commands.logs import configure_logs
from env_server.commands.output import fail, readable_errors
from env_server.commands.setup import all_packs, database_shown, open_store, read_settings
from env_server.settings import Settings

KEEP_ALIVE_S = 120
"""Seconds that an idle connection stays open. An agent's model may take that long between two steps."""

GRACE_S = 8
"""Seconds that requests may continue after the signal. Containers are killed after ten seconds by default."""

BACKLOG = 2048
"""Maximum number of connections that wait to be accepted."""

log = structlog.get_logger(__name__)


def run(**given: Any) -> None:
    """Serve until SIGTERM or SIGINT. `given` overrides settings by name; port 0 takes any free port."""
    settings = read_settings(**given)
    try:
        settings.refuse_open_door()
    except ValueError as e:
        fail(str(e))
    with readable_errors():
        if not is_plain(settings):
            all_packs(settings)
        asyncio.run(open_store(settings).close())
    settings, key = settings.with_generated_key()
    listening = _listen(settings)
    configure_logs(sys.stdout)
    for chatty in ("alembic", "mcp", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    signal.signal(signal.SIGTERM, _leave)
    with suppress(KeyboardInterrupt):
        _Server(settings, key).run([listening])


class _Server(uvicorn.Server):
    """A uvicorn server that announces its address when it is ready."""

    def __init__(self, settings: Settings, generated_key: str | None) -> None:
        super().__init__(
            uvicorn.Config(
                create_app(settings),
                http=BoundedHeads,
                lifespan="on",
                backlog=BACKLOG,
                access_log=False,
                server_header=False,
                log_config=None,
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=GRACE_S,
                ws_max_size=settings.max_body_bytes,
                ws_ping_timeout=None,  # a client whose model runs for minutes may not answer pings meanwhile
            )
        )
        self._settings, self._generated_key = settings, generated_key

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce the address."""
        await super().startup(sockets)
        if sockets:
            _announce(self._settings, sockets[0].getsockname()[1], self._generated_key)
            if unknown := Settings.unknown([*os.environ, *dotenv_values(".env")]):
                log.warning("these settings do not exist; check the spelling", names=unknown)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish the requests in progress and close the database."""
        log.info("stopping")
        await super().shutdown(sockets)
        log.info("stopped")


def _listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the configured address. End the program if that fails."""
    where = f"{settings.host}:{settings.port}"
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except OSError as e:
        why = e.strerror if isinstance(e, socket.gaierror) or not e.errno else os.strerror(e.errno)
        fail(f"cannot listen on {where}: {why}{_another_port(e)}")


def _another_port(error: OSError) -> str:
    return "; choose another port with --port, or any free one with --port 0" if error.errno == errno.EADDRINUSE else ""


def _reachable(host: str) -> str:
    """Return a host for URLs.

    The wildcard addresses are replaced by the loopback address, since a URL cannot use them.
    """
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def _announce(settings: Settings, port: int, key: str | None) -> None:
    """Tell the address, and a key that was generated for this process. The key is told here and nowhere else."""
    url = f"http://{_reachable(settings.host)}:{port}"
    database, callers = database_shown(settings), ", ".join(settings.keys()) or "anyone who reaches the address"
    if not sys.stdout.isatty():
        docs = f"{url}/docs"
        more = {} if key is None else {"generated_key": key, "use": _use(url, key)}
        log.info(
            "listening", host=settings.host, port=port, url=url, docs=docs, database=database, callers=callers, **more
        )
        return
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="dim")
    lines.add_row("Address", Text(url, "bold cyan"))
    if settings.host in ("0.0.0.0", "::"):
        lines.add_row("Reached by", Text(f"every address of this machine ({settings.host}), port {port}"))
    lines.add_row("Try it out", Text(f"{url}/docs"))
    lines.add_row("Database", Text(database))
    lines.add_row("Callers", Text(callers))
    if key is not None:
        lines.add_row("Key", Text(f"{key}\nfor this process, since ENV_SERVER_API_KEYS is not set", "bold"))
    Console().print(Panel(lines, title="agent-env-server", title_align="left", border_style="green", expand=False))
    if key is not None:
        print("\n".join(_use(url, key)))


def _use(url: str, key: str) -> list[str]:
    """Return how to call the server with a key: with curl, and with the clients and commands of this project."""
    return [f"curl -H 'Authorization: Bearer {key}' {url}/domains", f"export ENV_SERVER_URL={url} ENV_SERVER_KEY={key}"]


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Exit with status 0. uvicorn has already shut down when it raises the signal again."""
    raise SystemExit(0)
