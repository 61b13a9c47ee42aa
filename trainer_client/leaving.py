"""Leaving an episode's context: it is closed, but nobody waits long for a server that is away."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from schemas import CLOSE_INFRASTRUCTURE
from trainer_client.connection import Times
from trainer_client.patience import described, may_pass
from trainer_client.progress import Progress

LEAVE_S = 5.0
"""How long the server may be away: enough where a connection has gone stale. Away for longer, it leaves the episode
open, which it ends by itself, unscored, when nobody calls for too long."""

_SHORTEST_S = 0.1

log = logging.getLogger("trainer_client")


def reason(episode: Progress, error: BaseException | None) -> str | None:
    """Why an episode is closed whose context was left because of `error`, or without one."""
    return None if error is None and episode.failure is None else CLOSE_INFRASTRUCTURE


class Leave:
    """How long closing the episode may take.

    A server that took the request is waited for as in any call: it may be asking a judge for the reward. Where there is
    to be none, no part of an attempt takes longer than what is left of `LEAVE_S`: an error inside is not held up.
    """

    def __init__(self, reason: str | None, timeout_s: float) -> None:
        """Begin now; `timeout_s` is what any other attempt may take."""
        self.within = LEAVE_S
        """Seconds within which attempts begin."""
        self._unscored = reason == CLOSE_INFRASTRUCTURE
        self._timeout_s = timeout_s
        self._end = time.monotonic() + LEAVE_S

    def times(self) -> Times:
        """How long the attempt may take that begins now."""
        if not self._unscored:
            return Times(self._timeout_s, connect=self.within, free=self._timeout_s)
        left = min(max(self._end - time.monotonic(), _SHORTEST_S), self._timeout_s)
        return Times(left, connect=left, free=left)


@contextmanager
def leaving(episode: Progress, error: BaseException | None) -> Iterator[None]:
    """Close the episode in here. A failure is said, and raised only where it is a refusal and hides no `error`."""
    try:
        yield
    except Exception as failure:
        if error is None and not may_pass(failure):
            raise
        log.warning("%s: the episode %s may be left open: %s", episode.patience.url, episode.id, described(failure))
