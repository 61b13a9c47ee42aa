"""Admission of resets: which begin, which wait, and which are refused."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from agent_env_schemas import ErrorCode
from env_server.api import admission
from env_server.api.admission import EVAL, FIRST_RATE, MANY, STEADY, TRAIN, Admission
from env_server.errors import ProblemError


@pytest.fixture
async def overloaded() -> AsyncIterator[Admission]:
    """An overloaded admission: any lag counts as too long, and enough requests are in progress."""
    found = Admission(max_lag_s=-1.0, max_wait_s=60.0)
    for _ in range(MANY):
        found.enter()
    while not found.is_overloaded:
        await asyncio.sleep(0.01)
    yield found
    while found.working:
        found.leave()


async def begun(found: Admission, callers: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Ask for admission in this order. Return the order in which the callers begin once the load is gone."""
    order: list[tuple[str, int]] = []

    async def reset(caller: str, rank: int) -> None:
        found.enter()
        await found.admit(caller, rank)
        order.append((caller, rank))
        found.leave()

    tasks = [asyncio.create_task(reset(*caller)) for caller in callers]
    while found.waiting < len(callers):
        await asyncio.sleep(0)
    for _ in range(MANY):
        found.leave()
    await asyncio.gather(*tasks)
    for _ in range(MANY):
        found.enter()
    return order


async def test_few_resets_begin_at_once() -> None:
    """Without load a reset does not wait, even if many come at the same time."""
    found = Admission(max_lag_s=60.0, max_wait_s=60.0)
    for _ in range(FIRST_RATE):
        found.enter()
        await found.admit("a", TRAIN)
    found.enter()
    await asyncio.wait_for(asyncio.gather(*(found.admit("a", TRAIN) for _ in range(500))), 60)
    assert found.waiting == 0
    for _ in range(FIRST_RATE + 1):
        found.leave()


async def test_callers_take_turns_and_evaluation_goes_first(overloaded: Admission) -> None:
    """A caller with many resets does not delay another caller, and a caller's evaluation goes before its training."""
    many = [("big", TRAIN)] * 6
    order = await begun(overloaded, [*many, ("small", TRAIN), ("big", EVAL), ("small", TRAIN)])
    assert order[0] == ("big", EVAL)
    assert [caller for caller, _ in order[:4]] == ["big", "small", "big", "small"]
    assert len(order) == 9


async def test_who_waits_too_long_is_told_when_to_come_again() -> None:
    """A refusal after the wait may be retried, says after how long, and leaves nothing in the queue."""
    found = Admission(max_lag_s=-1.0, max_wait_s=0.05)
    for _ in range(MANY + 1):
        found.enter()
    while not found.is_overloaded:
        await asyncio.sleep(0.01)
    with pytest.raises(ProblemError) as refused:
        await found.admit("a", TRAIN)
    assert (refused.value.code, refused.value.retryable) == (ErrorCode.OVERLOADED, True)
    assert refused.value.retry_after is not None
    assert found.waiting == 0
    for _ in range(MANY + 1):
        found.leave()


async def test_a_caller_that_goes_away_is_forgotten(overloaded: Admission) -> None:
    """A cancelled reset leaves the queue, and the next one begins."""
    overloaded.enter()
    gone = asyncio.create_task(overloaded.admit("a", TRAIN))
    while not overloaded.waiting:
        await asyncio.sleep(0)
    gone.cancel()
    overloaded.leave()
    await asyncio.gather(gone, return_exceptions=True)
    assert overloaded.waiting == 0
    assert await begun(overloaded, [("b", TRAIN)]) == [("b", TRAIN)]


async def test_the_queue_is_bounded(overloaded: Admission, monkeypatch: pytest.MonkeyPatch) -> None:
    """When as many wait as may wait, the next one is refused at once."""
    monkeypatch.setattr(admission, "MOST_WAITING", 2)
    waiting = [asyncio.create_task(overloaded.admit("a", TRAIN)) for _ in range(2)]
    while overloaded.waiting < 2:
        await asyncio.sleep(0)
    with pytest.raises(ProblemError):
        await overloaded.admit("b", EVAL)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_one_overload_halves_the_rate_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean lag stays high for some ticks after the rate has fallen; these ticks do not halve it again."""
    monkeypatch.setattr(Admission, "is_overloaded", property(lambda _: True))
    found = Admission(max_lag_s=60.0, max_wait_s=60.0)
    found.enter()
    rates = []
    for _ in range(2 * (STEADY + 1)):
        found._tick()
        rates.append(found.rate)
    assert rates == [FIRST_RATE // 2] * (STEADY + 1) + [FIRST_RATE // 4] * (STEADY + 1)
    found.leave()


async def test_a_lag_without_requests_is_no_overload() -> None:
    """If the event loop is late with few requests, something else uses the processor: refusing resets is no help."""
    found = Admission(max_lag_s=-1.0, max_wait_s=60.0)
    found.enter()
    await asyncio.sleep(0.3)
    assert not found.is_overloaded
    await asyncio.gather(*(found.admit("a", TRAIN) for _ in range(100)))
    found.leave()
