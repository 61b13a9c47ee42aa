"""The brief of an episode, made from what the API tells of its task."""

from typing import Protocol

from agent_env_schemas import EpisodeReply, GoldSpec, TaskDetail, UserStrategy
from env_server.domains.discovery import domains
from env_server.domains.kit import GoldCall
from env_server.domains.kit.shared import TOOLS as SHARED
from env_server.policies.base import Brief, Instruct


class TaskGiver(Protocol):
    """The access to tasks. It raises ProblemError if the request is refused."""

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool = False) -> TaskDetail:
        """Return the task, with its reference solution if `gold`."""


async def brief_from(game: TaskGiver, begun: EpisodeReply, *, gold: bool = True) -> Brief:
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
