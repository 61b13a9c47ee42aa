"""Users that fail again and again in the same turn, without HTTP."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from agent_env_schemas import ErrorCode, ResetRequest, StepReply, StepRequest, StopReason, UserSpec
from env_server.domains.kit import Task
from env_server.episodes import Episodes
from env_server.errors import ProblemError
from env_server.models import ModelUnavailable, SpendCapReached
from env_server.users import OwnTools, UserReply
from env_server.users.strategy import Strategy


@dataclass
class Failing:
    """A user on another machine that fails as it is told to, or answers."""

    error: BaseException | None = None
    name: str = "failing"
    remote: bool = True
    awaits: bool = False

    async def first(self, task: Task, seed: int) -> UserReply:
        """Open the conversation."""
        return await self.reply(task, seed, {}, "", OwnTools({}, lambda *_: "", None))

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> UserReply:
        """Fail, or answer."""
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return UserReply("Hello.")


@pytest.fixture
def user(pair: tuple[Episodes, Episodes]) -> Failing:
    """The failing user, found by its name."""
    found = Failing()
    for episodes in pair:
        episodes.users.strategies["failing"] = Strategy("failing", lambda _: found)
        object.__setattr__(episodes.limits, "step_timeout_s", 5.0)
    return found


BEGIN = ResetRequest(domain="retail", split="test", index=0, n=2, user=UserSpec(strategy="failing"))


async def begin(episodes: Episodes) -> StepRequest:
    """An episode with the failing user, and its first step."""
    reply = await episodes.reset(BEGIN.model_copy(update={"n": None}), "tester")
    return StepRequest(episode_id=reply[15:].partition(b'"')[0].decode(), turn=1, action="How can I help?")


async def refused(episodes: Episodes, step: StepRequest) -> ProblemError:
    """The problem with which a step ends."""
    with pytest.raises(ProblemError) as found:
        await episodes.step(step)
    return found.value


@pytest.mark.parametrize("error", [ModelUnavailable("503"), ConnectionError("gone")])
async def test_after_five_failures_the_episode_ends(
    error: Exception, pair: tuple[Episodes, Episodes], user: Failing
) -> None:
    """The fifth failure in a turn ends the episode unscored, and every process reads that from the record."""
    one, two = pair
    step = await begin(one)
    user.error = error
    for _ in range(4):
        assert (await refused(one, step)).code is ErrorCode.USER_UNAVAILABLE
    reply = await one.step(step)
    last = StepReply.model_validate_json(reply)
    assert (last.stop_reason, last.reward, last.info.scored) == (StopReason.USER_ERROR, None, False)
    assert await two.step(step) == reply


async def test_a_turn_in_between_begins_the_count_anew(pair: tuple[Episodes, Episodes], user: Failing) -> None:
    """Failures are counted for each turn by itself."""
    one, _ = pair
    step = await begin(one)
    for turn in (1, 2, 3):
        user.error = ModelUnavailable("503")
        now = step.model_copy(update={"turn": turn})
        for _ in range(3):
            await refused(one, now)
        user.error = None
        assert StepReply.model_validate_json(await one.step(now)).turn == turn


async def test_a_turn_that_was_put_off_has_not_failed(pair: tuple[Episodes, Episodes], user: Failing) -> None:
    """A turn whose user was not asked (unavailable, or spend cap) counts as no failure and can be played later."""
    one, _ = pair
    step = await begin(one)
    user.error = ModelUnavailable("later", 3.5, asked=False)
    for _ in range(10):
        problem = await refused(one, step)
        assert (problem.retryable, problem.retry_after) == (True, 3.5)
    user.error = SpendCapReached("spent")
    for _ in range(10):
        assert not (await refused(one, step)).retryable
    user.error = None
    assert StepReply.model_validate_json(await one.step(step)).turn == 1


async def test_a_first_message_that_fails_begins_no_episode_of_the_group(
    pair: tuple[Episodes, Episodes], user: Failing
) -> None:
    """Any failure of the first message is one problem for the whole group, and nothing is stored."""
    one, _ = pair
    for error, code in (
        (ModelUnavailable("503"), ErrorCode.USER_UNAVAILABLE),
        (ValueError("?"), ErrorCode.USER_UNAVAILABLE),
        (SpendCapReached("spent"), ErrorCode.SPEND_CAP),
        (TimeoutError(), ErrorCode.USER_UNAVAILABLE),
    ):
        user.error = error
        with pytest.raises(ProblemError) as found:
            await one.reset(BEGIN, "tester")
        assert found.value.code is code
    assert one.store.reads.latest("tester") is None


async def test_what_was_spent_is_known_to_all(pair: tuple[Episodes, Episodes]) -> None:
    """The tokens spent by a run are in the database."""
    one, two = pair
    assert one.store.spent("a") == 0
    await asyncio.gather(*(e.store.spend("a", 10) for e in (one, two, one)))
    await two.store.spend("a", 0)
    await two.store.spend("b", 7)
    assert (one.store.spent("a"), two.store.spent("b")) == (30, 7)


async def test_a_first_message_that_takes_too_long_begins_nothing(
    pair: tuple[Episodes, Episodes], user: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reset waits for the user's first message no longer than a step would."""
    one, _ = pair

    async def never(_task: Task, _seed: int) -> UserReply:
        await asyncio.sleep(60)
        return UserReply("")

    monkeypatch.setattr(user, "first", never)
    object.__setattr__(one._beginner, "timeout_s", 0.05)
    with pytest.raises(ProblemError) as late:
        await one.reset(BEGIN, "tester")
    assert (late.value.code, late.value.retryable) == (ErrorCode.STEP_TIMEOUT, True)
    assert one.store.reads.latest("tester") is None
