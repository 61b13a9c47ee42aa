"""The awaitable that begins an episode, which is also a context manager of the episode."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager
from functools import wraps
from types import TracebackType
from typing import Any, Generic, ParamSpec, TypeVar

E = TypeVar("E", bound=AbstractAsyncContextManager[Any, Any])
P = ParamSpec("P")


class Beginning(Coroutine[Any, Any, E], Generic[E]):
    """A coroutine that returns an episode. `async with` awaits it and enters the episode.

    So `async with client.reset(...) as episode` and `episode = await client.reset(...)` both work, and
    `asyncio.create_task` takes it.
    """

    def __init__(self, begin: Coroutine[Any, Any, E]) -> None:
        """Wrap the coroutine that sends the request."""
        self._begin = begin
        self._entered: E | None = None

    def __await__(self) -> Generator[Any, Any, E]:
        """Begin the episode."""
        return self._begin.__await__()

    def send(self, value: Any) -> Any:
        """Run the coroutine to its next pause."""
        return self._begin.send(value)

    def throw(self, *raised: Any) -> Any:
        """Raise an exception within the coroutine."""
        return self._begin.throw(*raised)

    def close(self) -> None:
        """End the coroutine."""
        self._begin.close()

    async def __aenter__(self) -> Any:
        """Begin the episode and enter it."""
        self._entered = await self._begin
        return await self._entered.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Leave the episode, which closes it."""
        assert self._entered is not None  # entered before it is left
        left: bool | None = await self._entered.__aexit__(kind, error, trace)
        return left


def begins(method: Callable[P, Coroutine[Any, Any, E]]) -> Callable[P, Beginning[E]]:
    """Make a method that begins an episode usable with `async with`, without `await`."""

    @wraps(method)
    def beginning(*args: P.args, **kwargs: P.kwargs) -> Beginning[E]:
        return Beginning(method(*args, **kwargs))

    return beginning
