"""Playing tasks with policies, many at a time."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from env_server.audit.brief import Briefing
from env_server.domains.kit import Task
from env_server.domains.pack import Pack
from env_server.errors import ProblemError
from env_server.local import Local
from env_server.policies import POLICIES, rollout
from env_server.policies.rollout import FIRST_WORDS
from schemas import Action, ResetRequest, StepReply, UserSpec

AT_ONCE = 64
"""Episodes that are played at a time."""


@dataclass(frozen=True, slots=True)
class Played:
    """How an episode went."""

    policy: str
    split: str
    task_id: str
    reward: float | None
    """None where it could not be scored or not be played."""

    partial: bool = False
    """Whether a component was left out of the reward because nobody judged it."""

    turns: int = 0
    stop: str = ""
    calls: int = 0
    """Calls that the agent made."""

    failed: int = 0
    """Those that failed."""

    problem: str | None = None
    """Why it could not be played."""


async def play_all(
    local: Local,
    pack: Pack,
    tasks: Sequence[tuple[str, Task]],
    policies: Sequence[str],
    step: Callable[[], None] = lambda: None,
) -> list[Played]:
    """Play every one of `tasks`, (split, task), with each of `policies`; `step` is called after each episode."""
    briefing, room = Briefing(pack), asyncio.Semaphore(AT_ONCE)

    async def one(policy: str, split: str, task: Task) -> Played:
        async with room:
            played = await _play(local, briefing, policy, split, task)
        step()
        return played

    return await asyncio.gather(*(one(policy, split, task) for policy in policies for split, task in tasks))


async def _play(local: Local, briefing: Briefing, policy: str, split: str, task: Task) -> Played:
    user = UserSpec() if task.user is not None else UserSpec(strategy="external", first_message=FIRST_WORDS)
    request = ResetRequest(domain=task.domain, pack=task.pack, task_id=task.task_id, user=user, purpose="eval")
    counter = _Counter()
    try:
        begun = await local.reset(request)
        last = await rollout(local, begun, POLICIES[policy](briefing.brief(task, begun)), counter)
    except ProblemError as e:
        return Played(policy, split, task.task_id, None, problem=f"{e.code}: {e.detail}")
    return Played(
        policy,
        split,
        task.task_id,
        last.reward,
        partial=bool(last.info.partial),
        turns=last.turn,
        stop=str(last.stop_reason),
        calls=counter.calls,
        failed=counter.failed,
    )


class _Counter:
    """Counts the agent's calls and those that fail."""

    def __init__(self) -> None:
        self.calls = self.failed = 0

    def action(self, turn: int, action: Action) -> None:
        """See the agent's message."""

    def reply(self, reply: StepReply) -> None:
        """Count the calls of a reply."""
        self.calls += len(reply.info.calls)
        self.failed += sum(call.error is not None for call in reply.info.calls)
