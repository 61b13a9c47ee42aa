"""The robust generator in a real batch: real client of the engine, real server, every way to keep a conversation."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl.playing import MODES, Game, after_talk, scores
from tests.skyrl.standin.engine import serving
from tests.trainer_client.proxy import DROP, SWALLOW, Proxy
from trainer_client import Client


def open_episodes(server: Server, run: str) -> int:
    """The number of a run's episodes that nobody ended."""
    with Client(server.url, "secret") as client:
        return client.episodes(done=False, run=run, limit=1).total


@pytest.mark.parametrize("mode", MODES)
def test_every_way_to_keep_a_conversation(server: Server, tokenizer: Any, mode: str) -> None:
    """Two turns are played, rewards arrive, only the policy's tokens have a loss, and no episode stays open."""
    output = Game(server.url, tokenizer, after_talk, settings=MODES[mode], run=mode).play()
    assert scores(output) == [1.0] * 16
    said = [
        tokenizer.decode([token for token, on in zip(row, mask, strict=True) if on])
        for row, mask in zip(output["response_ids"], output["loss_masks"], strict=True)
    ]
    assert all("please" not in text for text in said)
    assert "Which line?" in said[0]
    assert "environment/desk/success_rate" in output["rollout_metrics"]
    assert output["rollout_metrics"]["environment/desk/success_rate"] == 1.0
    assert output["rollout_metrics"]["environment/conversation_length"] == 2.0
    assert open_episodes(server, mode) == 0


@pytest.mark.parametrize("mode", MODES)
def test_lost_answers_lose_nothing(server: Server, tokenizer: Any, mode: str) -> None:
    """Connections that break before and after the server acted: every turn is played once, and no rollout is lost."""
    with Proxy(server.port) as proxy:
        proxy.fails += [SWALLOW, DROP] * 8
        output = Game(proxy.url, tokenizer, after_talk, settings=MODES[mode], run=f"broken-{mode}").play()
    assert scores(output) == [1.0] * 16
    assert output["rollout_metrics"]["environment/lost_rollouts"] == 0
    with Client(server.url, "secret") as client:
        episodes = client.episodes(run=f"broken-{mode}", limit=100).episodes
    assert [(e.turn, e.reward, e.purpose) for e in episodes] == [(2, 1.0, "train")] * 16
    assert len({e.group_id for e in episodes}) == 4
    assert json.dumps(output["rollout_metrics"])


def test_groups_of_different_batches_are_different(server: Server, tokenizer: Any) -> None:
    """A step that is played again, after a resume or by dynamic sampling, has groups of its own."""
    game = Game(server.url, tokenizer, after_talk, prompts=2, samples=2, run="again")
    with serving(game.sampler()) as engine:
        for _ in range(2):
            asyncio.run(twice(game, engine))
    with Client(server.url, "secret") as client:
        groups = [episode.group_id or "" for episode in client.episodes(run="again", limit=100).episodes]
    assert sorted(Counter(groups).values()) == [2] * 8
    launches = {launch for launch, _, _ in (group.split("/") for group in groups)}
    assert set(groups) == {f"{launch}/{batch}/{uid}" for launch in launches for batch in (1, 2) for uid in (0, 1)}


async def twice(game: Game, engine: str) -> None:
    """One generator plays step 1 twice."""
    async with game.generating(engine) as (config, generator):
        for _ in range(2):
            await generator.generate(game.batch(config), disable_tqdm=True)
