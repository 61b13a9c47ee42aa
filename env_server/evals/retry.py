"""Trying again what may succeed later: a database or an endpoint that is away, a turn that somebody else plays."""

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
"""Between two tries; whoever asks for more time is left for the next start of the command."""

CLAIM_S, CLAIM_PAUSE_S = 150.0, 1.0
"""How long a turn may be claimed by somebody else, and how often to look. A process that was killed in a turn leaves
its claim behind, which ends by itself: by default after 65 s."""

SOON = 3
"""Looks at a claimed turn before anybody is told: whoever is at work is soon done."""

USER_FAILED = (ErrorCode.USER_UNAVAILABLE, ErrorCode.STEP_TIMEOUT)
"""Failures of the user that a server counts: after `USER_ATTEMPTS` of them in a turn it ends the episode."""

ON_A_SERVER = (2.0, 8.0)
"""Seconds before the second and the third try where that server is not ours: a fourth might be its last."""


@dataclass(frozen=True)
class RetryPolicy:
    """How long an evaluation waits for what may pass."""

    user_pauses: tuple[float, ...] | None = None
    """Seconds before each new try after a failure of the user; None for as many tries as anything else gets."""

    claimed: Callable[[float], None] = lambda _seconds: None
    """Told that a turn is claimed by somebody else, and for how many seconds it is waited for at most."""

    async def bear(self, who: str, work: Callable[[], Awaitable[T]]) -> T:  # noqa: ARG002 -- nobody watches whom
        """What `work` gives, tried again a few times while its failure is one that may pass.

        Raises:
            ProblemError: if the game cannot go on.
            ModelUnavailable: if the policy's model cannot.
        """
        tries = stamina.retry_context(
            on=_Pauses(self), attempts=None, timeout=None, wait_initial=0.25, wait_max=LONGEST_WAIT_S
        )
        async for trial in tries:
            with trial:
                found = await work()
        return found


def may_pass(error: Exception) -> bool:
    """Whether the same may succeed later."""
    if isinstance(error, ModelUnavailable):
        return bool(getattr(error, "passing", True))
    return isinstance(error, ProblemError) and error.retryable


class _Pauses:
    """Decides after each failure whether to try again, and after how long."""

    def __init__(self, patience: RetryPolicy) -> None:
        self._patience = patience
        self._began = monotonic()
        self._tries = self._looks = self._failures = 0

    def __call__(self, error: Exception) -> bool | float:
        """The seconds to wait; True leaves them to the usual rule, False gives up."""
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
