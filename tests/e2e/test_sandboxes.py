"""Many research episodes use the Python sandbox at once, each with variables of its own."""

import asyncio
import json
import os
from contextlib import suppress
from pathlib import Path

import orjson
import pytest

from agent_env_schemas import CloseRequest, ResetRequest, StepReply, StepRequest
from env_server.app import open_episodes
from env_server.episodes import Episodes
from env_server.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.anyio]
EPISODES = 64
MOST_MB = 64 * 150
"""Memory of all sandboxes together. Most of it is shared with the process that they are forked from."""


async def run(episodes: Episodes, episode: str, code: str) -> str:
    """Run code in an episode and return what the agent reads."""
    action = {"tool_calls": [{"name": "execute_python", "arguments": {"code": code}}]}
    reply = await episodes.step(StepRequest.model_validate({"episode_id": episode, "action": action}))
    (message,) = StepReply.model_validate_json(reply).observation
    return str(message.model_dump()["content"])


def workers() -> dict[int, int]:
    """The processes that this one has started, also indirectly: process -> its memory in bytes."""
    parents, memory = dict[int, int](), dict[int, int]()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            memory[int(folder.name)] = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    found, new = set[int](), {os.getpid()}
    while new:
        new = {process for process, parent in parents.items() if parent in new} - found
        found |= new
    return {process: memory.get(process, 0) for process in found}


async def test_each_of_many_episodes_keeps_its_own_secret(tmp_path: Path) -> None:
    """All episodes are live at once, none sees another's variable, and no worker is left at the end."""
    before = set(workers())
    settings = Settings(_env_file=None, database_url=f"sqlite:///{tmp_path}/secrets.db", domains="research")
    async with open_episodes(settings) as episodes:
        begun = orjson.loads(await episodes.reset(ResetRequest(domain="research", split="train", n=EPISODES), "tester"))
        names = [one["episode_id"] for one in begun["episodes"]]
        await asyncio.gather(*(run(episodes, name, f"secret = {json.dumps(name)}") for name in names))
        told = await asyncio.gather(*(run(episodes, name, "secret") for name in names))
        assert [text.strip("'") for text in told] == names
        used = sum(size for process, size in workers().items() if process not in before)
        assert used < MOST_MB * 2**20
        await asyncio.gather(*(episodes.close(name, CloseRequest()) for name in names[: EPISODES // 2]))
        assert [
            text.strip("'") for text in await asyncio.gather(*(run(episodes, n, "secret") for n in names[32:]))
        ] == (names[32:])
    assert set(workers()) <= before
