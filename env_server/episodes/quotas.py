"""Quotas of callers: open episodes, steps a second, and tokens of models a day.

A quota belongs to a key, or to each key of a class: names that match a pattern. Open episodes and tokens are counted
in the database, for all processes together. Steps are counted by each process.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from time import monotonic, time
from typing import TYPE_CHECKING

from agent_env_schemas import ErrorCode
from env_server.errors import ProblemError

if TYPE_CHECKING:
    from env_server.records import Store

FORM = "ENV_SERVER_QUOTAS must look like name:episodes=64,steps_per_s=100;other-*:tokens_per_day=1000000"

WAIT_S = 5.0
"""`Retry-After` while a caller has as many open episodes as it may have: nobody knows when one of them ends."""

OLDEST_S = 1.0
"""Seconds after which the number of open episodes is read again, since other processes begin and end some, too."""

LONG_S = 0.05
"""A read of the number of open episodes that takes more seconds than this counts as long."""

REST = 20
"""After a long read, the number is kept for this multiple of the time that the read took."""

DAY_S = 86_400

PAYER: ContextVar[str] = ContextVar("payer", default="")
"""The caller on whose behalf this request runs. For an agent it is the caller that began the episode."""


@dataclass(frozen=True, slots=True)
class Quota:
    """The quotas of one caller. None means no limit."""

    episodes: int | None = None
    steps_per_s: float | None = None
    tokens_per_day: int | None = None


def rules_of(text: str | None) -> list[tuple[str, Quota]]:
    """Return the quotas by pattern of names, in their order.

    Raises:
        ValueError: if the text is not like `FORM`.
    """
    return [_rule(entry.strip()) for entry in (text or "").split(";") if entry.strip()]


def _rule(entry: str) -> tuple[str, Quota]:
    pattern, separator, given = entry.partition(":")
    known = {field.name for field in fields(Quota)}
    limits: dict[str, float] = {}
    for part in given.split(","):
        name, _, number = (piece.strip() for piece in part.partition("="))
        try:
            value = float(number) if name == "steps_per_s" else int(number)
        except ValueError as e:
            raise ValueError(f"{FORM}; {part!r} has no number") from e
        if not separator or not pattern or name not in known or name in limits or not 0 < value < float("inf"):
            raise ValueError(f"{FORM}; {entry!r} does not")
        limits[name] = value
    return pattern.strip(), Quota(**limits)  # type: ignore[arg-type]  # whole numbers but for steps_per_s


class Quotas:
    """Checks what callers use against their quotas."""

    def __init__(
        self,
        rules: list[tuple[str, Quota]],
        store: "Store",
        clock: Callable[[], float] = time,
        steady: Callable[[], float] = monotonic,
    ) -> None:
        """Take the first quota of `rules` that fits a caller's name. `clock` gives the time since the epoch."""
        self._rules, self._store, self._clock, self._steady = rules, store, clock, steady
        self._quotas: dict[str, Quota] = {}
        self._open: dict[str, _OpenEpisodes] = {}
        self._free: dict[str, float] = {}
        self.any = bool(rules)
        """Whether any caller has a quota."""

    def of(self, caller: str) -> Quota:
        """Return the quota of a caller."""
        if caller not in self._quotas:
            fitting = (quota for pattern, quota in self._rules if fnmatchcase(caller, pattern))
            self._quotas[caller] = next(fitting, Quota()) if caller else Quota()
        return self._quotas[caller]

    @asynccontextmanager
    async def beginning(self, caller: str, count: int) -> AsyncIterator[None]:
        """Begin `count` episodes of `caller` within the context. Nothing is begun if that is too many.

        Raises:
            ProblemError: `quota_exceeded`, or `invalid_request` if the caller may never have this many open.
        """
        quota = self.of(caller)
        if quota.tokens_per_day is not None:
            self._check_tokens(caller, quota.tokens_per_day)
        if quota.episodes is None:
            yield
            return
        if count > quota.episodes:
            raise ProblemError(
                ErrorCode.INVALID_REQUEST, f"n: {caller!r} may have at most {quota.episodes} open episodes"
            )
        known = self._open.setdefault(caller, _OpenEpisodes())
        await known.refresh(lambda: self._store.listings.open_of(caller), self._steady, quota.episodes - count)
        if known.at_most + count > quota.episodes:
            detail = f"{caller!r} has {known.at_most} open episodes and may have {quota.episodes}; end some"
            raise self._refusal("episodes", detail, WAIT_S)
        known.pending += count
        try:
            yield
            known.since += count
        finally:
            known.pending -= count

    def take_step(self, caller: str) -> None:
        """Count a step of `caller`.

        Raises:
            ProblemError: `quota_exceeded` if it has played too many steps in this second. The step is not counted.
        """
        rate = self.of(caller).steps_per_s
        if rate is None:
            return
        wait = self._wait(caller, rate)
        if wait > 0:
            raise self._refusal("steps_per_s", f"{caller!r} may play {rate:g} steps a second", wait)
        self._count(caller, rate)

    async def pace_step(self, caller: str) -> None:
        """Count a step of `caller`, and wait until it may be played. For clients that cannot be asked to retry."""
        rate = self.of(caller).steps_per_s
        if rate is not None:
            wait = self._wait(caller, rate)
            self._count(caller, rate)
            await asyncio.sleep(max(0.0, wait))

    def _wait(self, caller: str, rate: float) -> float:
        """Return the seconds until a step of `caller` may be played. A second's steps may come at once."""
        return self._free.get(caller, 0.0) - self._steady() - max(0.0, 1.0 - 1.0 / rate)

    def _count(self, caller: str, rate: float) -> None:
        self._free[caller] = max(self._free.get(caller, 0.0), self._steady()) + 1.0 / rate

    def _check_tokens(self, caller: str, most: int) -> None:
        now = self._clock()
        if self._store.spent_by(caller, _day(now)) >= most:
            detail = f"the models of {caller!r} have used their {most} tokens of this day"
            raise self._refusal("tokens_per_day", detail, DAY_S - now % DAY_S)

    def _refusal(self, quota: str, detail: str, wait: float) -> ProblemError:
        from env_server.telemetry.metrics import QUOTA_REFUSALS  # noqa: PLC0415 - commands that check settings need none

        QUOTA_REFUSALS.add((quota,))
        return ProblemError(ErrorCode.QUOTA_EXCEEDED, detail, retry_after=wait)

    def spent(self, run: str) -> int:
        """Return the tokens that `run` has used so far. The models use this object as their ledger."""
        return self._store.spent(run)

    async def spend(self, run: str, tokens: int) -> None:
        """Add `tokens` to the sum of `run`, and to those of the caller of this request."""
        await self._store.spend(run, tokens)
        payer = PAYER.get()
        if self.of(payer).tokens_per_day is not None:
            await self._store.spend_by(payer, _day(self._clock()), tokens)


class _OpenEpisodes:
    """An upper bound on the open episodes of a caller."""

    def __init__(self) -> None:
        self.counted = self.since = self.pending = 0
        self._read_at, self._took = float("-inf"), 0.0
        self._reading = asyncio.Lock()

    @property
    def at_most(self) -> int:
        """Return the number read last, plus the episodes that this process has begun since or begins now."""
        return self.counted + self.since + self.pending

    async def refresh(self, read: Callable[[], int], steady: Callable[[], float], room: int) -> None:
        """Read the number again if it is old, or if `at_most` is above `room`. After a long read, keep it longer."""
        async with self._reading:
            age = steady() - self._read_at
            if (self._took > LONG_S and age < REST * self._took) or (age < OLDEST_S and self.at_most <= room):
                return
            began, before = steady(), self.since
            self.counted = await asyncio.to_thread(read)
            self.since -= before  # what began meanwhile may be counted twice, until the next reading
            self._read_at = steady()
            self._took = self._read_at - began


def _day(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).date().isoformat()
