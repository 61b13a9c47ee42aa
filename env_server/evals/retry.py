"""Retries of operations that may succeed later: a database or endpoint is down, or another process claims the turn."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

import stamina

from agent_env_schemas import ErrorCode
from env_server.errors import ProblemError
from env_server.models import ModelUnavailable

T = TypeVar("T")

TRIES = 7
LONGEST_WAIT_S = 15.0
"""Maximum seconds between two tries.

If a server asks for more, the episode is left for the next start of the command.
"""

CLAIM_S, CLAIM_PAUSE_S = 150.0, 1.0
"""Seconds to wait for a turn that another process claims, and seconds between checks.

If a process is killed during a turn, its claim remains until it expires, by default after 65 s.
"""

SOON = 3
"""Number of checks of a claimed turn before the wait is reported. An active process usually finishes sooner."""

USER_FAILED = (ErrorCode.USER_UNAVAILABLE, ErrorCode.STEP_TIMEOUT)
"""Errors of the user that a server counts. After `USER_ATTEMPTS` of them in a turn it ends the episode."""

ON_A_SERVER = (2.0, 8.0)
"""Seconds before the second and the third try on another server.

A fourth try might make that server end the episode.
"""


@dataclass(frozen=True)
class RetryPolicy:
    """How long an evaluation waits for errors that may pass."""

    user_pauses: tuple[float, ...] | None = None
    """Seconds before each retry after an error of the user. None retries as often as for other errors."""

    claimed: Callable[[float], None] = lambda _seconds: None
    """Called when another process claims a turn, with the maximum number of seconds to wait."""

    async def bear(self, who: str, work: Callable[[], Awaitable[T]]) -> T:  # noqa: ARG002 -- `who` is not shown
        """Return the result of `work`. Retry it a limited number of times while its errors may pass.

        Raises:
            ProblemError: if the server refuses, or retries did not help.
            ModelUnavailable: if the policy's model does not answer.
        """
        tries = stamina.retry_context(
            on=_Pauses(self), attempts=None, timeout=None, wait_initial=0.25, wait_max=LONGEST_WAIT_S
        )
        async for trial in tries:
            with trial:
                found = await work()
        return found


def may_pass(error: Exception) -> bool:
    """Return whether the same operation may succeed later."""
    if isinstance(error, ModelUnavailable):
        return bool(getattr(error, "passing", True))
    return isinstance(error, ProblemError) and error.retryable


class _Pauses:
    """Decides after each error whether to retry, and after how many seconds."""

    def __init__(self, patience: RetryPolicy) -> None:
        self._patience = patience
        self._began = monotonic()
        self._tries = self._looks = self._failures = 0

    def __call__(self, error: Exception) -> bool | float:
        """Return the seconds to wait, True for the default pause, or False to give up."""
        if not may_pass(error):
            return False
        code = error.code if isinstance(error, ProblemError) else None
        if code == ErrorCode.TURN_CLAIMED:
            return self._claimed()
        after: float | None = getattr(error, "retry_after", None)
        if after is not None and after > LONGEST_WAIT_S:
            return False
        if code in USER_FAILED and self._patience.user_pauses is not None:
            return self._user_failed(self._patience.user_pauses, after)
        self._tries += 1
        if self._tries >= TRIES:
            return False
        return True if after is None else max(after, 0.0)

    def _claimed(self) -> bool | float:
        left = self._began + CLAIM_S - monotonic()
        if left <= 0:
            return False
        self._looks += 1
        if self._looks == SOON:
            self._patience.claimed(left)
        return CLAIM_PAUSE_S

    def _user_failed(self, pauses: tuple[float, ...], after: float | None) -> bool | float:
        if self._failures == len(pauses):
            return False
        self._failures += 1
        return max(pauses[self._failures - 1], after or 0.0)
