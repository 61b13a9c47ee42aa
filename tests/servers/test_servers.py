"""MCP servers of other people, by their configuration alone: from PyPI for Python, from npm for Node.js."""

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from env_server.providers.live.substitute import SHOWN_DIR
from tests.providers.live.blocks import ask, running

pytestmark = pytest.mark.servers

INSTALLED = Path(os.environ.get("OTHER_SERVERS", "."))
"""Where `make test-servers` has installed them."""

EPISODES = [f"e{number}" for number in range(8)]


def node(package: str, *args: str, **env: str) -> dict[str, Any]:
    """The block of a server from npm."""
    found = sorted(INSTALLED.glob("node_modules/node-*/bin/node"))
    assert found, f"no Node.js in {INSTALLED.absolute()}: run `make test-servers`"
    program = INSTALLED / "node_modules" / "@modelcontextprotocol" / package / "dist" / "index.js"
    return {"command": str(found[0]), "args": [str(program), *args], "env": env}


def clock() -> dict[str, Any]:
    """The block of the server that tells the time."""
    args = ["-m", "mcp_server_time", "--local-timezone", "UTC"]
    return {"command": str(INSTALLED / "python" / "bin" / "python"), "args": args, "shared": True}


def episode_folders() -> set[Path]:
    """The folders of episodes on this machine."""
    return set(Path(tempfile.gettempdir()).resolve().glob("env-server-episodes-*/episode-*"))


async def test_the_time() -> None:
    """mcp-server-time converts a time, with text and no failure."""
    async with running(time=clock()) as manager:
        assert {tool.name for tool in manager.listings()["time"]} == {"get_current_time", "convert_time"}
        asked: dict[str, Any] = {"source_timezone": "UTC", "time": "12:30", "target_timezone": "Asia/Tokyo"}
        found = await ask(manager, "convert_time", server="time", **asked)
        assert (found.failure, found.is_error) == (None, False)
        assert "21:30" in found.text
        wrong = await ask(manager, "convert_time", server="time", **(asked | {"time": "noon"}))
        assert (wrong.is_error, wrong.failure) == (True, None)


async def test_files() -> None:
    """server-filesystem writes and reads in the directory of its episode, and nowhere else."""
    async with running(files=node("server-filesystem", "${EPISODE_DIR}")) as manager:
        effects = {tool.name: tool.read_only for tool in manager.listings()["files"]}
        assert effects["read_text_file"]
        assert not effects["write_file"]

        async def play(episode: str) -> None:
            told = await ask(manager, "list_allowed_directories", server="files", episode=episode)
            assert told.text.splitlines()[-1] == SHOWN_DIR
            path = f"{SHOWN_DIR}/{episode}.txt"
            wrote = await ask(manager, "write_file", server="files", episode=episode, path=path, content=episode)
            assert not wrote.is_error, wrote.text
            read = await ask(manager, "read_text_file", server="files", episode=episode, path=path)
            assert read.text == episode

        before = episode_folders()
        await play("e1")
        (first,) = episode_folders() - before
        await play("e2")
        (second,) = episode_folders() - before - {first}
        for path in (f"{SHOWN_DIR}/e2.txt", str(second / "e2.txt"), f"{SHOWN_DIR}/../{second.name}/e2.txt"):
            abroad = await ask(manager, "read_text_file", server="files", episode="e1", path=path)
            assert (abroad.is_error, abroad.failure) == (True, None), path
        await manager.close_episode("e1")
        assert [first.exists(), second.exists()] == [False, True]


async def test_memories_are_apart() -> None:
    """Eight episodes at a time find in server-memory what they stored themselves, and nothing else."""
    block = node("server-memory", MEMORY_FILE_PATH="${EPISODE_DIR}/memory.json")
    async with running(memory=block) as manager:

        async def play(episode: str) -> list[str]:
            entity = {"name": episode, "entityType": "episode", "observations": [f"played as {episode}"]}
            made = await ask(manager, "create_entities", server="memory", episode=episode, entities=[entity])
            assert (made.failure, made.is_error) == (None, False), made.text
            graph = await ask(manager, "read_graph", server="memory", episode=episode)
            return [found["name"] for found in graph.structured["entities"]]

        assert await asyncio.gather(*map(play, EPISODES)) == [[episode] for episode in EPISODES]
