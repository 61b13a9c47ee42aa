"""Live episodes: once restored they stay in memory, and they count as used while requests come."""

import asyncio

import orjson
import pytest

from agent_env_schemas import ResetRequest, StepRequest, UserSpec
from env_server.episodes import Episodes


@pytest.fixture
async def begun(pair: tuple[Episodes, Episodes]) -> str:
    """An episode of the first server."""
    user = UserSpec(strategy="external", first_message="Hi.")
    request = ResetRequest(domain="retail", split="test", index=0, user=user)
    return str(orjson.loads(await pair[0].reset(request, "tester"))["episode_id"])


async def test_requests_share_the_restored_episode(pair: tuple[Episodes, Episodes], begun: str) -> None:
    """Requests that restore an episode at the same time, and those that come later, get the same live episode."""
    _, two = pair
    first, second = await asyncio.gather(two.episode(begun), two.episode(begun))
    assert first is second
    assert await two.episode(begun) is first


async def test_a_repeated_step_keeps_an_episode_alive(pair: tuple[Episodes, Episodes], begun: str) -> None:
    """A step answered from the record counts as use; a look of the housekeeper that spares the episode does not."""
    one, _ = pair
    step = StepRequest(episode_id=begun, turn=1, action="What is your email?")
    reply, live = await one.step(step), await one.episode(begun)
    live.touched = 0.0
    assert await one.step(step) == reply
    await one.expire(begun, unless_touched_since=1.0)
    assert live.ended is None
    live.touched = 1.0
    for since in (0.0, 1.0):
        await one.expire(begun, unless_touched_since=since)
    assert live.ended is not None
