"""Closing an episode when its context is left, without a long wait for a server that is away."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from agent_env_schemas import CLOSE_INFRASTRUCTURE
from trainer_client.client.connection import Times
from trainer_client.client.progress import Progress
from trainer_client.client.retry import described, may_pass

LEAVE_S = 5.0
"""Seconds for which closing is tried while the server is away: enough to replace a stale connection. After them the
episode stays open. The server ends it later, unscored, because nobody calls."""

_SHORTEST_S = 0.1

log = logging.getLogger("trainer_client")


def close_reason(episode: Progress, error: BaseException | None) -> str | None:
    """The reason to close an episode whose context was left because of `error`, or without an error."""
    return None if error is None and episode.failure is None else CLOSE_INFRASTRUCTURE


class Leave:
    """How long closing the episode may take.

    Once a server has taken the request, the client waits as long as in any other call: the server may be asking a judge
    for the reward. If the episode will not be scored, no part of an attempt takes longer than what is left of
    `LEAVE_S`, so that an exception in the context is not held up.
    """

    def __init__(self, reason: str | None, timeout: float) -> None:
        """Start the clock; `timeout` is the limit of any other attempt."""
        self.within = LEAVE_S
        """Seconds within which attempts begin."""
        self._unscored = reason == CLOSE_INFRASTRUCTURE
        self._timeout = timeout
        self._end = time.monotonic() + LEAVE_S

    def times(self) -> Times:
        """Maximum times of an attempt that begins now."""
        if not self._unscored:
            return Times(self._timeout, connect=self.within, free=self._timeout)
        left = min(max(self._end - time.monotonic(), _SHORTEST_S), self._timeout)
        return Times(left, connect=left, free=left)


@contextmanager
def leaving(episode: Progress, error: BaseException | None) -> Iterator[None]:
    """Log a failure to close the episode; raise it only if it is a refusal and hides no `error`."""
    try:
        yield
    except Exception as failure:
        if error is None and not may_pass(failure):
            raise
        log.warning("%s: the episode %s may be left open: %s", episode.retrier.url, episode.id, described(failure))
