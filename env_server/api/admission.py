"""Admission of resets. While the server has more work than it can do, new episodes wait, and some are refused.

An episode that has begun is never refused its next turn. So the server bounds the number of episodes that play at the
same time.

The measure is the lag of the event loop: how much later than planned a callback runs. A request waits about that long
before it is served, and again before its reply is sent. The server is overloaded if the mean lag of some ticks is above
the limit and many requests are in progress. A lag with few requests comes from elsewhere: another process has the
processor, or a domain is being loaded. Refusing resets would not shorten it.
"""

import asyncio
from collections import deque
from contextlib import suppress

from agent_env_schemas import ErrorCode
from env_server.errors import ProblemError
from env_server.telemetry.metrics import QUEUED_RESETS, REFUSED_RESETS

TICK_S = 0.02
"""Seconds between two measurements of the lag."""

STEADY = 5
"""Number of measurements whose mean is compared with the limit, because single measurements vary a lot."""

MANY = 32
"""The server does not count as overloaded while it serves fewer requests than this."""

FIRST_RATE = 8
"""Resets that may begin within the first tick. A tick without overload adds one. Overload halves the number, at most
once in STEADY + 1 ticks, because the mean of the lags does not show the effect earlier."""

MOST_RATE = 64
"""Maximum number of resets that begin within a tick."""

MOST_WAITING = 1_024
"""Maximum number of resets that wait."""

EVAL, TRAIN = 0, 1
"""Ranks within a caller's resets: evaluation goes first."""

_Waiting = deque["asyncio.Future[None]"]


class Admission:
    """The resets that wait, and the measure of the load.

    Attributes:
        working: number of requests in progress, those that wait included.
        waiting: number of resets that wait.
        rate: number of resets that may begin within the next tick, if the server is not overloaded.
    """

    def __init__(self, max_lag_s: float, max_wait_s: float) -> None:
        """Take the lag in seconds from which the server counts as overloaded, and how long a reset may wait."""
        self.working = self.waiting = 0
        self._max_lag, self._max_wait = max_lag_s, max_wait_s
        self._queues: dict[str, tuple[_Waiting, _Waiting]] = {}
        self._lags: deque[float] = deque(maxlen=STEADY)
        self.rate, self._credit = FIRST_RATE, FIRST_RATE
        self._due: float | None = None
        self._since_halved = STEADY

    def enter(self) -> None:
        """Count a request that begins. The load is measured as long as there are any."""
        self.working += 1
        if self._due is None:
            self.rate, self._credit = FIRST_RATE, FIRST_RATE
            self._lags.clear()
            self._plan()

    def leave(self) -> None:
        """Count a request that ends."""
        self.working -= 1

    @property
    def is_overloaded(self) -> bool:
        """Whether more work is in progress than the process can do."""
        is_late = len(self._lags) == STEADY and sum(self._lags) > STEADY * self._max_lag
        return is_late and self.working - self.waiting >= MANY

    async def admit(self, caller: str, rank: int) -> None:
        """Return as soon as a reset of `caller` may begin. Callers take turns; within a caller, lower ranks go first.

        Raises:
            ProblemError: `overloaded` if the reset would wait too long.
        """
        if not self.waiting and self._credit > 0:
            self._credit -= 1
            return
        if self.waiting >= MOST_WAITING:
            raise self._refusal()
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(caller, (deque(), deque()))[rank].append(turn)
        self.waiting += 1
        try:
            async with asyncio.timeout(self._max_wait):
                await turn
        except TimeoutError:
            raise self._refusal() from None
        finally:
            self.waiting -= 1
            QUEUED_RESETS.set(self.waiting)

    def _refusal(self) -> ProblemError:
        REFUSED_RESETS.add(())
        wait = self._max_wait * (1 + self.waiting / MOST_WAITING)  # longer, if more wait already
        return ProblemError(
            ErrorCode.OVERLOADED, "the server has more episodes in progress than it can play now", retry_after=wait
        )

    def _plan(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + TICK_S
        loop.call_at(self._due, self._tick)

    def _tick(self) -> None:
        """Measure the lag and let resets begin."""
        assert self._due is not None
        self._lags.append(asyncio.get_running_loop().time() - self._due)
        self._since_halved += 1
        if self.is_overloaded:
            if self._since_halved > STEADY:
                self.rate, self._since_halved = max(1, self.rate // 2), 0
            self._credit = 0
        else:
            self.rate = min(MOST_RATE, self.rate + 1)
            self._credit = self.rate
        QUEUED_RESETS.set(self.waiting)
        while self._credit > 0 and (turn := self._next()) is not None:
            self._credit -= 1
            turn.set_result(None)
        if self.working or self.waiting:
            self._plan()
        else:
            self._due = None

    def _next(self) -> "asyncio.Future[None] | None":
        """Return the reset that goes next, and put its caller behind the others."""
        for caller in list(self._queues):
            queues = self._queues.pop(caller)
            for queue in queues:
                with suppress(IndexError):
                    while (turn := queue.popleft()).done():  # its caller has gone, or waited too long
                        pass
                    if any(queues):
                        self._queues[caller] = queues
                    return turn
        return None
