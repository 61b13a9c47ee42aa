"""Games and policies whose failures are borne, in one way or another: the very same is asked for again."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from agent_env_schemas import EpisodeReply, Message, ResetRequest, StepReply, StepRequest, UserRequest
from env_server.clients.base import EpisodeClient
from env_server.policies import AgentMove, Policy

T = TypeVar("T")


class Retries(Protocol):
    """A way of waiting for what may succeed later."""

    async def bear(self, who: str, work: Callable[[], Awaitable[T]]) -> T:
        """What `work` gives in the end; `who` is waited for: the user, the agent or the server."""


@dataclass(frozen=True)
class RetryingClient:
    """A game whose failures are borne. Every request of it is safe to send twice: nothing can happen twice."""

    game: EpisodeClient
    way: Retries

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode; the request should have a key, so that it begins only one."""
        return await self.way.bear("server", lambda: self.game.reset(request))

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""
        return await self.way.bear("user", lambda: self.game.step(request))

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Supply the user's part."""
        return await self.way.bear("server", lambda: self.game.user(episode_id, request))

    async def close(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End the episode."""
        return await self.way.bear("server", lambda: self.game.close(episode_id, reason))


@dataclass(frozen=True)
class RetryingPolicy:
    """A policy whose failures are borne: of all there are, a model's may be asked again for the same move."""

    policy: Policy
    way: Retries

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """The next message."""
        return await self.way.bear("agent", lambda: self.policy.move(heard))
