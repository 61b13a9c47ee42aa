"""Claims on turns with remote calls, so that two processes do not make the same calls."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic, time
from typing import Final

from agent_env_schemas import ErrorCode
from env_server.episodes.episode import AGENT, Episode
from env_server.episodes.turn.claim_owner import is_gone, owner
from env_server.errors import ProblemError
from env_server.lru import Recent
from env_server.records import Claim, Claimed, Store

SEEN: Final = Recent[tuple[str, float], float](10_000)
"""Leases of other processes by owner and end -> when this process first saw each, on its steady clock."""


@asynccontextmanager
async def claimed(store: Store, episode: Episode, turn: int, lease_s: float, part: int = AGENT) -> AsyncIterator[Claim]:
    """Hold the claim on a part of `turn`. The lease is `lease_s` seconds plus 5.

    The end of a lease is a time on its owner's clock, which may be hours ahead. So a lease also counts as over when
    this process has seen it for as long as a lease lasts.

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
    """Return the fence of a claim. Take over a lease that was seen for long enough, or whose process has ended."""
    try:
        return await store.claim(episode.key, turn, part, owner(), lease_s, time())
    except Claimed as e:
        if not is_gone(e.owner) and not _is_over(e, lease_s):
            raise
        return await store.claim(episode.key, turn, part, owner(), lease_s, time(), over=e.owner)


def _is_over(claimed: Claimed, lease_s: float) -> bool:
    """Return whether this process has seen a lease for `lease_s` seconds."""
    lease = claimed.owner, claimed.until
    if (since := SEEN.get(lease)) is None:
        SEEN.put(lease, monotonic())
        return False
    return monotonic() - since >= lease_s
