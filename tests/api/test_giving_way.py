"""Batches and long messages give way: the server plays other requests between their calls."""

import asyncio
from typing import Any

import httpx2

from tests.api.talk import THINK, Api

LONG, ITEMS = 400, 8


def test_others_play_while_a_batch_of_long_messages_is_played(api: Api) -> None:
    """Another episode plays many steps between the begin and the end of the batch.

    The test compares the order of events.
    """
    ids = [each.episode_id for each in api.group(ITEMS, split="test", index=0, max_calls=LONG).episodes]
    other = api.begin(max_turns=1000, max_calls=1000).episode_id
    long = {"tool_calls": [THINK] * LONG}
    batch = {"items": [{"episode_id": each, "turn": 1, "action": long} for each in ids]}

    async def play() -> tuple[int, Any]:
        """Play short steps for as long as the batch takes, and return their number with the batch's results."""
        transport = httpx2.ASGITransport(app=api.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            task = asyncio.create_task(client.post("/batch/step", json=batch))
            played = 0
            while not task.done():
                step = {"episode_id": other, "action": {"tool_calls": [THINK]}}
                (await client.post("/step", json=step)).raise_for_status()
                played += 1
            return played, task.result().json()["results"]

    assert api.client.portal is not None
    played, results = api.client.portal.call(play)
    assert [len(result["info"]["calls"]) for result in results] == [LONG] * ITEMS
    assert {call["error"] for result in results for call in result["info"]["calls"]} == {None}
    assert played > 2 * ITEMS


def test_a_long_message_is_played_in_order(api: Api) -> None:
    """Giving way keeps the order: a second message to the same episode waits for the first."""
    episode = api.begin(max_calls=LONG).episode_id

    async def play() -> list[Any]:
        transport = httpx2.ASGITransport(app=api.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            first, second = (
                asyncio.create_task(client.post("/step", json={"episode_id": episode, "turn": turn, "action": action}))
                for turn, action in ((1, {"tool_calls": [THINK] * 100}), (2, {"tool_calls": [THINK]}))
            )
            return [(await each).json() for each in (first, second)]

    assert api.client.portal is not None
    first, second = api.client.portal.call(play)
    assert (first["turn"], len(first["info"]["calls"]), second["turn"]) == (1, 100, 2)
