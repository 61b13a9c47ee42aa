"""Configurations of servers, and managers that run them."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from env_server.providers.live.config import parse_config
from env_server.providers.live.manager import ToolManager
from env_server.providers.spec import ServerResult

ROOT = Path(__file__).parents[3]
ODD = Path(__file__).parent / "children" / "odd.py"
PATIENCE_S = 240.0
"""Seconds that any step may take on a busy machine."""


def odd(*args: str, **more: Any) -> dict[str, Any]:
    """The block of the server with the odd tools."""
    return {"command": sys.executable, "args": [str(ODD), *args], "timeoutS": PATIENCE_S, **more}


def ours(name: str, **more: Any) -> dict[str, Any]:
    """The block of one of this project's servers."""
    env = {"PYTHONPATH": str(ROOT), **more.pop("env", {})}
    return {"command": sys.executable, "args": ["-m", f"mcp_servers.{name}"], "env": env, **more}


@asynccontextmanager
async def running(start_s: float = PATIENCE_S, check_s: float = 3600.0, **blocks: Any) -> AsyncIterator[ToolManager]:
    """A manager that has started."""
    manager = ToolManager(parse_config({"mcpServers": blocks}, os.environ), start_s=start_s, check_s=check_s)
    try:
        await manager.start()
        yield manager
    finally:
        await manager.aclose()


async def ask(
    manager: ToolManager,
    tool: str,
    *,
    server: str = "odd",
    episode: str = "e1",
    limit_s: float = PATIENCE_S,
    again: int | None = None,
    **arguments: Any,
) -> ServerResult:
    """Call a tool."""
    return await manager.call(server, tool, arguments, episode=episode, deadline_s=limit_s, retries=again)
