"""Calls to the outside while the database fails, or while another process ends the episode or plays a retry."""

import asyncio
from pathlib import Path
from time import time
from typing import Any

import orjson
import pytest

from agent_env_schemas import CloseRequest, ErrorCode, ResetRequest, StepReply, StepRequest, StopReason
from env_server.episodes.turn import claim
from env_server.errors import ProblemError
from env_server.records import INTENT, StorageUnavailable, Unit
from tests.episodes.outpost import Crash, Outside, Process

SEND = {"tool_calls": [{"name": "send", "arguments": {"text": "b"}}]}


async def begin(process: Process, **options: Any) -> str:
    """Begin an episode."""
    request = ResetRequest.model_validate({"domain": "outpost", **options})
    return str(orjson.loads(await process.episodes.reset(request, "tester"))["episode_id"])


def step(episode: str, turn: int | None = 1) -> StepRequest:
    """The step that sends."""
    return StepRequest.model_validate({"episode_id": episode, "turn": turn, "action": SEND})


def said(reply: bytes) -> list[str]:
    """What the agent reads."""
    return [message["content"] for message in orjson.loads(reply)["observation"]]


def key_of(process: Process, episode: str) -> int:
    """The integer key of an episode."""
    row = process.store.reads.episode_by_id(episode)
    assert row is not None
    return row.id


async def test_a_call_that_cannot_be_announced_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the announcement cannot be stored, the request may be retried: nothing was sent and nothing scored."""
    outside = Outside()
    process = Process(tmp_path, outside)
    episode = await begin(process)

    async def full(unit: Unit) -> None:
        raise StorageUnavailable("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(process.store, "commit", full)
        with pytest.raises(ProblemError) as failed:
            await process.episodes.step(step(episode))
    assert (failed.value.code, failed.value.retryable) == (ErrorCode.STORAGE_UNAVAILABLE, True)
    assert not outside.sent
    assert said(await process.episodes.step(step(episode))) == ["send: b"]
    assert outside.sent == {"b": 1}
    await process.close()


async def test_a_call_whose_outcome_cannot_be_stored_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the outcome cannot be stored, the request may be retried, and the retry does not repeat the call."""
    outside = Outside()
    process = Process(tmp_path, outside)
    episode, commit = await begin(process), process.store.commit

    async def fails(unit: Unit) -> None:
        if any(row.phase != INTENT for row in unit.effects):
            raise StorageUnavailable("database or disk is full")
        await commit(unit)

    with monkeypatch.context() as patch:
        patch.setattr(process.store, "commit", fails)
        with pytest.raises(ProblemError) as failed:
            await process.episodes.step(step(episode))
    assert failed.value.code is ErrorCode.STORAGE_UNAVAILABLE
    assert "[outcome_unknown]" in said(await process.episodes.step(step(episode)))[0]
    assert outside.sent == {"b": 1}
    await process.close()


async def held_at_its_commit(
    process: Process, episode: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[asyncio.Task[bytes], asyncio.Event]:
    """Begin a turn in a process; its first commit waits for the returned event."""
    begun, go_on, commit = asyncio.Event(), asyncio.Event(), process.store.commit

    async def waits(unit: Unit) -> None:
        begun.set()
        await go_on.wait()
        await commit(unit)

    monkeypatch.setattr(process.store, "commit", waits)
    playing = asyncio.create_task(process.episodes.step(step(episode)))
    await begun.wait()
    return playing, go_on


async def end(process: Process, episode: str, how: str) -> None:
    """End an episode from outside: close it or let it expire."""
    if how == "close":
        await process.episodes.close(episode, CloseRequest())
    elif how == "expire":
        await process.episodes.expire(episode, 2e10)
    else:
        live = await process.episodes.episode(episode)
        live.options = live.options.model_copy(update={"deadline_s": -1.0})
        await process.episodes.step(step(episode))


@pytest.mark.parametrize("ending", ["close", "expire", "deadline"])
async def test_an_episode_is_not_ended_while_another_process_plays_it(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its first call is announced, only the claim protects a turn: no other process can end the episode."""
    outside = Outside()
    first, second = Process(tmp_path, outside), Process(tmp_path, outside)
    episode = await begin(first)
    playing, go_on = await held_at_its_commit(first, episode, monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(claim, "owner", lambda: "another process")
        with pytest.raises(ProblemError) as refused:
            await end(second, episode, ending)
        assert (refused.value.code, refused.value.retryable) == (ErrorCode.TURN_CLAIMED, True)
        assert not outside.sent
        go_on.set()
        assert said(await playing) == ["send: b"]
        ended = await second.episodes.close(episode, CloseRequest())
    assert StepReply.model_validate_json(ended).stop_reason == StopReason.CLOSED
    assert [turn.turn for turn in second.store.reads.turns(key_of(second, episode))] == [0, 1, 2]
    await first.close()
    await second.close()


async def test_a_turn_that_is_ended_meanwhile_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process sleeps past its lease, and another one closes the episode: the first one then sends nothing."""
    outside = Outside()
    first, second = Process(tmp_path, outside), Process(tmp_path, outside)
    episode = await begin(first)
    playing, go_on = await held_at_its_commit(first, episode, monkeypatch)
    now = time()
    with monkeypatch.context() as patch:
        patch.setattr(claim, "owner", lambda: "another process")
        patch.setattr(claim, "time", lambda: now + 1_000)
        await second.episodes.close(episode, CloseRequest())
    go_on.set()
    with pytest.raises(ProblemError) as over:
        await playing
    assert over.value.code is ErrorCode.EPISODE_OVER
    assert not outside.sent
    await first.close()
    await second.close()


@pytest.mark.parametrize("finished_by", ["the retry", "a close", "another call"])
@pytest.mark.parametrize("falls", ["before", "after"])
async def test_a_key_finds_a_turn_that_was_interrupted(finished_by: str, falls: str, tmp_path: Path) -> None:
    """After a crash within a call that has a key, the key finds the turn, whoever finishes it, and plays no other."""
    outside = Outside()
    first = Process(tmp_path, outside)
    episode = await begin(first)

    def end(_text: str) -> None:
        raise Crash

    setattr(outside, falls, end)
    with pytest.raises(Crash):
        await first.episodes.step(step(episode, None), "a key")
    outside.before = outside.after = lambda _: None
    second = Process(tmp_path, outside)
    if finished_by == "a close":
        await second.episodes.close(episode, CloseRequest())
    elif finished_by == "another call":
        look = {"episode_id": episode, "action": {"tool_calls": [{"name": "look", "arguments": {"text": "a"}}]}}
        await second.episodes.step(StepRequest.model_validate(look), "another key")
    sent = dict(outside.sent)
    reply = await second.episodes.step(step(episode, None), "a key")
    assert "[outcome_unknown]" in said(reply)[0]
    assert orjson.loads(reply)["turn"] == 1
    assert await second.episodes.step(step(episode, None), "a key") == reply
    assert dict(outside.sent) == sent
    await first.close()
    await second.close()
