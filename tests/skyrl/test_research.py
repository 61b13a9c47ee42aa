"""A research episode has the same reward over `/step`, through a stock MCP client, and as a rollout of SkyRL's."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.server import ROOT, Server
from tests.skyrl.playing import Game, scores
from trainer_client import Client

INDICES = (0, 1, 2, 3)
Calls = list[dict[str, Any]]


def beside(*arguments: str, given: str = "") -> str:
    """Run the program that needs the server's packages; return what it prints."""
    command = [os.environ.get("ENV_SERVER_PYTHON", sys.executable), str(ROOT / "tests" / "skyrl" / "beside.py")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "schemas")))}
    done = subprocess.run([*command, *arguments], input=given, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def research(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process with the research domain."""
    settings = {"API_KEYS": "trainer:secret", "DOMAINS": "research"}
    running = Server(tmp_path_factory.mktemp("research") / "env.db", settings).start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def rollouts() -> list[Calls]:
    """All of gold's calls for every other task, and only the last call, the answer, for those between."""
    golds: list[Calls] = json.loads(beside("gold", *map(str, INDICES)))
    return [calls[-1:] if place % 2 else calls for place, calls in enumerate(golds)]


def over_step(client: Client, index: int, calls: Calls) -> float | None:
    """The reward over `/step`."""
    episode = client.reset("research", split="train", index=index)
    for call in calls:
        episode.step({"tool_calls": [call]})
    return episode.reward


def over_mcp(client: Client, index: int, calls: Calls) -> float | None:
    """The reward through the MCP client."""
    episode = client.reset("research", split="train", index=index)
    assert episode.reply.mcp_url is not None
    beside("mcp", episode.reply.mcp_url, episode.reply.agent_token or "", given=json.dumps(calls))
    return client.episode(episode.id).reward


def test_all_ways_have_the_same_reward(research: Server, tokenizer: Any, rollouts: list[Calls]) -> None:
    """Gold earns 1 on each way, and the bare answer 0."""
    with Client(research.url, "secret") as client:
        stepped = [over_step(client, index, calls) for index, calls in zip(INDICES, rollouts, strict=True)]
        called = [over_mcp(client, index, calls) for index, calls in zip(INDICES, rollouts, strict=True)]

    def say(rollout: str, turn: int) -> str:
        return json.dumps(rollouts[int(rollout.partition("_")[0])][turn])

    room = {"generator.max_turns": 12, "generator.max_input_length": 200_000, "trainer.max_prompt_length": 50_000}
    info = {"domain": "research", "split": "train"}
    game = Game(research.url, tokenizer, say, prompts=len(INDICES), samples=1, settings=room, info=info)
    assert stepped == called == scores(game.play()) == [1.0, 0.0, 1.0, 0.0]
