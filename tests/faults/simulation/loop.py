"""An event loop with virtual time, in which several "processes" take turns as a seed says. No thread runs.

Everything that is scheduled belongs to the process in whose context it was scheduled. Within a process the order is
that of asyncio; between processes it is random. What a dead process has scheduled never runs.
"""

import asyncio
import heapq
import random
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context, ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import Any

HANDLE_S = 0.00002
"""Seconds of virtual time that each callback takes."""

EXECUTOR_S = 0.02
"""The longest time, in seconds, until a call in a thread runs, and then until its result arrives."""


class Killed(BaseException):
    """The process is dead: nothing of it runs any more."""


class Stuck(Exception):
    """Nothing is left to do, or too much was done, and the result is not there."""


@dataclass(eq=False, repr=False)
class Owner:
    """What the loop has to know of a process."""

    name: str
    machine: int = 0
    dead: bool = False
    paused_until: float = 0.0
    clock_ahead_s: float = 0.0
    """How much its wall clock is ahead."""

    ready: deque[asyncio.Handle] = field(default_factory=deque)
    tasks: list["asyncio.Task[Any]"] = field(default_factory=list)


WORLD = Owner("world")
"""The owner of everything that is no process under test: clients, the network, the faults."""

OWNER: ContextVar[Owner] = ContextVar("OWNER", default=WORLD)


class SimulatedLoop(asyncio.AbstractEventLoop):
    """The loop. `before` is called before each callback of a process, and may raise `Killed`."""

    def __init__(self, rng: random.Random) -> None:
        """Begin at time 0."""
        self.rng = rng
        self.now = 0.0
        self.ran = 0
        self.before: Callable[[Owner], None] = lambda _owner: None
        self.errors: list[dict[str, Any]] = []
        """What was given to the loop's handler of exceptions."""

        self._owners: dict[Owner, None] = {}
        self._timers: list[tuple[float, int, asyncio.TimerHandle, Owner]] = []
        self._numbers = count()

    def time(self) -> float:
        """Return the virtual time."""
        return self.now

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Put a callback behind the others of its process."""
        handle = asyncio.Handle(callback, args, self, context)
        self._put(_owner_of(handle), handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Run a callback after a time."""
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Run a callback at a time."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), handle, _owner_of(handle)))
        return handle

    def create_future(self) -> "asyncio.Future[Any]":
        """Return a future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> "asyncio.Task[Any]":
        """Start a task, in the process of the context."""
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, name=name, context=context)
        owner = OWNER.get() if context is None else context.get(OWNER, WORLD)
        owner.tasks.append(task)
        return task

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., Any], *args: Any
    ) -> "asyncio.Future[Any]":
        """Run a call at a random moment soon, and deliver its result at a later one."""
        future = self.create_future()

        def run() -> None:
            try:
                deliver, outcome = future.set_result, func(*args)
            except Exception as error:
                deliver, outcome = future.set_exception, error
            self.call_later(self.rng.uniform(0, EXECUTOR_S), lambda: None if future.done() else deliver(outcome))

        self.call_later(self.rng.uniform(0, EXECUTOR_S), run)
        return future

    async def shutdown_asyncgens(self) -> None:
        """Do nothing: there are none."""

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Do nothing: there is none."""

    def get_debug(self) -> bool:
        """Return False."""
        return False

    def is_running(self) -> bool:
        """Return True."""
        return True

    def is_closed(self) -> bool:
        """Return False."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Keep what nobody has handled."""
        if not isinstance(context.get("exception"), Killed):
            self.errors.append(context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Do nothing: cancelled timers are skipped."""

    def kill(self, owner: Owner) -> None:
        """End a process. What it has scheduled is dropped."""
        owner.dead = True
        owner.ready.clear()

    def run_until(self, done: "asyncio.Future[Any]", most: int) -> None:
        """Run until `done` has a result.

        Raises:
            Stuck: if nothing is left to do, or more than `most` callbacks have run.
        """
        asyncio._set_running_loop(self)
        try:
            while not done.done():
                if self.ran >= most:
                    raise Stuck(f"{most} callbacks have run")
                self._run_one()
        finally:
            asyncio._set_running_loop(None)

    def _put(self, owner: Owner, handle: asyncio.Handle) -> None:
        if not owner.dead:
            owner.ready.append(handle)
            self._owners.setdefault(owner)

    def _run_one(self) -> None:
        while self._timers and self._timers[0][0] <= self.now:
            _, _, timer, owner = heapq.heappop(self._timers)
            self._put(owner, timer)
        able = [owner for owner in self._owners if owner.ready and owner.paused_until <= self.now]
        if not able:
            self._pass_time()
            return
        owner = able[0] if len(able) == 1 else self.rng.choice(able)
        handle = owner.ready.popleft()
        if handle.cancelled():
            return
        self.ran += 1
        self.now += HANDLE_S
        try:
            self.before(owner)
        except Killed:
            return
        handle._run()

    def _pass_time(self) -> None:
        moments = [owner.paused_until for owner in self._owners if owner.ready]
        if self._timers:
            moments.append(self._timers[0][0])
        if not moments:
            raise Stuck("nothing is left to do")
        self.now = max(self.now, min(moments))


def _owner_of(handle: asyncio.Handle) -> Owner:
    return handle._context.get(OWNER, WORLD)  # type: ignore[attr-defined, no-any-return]


def bury(loop: SimulatedLoop, owners: list[Owner]) -> None:
    """Close the coroutines that dead processes have left, so that nothing of them wakes up with the collector."""
    asyncio._set_running_loop(loop)
    for owner in owners:
        for task in owner.tasks:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                _close(task.get_coro())
        owner.tasks.clear()
    for owner in owners:  # closing has scheduled callbacks
        owner.ready.clear()
    asyncio._set_running_loop(None)


def _close(coro: Any) -> None:
    """End a coroutine from its innermost `await` outwards. What it awaits on its way out is ended too."""
    try:
        for _ in range(1_000):
            coro.throw(Killed())
    except BaseException:
        return
