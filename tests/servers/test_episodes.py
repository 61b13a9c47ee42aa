"""MCP servers of other people as environments, by their configuration alone: an episode is played, recorded, replayed
without the server, forked or refused, and scored.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from agent_env_schemas import ErrorCode, ForkRequest
from env_server.episodes import Episodes
from env_server.errors import ProblemError
from env_server.providers.live.substitute import SHOWN_DIR
from tests.episodes.own_servers import begin, files, opened, play
from tests.servers.test_servers import clock, node

pytestmark = pytest.mark.servers

Call = tuple[str, dict[str, Any]]

NOON: Call = ("convert_time", {"source_timezone": "UTC", "time": "12:30", "target_timezone": "Asia/Tokyo"})
TOKYO = {
    "instruction": "Which time is it in Tokyo at 12:30 UTC?",
    "answer": {"kind": "text", "value": "21:30"},
    "evidence": [{"shows": ["21:30"]}],
}
WORD = {"instruction": "Keep the word kept, and answer with it.", "answer": {"kind": "text", "value": "kept"}}
FILE = WORD | {"evidence": [{"shows": ["[FILE] a.txt"]}]}
"""A task whose evidence is what the server says of the file. The agent's own words are no evidence."""

OWN = WORD | {"evidence": [{"shows": ["kept"]}]}
ENTITY: Call = (
    "create_entities",
    {"entities": [{"name": "kept", "entityType": "word", "observations": ["was stored"]}]},
)
GONE = {"command": "/nonexistent/server"}


def right(answer: str) -> Call:
    """The call that submits an answer."""
    return "submit_answer", {"answer": answer}


@asynccontextmanager
async def environment(folder: Path, task: dict[str, Any], **blocks: dict[str, Any]) -> AsyncIterator[Episodes]:
    """An environment made of one task and these servers, on the database of the folder."""
    async with opened(folder, **files(folder, task, servers=blocks)) as episodes:
        yield episodes


async def recorded(episodes: Episodes, *calls: Call) -> tuple[str, list[str]]:
    """Play an episode that is recorded and scored; return its id and the results of its calls."""
    begun = await begin(episodes, tools={"mode": "record"})
    said = []
    for call in calls:
        done = await play(episodes, begun["episode_id"], call)
        said.append(str(done.observation[0].content))
    assert (done.reward, done.stop_reason, done.info.outages) == (1.0, "completed", None), said
    return begun["episode_id"], said


async def replayed(episodes: Episodes, *calls: Call) -> list[str]:
    """Play the same calls from the recordings alone; return their results."""
    begun = await begin(episodes, tools={"mode": "replay"})
    said = []
    for call in calls:
        done = await play(episodes, begun["episode_id"], call)
        said.append(str(done.observation[0].content))
    assert (done.reward, done.stop_reason) == (1.0, "completed"), said
    return said


async def test_the_time(tmp_path: Path) -> None:
    """mcp-server-time, which says that it only reads: a fork goes on from where the episode was."""
    calls = NOON, right("21:30")
    async with environment(tmp_path, TOKYO, time=clock()) as episodes:
        played, said = await recorded(episodes, *calls)
        assert "21:30" in said[0]
        guessed = await begin(episodes)
        assert (await play(episodes, guessed["episode_id"], right("21:30"))).reward == 0.0
        forked = orjson.loads(await episodes.fork(played, ForkRequest(turn=1), "tester"))
        assert (await play(episodes, forked["episode_id"], right("21:30"))).reward == 1.0
    async with environment(tmp_path, TOKYO, time=GONE) as episodes:
        assert await replayed(episodes, *calls) == said


async def test_files(tmp_path: Path) -> None:
    """server-filesystem, which writes: it cannot be forked, and its paths are the same in every episode."""
    path = f"{SHOWN_DIR}/a.txt"
    calls: tuple[Call, ...] = (
        ("list_allowed_directories", {}),
        ("write_file", {"path": path, "content": "kept"}),
        ("read_text_file", {"path": path}),
        ("list_directory", {"path": SHOWN_DIR}),
        right("kept"),
    )
    async with environment(tmp_path, FILE, files=node("server-filesystem", "${EPISODE_DIR}")) as episodes:
        played, said = await recorded(episodes, *calls)
        assert SHOWN_DIR in said[0]
        assert "env-server-episode" not in json.dumps(said)
        assert "a.txt" in said[3]
        with pytest.raises(ProblemError, match="files") as caught:
            await episodes.fork(played, ForkRequest(turn=3), "tester")
        assert caught.value.code is ErrorCode.NOT_FORKABLE
        forked = orjson.loads(await episodes.fork(played, ForkRequest(turn=1), "tester"))  # nothing was written yet
        assert (await play(episodes, forked["episode_id"], *calls[1:])).reward == 1.0
        again = await begin(episodes, tools={"mode": "replay_or_live"})
        assert (await play(episodes, again["episode_id"], *calls)).reward == 1.0
        abroad = await begin(episodes)
        told = await play(episodes, abroad["episode_id"], ("read_text_file", {"path": f"{SHOWN_DIR}/../a.txt"}))
        assert (told.info.calls[0].error, told.info.calls[0].failure) == ("tool_error", None)
    async with environment(tmp_path, FILE, files=GONE) as episodes:
        assert await replayed(episodes, *calls) == said


async def test_memory(tmp_path: Path) -> None:
    """server-memory: eight episodes at a time see nothing of each other; one of them is replayed without the server."""
    block = node("server-memory", MEMORY_FILE_PATH="${EPISODE_DIR}/memory.json")
    calls: tuple[Call, ...] = ENTITY, ("read_graph", {}), right("kept")
    async with environment(tmp_path, WORD, memory=block) as episodes:
        _, said = await recorded(episodes, *calls)

        async def one(name: str) -> list[str]:
            begun = await begin(episodes)
            entity = {"name": name, "entityType": "word", "observations": [f"by {name}"]}
            await play(episodes, begun["episode_id"], ("create_entities", {"entities": [entity]}))
            seen = await play(episodes, begun["episode_id"], ("read_graph", {}))
            return [found["name"] for found in seen.info.calls[0].structured["entities"]]

        names = [f"episode {number}" for number in range(8)]
        assert await asyncio.gather(*map(one, names)) == [[name] for name in names]
    async with environment(tmp_path, WORD, memory=GONE) as episodes:
        assert await replayed(episodes, *calls) == said
    async with environment(tmp_path, OWN, memory=block) as episodes:
        begun = await begin(episodes)
        assert (await play(episodes, begun["episode_id"], *calls)).reward == 0.0  # it has only read its own words again
