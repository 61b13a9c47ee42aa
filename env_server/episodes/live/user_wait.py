"""Waiting for a commit of an external user's message."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, time

from agent_env_schemas import ErrorCode
from env_server.episodes.codec.reply import render
from env_server.episodes.episode import USER, Carry
from env_server.episodes.live.cache import Cache
from env_server.errors import ProblemError
from env_server.records import EpisodeRow, Store

LOOK_AGAIN_S = 0.5
"""Seconds between checks of SQL for a message that another process may have committed."""


class UserWait:
    """Callers that wait for the user of an episode. Commits of this process wake them."""

    def __init__(self, store: Store, cache: Cache) -> None:
        """Store the arguments. A wait counts as use of the episode in `cache`."""
        self._store = store
        self._cache = cache
        self._bells: dict[str, set[asyncio.Event]] = {}

    def ring(self, episode_id: str) -> None:
        """Wake the callers that wait for this episode, because a part of it was committed."""
        for bell in self._bells.get(episode_id, ()):
            bell.set()

    async def reply(self, row: EpisodeRow, turn: int | None, seconds: float) -> bytes | None:
        """Return the reply to the user's part of `turn` (default: the newest); None after `seconds` without it.

        Raises:
            ProblemError: `not_awaiting_user` or `episode_over` if no user's message is expected.
        """
        until = monotonic() + seconds
        with self._bell(row.episode_id) as bell:
            while (found := self._ended_part(row, turn)) is None and (left := until - monotonic()) > 0:
                bell.clear()
                if (episode := self._cache.get(row.episode_id)) is not None:
                    episode.touched = time()
                with suppress(TimeoutError):
                    await asyncio.wait_for(bell.wait(), min(left, LOOK_AGAIN_S))
        return found

    def _ended_part(self, row: EpisodeRow, turn: int | None) -> bytes | None:
        last = self._store.reads.last_turn(row.id)
        if last is None:
            raise ProblemError(ErrorCode.INTERNAL, "the episode has no turns", row.episode_id)
        wanted = last.turn if turn is None else turn
        if wanted == last.turn and Carry.load(last.carry).awaiting:
            return None
        parts = self._store.reads.turns(row.id, wanted, wanted)
        if any(part.part == USER for part in parts):  # a judge's score, if any, is the last part
            return render(row.episode_id, parts[-1].reply)
        if self._store.reads.ending(row.id) is not None:
            raise ProblemError(ErrorCode.EPISODE_OVER, "the episode is over", row.episode_id)
        raise ProblemError(ErrorCode.NOT_AWAITING_USER, "the user has no message to answer", row.episode_id)

    @contextmanager
    def _bell(self, episode_id: str) -> Iterator[asyncio.Event]:
        bell = asyncio.Event()
        waiting = self._bells.setdefault(episode_id, set())
        waiting.add(bell)
        try:
            yield bell
        finally:
            waiting.discard(bell)
            if not waiting:
                self._bells.pop(episode_id, None)
