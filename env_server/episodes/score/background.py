"""Scores that no request waits for: made after the last turn was answered, and tried again where that failed."""

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
"""Idle episodes looked at for scores that are missing."""

log = structlog.get_logger(__name__)


class BackgroundScoring:
    """Scores last turns in the background. What cannot be scored waits, for whoever asks for it or tries again."""

    def __init__(self, store: Store, holds: EpisodeLocks, judging: Judging, cache: Cache) -> None:
        """Score by `judging`, while holding the episode."""
        self._store, self._locks, self._judging, self._cache = store, holds, judging, cache
        self._background = BackgroundTasks()

    def begin(self, episode_id: str) -> None:
        """Score the episode's last turn, unless that is being done."""
        self._background.begin(episode_id, self._score)

    async def begin_missing(self, before: float) -> None:
        """Score what is waiting since `before` or longer, if there is a judge to ask."""
        if self._judging.judge is not None:
            for episode_id in await asyncio.to_thread(self._waiting_since, before):
                self.begin(episode_id)

    async def leave(self, episode_id: str) -> None:
        """Stop scoring an episode whose score nobody wants."""
        await self._background.leave(episode_id)

    @property
    def busy(self) -> bool:
        """Whether something is being scored."""
        return self._background.busy

    async def stop(self) -> None:
        """Leave undone what is not done yet."""
        await self._background.stop()

    def _waiting_since(self, before: float) -> list[str]:
        idle = self._store.listings.unfinished_idle(before, MOST)
        lasts = [(episode.episode_id, self._store.reads.last_turn(episode.id)) for episode in idle]
        return [name for name, last in lasts if last is not None and Carry.load(last.carry).unscored is not None]

    async def _score(self, episode_id: str) -> None:
        async def attempt(episode: Episode) -> bytes:
            self._locks.refresh(episode, behind=True)
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
    """Pieces of work, at most one at a time for each episode."""

    def __init__(self) -> None:
        """Nothing to do yet."""
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def begin(self, episode_id: str, work: Callable[[str], Coroutine[None, None, None]]) -> None:
        """Begin `work` for an episode, unless some is being done for it."""
        if episode_id not in self._tasks:
            task = self._tasks[episode_id] = asyncio.create_task(work(episode_id))
            task.add_done_callback(lambda _: self._tasks.pop(episode_id))

    @property
    def busy(self) -> bool:
        """Whether something is being done."""
        return bool(self._tasks)

    async def leave(self, episode_id: str) -> None:
        """Leave undone what is being done for an episode."""
        await _cancelled([self._tasks[episode_id]] if episode_id in self._tasks else [])

    async def stop(self) -> None:
        """Leave undone what is not done yet."""
        await _cancelled(list(self._tasks.values()))


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
