"""Tests of values that are created on first use."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from env_server.lazy import LazyContext, LazyMapping


class Opened:
    """A context manager that counts its entries and fails a given number of times."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.entered = self.left = 0
        self.may_enter = asyncio.Event()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        """Wait for `may_enter`, then enter or fail."""
        await self.may_enter.wait()
        self.entered += 1
        if self.entered <= self.failures:
            raise ConnectionError("not yet")
        task = asyncio.current_task()
        yield "there"
        assert asyncio.current_task() is task
        self.left += 1


def test_a_value_is_made_once_and_only_if_it_is_asked_for() -> None:
    """Names, length and membership create no value. The first access creates it."""
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name.upper()

    found = LazyMapping({name: partial(make, name) for name in ("a", "b")})
    assert (list(found), len(found), "a" in found, "c" in found, made) == (["a", "b"], 2, True, False, [])
    assert (found["b"], found["b"], made) == ("B", "B", ["b"])
    with pytest.raises(KeyError):
        _ = found["c"]


def test_a_failure_is_not_kept() -> None:
    """An access after an error tries again."""
    errors = [ValueError("broken")]

    def make() -> str:
        if errors:
            raise errors.pop()
        return "whole"

    found = LazyMapping({"a": make})
    with pytest.raises(ValueError, match="broken"):
        _ = found["a"]
    assert found["a"] == "whole"


async def test_all_who_wait_get_what_is_entered_once() -> None:
    """The first access enters the context. Concurrent callers wait for the same entry. `close` exits it."""
    opened = Opened()
    later = LazyContext(opened.open)
    waiting = [asyncio.create_task(later.get()) for _ in range(3)]
    opened.may_enter.set()
    assert await asyncio.gather(*waiting) == ["there"] * 3
    assert (later.value, opened.entered, opened.left) == ("there", 1, 0)
    await later.close()
    assert opened.left == 1


async def test_what_nobody_wanted_is_not_entered_to_be_left() -> None:
    """`close` without a `get` does nothing."""
    opened = Opened()
    await LazyContext(opened.open).close()
    assert opened.entered == 0


@pytest.mark.parametrize("wanted", [True, False])
async def test_what_is_closed_is_not_entered_again(wanted: bool) -> None:
    """`get` after `close` is an error that says so, whether the context was entered before or not."""
    opened = Opened()
    opened.may_enter.set()
    later = LazyContext(opened.open)
    if wanted:
        await later.get()
    await later.close()
    with pytest.raises(RuntimeError, match="closed"):
        await later.get()
    assert opened.entered == opened.left == int(wanted)


async def test_a_failure_reaches_all_who_wait_and_the_next_tries_again() -> None:
    """Every waiting call gets the error, and the next call enters again."""
    opened = Opened(failures=1)
    later = LazyContext(opened.open)
    opened.may_enter.set()
    failed = await asyncio.gather(later.get(), later.get(), return_exceptions=True)
    assert [str(error) for error in failed] == ["not yet"] * 2
    assert await later.get() == "there"
    await later.close()
    assert (opened.entered, opened.left) == (2, 1)


async def test_one_who_leaves_takes_nothing_from_the_others() -> None:
    """A cancelled waiter does not cancel the shared entry."""
    opened = Opened()
    later = LazyContext(opened.open)
    first = asyncio.create_task(later.get())
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    opened.may_enter.set()
    assert await later.get() == "there"
    await later.close()
    assert opened.entered == 1
