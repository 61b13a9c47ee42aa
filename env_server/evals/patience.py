"""Trying again what may succeed later: a database or an endpoint that is away, a turn that somebody else plays."""

from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import TypeVar

import stamina

from env_server.errors import ProblemError
from env_server.game import Game
from env_server.models import ModelUnavailable
from env_server.policies import Move, Policy
from schemas import EpisodeReply, ErrorCode, Message, ResetRequest, StepReply, StepRequest, UserRequest

T = TypeVar("T")

TRIES = 7
LONGEST_WAIT_S = 15.0
"""Between two tries; whoever asks for more time is left for the next start of the command."""

CLAIM_S, CLAIM_PAUSE_S = 150.0, 1.0
"""How long a turn may be claimed by somebody else, and how often to look. A process that was killed in a turn leaves
its claim behind, which ends by itself: by default after 65 s."""


async def patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    """What `attempt` returns, tried again a few times while its failure is one that may pass.

    Raises:
        ProblemError: if the game cannot go on.
        ModelUnavailable: if the policy's model cannot.
    """
    tries = stamina.retry_context(on=_Pauses(), attempts=None, timeout=None, wait_initial=0.25, wait_max=LONGEST_WAIT_S)
    async for trial in tries:
        with trial:
            found = await attempt()
    return found


def may_pass(error: Exception) -> bool:
    """Whether the same may succeed later."""
    if isinstance(error, ModelUnavailable):
        return bool(getattr(error, "passing", True))
    return isinstance(error, ProblemError) and error.retryable


class _Pauses:
    """Decides after each failure whether to try again, and after how long."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._tries = 0

    def __call__(self, error: Exception) -> bool | float:
        """The seconds to wait; True leaves them to the usual rule, False gives up."""
        if not may_pass(error):
            return False
        if isinstance(error, ProblemError) and error.code == ErrorCode.TURN_CLAIMED:
            return CLAIM_PAUSE_S if monotonic() < self._began + CLAIM_S else False
        self._tries += 1
        after: float | None = getattr(error, "retry_after", None)
        if self._tries >= TRIES or (after is not None and after > LONGEST_WAIT_S):
            return False
        return True if after is None else max(after, 0.0)


class PatientGame:
    """A game that is tried again: every request of it is safe to send twice."""

    def __init__(self, game: Game) -> None:
        """Play on `game`."""
        self._game = game

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode; the request has a key, so that it begins only one."""
        return await patiently(lambda: self._game.reset(request))

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""
        return await patiently(lambda: self._game.step(request))

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Supply the user's part."""
        return await patiently(lambda: self._game.user(episode_id, request))

    async def close(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End the episode."""
        return await patiently(lambda: self._game.close(episode_id, reason))


class PatientPolicy:
    """A policy whose moves are asked for again."""

    def __init__(self, policy: Policy) -> None:
        """Ask `policy`."""
        self._policy = policy

    async def move(self, heard: Sequence[Message]) -> Move | None:
        """The next message."""
        return await patiently(lambda: self._policy.move(heard))
