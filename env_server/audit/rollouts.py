"""Plays tasks with policies, many at a time."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent_env_schemas import Action, EpisodeReply, ResetRequest, StepReply, UserSpec, UserStrategy
from env_server.audit.brief import Briefing
from env_server.backends.local import LocalBackend
from env_server.domains.kit import WRITE, Component, GoldCall, Task
from env_server.domains.pack import Pack
from env_server.errors import ProblemError
from env_server.policies import ANSWERING, EARLY, POLICIES, Rule, rollout
from env_server.policies.crawl.branching import Grove
from env_server.policies.rollout import FIRST_WORDS

REMEMBERS = "remember"
"""The policy that submits the answers of train tasks."""

AT_ONCE = 64
"""Maximum number of tasks played at a time."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one episode."""

    policy: str
    split: str
    task_id: str
    reward: float | None
    """None if the episode could not be scored or played."""

    partial: bool = False
    """Whether a component was omitted from the reward because no judge was available."""

    turns: int = 0
    stop: str = ""
    calls: int = 0
    """Number of the agent's calls."""

    failed: int = 0
    """Number of the agent's calls that failed."""

    proved: bool | None = None
    """Whether the agent made all look-ups of gold. None unless gold is a refusal that needs only look-ups."""

    problem: str | None = None
    """The error if the episode could not be played."""

    @property
    def solved(self) -> bool:
        """Return whether the episode earned the whole reward, with no component omitted."""
        return self.reward == 1 and not self.partial


async def play_all(
    local: LocalBackend,
    pack: Pack,
    tasks: Sequence[tuple[str, Task]],
    policies: Mapping[str, Rule],
    step: Callable[[], None] = lambda: None,
) -> list[Played]:
    """Play each of `tasks`, (split, task), with each applicable policy. `step` is called after each episode."""
    briefing, room = Briefing(pack), asyncio.Semaphore(AT_ONCE)
    chosen = games(pack, tasks, tuple(policies))
    of_task: dict[tuple[str, str], list[Played]] = {}
    for policy, split, task in chosen:
        of_task.setdefault((split, task.task_id), []).append(Played(policy, split, task.task_id, None))

    async def all_of(split: str, task: Task) -> None:
        mine, grove = of_task.get((split, task.task_id), []), Grove()
        async with room:
            for i, game in enumerate(mine):
                mine[i] = await _play(local, briefing, policies[game.policy], game, task, grove)
                step()

    await asyncio.gather(*(all_of(split, task) for split, task in tasks))
    played = {(p.policy, *place): p for place, mine in of_task.items() for p in mine}
    return [played[policy, split, task.task_id] for policy, split, task in chosen]


def games(
    pack: Pack, tasks: Sequence[tuple[str, Task]], policies: Sequence[str] = tuple(POLICIES)
) -> list[tuple[str, str, Task]]:
    """Return the episodes to play: (policy, split, task)."""
    return [(policy, split, task) for policy in policies for split, task in tasks if _applies(pack, policy, task)]


def _applies(pack: Pack, policy: str, task: Task) -> bool:
    """Return whether a policy has something to do in `task`."""
    if policy == EARLY:
        return any(pack_writes(pack, call) for call in task.gold.actions)
    return task.answer is not None or policy not in (*ANSWERING, REMEMBERS)


def pack_writes(pack: Pack, call: GoldCall) -> bool:
    """Return whether a call is the agent's and its tool writes."""
    tool = pack.agent_tools.get(call.name)
    return call.requestor == "agent" and tool is not None and tool.kind is WRITE


async def begin(local: LocalBackend, task: Task) -> EpisodeReply:
    """Begin an episode of `task`, with its scripted user if it has one.

    Raises:
        ProblemError: if it cannot be played.
    """
    user = UserSpec() if task.user is not None else UserSpec(strategy=UserStrategy.EXTERNAL, first_message=FIRST_WORDS)
    return await local.reset(
        ResetRequest(domain=task.domain, pack=task.pack, task_id=task.task_id, user=user, purpose="eval")
    )


async def _play(local: LocalBackend, briefing: Briefing, rule: Rule, game: Played, task: Task, grove: Grove) -> Played:
    counter = _Counter()
    try:
        begun = await begin(local, task)
        last = await rollout(local, begun, grove.policy(rule(briefing.brief(task, begun))), counter)
    except ProblemError as e:
        return replace(game, problem=f"{e.code}: {e.detail}")
    return replace(
        game,
        reward=last.reward,
        partial=bool(last.info.partial),
        turns=last.turn,
        stop=str(last.stop_reason),
        calls=counter.calls,
        failed=counter.failed,
        proved=_proved(briefing.pack, task, last),
    )


def _proved(pack: Pack, task: Task, last: StepReply) -> bool | None:
    """Return whether the agent made the look-ups that a refusal needs.

    None if gold is no refusal, or the reward does not count calls.
    """
    counted = (last.info.reward_breakdown or {}).get(Component.ACTIONS.value)
    refusal = not task.gold.outputs and not any(pack_writes(pack, call) for call in task.gold.actions)
    if counted is None or not refusal:
        return None
    return not any(_is_proof(pack, call) for call in counted["missing"])


def _is_proof(pack: Pack, call: Mapping[str, Any]) -> bool:
    """Return whether a call of a reply is a look-up by the agent."""
    tool = pack.agent_tools.get(call["name"])
    return call["requestor"] == "agent" and tool is not None and tool.kind is not WRITE and not tool.transfers


class _Counter:
    """Counts the agent's calls and those that fail."""

    def __init__(self) -> None:
        self.calls = self.failed = 0

    def action(self, turn: int, action: Action) -> None:
        """Do nothing: the reply has the calls."""

    def reply(self, reply: StepReply) -> None:
        """Count the calls of a reply."""
        self.calls += len(reply.info.calls)
        self.failed += sum(call.error is not None for call in reply.info.calls)
