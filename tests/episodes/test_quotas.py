"""Quotas of callers: which rule applies, what counts, and what a refusal says."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent_env_schemas import ErrorCode
from env_server.episodes.quotas import PAYER, Quota, Quotas, rules_of
from env_server.errors import ProblemError
from env_server.records import Store


class Clock:
    """A clock that a test sets."""

    def __init__(self, now: float = 0.0) -> None:
        """Begin at `now`."""
        self.now = now

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty database."""
    opened = Store.open(f"sqlite:///{tmp_path / 'quotas.db'}")
    yield opened
    await opened.close()


def test_the_first_pattern_that_fits_counts() -> None:
    """The first rule whose pattern fits applies, and every part of the setting is read."""
    assert rules_of("eval*:episodes=2,steps_per_s=0.5; *:tokens_per_day=10;") == [
        ("eval*", Quota(episodes=2, steps_per_s=0.5)),
        ("*", Quota(tokens_per_day=10)),
    ]
    assert rules_of(None) == rules_of(" ") == []


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a:",
        ":episodes=1",
        "a:episodes",
        "a:episodes=x",
        "a:episodes=1.5",
        "a:episodes=0",
        "a:steps_per_s=-1",
        "a:steps_per_s=inf",
        "a:steps_per_s=nan",
        "a:money=3",
        "a:episodes=1,episodes=2",
    ],
)
def test_a_setting_that_cannot_be_read_is_refused_with_its_form(text: str) -> None:
    """A misspelt quota is an error and not ignored."""
    with pytest.raises(ValueError, match="ENV_SERVER_QUOTAS must look like"):
        rules_of(text)


async def test_a_second_of_steps_is_played_at_once_and_the_next_one_is_told_when(store: Store) -> None:
    """A caller may play a second's worth of steps at once; a refused step is not counted.

    Other callers are not affected.
    """
    clock = Clock(100.0)
    quotas = Quotas(rules_of("a:steps_per_s=4"), store, steady=clock)
    for _ in range(4):
        quotas.take_step("a")
    for _ in range(3):
        with pytest.raises(ProblemError) as refused:
            quotas.take_step("a")
        assert (refused.value.code, refused.value.status, refused.value.retryable) == (
            ErrorCode.QUOTA_EXCEEDED,
            429,
            True,
        )
        assert refused.value.retry_after == pytest.approx(0.25)
    quotas.take_step("b")
    clock.now += 0.25
    quotas.take_step("a")
    with pytest.raises(ProblemError):
        quotas.take_step("a")


async def test_a_rate_below_one_lets_the_first_step_through(store: Store) -> None:
    """At half a step per second, the first step is played at once and the next one two seconds later."""
    clock = Clock(100.0)
    quotas = Quotas(rules_of("a:steps_per_s=0.5"), store, steady=clock)
    quotas.take_step("a")
    with pytest.raises(ProblemError) as refused:
        quotas.take_step("a")
    assert refused.value.retry_after == pytest.approx(2.0)


async def test_a_group_counts_with_all_its_episodes_and_a_failure_with_none(store: Store) -> None:
    """Begun episodes count, failed begins do not, and a group larger than the quota cannot be retried."""
    quotas = Quotas(rules_of("a:episodes=4"), store, steady=Clock())
    with pytest.raises(RuntimeError):
        async with quotas.beginning("a", 4):
            raise RuntimeError
    async with quotas.beginning("a", 3):
        with pytest.raises(ProblemError) as refused:
            async with quotas.beginning("a", 2):
                pytest.fail("two more are too many while three begin")
        assert (refused.value.code, refused.value.retry_after) == (ErrorCode.QUOTA_EXCEEDED, 5.0)
    async with quotas.beginning("a", 1):
        pass
    with pytest.raises(ProblemError) as hopeless:
        async with quotas.beginning("a", 5):
            pytest.fail("five never fit")
    assert not hopeless.value.retryable


async def test_tokens_of_a_day_are_those_of_all_processes(store: Store) -> None:
    """Two processes add to one sum; each day begins with none; a refusal lasts until the next day."""
    clock = Clock(86_400 * 20_000 + 80_000.0)
    one, other = (Quotas(rules_of("a:tokens_per_day=100"), store, clock=clock) for _ in range(2))
    PAYER.set("a")
    await one.spend("run", 60)
    async with other.beginning("a", 1):
        pass
    await other.spend("run", 40)
    PAYER.set("b")
    await one.spend("run", 7)
    assert store.spent("run") == 107
    with pytest.raises(ProblemError) as refused:
        async with one.beginning("a", 1):
            pytest.fail("nothing is left")
    assert (refused.value.code, refused.value.retry_after) == (ErrorCode.QUOTA_EXCEEDED, 6_400.0)
    clock.now += 6_400
    async with one.beginning("a", 1):
        pass
