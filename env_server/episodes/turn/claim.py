"""Claims on turns with remote calls, so that two processes do not make the same calls."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import time

from agent_env_schemas import ErrorCode
from env_server.episodes.episode import AGENT, Episode
from env_server.episodes.turn.claim_owner import is_gone, owner
from env_server.errors import ProblemError
from env_server.records import Claim, Claimed, Store


@asynccontextmanager
async def claimed(store: Store, episode: Episode, turn: int, lease_s: float, part: int = AGENT) -> AsyncIterator[Claim]:
    """Hold the claim on a part of `turn`. The lease is `lease_s` seconds plus 5.

    Raises:
        ProblemError: `turn_claimed` (retryable) while another process plays the turn.
        Conflict: if the turn is committed already.
    """
    try:
        fence = await _take(store, episode, turn, lease_s + 5, part)
    except Claimed as e:
        raise ProblemError(ErrorCode.TURN_CLAIMED, "another server process is playing this turn") from e
    claim = Claim(episode.key, turn, part, owner(), fence)
    try:
        yield claim
    except BaseException:
        await store.release(claim)
        raise


async def _take(store: Store, episode: Episode, turn: int, lease_s: float, part: int) -> int:
    """Return the fence of a claim. Take over the claim of a process of this machine that has ended."""
    try:
        return await store.claim(episode.key, turn, part, owner(), lease_s, time())
    except Claimed as e:
        if not is_gone(e.owner):
            raise
        return await store.claim(episode.key, turn, part, owner(), lease_s, time(), over=e.owner)
