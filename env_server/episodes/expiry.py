"""Forgetting: idle episodes leave memory, and those that nobody calls for too long are ended."""

import asyncio
import ctypes
import os
from collections.abc import Callable, Sequence
from time import time

import structlog

from env_server.episodes.service import Episodes
from env_server.episodes.turn.owner import owner
from env_server.records import Uptime

MOST = 10_000
"""Idle episodes looked at in one round."""

WORTH_IT = 64
"""Forgotten episodes after which memory is given back."""

_TRIM: Callable[[int], object] | None = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None

SCORE_EVERY_S = 300.0
"""How often scores that are missing are tried for again; a judge that is down is not asked at every round."""

log = structlog.get_logger(__name__)


class Housekeeper:
    """Beats, evicts and expires, every `period_s` seconds."""

    def __init__(self, episodes: Episodes, expire_after_s: float, evict_after_s: float, period_s: float = 15.0) -> None:
        """Keep house for `episodes`."""
        self._episodes = episodes
        self._expire_after = expire_after_s
        self._evict_after = evict_after_s
        self._period = min(period_s, expire_after_s / 2, evict_after_s / 2)
        self._score_every = min(SCORE_EVERY_S, expire_after_s / 2)
        self._scored_at = 0.0
        self._started = time()

    async def run(self) -> None:
        """Work until cancelled; a failure is logged and the next round tries again."""
        while True:
            try:
                await self.round(time())
            except Exception as e:
                log.warning("housekeeping failed", error=str(e))
            await asyncio.sleep(self._period)

    async def round(self, now: float) -> None:
        """One round at time `now`."""
        store = self._episodes.store
        await store.beat(owner(), self._started, now)
        self._episodes.cache.drop_idle(now - self._evict_after)
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
                await asyncio.sleep(0)  # requests go on in between

    async def _give_back(self) -> None:
        """Give memory of forgotten episodes back to the system, where the database or the C library would keep it."""
        if self._episodes.cache.dropped < WORTH_IT:
            return
        self._episodes.cache.dropped = 0
        await self._episodes.store.shrink()
        if _TRIM is not None:
            await asyncio.to_thread(_TRIM, 0)

    async def _expire(self, episode_id: str, last: float) -> None:
        """End one episode; what cannot be ended now does not keep the others alive."""
        try:
            await self._episodes.expire(episode_id, last)
        except Exception as e:
            log.info("an episode could not be expired", episode_id=episode_id, error=str(e))


def time_served(uptimes: Sequence[Uptime], since: float, until: float) -> float:
    """For how many seconds between `since` and `until` at least one server ran."""
    total, reached = 0.0, since
    for up in sorted(uptimes, key=lambda u: u.started):
        begin, end = max(up.started, reached), min(up.seen, until)
        if end > begin:
            total += end - begin
            reached = end
    return total
