"""Eviction and expiry: idle episodes leave memory, and episodes without requests for too long are ended."""

import asyncio
import ctypes
import os
from collections.abc import Callable, Sequence
from time import monotonic, time

import structlog

from env_server.episodes.service import Episodes
from env_server.episodes.turn.claim_owner import owner
from env_server.records import Uptime

MOST = 10_000
"""Maximum number of idle episodes in one round."""

WORTH_IT = 64
"""Number of evicted episodes after which memory is returned to the system, while other episodes are live."""

_TRIM: Callable[[int], object] | None = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None

SCORE_EVERY_S = 300.0
"""Seconds between attempts to make missing scores, so that a judge that is down is not asked in every round."""

JUMP_S = 5.0
"""Seconds by which the wall clock may differ from the steady clock between two rounds before it counts as a jump."""

log = structlog.get_logger(__name__)


class Stretch:
    """A period, by the wall clock, during which this process ran.

    A new period begins when the wall clock jumps, because the machine slept or somebody set the clock. The steady clock
    stands still while the machine sleeps.
    """

    def __init__(self, wall: float, steady: float) -> None:
        """Begin at these times of both clocks, in seconds."""
        self.began, self._number = wall, 0
        self._wall, self._steady = wall, steady

    def go_on(self, wall: float, steady: float | None) -> None:
        """Go on to these times of both clocks. Without `steady` the wall clock has not jumped."""
        if steady is None:
            steady = self._steady + wall - self._wall
        if abs((wall - self._wall) - (steady - self._steady)) > JUMP_S:
            log.warning("the clock has jumped, or the machine slept", seconds=round(wall - self._wall, 1))
            self.began, self._number = wall, self._number + 1
        self._wall, self._steady = wall, steady

    @property
    def name(self) -> str:
        """The name under which the period is stored: the process's name, with a number after the first jump."""
        return f"{owner()}#{self._number}" if self._number else owner()


class Housekeeper:
    """A periodic task that records the process's uptime, evicts and expires episodes, and makes missing scores."""

    def __init__(self, episodes: Episodes, expire_after_s: float, evict_after_s: float, period_s: float = 15.0) -> None:
        """Store the episodes and the times, all in seconds."""
        self._episodes = episodes
        self._expire_after = expire_after_s
        self._evict_after = evict_after_s
        self._period = min(period_s, expire_after_s / 2, evict_after_s / 2)
        self._score_every = min(SCORE_EVERY_S, expire_after_s / 2)
        self._scored_at = 0.0
        self._stretch = Stretch(time(), monotonic())

    async def run(self) -> None:
        """Run rounds until cancelled. Log a failure; the next round tries again."""
        while True:
            try:
                await self.round(time(), monotonic())
            except Exception as e:
                log.warning("housekeeping failed", error=str(e))
            await asyncio.sleep(self._period)

    async def round(self, now: float, steady: float | None = None) -> None:
        """Run one round at the time `now` of the wall clock, and `steady` of a clock that never jumps.

        Without `steady` the wall clock has not jumped since the last round.
        """
        store = self._episodes.store
        self._stretch.go_on(now, steady)
        await store.beat(self._stretch.name, self._stretch.began, now)
        for dropped in self._episodes.cache.drop_idle(now - self._evict_after):
            await dropped.live.pack.rest(dropped.episode_id)
        await self._give_back()
        if now - self._scored_at >= self._score_every:
            self._scored_at = now
            await self._episodes.scoring.begin_missing(now - self._score_every)
        idle = await asyncio.to_thread(store.listings.unfinished_idle, now - self._expire_after, MOST)
        if not idle:
            return
        uptimes = await asyncio.to_thread(store.listings.uptimes)
        for episode in idle:
            live = self._episodes.cache.get(episode.episode_id)
            last = max(episode.last_at, live.touched if live is not None else 0.0)
            if time_served(uptimes, last, now) >= self._expire_after:
                await self._expire(episode.episode_id, last)
                await asyncio.sleep(0)  # lets requests run in between

    async def _give_back(self) -> None:
        """Return the memory of evicted episodes to the system. The database and the C library would keep it.

        The round that leaves no episode live does so after any eviction: the server may be idle from then on.
        """
        cache = self._episodes.cache
        if cache.dropped < (WORTH_IT if len(cache) else 1):
            return
        cache.dropped = 0
        await self._episodes.store.shrink()
        if _TRIM is not None:
            await asyncio.to_thread(_TRIM, 0)

    async def _expire(self, episode_id: str, last: float) -> None:
        """End one episode. A failure does not prevent the expiry of other episodes."""
        try:
            await self._episodes.expire(episode_id, last)
        except Exception as e:
            log.info("an episode could not be expired", episode_id=episode_id, error=str(e))


def time_served(uptimes: Sequence[Uptime], since: float, until: float) -> float:
    """Return the seconds between `since` and `until` during which at least one server process ran."""
    total, reached = 0.0, since
    for up in sorted(uptimes, key=lambda u: u.started):
        begin, end = max(up.started, reached), min(up.seen, until)
        if end > begin:
            total += end - begin
            reached = end
    return total
