"""Models that hang or fail while they play the user or judge an episode."""

import asyncio
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from mcp import MCPError

from tests.api.mcp.table import KEY, Table, text
from tests.e2e.server import PATIENCE_S, Server
from tests.standin.judges import all_met
from tests.standin.protocol import Asked, Reply
from tests.standin.server import StandIn

STEP_TIMEOUT_S = 2.0
HANGS = Reply("Too late.", held=Event())
MODEL = {"strategy": "llm", "model": "standin"}


@pytest.fixture(scope="module")
def standin() -> Iterator[StandIn]:
    """An endpoint that stands in for a model."""
    with StandIn("I would like to cancel an order.") as running:
        yield running


@pytest.fixture(scope="module")
def patient(standin: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A server whose users are played by that endpoint, and whose steps may take a second."""
    database = tmp_path_factory.mktemp("deadline") / "episodes.db"
    settings = {"USER_BASE_URL": standin.url, "USER_MODEL": "standin", "USER_RETRIES": "0", "API_KEYS": f"t:{KEY}"}
    settings |= {"JUDGE_BASE_URL": standin.url, "JUDGE_MODEL": "judge", "DOMAINS": "retail"}
    server = Server(database, settings | {"STEP_TIMEOUT_S": str(STEP_TIMEOUT_S)}).start()
    yield Table([server])
    server.kill()


async def test_a_call_that_hangs_is_cancelled(patient: Table, standin: StandIn, era: str) -> None:
    """A call whose user hangs ends with an error that may be retried.

    No turn is played, and the next try is answered.
    """
    episode = patient.begin(user=MODEL)
    async with patient.client(episode, era) as client:
        standin.then(HANGS)
        with pytest.raises(MCPError) as given_up:
            await client.call_tool("respond", {"message": "Hello?"})
        data = given_up.value.error.data
        assert (data["code"], data["retryable"]) == ("step_timeout", True)
        assert patient.turns(episode) == []
        assert text(await client.call_tool("respond", {"message": "Hello?"})) == "I would like to cancel an order."
        assert len(patient.turns(episode)) == 1


async def test_others_wait_for_a_call_that_hangs_no_longer_than_it_may(patient: Table, standin: StandIn) -> None:
    """A second call on the same episode is played as soon as the hanging call has been given up."""
    episode = patient.begin(user=MODEL)
    async with patient.client(episode) as client:
        standin.then(HANGS)
        hung = asyncio.create_task(client.call_tool("respond", {"message": "Hello?"}))
        await asyncio.sleep(0.2)
        result = await client.call_tool("think", {"thought": "hm"})
        assert (result.meta or {})["agent-env-server/turn"] == 1
        with pytest.raises(MCPError, match="too long"):
            await hung


async def test_a_judge_that_fails_is_not_the_agents_business(patient: Table, standin: StandIn, era: str) -> None:
    """The agent's last call is answered as usual. The turn is committed, and the trainer's close scores it."""
    task = {"instruction": "You want to know what is sold.", "gold": {}, "assertions": ["The agent was polite."]}
    episode = patient.begin(task=task, user={"strategy": "none"})
    meta: Any = {"agent-env-server/idempotency-key": "done"}
    async with patient.client(episode, era) as client:
        standin.then(Reply(status=500))
        last = await client.call_tool("done", {}, meta=meta)
        assert (last.is_error, (last.meta or {})["agent-env-server/done"]) == (False, True)
        assert text(await client.call_tool("think", {"thought": "hm"})) == "the episode is finished"
        standin.program = all_met
        closed = patient.ask("POST", f"/episodes/{episode['episode_id']}/close", {})
        assert (closed["reward"], closed["stop_reason"]) == (1.0, "completed")
        assert text(await client.call_tool("done", {}, meta=meta)) == text(last)
    assert len(patient.turns(episode)) == 1
    standin.begin_anew("I would like to cancel an order.")


async def test_no_agent_waits_for_a_judge(patient: Table, standin: StandIn, era: str) -> None:
    """The last call, and calls after it, are answered while the judge works; the score comes later."""
    task = {"instruction": "You want to know what is sold.", "gold": {}, "assertions": [f"Politeness, {era}."]}
    episode = patient.begin(task=task, user={"strategy": "none"})
    name = episode["episode_id"]
    meta: Any = {"agent-env-server/idempotency-key": "done"}
    thinking = Event()

    def judge(asked: Asked) -> str:
        thinking.wait(PATIENCE_S)
        return all_met(asked)

    standin.begin_anew(judge)
    try:
        async with patient.client(episode, era) as client:
            last = await client.call_tool("done", {}, meta=meta)
            assert (last.is_error, (last.meta or {})["agent-env-server/done"]) == (False, True)
            assert text(await client.call_tool("think", {"thought": "hm"})) == "the episode is finished"
            assert await client.call_tool("done", {}, meta=meta) == last
            assert patient.ask("GET", f"/episodes/{name}")["awaiting_judge"] is True
            thinking.set()
            async with asyncio.timeout(PATIENCE_S):
                while not (ended := patient.ask("GET", f"/episodes/{name}"))["done"]:
                    await asyncio.sleep(0.02)
            assert await client.call_tool("done", {}, meta=meta) == last
    finally:
        thinking.set()
    assert (ended["reward"], ended["stop_reason"], len(standin.journal)) == (1.0, "completed", 1)
    standin.begin_anew("I would like to cancel an order.")
