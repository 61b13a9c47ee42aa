"""Who sits in the agent's seat: a rule, told what it may know, or a model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from agent_env_schemas import EpisodeReply, GoldSpec
from env_server.audit.brief import Briefing
from env_server.clients.base import EpisodeClient
from env_server.domains.discovery import domains
from env_server.domains.kit import GoldCall
from env_server.domains.shared import TOOLS as SHARED
from env_server.policies import Brief, Policy
from env_server.policies.base import Instruct
from env_server.policies.model import Journal, Mind, ModelPolicy

NOBODY = "none"
"""The user's strategy where nobody plays them."""


@dataclass(frozen=True)
class PolicyInPlay:
    """A policy in the seat of one episode."""

    policy: Policy
    spent: Callable[[], Mapping[str, Any]] = dict
    """What it has cost so far."""


class PolicySource(Protocol):
    """Gives every episode its policy."""

    async def take(self, begun: EpisodeReply, trial: int) -> PolicyInPlay:
        """The policy for an episode that has begun."""


@dataclass(frozen=True)
class RulePolicies:
    """For a policy that is a rule."""

    make: Callable[[Brief], Policy]
    game: EpisodeClient
    briefing: Briefing | None = None
    """Of the pack, where this program has the very same one; without it a rule knows gold, but not the world."""

    async def take(self, begun: EpisodeReply, trial: int) -> PolicyInPlay:
        """The policy for an episode that has begun; another trial draws at random anew."""
        brief = await self._brief(begun)
        return PolicyInPlay(self.make(replace(brief, seed=f"{brief.seed}/{begun.info.seed}/{trial}")))

    async def _brief(self, begun: EpisodeReply) -> Brief:
        if self.briefing is None:
            return await brief_from(self.game, begun)
        task = self.briefing.pack.find(begun.info.task_id)
        return replace(self.briefing.brief(task, begun), solo=begun.info.user == NOBODY)


@dataclass(frozen=True)
class ModelPolicies:
    """For a model."""

    mind: Mind
    journal: Journal

    async def take(self, begun: EpisodeReply, trial: int) -> PolicyInPlay:  # noqa: ARG002 -- its seed tells it apart
        """The policy for an episode that has begun; the seed, another for each trial, goes to the model."""
        policy = ModelPolicy(self.mind, begun.tools, begun.info.seed, self.journal, begun.episode_id)
        return PolicyInPlay(policy, lambda: policy.spent)


async def brief_from(game: EpisodeClient, begun: EpisodeReply, *, gold: bool = True) -> Brief:
    """What a rule may know of an episode wherever it is played: all but the world, which only the server's pack has.

    Raises:
        ProblemError: if the game does not tell; without `gold` it need not tell the reference solution.
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
        solo=info.user == NOBODY,
        seed=f"{info.domain}/{info.task_id}",
    )


def _instruct(domain: str) -> Instruct | None:
    """How users of `domain` are told what to do, where this program knows it."""
    known = domains().get(domain)
    hands = known.hands if known is not None else None
    if hands is None:
        return None
    return lambda call: hands.instruct(GoldCall.model_validate(call.model_dump()))
