"""Turns that call something remote are claimed first, so that no two processes make the calls of one turn."""

import asyncio
import subprocess
import sys
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Any

import pytest

from agent_env_schemas import ErrorCode, ResetRequest, StepReply, StepRequest, UserSpec
from env_server.domains.kit import Task
from env_server.episodes import Episodes
from env_server.episodes.episode import AGENT
from env_server.episodes.turn import claim
from env_server.errors import ProblemError
from env_server.users import OwnTools, UserReply
from env_server.users.strategy import Strategy


@dataclass
class Slow:
    """A user on another machine that answers when a test lets it, or fails."""

    name: str = "slow"
    remote: bool = True
    awaits: bool = False
    calls: int = 0
    fails: bool = False
    let: asyncio.Event = field(default_factory=asyncio.Event)

    async def first(self, task: Task, seed: int) -> UserReply:
        """Open the conversation at once."""
        return UserReply("Hello.")

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> UserReply:
        """Answer when the test lets it."""
        self.calls += 1
        if self.fails:
            raise TimeoutError("no answer")
        await self.let.wait()
        return UserReply(f"answer {self.calls}", notes={"calls": self.calls})


@pytest.fixture
def user(pair: tuple[Episodes, Episodes]) -> Slow:
    """The slow user, found by its name."""
    found = Slow()
    for episodes in pair:
        episodes.users.strategies["slow"] = Strategy("slow", lambda _: found)
    return found


async def begin(episodes: Episodes) -> StepRequest:
    """An episode with the slow user, and its first step."""
    request = ResetRequest(domain="retail", split="test", index=0, user=UserSpec(strategy="slow"))
    reply = await episodes.reset(request, "tester")
    return StepRequest(episode_id=reply[15:].partition(b'"')[0].decode(), turn=1, action="How can I help?")


async def test_two_processes_call_the_user_once(
    pair: tuple[Episodes, Episodes], user: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one process plays the turn, the other answers that it may be retried, and then with the same bytes."""
    one, two = pair
    step = await begin(one)
    playing = asyncio.create_task(one.step(step))
    while user.calls == 0:
        await asyncio.sleep(0)
    monkeypatch.setattr("env_server.episodes.turn.claim.owner", lambda: "another process")
    with pytest.raises(ProblemError) as refused:
        await two.step(step)
    assert refused.value.code is ErrorCode.TURN_CLAIMED
    assert refused.value.retryable
    joined = asyncio.create_task(one.step(step))
    user.let.set()
    reply = await playing
    assert await joined == reply
    assert await two.step(step) == reply
    assert user.calls == 1
    assert StepReply.model_validate_json(reply).observation[0].content == "answer 1"


async def test_a_turn_whose_user_fails_did_not_happen(
    pair: tuple[Episodes, Episodes], user: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failure of the user any process may retry, and the turn is then played."""
    one, two = pair
    step = await begin(one)
    user.fails = True
    with pytest.raises(ProblemError) as failed:
        await one.step(step)
    assert failed.value.code is ErrorCode.USER_UNAVAILABLE
    assert one.reader.summary(step.episode_id)["turn"] == 0
    monkeypatch.setattr(claim, "owner", lambda: "another process")
    user.fails = False
    user.let.set()
    assert StepReply.model_validate_json(await two.step(step)).turn == 1


async def test_a_turn_that_takes_too_long_did_not_happen(pair: tuple[Episodes, Episodes], user: Slow) -> None:
    """Past the step's time limit the caller is told that the turn was not played; a retry plays it."""
    one, _ = pair
    step = await begin(one)
    object.__setattr__(one.limits, "step_timeout_s", 0.05)
    with pytest.raises(ProblemError) as late:
        await one.step(step)
    assert late.value.code is ErrorCode.STEP_TIMEOUT
    object.__setattr__(one.limits, "step_timeout_s", 60.0)
    user.let.set()
    assert StepReply.model_validate_json(await one.step(step)).turn == 1
    assert user.calls == 2


async def test_what_a_dead_process_has_claimed_is_taken_over(pair: tuple[Episodes, Episodes], user: Slow) -> None:
    """If a process dies in a turn, another one of its machine notices that and takes the claim over."""
    one, _ = pair
    step = await begin(one)
    code = "from env_server.episodes.turn.claim_owner import owner; print(owner())"
    dead = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    key = (await one.episode(step.episode_id)).key
    await one.store.claim(key, 1, AGENT, dead, 1000.0, time())
    user.let.set()
    assert StepReply.model_validate_json(await one.step(step)).turn == 1


async def test_a_lease_of_a_clock_that_is_ahead_is_over_in_time(
    pair: tuple[Episodes, Episodes], user: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replica whose clock is a day ahead dies in a turn: after the length of a lease another one plays the turn."""
    one, _ = pair
    step = await begin(one)
    key = (await one.episode(step.episode_id)).key
    await one.store.claim(key, 1, AGENT, "another-machine", 65.0, time() + 86_400)
    user.let.set()
    now = monotonic()
    for waited in (0.0, 64.0):
        monkeypatch.setattr(claim, "monotonic", lambda waited=waited: now + waited)
        with pytest.raises(ProblemError) as refused:
            await one.step(step)
        assert refused.value.code is ErrorCode.TURN_CLAIMED
    monkeypatch.setattr(claim, "monotonic", lambda: now + 66.0)
    assert StepReply.model_validate_json(await one.step(step)).turn == 1
