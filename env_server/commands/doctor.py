"""`env-server doctor`: check what a server needs on this machine, with the settings that `serve` would read."""

import asyncio
import platform
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version

import typer
from rich.table import Table
from rich.text import Text

from env_server.api.openapi import VERSION
from env_server.commands.output import FAILED, console, plain, print_json
from env_server.commands.setup import all_packs, database_shown, open_store, read_settings, sqlite_file, unused_database
from env_server.errors import DomainError, PackError
from env_server.models.endpoint.reach import why_unreachable
from env_server.records import StorageUnavailable
from env_server.records.files import check_file
from env_server.settings import Settings

LIBRARIES = ("fastapi", "mcp", "pydantic", "sqlalchemy", "uvicorn")

LITTLE_DISK = 1024**3
"""Free bytes on the disk of the database below which the check fails."""


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    name: str
    ok: bool
    detail: str


def run(*, as_json: bool) -> None:
    """Print the result of every check. End the program with status 1 if one failed."""
    settings = read_settings()
    found = [_checked(name, check, settings) for name, check in CHECKS.items()]
    if as_json:
        print_json({"ok": all(one.ok for one in found), "checks": [asdict(one) for one in found]})
    else:
        _show(found)
    if not all(one.ok for one in found):
        raise typer.Exit(FAILED)


def _checked(name: str, check: Callable[[Settings], str], settings: Settings) -> Check:
    try:
        return Check(name, ok=True, detail=check(settings))
    except (DomainError, OSError, PackError, StorageUnavailable, ValueError, sqlite3.Error) as e:
        return Check(name, ok=False, detail=str(e))


def _show(found: list[Check]) -> None:
    table = Table.grid(padding=(0, 2))
    for one in found:
        mark = Text("✓", "bold green") if one.ok else Text("✗", "bold red")
        table.add_row(mark, Text(one.name, "bold"), Text(plain(one.detail)))
    console(as_json=False).print(table)


def _versions(_settings: Settings) -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return f"agent-env-server {VERSION}, Python {platform.python_version()}, {libraries}"


def _database(settings: Settings) -> str:
    """Open the database, which creates or upgrades it, and check that it can be written and is intact."""
    asyncio.run(open_store(settings).close())
    shown = database_shown(settings)
    if (file := sqlite_file(settings)) is not None:
        check_file(file)
    if left := unused_database(settings):
        return f"{shown} ({left} is not used; ENV_SERVER_DATABASE_URL=sqlite:///{left} would use it)"
    return shown


def _disk(settings: Settings) -> str:
    file = sqlite_file(settings)
    if file is None:
        return "the database is on a server"
    folder = next(parent for parent in file.resolve().parents if parent.is_dir())
    free = shutil.disk_usage(folder).free
    if free < LITTLE_DISK:
        raise ValueError(f"{free / 1024**2:,.0f} MB free in {folder}; at least 1024 MB are advised")
    return f"{free / 1024**3:,.1f} GB free in {folder}"


def _port(settings: Settings) -> str:
    where = f"{settings.host}:{settings.port}"
    family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as e:
        raise OSError(f"{where}: {e.strerror}; for another port: env-server serve --port 0") from e
    return f"{where} is free"


def _packs(settings: Settings) -> str:
    return "; ".join(f"{domain}: {', '.join(packs)}" for domain, packs in all_packs(settings).items())


def _keys(settings: Settings) -> str:
    settings.refuse_open_door()
    return ", ".join(settings.keys()) or "none: anyone who reaches the address may play"


def _models(settings: Settings) -> str:
    """Check that something listens at the endpoint of each model that is set. No request is sent."""
    asked = dict(_endpoints(settings))
    if not asked:
        return "none is set"
    failed = [f"{who} at {url}: {why}" for who, url in asked.items() if (why := asyncio.run(why_unreachable(url)))]
    if failed:
        raise ValueError("; ".join(failed))
    return "; ".join(f"{who} at {url}" for who, url in asked.items())


def _endpoints(settings: Settings) -> Iterator[tuple[str, str]]:
    users, judge = settings.user_models(), settings.judge_models()
    if users.model is not None:
        yield "user", users.base_url
    if judge is not None:
        yield "judge", judge.base_url


CHECKS: dict[str, Callable[[Settings], str]] = {
    "versions": _versions,
    "database": _database,
    "disk": _disk,
    "port": _port,
    "packs": _packs,
    "keys": _keys,
    "models": _models,
}
