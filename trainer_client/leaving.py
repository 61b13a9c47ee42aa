"""Leaving an episode's context: it is closed, but nobody waits long for a server that is away."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from schemas import CLOSE_INFRASTRUCTURE
from trainer_client.patience import described, may_pass
from trainer_client.progress import Progress

LEAVE_S = 5.0
"""For each attempt, and for all of them: enough where a connection has gone stale. A server that is away longer leaves
the episode open, which it ends by itself, unscored, when nobody calls for too long."""

log = logging.getLogger("trainer_client")


def reason(episode: Progress, error: BaseException | None) -> str | None:
    """Why an episode is closed whose context was left because of `error`, or without one."""
    return None if error is None and episode.failure is None else CLOSE_INFRASTRUCTURE


@contextmanager
def leaving(episode: Progress, error: BaseException | None) -> Iterator[None]:
    """Close the episode in here. A failure is said, and raised only where it is a refusal and hides no `error`."""
    try:
        yield
    except Exception as failure:
        if error is None and not may_pass(failure):
            raise
        log.warning("%s: the episode %s is left open: %s", episode.patience.url, episode.id, described(failure))
