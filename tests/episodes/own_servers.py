"""A server's episodes of a domain that is made of MCP servers and a file of tasks."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson

from agent_env_schemas import ResetRequest, StepReply, StepRequest
from env_server.app import open_episodes
from env_server.episodes import Episodes
from env_server.settings import Settings


def files(folder: Path, *tasks: dict[str, Any], servers: dict[str, Any] | None = None) -> dict[str, Path]:
    """Write the configuration and the tasks; return the settings that name them."""
    block = {"command": sys.executable, "args": ["-m", "mcp_servers.polygon", "--profile", "limited"]}
    config, lines = folder / "mcp.json", folder / "tasks.jsonl"
    config.write_text(json.dumps({"mcpServers": servers or {"polygon": block}}), encoding="utf-8")
    lines.write_text("".join(f"{json.dumps(task)}\n" for task in tasks), encoding="utf-8")
    return {"mcp_config": config, "mcp_tasks": lines}


@asynccontextmanager
async def opened(folder: Path, **given: Any) -> AsyncIterator[Episodes]:
    """A server's episodes with these settings."""
    settings = Settings(_env_file=None, database_url=f"sqlite:///{folder}/own.db", **given)
    async with open_episodes(settings) as episodes:
        yield episodes


async def begin(episodes: Episodes, **options: Any) -> dict[str, Any]:
    """Begin an episode of the file's first task."""
    request = ResetRequest.model_validate({"domain": "mcp", "split": "train", "index": 0, **options})
    return dict(orjson.loads(await episodes.reset(request, "tester")))


async def play(episodes: Episodes, episode: str, *calls: tuple[str, dict[str, Any]]) -> StepReply:
    """Make calls, one in a turn, and return the last reply."""
    for name, arguments in calls:
        action = {"tool_calls": [{"name": name, "arguments": arguments}]}
        reply = await episodes.step(StepRequest.model_validate({"episode_id": episode, "action": action}))
    return StepReply.model_validate_json(reply)
