"""Wrappers that retry failed requests of clients and policies."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from agent_env_schemas import EpisodeReply, Message, ResetRequest, StepReply, StepRequest, UserRequest
from env_server.backends.base import EpisodeBackend
from env_server.policies import AgentMove, Policy

T = TypeVar("T")


class Retries(Protocol):
    """A retry strategy."""

    async def bear(self, who: str, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `work`, with retries. `who` is the awaited side: the user, the agent or the server."""


@dataclass(frozen=True)
class RetryingBackend:
    """A client that retries failed requests. Every request is safe to send twice: the server carries it out once."""

    game: EpisodeBackend
    way: Retries

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode. The request should have an idempotency key, so that a retry begins no second episode."""
        return await self.way.bear("server", lambda: self.game.reset(request))

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""
        return await self.way.bear("user", lambda: self.game.step(request))

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Send the user's part of a turn."""
        return await self.way.bear("server", lambda: self.game.user(episode_id, request))

    async def close(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End the episode."""
        return await self.way.bear("server", lambda: self.game.close(episode_id, reason))


@dataclass(frozen=True)
class RetryingPolicy:
    """A policy that retries failed moves. A model can be asked again for the same move."""

    policy: Policy
    way: Retries

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return the next message."""
        return await self.way.bear("agent", lambda: self.policy.move(heard))
