"""Background scoring after the reply to the last turn was sent. Failed attempts are repeated."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence

import structlog

from env_server.episodes.episode import Carry, Episode
from env_server.episodes.live.cache import Cache
from env_server.episodes.live.lock import EpisodeLocks
from env_server.episodes.score.judging import Judging
from env_server.errors import ProblemError
from env_server.records import Store
from env_server.telemetry import metrics

MOST = 10_000
"""Maximum number of idle episodes that one search for missing scores reads."""

log = structlog.get_logger(__name__)


class BackgroundScoring:
    """Background scoring of last turns. A failed score stays missing until a request or the housekeeper tries again."""

    def __init__(self, store: Store, holds: EpisodeLocks, judging: Judging, cache: Cache) -> None:
        """Store the parts. Scoring uses `judging` while it holds the episode's lock."""
        self._store, self._locks, self._judging, self._cache = store, holds, judging, cache
        self._background = BackgroundTasks()

    def begin(self, episode_id: str) -> None:
        """Start scoring the episode's last turn, unless a task already does."""
        self._background.begin(episode_id, self._score)

    async def begin_missing(self, before: float) -> None:
        """Start scoring the episodes that have waited since `before` or longer, if there is a judge."""
        if self._judging.judge is not None:
            for episode_id in await asyncio.to_thread(self._waiting_since, before):
                self.begin(episode_id)

    async def leave(self, episode_id: str) -> None:
        """Cancel the scoring of an episode whose score is no longer needed."""
        await self._background.leave(episode_id)

    @property
    def busy(self) -> bool:
        """Whether a score is being made."""
        return self._background.busy

    async def stop(self) -> None:
        """Cancel all scoring tasks."""
        await self._background.stop()

    def _waiting_since(self, before: float) -> list[str]:
        idle = self._store.listings.unfinished_idle(before, MOST)
        lasts = [(episode.episode_id, self._store.reads.last_turn(episode.id)) for episode in idle]
        return [name for name, last in lasts if last is not None and Carry.load(last.carry).unscored is not None]

    async def _score(self, episode_id: str) -> None:
        async def attempt(episode: Episode) -> bytes:
            await self._locks.refresh(episode, behind=True)
            if episode.carry.unscored is not None:
                await self._judging.settle(episode)
                self._cache.drop(episode)
            return b""

        try:
            await self._locks.attempt(episode_id, attempt, touch=False)
        except ProblemError as e:
            log.warning("an episode waits for its score", episode=episode_id, why=e.detail)
        except Exception as e:
            metrics.log_defect(f"the score of {episode_id}", e)


class BackgroundTasks:
    """Background tasks, at most one for each episode."""

    def __init__(self) -> None:
        """Start without tasks."""
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def begin(self, episode_id: str, work: Callable[[str], Coroutine[None, None, None]]) -> None:
        """Start `work` for an episode, unless a task already runs for it."""
        if episode_id not in self._tasks:
            task = self._tasks[episode_id] = asyncio.create_task(work(episode_id))
            task.add_done_callback(lambda _: self._tasks.pop(episode_id))

    @property
    def busy(self) -> bool:
        """Whether a task is running."""
        return bool(self._tasks)

    async def leave(self, episode_id: str) -> None:
        """Cancel the task of an episode, if there is one."""
        await _cancelled([self._tasks[episode_id]] if episode_id in self._tasks else [])

    async def stop(self) -> None:
        """Cancel all tasks."""
        await _cancelled(list(self._tasks.values()))


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
