"""Answers of the episode machine when another process, or the clock, was faster."""

import asyncio
from pathlib import Path
from time import time
from typing import Any

import orjson
import pytest

from agent_env_schemas import CloseRequest, ErrorCode, ForkRequest, ResetRequest, StepRequest, UserRequest, UserSpec
from env_server.app import open_episodes
from env_server.episodes import Episodes
from env_server.episodes.expiry import Housekeeper
from env_server.episodes.live.restore import restore
from env_server.errors import ProblemError
from env_server.records import EpisodeFilter, StorageUnavailable
from env_server.settings import Settings

Pair = tuple[Episodes, Episodes]
DAY = 86_400.0


async def begin(episodes: Episodes, **options: Any) -> str:
    """An episode whose user is external and has spoken."""
    user = UserSpec(strategy="external", first_message="Hi.")
    request = ResetRequest(domain="retail", split="test", index=0, user=user, **options)
    return str(orjson.loads(await episodes.reset(request, "tester"))["episode_id"])


async def say(episodes: Episodes, name: str, turn: int, words: str = "What is your email?") -> dict[str, Any]:
    """The agent's message in `turn`."""
    found: dict[str, Any] = orjson.loads(await episodes.step(StepRequest(episode_id=name, turn=turn, action=words)))
    return found


async def answer(episodes: Episodes, name: str, words: str, turn: int | None = None) -> dict[str, Any]:
    """The user's message."""
    found: dict[str, Any] = orjson.loads(await episodes.user(name, UserRequest(content=words, turn=turn)))
    return found


async def test_an_evicted_episode_expires(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """An episode that was evicted long ago expires: restoring it in order to end it does not count as use."""
    one, _ = pair
    name = await begin(one)
    keeper = Housekeeper(one, expire_after_s=DAY, evict_after_s=900)
    start = time()
    for now in range(0, int(DAY) + 7200, 3600):
        monkeypatch.setattr("env_server.episodes.live.lock.time", lambda now=now: start + now)
        await keeper.round(start + now)
        if now == 3600:
            assert len(one.cache) == 0
    ended = one.reader.summary(name)
    assert (ended["stop_reason"], ended["reward"], ended["scored"]) == ("expired", None, False)


async def test_the_users_words_without_a_turn_are_never_taken_for_older_ones(pair: Pair) -> None:
    """A process that has not seen the newest turn looks first, so that the same words in a new turn are no retry."""
    one, two = pair
    name = await begin(one)
    await say(one, name, 1)
    await answer(two, name, "yes")
    await say(two, name, 2)
    reply = await answer(one, name, "yes")
    assert reply["turn"] == 2
    assert one.reader.summary(name)["awaiting_user"] is False


async def test_a_fork_has_the_history_it_was_made_from(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits to the parent while the fork is made, even its end, are not part of the fork."""
    one, two = pair
    name = await begin(one)
    await say(one, name, 1)
    commit = one.store.commit

    async def later(unit: Any) -> None:
        monkeypatch.setattr(one.store, "commit", commit)
        await answer(two, name, "###STOP###")
        await commit(unit)

    monkeypatch.setattr(one.store, "commit", later)
    fork = orjson.loads(await one.fork(name, ForkRequest(turn=1), "tester"))
    assert fork["info"]["awaiting_user"] is True
    assert one.reader.summary(name)["done"] is True
    for episodes in pair:
        found = episodes.reader.summary(fork["episode_id"])
        assert (found["done"], found["awaiting_user"], found["turn"]) == (False, True, 1)
    assert (await answer(two, fork["episode_id"], "a@b.c"))["done"] is False
    assert [len(turn["parts"]) for turn in one.reader.trajectory(fork["episode_id"])["turns"]] == [2]


async def test_a_deadline_binds_the_user_too(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the deadline neither side's message is played."""
    one, _ = pair
    name = await begin(one, deadline_s=60)
    await say(one, name, 1)
    monkeypatch.setattr("env_server.episodes.service.time", lambda: time() + 61)
    reply = await answer(one, name, "###STOP###", turn=1)
    assert (reply["stop_reason"], reply["reward"]) == ("deadline", 0.0)
    assert await answer(one, name, "###STOP###", turn=1) == reply


async def test_a_drifted_episode_is_not_scored(pair: Pair) -> None:
    """Today's tools give no valid gold for a drifted episode, so a step is refused and a close does not score it."""
    one, _ = pair
    name = await begin(one)
    (await one.episode(name)).drifted = True
    with pytest.raises(ProblemError) as refused:
        await say(one, name, 1)
    assert refused.value.code is ErrorCode.PACK_CHANGED
    closed = orjson.loads(await one.close(name, CloseRequest()))
    assert (closed["done"], closed["reward"], closed["info"]["scored"]) == (True, None, False)
    assert closed["info"]["row_diff"] == []


async def test_forks_stay_out_of_their_parents_group(pair: Pair) -> None:
    """A group holds only the n episodes that were begun together, which GRPO compares."""
    one, _ = pair
    user = UserSpec(strategy="external", first_message="Hi.")
    request = ResetRequest(domain="retail", split="test", index=0, n=2, run="r", user=user)
    group = orjson.loads(await one.reset(request, "tester"))
    await one.fork(group["episodes"][0]["episode_id"], ForkRequest(turn=0), "tester")
    assert one.store.listings.episodes(EpisodeFilter(group_id=group["group_id"])).total == 2
    assert one.store.listings.episodes(EpisodeFilter(run="r", forks=False)).total == 2
    assert one.store.listings.episodes(EpisodeFilter(run="r")).total == 3


async def test_the_stop_line_counts_on_its_own_line(pair: Pair) -> None:
    """The stop line ends the episode if it is a line of its own, and not within a sentence."""
    one, _ = pair
    name = await begin(one)
    await say(one, name, 1)
    assert (await answer(one, name, "I will say ###STOP### later."))["done"] is False
    await say(one, name, 2)
    assert (await answer(one, name, "Thanks!\n ###STOP### "))["stop_reason"] == "user_stop"


async def test_episodes_of_one_task_share_what_it_changes(tmp_path: Path) -> None:
    """The rows of a task's initial data are built once: the episodes of the task share them."""
    order = {"order_id": "#W1", "user_id": "u", "address": {}, "items": [], "status": "pending"}
    settings = Settings(_env_file=None, database_url=f"sqlite:///{tmp_path}/x.db")
    async with open_episodes(settings) as episodes:
        live = await episodes.library.current("retail", "builtin")
        task = live.pack.task_at("test", 0).model_copy(update={"initial": {"orders": {"#W1": order}}})
        first, second = (episodes.library.beginning(live, task) for _ in range(2))
        assert first.overlay.get("orders", "#W1") is second.overlay.get("orders", "#W1")
        assert first.hash == second.hash


async def test_an_outage_is_told_as_one(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the database does not answer, the problem may be retried; then the turn is played."""
    one, _ = pair
    name = await begin(one)

    async def down(_unit: Any) -> None:
        raise StorageUnavailable("gone")

    with monkeypatch.context() as broken:
        broken.setattr(one.store, "commit", down)
        with pytest.raises(ProblemError) as refused:
            await say(one, name, 1)
    assert (refused.value.code, refused.value.retryable) == (ErrorCode.STORAGE_UNAVAILABLE, True)
    assert (await say(one, name, 1))["turn"] == 1


async def test_callers_are_served_in_the_order_in_which_they_came(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers keep their order, even if the first one has to restore the episode, which takes time."""
    one, _ = pair
    name = await begin(one)
    one.cache.drop(await one.episode(name))

    async def slow(*given: Any) -> Any:
        await asyncio.sleep(0.02)
        return await restore(*given)

    monkeypatch.setattr("env_server.episodes.live.lock.restore", slow)

    async def calculate(n: int) -> None:
        await asyncio.sleep(n * 0.008)
        call = {"name": "calculate", "arguments": {"expression": f"{n}"}}
        await one.step(StepRequest.model_validate({"episode_id": name, "action": {"tool_calls": [call]}}))

    await asyncio.gather(*map(calculate, range(6)))
    turns = one.reader.trajectory(name)["turns"]
    played = [turn["parts"][0]["action"]["tool_calls"][0]["arguments"]["expression"] for turn in turns]
    assert played == [f"{n}" for n in range(6)]
