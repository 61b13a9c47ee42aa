"""Locks for live episodes. A caller gets the episode from memory or from SQL.

Callers of one episode are served one at a time, in order of arrival.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import time

from agent_env_schemas import ErrorCode
from env_server.episodes.episode import Episode
from env_server.episodes.live.cache import Cache
from env_server.episodes.live.restore import catch_up, restore
from env_server.episodes.outages import outage
from env_server.episodes.packs.library import Library
from env_server.errors import ProblemError
from env_server.records import Conflict, StorageUnavailable, Store
from env_server.users import Users

ATTEMPTS = 10
"""Maximum number of attempts of a request after another process committed first."""

PAUSE_S = 0.001
"""Seconds before the second attempt. Each further attempt doubles the time."""

HARMLESS = {
    ErrorCode.EPISODE_OVER,
    ErrorCode.TURN_CONFLICT,
    ErrorCode.TURN_AHEAD,
    ErrorCode.AWAITING_USER,
    ErrorCode.NOT_AWAITING_USER,
    ErrorCode.PACK_CHANGED,
    ErrorCode.INVALID_REQUEST,
    ErrorCode.JUDGE_UNAVAILABLE,
    ErrorCode.KEY_CONFLICT,
}
"""Errors that are raised before anything is played or after all of it is committed. The live episode stays valid."""


class Stale(Exception):
    """The live episode cannot be brought up to date. The attempt that raises this is run again on the restored one."""


class _Queue(asyncio.Lock):
    """The callers of one episode."""

    callers = 0
    """The number of callers, the one that is served included. A queue without callers is forgotten."""


class EpisodeLocks:
    """The locks of this process's episodes."""

    def __init__(self, store: Store, library: Library, users: Users, cache: Cache) -> None:
        """Use episodes from `cache`; restore the others from `store`."""
        self._store, self._library, self._users, self._cache = store, library, users, cache
        self._queues: dict[str, _Queue] = {}

    async def episode(self, episode_id: str) -> Episode:
        """Return the live episode, from memory or SQL.

        Raises:
            ProblemError: if there is no such episode.
        """
        found = self._cache.get(episode_id)
        if found is not None:
            return found
        standing = await self._store.standing(episode_id)
        if standing is None:
            raise unknown(episode_id)
        try:
            restored = await restore(self._library, self._users, standing)
        except ProblemError as e:
            e.episode_id = episode_id
            raise
        found = self._cache.get(episode_id)  # another request may have restored the episode while the pack loaded
        if found is None:
            self._cache.add(restored)
        return found or restored

    async def attempt(
        self, episode_id: str, attempt: Callable[[Episode], Awaitable[bytes]], *, touch: bool = True
    ) -> bytes:
        """Run `attempt` while holding the episode. Start over from SQL if another process committed first.

        Callers are served in order of arrival, also while the episode is restored.
        """
        queue = self._queues.get(episode_id)
        if queue is None:
            queue = self._queues[episode_id] = _Queue()
        queue.callers += 1
        try:
            async with queue:
                return await self._served(episode_id, attempt, touch)
        finally:
            queue.callers -= 1
            if not queue.callers:
                del self._queues[episode_id]

    async def _served(self, episode_id: str, attempt: Callable[[Episode], Awaitable[bytes]], touch: bool) -> bytes:
        for faster in range(ATTEMPTS):
            try:
                episode = await self.episode(episode_id)
                if episode.stale:
                    continue
                episode.busy = True
                try:
                    answer = await attempt(episode)
                except BaseException as e:
                    self._drop_after(e, episode)
                    raise
                finally:
                    episode.busy = False
                if touch:
                    episode.touched = time()
                return answer
            except (Conflict, Stale):
                await asyncio.sleep(PAUSE_S * 2**faster)
            except StorageUnavailable as e:
                raise outage(e, episode_id) from e
        raise ProblemError(ErrorCode.TURN_CLAIMED, "another server process is playing this episode", episode_id)

    async def refresh(self, episode: Episode, *, behind: bool) -> bool:
        """Add to `episode` what other processes have committed. Return whether there was anything new.

        SQL is read only if the caller's turn shows that memory is `behind`, or if the episode waits for a user or a
        score.

        Raises:
            Stale: if the episode has to be restored instead.
        """
        if not (behind or episode.carry.awaiting or episode.carry.unscored):
            return False
        news = await self._store.news(episode.key, *episode.position)
        if news is not None and news.last[:3] == episode.position:
            return False
        if news is None or not catch_up(episode, news):
            raise Stale
        self._cache.measure(episode)
        return True

    def _drop_after(self, error: BaseException, episode: Episode) -> None:
        """Drop the live episode after `error`, unless the error is a refusal that changed nothing."""
        if isinstance(error, ProblemError):
            error.episode_id = episode.episode_id
            if error.code in HARMLESS:
                return
        self._cache.drop(episode)


def unknown(episode_id: str) -> ProblemError:
    """Return the problem for an episode id that does not exist."""
    return ProblemError(ErrorCode.EPISODE_NOT_FOUND, f"no episode {episode_id!r}", episode_id)
