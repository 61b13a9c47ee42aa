"""Idempotency of resets and forks. Keys belong to a caller and are stored with a digest of the request."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import time

from agent_env_schemas import ErrorCode
from env_server.episodes.codec.reply import expand, signed
from env_server.episodes.codec.tokens import Tokens
from env_server.episodes.episode import Episode
from env_server.episodes.live.cache import Cache
from env_server.episodes.live.lock import ATTEMPTS
from env_server.episodes.outages import outages_told
from env_server.episodes.packs.library import Library
from env_server.errors import ProblemError
from env_server.records import Conflict, KeyRow, Store, Unit
from env_server.telemetry import metrics


@dataclass(frozen=True, slots=True)
class PendingEpisodes:
    """New episodes that are ready to be committed, and the response that describes them."""

    answer: bytes
    unit: Unit
    episodes: Sequence[Episode]


@dataclass(frozen=True)
class IdempotencyKeys:
    """Commits new episodes, at most once for each idempotency key."""

    store: Store
    library: Library
    cache: Cache
    tokens: Tokens

    async def begin(
        self, caller: str, key: str | None, asked: Sequence[str], begin: Callable[[], Awaitable[PendingEpisodes]]
    ) -> bytes:
        """Commit the episodes of `begin` and return its response. For a known `key`, return the stored response.

        Tokens are signed when the response is sent. A repeated response has the first response's tokens until half of
        their lifetime is over, so that a late retry gets no expired token.

        Raises:
            ProblemError: `key_conflict` if the key was used with another request; `storage_unavailable`.
        """
        digest = hashlib.sha256("\0".join(asked).encode()).hexdigest()
        for _ in range(ATTEMPTS):
            with outages_told():
                known = None if key is None else self.store.reads.key(caller, key)
                if known is not None:
                    return self._known(known, digest)
                begun = await begin()
                unit, at = begun.unit, time()
                if key is not None:
                    unit = unit._replace(keys=[KeyRow(caller, key, digest, begun.answer.decode(), at)])
                try:
                    await self.store.commit(unit)
                except Conflict:
                    continue
            for episode in begun.episodes:
                episode.touched = time()
                self.cache.add(episode)
                metrics.BEGUN.add((episode.task.domain, episode.task.pack))
            return self._given(begun.answer, at)
        raise ProblemError(ErrorCode.STORAGE_UNAVAILABLE, "other requests used this key for too long")

    def _known(self, known: KeyRow, digest: str) -> bytes:
        if known.body_digest != digest:
            raise ProblemError(ErrorCode.KEY_CONFLICT, f"key {known.key!r} was used with another body")
        return self._given(known.reply.encode(), known.at)

    def _given(self, stored: bytes, at: float) -> bytes:
        """Return the response `stored` at time `at`, with its blobs and current tokens."""
        now = time()
        return signed(expand(stored, self.library.blob), lambda name: self.tokens.make_again(name, at, now))
