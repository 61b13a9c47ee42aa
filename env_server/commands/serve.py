"""`env-server serve`: run one server process until a signal ends it."""

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
from contextlib import closing, suppress
from functools import partial
from types import FrameType
from typing import Any, NoReturn

import structlog
import uvicorn
from dotenv import dotenv_values
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from env_server.api.connections import (
    ConnectionLimits,
    ConnectionPool,
    LimitedConnection,
    connections_within,
    raise_descriptor_limit,
)
from env_server.app import create_app
from env_server.background_loading import is_plain
from env_server.commands.logs import configure_logs
from env_server.commands.output import fail, readable_errors
from env_server.commands.setup import all_packs, database_shown, open_store, read_settings, sqlite_file, unused_database
from env_server.records.files import check_file
from env_server.settings import Settings

KEEP_ALIVE_S = 120
"""Seconds that an idle connection stays open. An agent's model may take that long between two steps."""

GRACE_S = 8
"""Seconds that requests may continue after the signal. Containers are killed after ten seconds by default."""

BACKLOG = 2048
"""Maximum number of connections that wait to be accepted."""

PORTS_TRIED = 100
"""Number of ports after a taken one that are tried."""

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
        if settings.mcp_config is not None or settings.mcp_tasks is not None:
            # The rest of the server imports this later, which makes its start short.
            from env_server.assembly import check_operators_domain  # noqa: PLC0415

            check_operators_domain(settings)
        asyncio.run(open_store(settings).close())
        if (file := sqlite_file(settings)) is not None:
            check_file(file)
    settings, key = settings.with_generated_key()
    listening = _listen(settings)
    configure_logs(sys.stdout, logging.getLevelNamesMapping()[settings.log_level], settings.log_format)
    for chatty in ("alembic", "mcp", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    signal.signal(signal.SIGTERM, _leave)
    with suppress(KeyboardInterrupt):
        _Server(settings, key).run([listening])


def _connections(settings: Settings) -> Any:
    """Return the factory of connections, which obeys the limits of `settings`. uvicorn calls it as a class."""
    most = settings.max_connections or connections_within(raise_descriptor_limit())
    pool = ConnectionPool(ConnectionLimits(most, settings.head_timeout_s, settings.body_timeout_s))
    return partial(LimitedConnection, pool)


class _Server(uvicorn.Server):
    """A uvicorn server that announces its address when it is ready."""

    def __init__(self, settings: Settings, generated_key: str | None) -> None:
        super().__init__(
            uvicorn.Config(
                create_app(settings),
                http=_connections(settings),
                lifespan="on",
                backlog=BACKLOG,
                access_log=False,
                server_header=False,
                proxy_headers=bool(settings.proxies()),
                forwarded_allow_ips=settings.proxies(),
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
            if left := unused_database(self._settings):
                log.warning(
                    "this folder has a database that is not used; to use it, set ENV_SERVER_DATABASE_URL",
                    value=f"sqlite:///{left}",
                )
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
        return _bound(settings.host, settings.port)
    except OSError as e:
        why = e.strerror if isinstance(e, socket.gaierror) or not e.errno else os.strerror(e.errno)
        fail(f"cannot listen on {where}: {why}{_another_port(settings) if e.errno == errno.EADDRINUSE else ''}")


def _another_port(settings: Settings) -> str:
    """Return words that name the next free port after a taken one."""
    for port in range(settings.port + 1, min(settings.port + PORTS_TRIED, 65535) + 1):
        with suppress(OSError), closing(_bound(settings.host, port)):
            return f"; the next free port: --port {port}"
    return "; take any free port: --port 0"


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        OSError: if that fails.
    """
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


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
