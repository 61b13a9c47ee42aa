"""The policies that play the agent in an evaluation: a rule with its brief, or a model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from agent_env_schemas import EpisodeReply, GoldSpec, UserStrategy
from env_server.audit.brief import Briefing
from env_server.backends.base import EpisodeBackend
from env_server.domains.discovery import domains
from env_server.domains.kit import GoldCall
from env_server.domains.kit.shared import TOOLS as SHARED
from env_server.policies import Brief, Policy
from env_server.policies.base import Instruct
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


async def brief_from(game: EpisodeBackend, begun: EpisodeReply, *, gold: bool = True) -> Brief:
    """Return the brief of an episode from the API alone. It lacks the world, which only the server's pack has.

    Raises:
        ProblemError: if the server does not give the task. Without `gold` the reference solution is not requested.
    """
    info = begun.info
    task = await game.task(info.domain, info.pack, info.task_id, gold=gold)
    return Brief(
        tools=begun.tools,
        gold=task.gold or GoldSpec(),
        script=task.script,
        dues=task.dues or (),
        instruct=_instruct(info.domain),
        transfers=tuple(tool.name for tool in SHARED if tool.transfers),
        solo=info.user == UserStrategy.NONE,
        seed=f"{info.domain}/{info.task_id}",
    )


def _instruct(domain: str) -> Instruct | None:
    """Return the function that instructs users of `domain`, or None if this program does not know it."""
    known = domains().get(domain)
    hands = known.hands if known is not None else None
    if hands is None:
        return None
    return lambda call: hands.instruct(GoldCall.model_validate(call.model_dump()))
