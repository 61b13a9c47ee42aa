"""What is made when it is first wanted: the values of a mapping, and things that have to be opened and closed."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LazyMapping(Mapping[K, V]):
    """A mapping whose values are made when they are first asked for, once, whoever asks. A failure is not kept."""

    def __init__(self, makers: Mapping[K, Callable[[], V]]) -> None:
        """Offer what `makers` make, in their order."""
        self._makers = dict(makers)
        self._made: dict[K, V] = {}
        self._locks = {key: threading.Lock() for key in self._makers}

    def __getitem__(self, key: K) -> V:
        """The value of `key`; whatever making it raises is raised."""
        with self._locks[key]:
            if key not in self._made:
                self._made[key] = self._makers[key]()
            return self._made[key]

    def __contains__(self, key: object) -> bool:
        """Whether there is such a key; nothing is made."""
        return key in self._makers

    def __iter__(self) -> Iterator[K]:
        """The keys; nothing is made."""
        return iter(self._makers)

    def __len__(self) -> int:
        """The number of keys; nothing is made."""
        return len(self._makers)


class LazyContext(Generic[V]):
    """A context that is entered when it is first wanted, once, and left by `close`.

    It has a task of its own, since some contexts have to be left by the task that entered them.
    """

    def __init__(self, context: Callable[[], AbstractAsyncContextManager[V]]) -> None:
        """Enter `context()` at the first `get`."""
        self._context = context
        self._entered: asyncio.Future[V] | None = None
        self._task: asyncio.Task[None] | None = None
        self._over = asyncio.Event()
        self.value: V | None = None
        """What the context gave, once it is entered."""

    async def get(self) -> V:
        """What the context gives. Whatever entering it raises is raised to all who wait; the next one tries again."""
        if self.value is not None:
            return self.value
        if self._entered is None:
            self._entered = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._hold(self._entered))
        return await asyncio.shield(self._entered)

    async def close(self) -> None:
        """Leave the context, if it was entered; one that is being entered is left as soon as that is done."""
        if self._task is not None:
            self._over.set()
            await self._task

    async def _hold(self, entered: "asyncio.Future[V]") -> None:
        try:
            async with self._context() as self.value:
                entered.set_result(self.value)
                await self._over.wait()
        except Exception as e:
            if entered.done():
                raise
            self._entered = None
            entered.set_exception(e)
        finally:
            self.value = None
