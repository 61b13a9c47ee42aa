"""Who plays the agent, where no person does: a rule, or a language model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from env_server.commands.play.chosen import EXTERNAL, ORACLE, Chosen
from env_server.domains.discovery import domains
from env_server.domains.kit import GoldCall
from env_server.domains.shared import TOOLS as SHARED
from env_server.errors import ProblemError
from env_server.game import Game
from env_server.models import Models
from env_server.models.config import OPENAI, normal_url
from env_server.policies import BASELINES, Brief, Policy
from env_server.policies.base import Instruct
from env_server.policies.model import PREFIX, Mind, ModelPolicy, model_named
from env_server.settings import Settings
from schemas import EpisodeReply, ErrorCode, GoldSpec

TIMEOUT_S = 300.0
"""How long a model may think about one move."""


def check_agent(chosen: Chosen, settings: Settings) -> None:
    """Check that whoever was chosen to play the agent can be had.

    Raises:
        ValueError: if not.
    """
    model = model_named(chosen.policy)
    if model is None and chosen.policy not in BASELINES:
        raise ValueError(f"--agent is one of: {', '.join(BASELINES)}, {PREFIX}MODEL")
    if model == "":
        raise ValueError(f"name the model: --agent {PREFIX}MODEL")
    if model is not None:
        config = _models(chosen, settings).config
        if normal_url(config.base_url) == normal_url(OPENAI) and config.api_key is None:
            raise ValueError("a model needs an endpoint: set OPENAI_API_KEY, or name another with --agent-url")


@asynccontextmanager
async def agent_of(chosen: Chosen, game: Game, begun: EpisodeReply, settings: Settings) -> AsyncIterator[Policy]:
    """The policy that was chosen, as it plays an episode that has begun.

    Raises:
        ProblemError: if it cannot play this episode.
    """
    model = model_named(chosen.policy)
    if model is None:
        yield BASELINES[chosen.policy](await _brief(game, begun, gold=chosen.policy == ORACLE))
        return
    if begun.info.user == EXTERNAL and not chosen.plays_user:
        why = "a model does not play both sides, and nobody plays this user: say --as user, or --user llm"
        raise ProblemError(ErrorCode.INVALID_REQUEST, why)
    models = _models(chosen, settings)
    try:
        yield ModelPolicy(Mind(models, model), begun.tools, begun.info.seed)
    finally:
        await models.close()


def _models(chosen: Chosen, settings: Settings) -> Models:
    """Where the agent's model is asked: what it takes is on no account of the users'."""
    limits: dict[str, Any] = {"temperature": None, "timeout_s": TIMEOUT_S, "calls_per_s": None, "run_tokens": None}
    return Models(replace(settings.user_models(), base_url=chosen.agent_url or OPENAI, **limits))


async def _brief(game: Game, begun: EpisodeReply, *, gold: bool) -> Brief:
    info = begun.info
    task = await game.task(info.domain, info.pack, info.task_id, gold=gold)
    return Brief(
        tools=begun.tools,
        gold=task.gold or GoldSpec(),
        instruct=_instruct(info.domain),
        transfers=tuple(tool.name for tool in SHARED if tool.transfers),
        seed=f"{info.domain}/{info.task_id}/{info.seed}",
    )


def _instruct(domain: str) -> Instruct | None:
    """How users of `domain` are told what to do, where this program knows it."""
    known = domains().get(domain)
    hands = known.hands if known is not None else None
    if hands is None:
        return None
    return lambda call: hands.instruct(GoldCall.model_validate(call.model_dump()))
