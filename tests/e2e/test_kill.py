"""A server is killed in the middle of many episodes; the trainers send unanswered requests again."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from env_server.domains.discovery import domains, packs
from env_server.domains.kit import Task
from tests.e2e.conftest import Start
from tests.e2e.players import Trainer, comparable, play
from tests.e2e.server import Server


@dataclass(frozen=True)
class Trial:
    """How many episodes of which domains are played, and how often a server is killed meanwhile."""

    names: Sequence[str]
    episodes: int
    kills: int

    @property
    def hosted(self) -> str:
        """The setting of a server that has these domains."""
        return ",".join(self.names)

    def tasks(self) -> list[Task]:
        """Listed tasks, of every domain in turn."""
        sources = [packs(domains()[name], {})["builtin"] for name in self.names]
        return [sources[i % len(sources)].task_at("test", i) for i in range(self.episodes)]


SHORT = Trial(["retail", "telecom"], 16, 2)


async def perform(trainer: Trainer, tasks: Sequence[Task]) -> list[list[Any]]:
    """All episodes at once."""
    return list(await asyncio.gather(*(play(trainer, str(i), task) for i, task in enumerate(tasks))))


async def strike(trainer: Trainer, servers: Sequence[Server], after: Sequence[int]) -> None:
    """Kill one server after another, each once that many requests were acknowledged, and start it again."""
    for i, count in enumerate(after):
        while len(trainer.exchanges) < count:
            await asyncio.sleep(0.001)
        server = servers[i % len(servers)]
        server.kill()
        await asyncio.to_thread(server.start)


async def survive(servers: Sequence[Server], undisturbed: Server, trial: Trial) -> None:
    """Play against `servers` while they are killed, then hold everything against an undisturbed run."""
    tasks, kills = trial.tasks(), trial.kills
    async with Trainer([undisturbed.url]) as quiet:
        wanted = await perform(quiet, tasks)
    total = len(quiet.exchanges)
    strikes = [total * (i + 1) // (kills + 2) for i in range(kills)]
    async with Trainer([server.url for server in servers]) as trainer:
        played, _ = await asyncio.gather(perform(trainer, tasks), strike(trainer, servers, strikes))
        assert trainer.broken >= len(strikes)
        assert len(trainer.exchanges) == total
        for replies, expected in zip(played, wanted, strict=True):
            assert comparable(replies) == comparable(expected)
        rewards = [r["reward"] for replies in played for r in replies if r.get("done")]
        assert rewards == [1.0] * (2 * len(tasks))
        await check_retries(trainer)
        await asyncio.gather(*(check_record(trainer, replies) for replies in played))
    found = await asyncio.to_thread(servers[0].verified)
    assert (found["ok"], found["episodes"]) == (True, 2 * len(tasks))


async def check_retries(trainer: Trainer) -> None:
    """Every acknowledged request, sent again, is answered with the same bytes."""
    before = {(path, str(body)): answer for path, body, answer in trainer.exchanges}
    asked, trainer.exchanges = trainer.exchanges, []
    await asyncio.gather(*(trainer.post(path, body) for path, body, _ in asked))
    assert {(path, str(body)): answer for path, body, answer in trainer.exchanges} == before


async def check_record(trainer: Trainer, replies: list[Any]) -> None:
    """The trajectory has every acknowledged turn as it was answered, once, and the rows give the stored hash."""
    for episode in {r["episode_id"] for r in replies}:
        record = await trainer.get(f"/episodes/{episode}/trajectory")
        parts = [(turn["turn"], part) for turn in record["turns"] for part in turn["parts"]]
        answered = [r for r in replies if r["episode_id"] == episode and "reward" in r]
        stored = [(turn, part["observation"], part["state_hash"], part["reward"]) for turn, part in parts]
        told = [(r["turn"], r["observation"], r["state_hash"], r["reward"]) for r in answered]
        assert stored[-len(told) :] == told
        turns = [turn for turn, part in parts if part["part"] == "agent"]
        assert turns == list(range(1, len(turns) + 1))
        state = await trainer.get(f"/episodes/{episode}/state")
        assert state["state_hash"] == record["episode"]["state_hash"] == answered[-1]["state_hash"]
        assert record["episode"]["done"]


@pytest.mark.parametrize("trial", [SHORT, pytest.param(Trial([*domains()], 64, 4), marks=pytest.mark.slow)])
async def test_kill_9_loses_nothing_and_runs_nothing_twice(start: Start, trial: Trial) -> None:
    """Killed again and again under many episodes: turns are kept, retries get the same bytes, rewards are the same."""
    hosted = trial.hosted
    await survive([start(fresh=True, DOMAINS=hosted)], start(database="quiet", DOMAINS=hosted), trial)


@pytest.mark.slow
@pytest.mark.parametrize("trial", [Trial([*domains()], 32, 4)])
async def test_two_servers_on_one_database_are_as_good_as_one(start: Start, trial: Trial) -> None:
    """Each request goes to the other server, and both are killed in turn: nothing differs from an undisturbed run."""
    hosted = trial.hosted
    both = [start(fresh=True, DOMAINS=hosted), start(fresh=True, DOMAINS=hosted)]
    await survive(both, start(database="quiet", DOMAINS=hosted), trial)
