"""Claiming a turn before something remote is called in it, so that no other process calls it too."""

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import time

from env_server.episodes.episode import AGENT, Episode
from env_server.errors import ProblemError
from env_server.records import Claim, Claimed, Store
from schemas import ErrorCode

OWNER = f"{os.getpid()}-{secrets.token_hex(6)}"
"""Names this process among those that share a database."""


@asynccontextmanager
async def claimed(store: Store, episode: Episode, turn: int, lease_s: float, part: int = AGENT) -> AsyncIterator[Claim]:
    """Hold the claim on a part of `turn`, for at most `lease_s` seconds and a few.

    Raises:
        ProblemError: `turn_claimed` (retryable) while another process plays the turn.
        Conflict: if the turn is committed already.
    """
    try:
        fence = await store.claim(episode.key, turn, part, OWNER, lease_s + 5, time())
    except Claimed as e:
        raise ProblemError(ErrorCode.TURN_CLAIMED, "another server process is playing this turn") from e
    claim = Claim(episode.key, turn, part, OWNER, fence)
    try:
        yield claim
    except BaseException:
        await store.release(claim)
        raise
