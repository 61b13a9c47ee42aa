"""Who sits in the agent's seat: a rule, told what it may know, or a model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from env_server.audit.brief import Briefing
from env_server.game import Game
from env_server.models import Memory
from env_server.policies import Brief, Policy
from env_server.policies.model import Mind, ModelPolicy
from schemas import EpisodeReply, GoldSpec


@dataclass(frozen=True)
class Seated:
    """A policy in the seat of one episode."""

    policy: Policy
    spent: Callable[[], Mapping[str, Any]] = dict
    """What it has cost so far."""


class Seat(Protocol):
    """Gives every episode its policy."""

    async def take(self, begun: EpisodeReply, trial: int) -> Seated:
        """The policy for an episode that has begun."""


@dataclass(frozen=True)
class RuleSeat:
    """For a policy that is a rule."""

    make: Callable[[Brief], Policy]
    game: Game
    briefing: Briefing | None = None
    """Of the pack, where this program has the very same one; without it a rule knows gold, but not the world."""

    async def take(self, begun: EpisodeReply, trial: int) -> Seated:
        """The policy for an episode that has begun; another trial draws at random anew."""
        brief = await self._brief(begun)
        return Seated(self.make(replace(brief, seed=f"{brief.seed}/{begun.info.seed}/{trial}")))

    async def _brief(self, begun: EpisodeReply) -> Brief:
        info = begun.info
        if self.briefing is not None:
            return self.briefing.brief(self.briefing.pack.find(info.task_id), begun)
        task = await self.game.task(info.domain, info.pack, info.task_id, gold=True)
        return Brief(tools=begun.tools, gold=task.gold or GoldSpec(), seed=f"{info.domain}/{info.task_id}")


@dataclass(frozen=True)
class ModelSeat:
    """For a model."""

    mind: Mind
    journal: Memory

    async def take(self, begun: EpisodeReply, trial: int) -> Seated:
        """The policy for an episode that has begun; each trial has a seed of its own, which goes to the model."""
        policy = ModelPolicy(self.mind, begun.tools, begun.info.seed, self.journal, begun.episode_id, trial)
        return Seated(policy, lambda: policy.spent)
