"""The oracle in the agent's seat: the reference solution plays."""

from env_server.commands.play.screen import Screen
from env_server.domains.discovery import domains
from env_server.domains.kit import GoldCall
from env_server.game import Game
from env_server.policies import POLICIES, Brief, rollout
from env_server.policies.base import Instruct
from schemas import EpisodeReply, GoldSpec, StepReply


async def follow_gold(game: Game, begun: EpisodeReply, screen: Screen) -> StepReply:
    """Play the reference solution of an episode that has begun; returns the last reply.

    Raises:
        ProblemError: if the game cannot go on.
    """
    task = await game.task(begun.info.domain, begun.info.pack, begun.info.task_id, gold=True)
    brief = Brief(tools=begun.tools, gold=task.gold or GoldSpec(), instruct=_instruct(begun.info.domain))
    return await rollout(game, begun, POLICIES["oracle"](brief), screen)


def _instruct(domain: str) -> Instruct | None:
    """How users of `domain` are told what to do, where this program knows it."""
    known = domains().get(domain)
    hands = known.hands if known is not None else None
    if hands is None:
        return None
    return lambda call: hands.instruct(GoldCall.model_validate(call.model_dump()))
