"""Waiting for the message of an external user."""

import asyncio

import orjson
import pytest

from agent_env_schemas import ResetRequest, StepRequest, UserRequest, UserSpec
from env_server.episodes import Episodes
from env_server.episodes.live import user_wait

HOUR_S = 3600.0
ROUNDS = 100
"""Event-loop iterations: more than a waiting caller needs to go on once it is woken."""


async def awaiting(episodes: Episodes) -> str:
    """An episode whose agent has asked its user something in turn 1."""
    user = UserSpec(strategy="external", first_message="Hi.")
    request = ResetRequest(domain="retail", split="test", index=0, user=user)
    name = str(orjson.loads(await episodes.reset(request, "tester"))["episode_id"])
    await episodes.step(StepRequest(episode_id=name, turn=1, action="What is your email?"))
    return name


async def test_a_message_wakes_who_waits_for_it(
    pair: tuple[Episodes, Episodes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The waiting caller gets the message at its commit, not at its next look at the database."""
    monkeypatch.setattr(user_wait, "LOOK_AGAIN_S", HOUR_S)
    one, _ = pair
    name = await awaiting(one)
    waiting = asyncio.create_task(one.heard(name, 1, HOUR_S))
    await asyncio.sleep(0)
    reply = await one.user(name, UserRequest(content="a@b.c"))
    for _ in range(ROUNDS):
        await asyncio.sleep(0)
    assert waiting.done()
    assert waiting.result() == reply


async def test_a_wait_ends_after_its_seconds(pair: tuple[Episodes, Episodes], monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller whose user stays silent waits for the whole time and then gets no answer."""
    monkeypatch.setattr(user_wait, "LOOK_AGAIN_S", 0.0)
    clock = iter([0.0, 0.0, 59.0, 60.0])
    monkeypatch.setattr(user_wait, "monotonic", lambda: next(clock))
    one, _ = pair
    assert await one.heard(await awaiting(one), 1, 60.0) is None
    assert list(clock) == []
