"""The policies that play the agent in an evaluation: a rule with its brief, or a model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from agent_env_schemas import EpisodeReply, UserStrategy
from env_server.audit.brief import Briefing
from env_server.backends.base import EpisodeBackend
from env_server.policies import Brief, Policy
from env_server.policies.brief_from_api import brief_from
from env_server.policies.model import Journal, Mind, ModelPolicy


@dataclass(frozen=True)
class PolicyInPlay:
    """The policy of one episode."""

    policy: Policy
    spent: Callable[[], Mapping[str, Any]] = dict
    """Returns the model usage so far."""


class PolicySource(Protocol):
    """Makes a policy for each episode."""

    async def take(self, begun: EpisodeReply, trial: int) -> PolicyInPlay:
        """Return the policy for an episode that has begun."""


@dataclass(frozen=True)
class RulePolicies:
    """The source for a policy that is a rule."""

    make: Callable[[Brief], Policy]
    game: EpisodeBackend
    briefing: Briefing | None = None
    """Briefs from the local pack, if its version equals the server's. Without it a rule gets gold but not the world."""

    async def take(self, begun: EpisodeReply, trial: int) -> PolicyInPlay:
        """Return the policy for an episode that has begun. Its random draws differ from trial to trial."""
        brief = await self._brief(begun)
        return PolicyInPlay(self.make(replace(brief, seed=f"{brief.seed}/{begun.info.seed}/{trial}")))

    async def _brief(self, begun: EpisodeReply) -> Brief:
        if self.briefing is None:
            return await brief_from(self.game, begun)
        task = self.briefing.pack.find(begun.info.task_id)
        return replace(self.briefing.brief(task, begun), solo=begun.info.user == UserStrategy.NONE)


@dataclass(frozen=True)
class ModelPolicies:
    """The source for a policy that is a model."""

    mind: Mind
    journal: Journal

    async def take(self, begun: EpisodeReply, trial: int) -> PolicyInPlay:  # noqa: ARG002 -- the seed differs by trial
        """Return the policy for an episode that has begun.

        The model gets the episode's seed, which differs by trial.
        """
        policy = ModelPolicy(self.mind, begun.tools, begun.info.seed, self.journal, begun.episode_id)
        return PolicyInPlay(policy, lambda: policy.spent)
