"""Demonstrations: policies without a model that play the agent while a person watches, or plays the user."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import structlog

from agent_env_schemas import (
    CloseRequest,
    EpisodeReply,
    ErrorCode,
    StepReply,
    StepRequest,
    TaskDetail,
    UserRequest,
    UserStrategy,
)
from env_server.episodes import Episodes
from env_server.errors import ProblemError
from env_server.policies import BASELINES, rollout
from env_server.policies.brief_from_api import brief_from

POLICIES = {"oracle": "the oracle, which knows the solution", "heuristic": "the heuristic, which does not"}
"""The policies that demonstrate, with their descriptions."""

PAUSE_S = 0.8
"""Seconds between two turns, so that a person can follow."""

PATIENCE_S = 900.0
"""Seconds that a policy waits for a person who plays the user."""

MOST = 16
"""The maximum number of demonstrations at the same time."""

log = structlog.get_logger(__name__)


class Demonstrations:
    """The demonstrations of this process."""

    pause_s = PAUSE_S

    def __init__(self) -> None:
        """Begin without any."""
        self._running: set[asyncio.Task[None]] = set()

    def begin(self, episodes: Episodes, begun: EpisodeReply, policy: str) -> None:
        """Let `policy` play an episode that has begun, in the background.

        Raises:
            ProblemError: if too many demonstrations run already.
        """
        if len(self._running) >= MOST:
            raise ProblemError(
                ErrorCode.INVALID_REQUEST, f"{MOST} demonstrations run already; wait until one has ended"
            )
        task = asyncio.create_task(self._play(_Paced(episodes, self.pause_s), begun, policy))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def close(self) -> None:
        """Stop all demonstrations. Their episodes stay open."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _play(self, game: "_Paced", begun: EpisodeReply, policy: str) -> None:
        try:
            brief = await brief_from(game, begun, gold=policy == "oracle")
            if begun.info.user == UserStrategy.EXTERNAL:
                brief = replace(brief, instruct=None)
            await rollout(game, begun, BASELINES[policy](brief), customer=_Person())
        except ProblemError as e:  # for example, a person has played the turn
            log.info("a demonstration stopped", episode_id=begun.episode_id, policy=policy, why=e.detail)
        except Exception:
            log.exception("a demonstration failed", episode_id=begun.episode_id, policy=policy)


@asynccontextmanager
async def demonstrating() -> AsyncIterator[Demonstrations]:
    """Yield demonstrations, and stop them at the end."""
    made = Demonstrations()
    try:
        yield made
    finally:
        await made.close()


class _Person:
    """An external user who is a person at the page: their part arrives by another request."""

    def told(self, move: object) -> None:
        """Ignore the move: the person reads it on the page."""

    async def part(self) -> UserRequest:
        """Return an empty part; `_Paced.user` waits for the person's."""
        return UserRequest()


@dataclass(frozen=True)
class _Paced:
    """The episodes of this process, played slowly enough to be watched."""

    episodes: Episodes
    pause_s: float

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message after a pause."""
        await asyncio.sleep(self.pause_s)
        return StepReply.model_validate_json(await self.episodes.step(request))

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Wait for the words of the person who plays the user."""
        heard = await self.episodes.heard(episode_id, request.turn, PATIENCE_S)
        if heard is None:
            raise ProblemError(ErrorCode.STEP_TIMEOUT, "nobody played the user", episode_id)
        return StepReply.model_validate_json(heard)

    async def close(self, episode_id: str) -> StepReply:
        """End the episode."""
        return StepReply.model_validate_json(await self.episodes.close(episode_id, CloseRequest()))

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool = False) -> TaskDetail:
        """Return the task, with its reference solution if `gold`."""
        return TaskDetail.model_validate(await self.episodes.catalogue.task(domain, pack, task_id, gold=gold))
