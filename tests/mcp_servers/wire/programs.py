"""Servers as programs: over stdio, or over HTTP on a free port, with the official client in front of them."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from pydantic import AliasChoices

from mcp_servers.kit.settings import ApiSettings
from tests.mcp_servers.contract.servers import settings_of

ROOT = Path(__file__).parents[3]
PATIENCE_S = 300.0
"""How long a busy machine may take over anything."""

KEY = "s3cret/key+of-the-operator"
ERAS: tuple[Literal["auto", "legacy"], ...] = ("auto", "legacy")
"""How a client begins: with the protocol of 2026 where the server has it, or with that of 2025."""


def environment(**more: str) -> dict[str, str]:
    """The environment of a server: nothing of the test's own but where programs and packages are."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV")}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


def live(name: str, url: str, **more: str) -> dict[str, str]:
    """The environment of a server with a key, whose API is at `url`."""
    fields = settings_of(name).model_fields
    path = urlsplit(str(fields["base_url"].default)).path
    return environment(**{_variable(fields["api_key"]): KEY, _variable(fields["base_url"]): f"{url}{path}", **more})


def with_keys(names: list[str]) -> list[str]:
    """The servers that ask an API."""
    return [name for name in names if issubclass(settings_of(name), ApiSettings)]


@asynccontextmanager
async def over_stdio(name: str, env: Mapping[str, str], log: Path, *options: str) -> AsyncIterator[Client]:
    """A client of `python -m mcp_servers.NAME`; its stderr goes to `log`."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", f"mcp_servers.{name}", *options], env=dict(env), cwd=log.parent
    )
    with log.open("w", encoding="utf-8") as errors:
        async with Client(stdio_client(parameters, errlog=errors), read_timeout_seconds=PATIENCE_S) as client:
            yield client


@contextmanager
def http_server(name: str, env: Mapping[str, str], folder: Path, *options: str) -> Iterator[tuple[str, list[str]]]:
    """A server on a free port: its URL, and the lines of its stderr so far."""
    command = [sys.executable, "-m", f"mcp_servers.{name}", "--http", "0", *options]
    process = subprocess.Popen(command, env=dict(env), cwd=folder, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    said: list[str] = []
    listening = threading.Event()

    def listen() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            said.append(line)
            if "listening on" in line:
                listening.set()
        listening.set()

    reader = threading.Thread(target=listen, daemon=True)
    reader.start()
    try:
        assert listening.wait(PATIENCE_S)
        found = re.search(r"http://\S+", "".join(said))
        assert found is not None, said
        yield found[0], said
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        reader.join(PATIENCE_S)
        assert process.stderr is not None
        process.stderr.close()


def _variable(field: Any) -> str:
    alias = field.validation_alias
    return str(alias.choices[0] if isinstance(alias, AliasChoices) else alias)
