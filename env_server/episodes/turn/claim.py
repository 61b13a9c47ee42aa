"""Claiming a turn before something remote is called in it, so that no other process calls it too."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import time

from agent_env_schemas import ErrorCode
from env_server.episodes.episode import AGENT, Episode
from env_server.episodes.turn.owner import is_gone, owner
from env_server.errors import ProblemError
from env_server.records import Claim, Claimed, Store


@asynccontextmanager
async def claimed(store: Store, episode: Episode, turn: int, lease_s: float, part: int = AGENT) -> AsyncIterator[Claim]:
    """Hold the claim on a part of `turn`, for at most `lease_s` seconds and a few.

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
    """The fence of a claim; one that a process of this machine left behind when it died is taken over."""
    try:
        return await store.claim(episode.key, turn, part, owner(), lease_s, time())
    except Claimed as e:
        if not is_gone(e.owner):
            raise
        return await store.claim(episode.key, turn, part, owner(), lease_s, time(), over=e.owner)
