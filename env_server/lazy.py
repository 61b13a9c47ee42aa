"""Lazy values: mappings that make a value at its first access, and contexts that are entered at the first access."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LazyMapping(Mapping[K, V]):
    """A mapping that makes each value once, at the first access, also with several threads. A failure is not stored."""

    def __init__(self, makers: Mapping[K, Callable[[], V]]) -> None:
        """Store the functions that make the values. The keys keep the order of `makers`."""
        self._makers = dict(makers)
        self._made: dict[K, V] = {}
        self._locks = {key: threading.Lock() for key in self._makers}

    def __getitem__(self, key: K) -> V:
        """Return the value of `key`. An error of its maker is raised."""
        with self._locks[key]:
            if key not in self._made:
                self._made[key] = self._makers[key]()
            return self._made[key]

    def __contains__(self, key: object) -> bool:
        """Return whether the key exists. No value is made."""
        return key in self._makers

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys. No value is made."""
        return iter(self._makers)

    def __len__(self) -> int:
        """Return the number of keys. No value is made."""
        return len(self._makers)


class ClosedContextError(RuntimeError):
    """A context that was asked for its value after its application had begun to end."""


class LazyContext(Generic[V]):
    """A context that is entered once, at the first `get`, and left by `close`.

    It runs in a task of its own, because some contexts must be left by the task that entered them.
    """

    def __init__(self, context: Callable[[], AbstractAsyncContextManager[V]]) -> None:
        """Store the function that returns the context. It is called at the first `get`."""
        self._context = context
        self._entered: asyncio.Future[V] | None = None
        self._task: asyncio.Task[None] | None = None
        self._over = asyncio.Event()
        self.value: V | None = None
        """The value of the context while it is entered; else None."""

    async def get(self) -> V:
        """Return the context's value. An error on entry is raised to all current waiters; the next call tries again.

        Raises:
            ClosedContextError: if the context is closed.
        """
        if self._over.is_set():
            raise ClosedContextError("this context is closed: it was used after its application had ended")
        if self.value is not None:
            return self.value
        if self._entered is None:
            self._entered = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._hold(self._entered))
        return await asyncio.shield(self._entered)

    async def close(self) -> None:
        """Leave the context if it was entered. If it is being entered, leave it right after that."""
        self._over.set()
        if self._task is not None:
            await self._task

    async def _hold(self, entered: "asyncio.Future[V]") -> None:
        try:
            async with self._context() as self.value:
                entered.set_result(self.value)
                await self._over.wait()
        except BaseException as e:
            if entered.done():
                raise
            self._entered = None
            entered.set_exception(e if isinstance(e, Exception) else ClosedContextError("opening was cancelled"))
            if not isinstance(e, Exception):
                raise
        finally:
            self.value = None
