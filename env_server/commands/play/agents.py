"""The policy that plays the agent if the person does not: a rule with its brief, or a model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from agent_env_schemas import EpisodeReply, ErrorCode, UserStrategy
from env_server.backends.base import EpisodeBackend
from env_server.commands.play.options import ORACLE, PlayOptions
from env_server.errors import ProblemError
from env_server.evals.policy import ChosenPolicy
from env_server.policies import BASELINES, Policy
from env_server.policies.brief_from_api import brief_from
from env_server.policies.model import Mind, ModelPolicy
from env_server.settings import Settings


def check_agent(chosen: PlayOptions, settings: Settings) -> None:
    """Check that the chosen policy is available.

    Raises:
        ValueError: if it is not.
    """
    _policy(chosen).check(settings)


@asynccontextmanager
async def agent_of(
    chosen: PlayOptions, game: EpisodeBackend, begun: EpisodeReply, settings: Settings
) -> AsyncIterator[Policy]:
    """Return the chosen policy, ready to play an episode that has begun.

    Raises:
        ProblemError: if it cannot play this episode.
    """
    policy = _policy(chosen)
    if policy.model is None:
        brief = await brief_from(game, begun, gold=policy.name == ORACLE)
        yield BASELINES[policy.name](replace(brief, seed=f"{brief.seed}/{begun.info.seed}"))
        return
    if begun.info.user == UserStrategy.EXTERNAL and not chosen.plays_user:
        why = "a model does not play both sides, and nobody plays this user: say --as user, or --user llm"
        raise ProblemError(ErrorCode.INVALID_REQUEST, why)
    models = policy.models(settings)
    try:
        yield ModelPolicy(Mind(models, policy.model), begun.tools, begun.info.seed)
    finally:
        await models.close()


def _policy(chosen: PlayOptions) -> ChosenPolicy:
    return ChosenPolicy(chosen.policy, chosen.policy_url, option="--agent")
