"""The plans of sessions: the gold calls of a task, one per turn, each with its expected fault."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle, islice, takewhile
from pathlib import Path

from env_server.bench import BenchError
from env_server.domains.discovery import domains, packs
from env_server.domains.kit.task import Task
from env_server.domains.pack import Pack, Toolkit
from env_server.domains.packs.builtin import NAME as PACK
from env_server.providers.spec import CallScope
from env_server.state import State
from env_server.tools import Toolset

SPLIT = "train"


@dataclass(frozen=True, slots=True)
class Turn:
    """One call of the agent."""

    action: str
    """The `action` of a step, as JSON text."""

    fault: str | None
    """The expected fault of the call. A few gold calls fail on purpose."""

    writes: bool
    """Whether the call's tool may change state."""

    text: str
    """The observation of the call when it is first made."""

    @property
    def harmless(self) -> bool:
        """Return whether it is a look-up that succeeds."""
        return not self.writes and self.fault is None


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """One episode of the task at `index` of the train split."""

    index: int
    turns: tuple[Turn, ...]


def load_pack(domain: str, scale: int = 1) -> Pack:
    """Return the generated pack of `domain`, with a world of `scale` times the usual size.

    Raises:
        BenchError: if there is no such domain.
    """
    known = domains()
    if domain not in known:
        raise BenchError(f"no domain {domain!r}; there are: {', '.join(known)}")
    return packs(known[domain], {}, scale)[PACK]


def make_plans(pack: Pack, count: int) -> list[SessionPlan]:
    """Return plans for those of the first `count` tasks whose gold calls are all the agent's.

    Raises:
        BenchError: if there are none.
    """
    indices = range(min(count, pack.splits[SPLIT]))
    plans = asyncio.run(_plans(pack, [i for i in indices if _playable(pack, i)]))
    plans = [plan for plan in plans if plan.turns]
    if not plans:
        raise BenchError(f"{pack.domain.name} has no task that the agent can play alone")
    return plans


def padded(plans: Sequence[SessionPlan], length: int) -> list[SessionPlan]:
    """Return the same plans with exactly `length` turns each.

    Short plans repeat their first look-ups at the beginning.
    """
    return [_padded(plan, length) for plan in plans if plan.turns[0].harmless]


def typical_text(plans: Sequence[SessionPlan]) -> str:
    """Return the observation whose length is nearest to the mean length."""
    texts = [t.text for p in plans for t in p.turns]
    mean = sum(map(len, texts)) / len(texts)
    return min(texts, key=lambda text: abs(len(text) - mean))


def save(plans: Sequence[SessionPlan], path: Path) -> None:
    """Write plans to a file for the loading process."""
    path.write_text(json.dumps([asdict(p) for p in plans]), encoding="utf-8")


def _playable(pack: Pack, index: int) -> bool:
    return all(call.requestor == "agent" for call in pack.task_at(SPLIT, index).gold.actions)


async def _plans(pack: Pack, indices: Sequence[int]) -> list[SessionPlan]:
    try:
        return [SessionPlan(i, tuple([turn async for turn in _turns(pack, pack.task_at(SPLIT, i))])) for i in indices]
    finally:
        await pack.aclose()


async def _turns(pack: Pack, task: Task) -> AsyncIterator[Turn]:
    """Yield the gold calls that do not end the episode. Each is run once to get its fault and its observation."""
    scope = CallScope(State.at(pack.snapshot, task.changes()), f"plan_{task.digest}", task.moment)
    tools = pack.tools_for(Toolkit.of(task, None, solo=task.answer is not None))
    side = Toolset(tools, pack.dialect, pack.domain.after_call)
    for call in task.gold.actions:
        tool = tools[call.name]
        if tool.transfers or tool.finishes:
            continue
        outcome = await side.call_any(scope, call.name, call.arguments)
        action = {"tool_calls": [{"name": call.name, "arguments": call.arguments}]}
        fault = None if outcome.fault is None else outcome.fault.value
        yield Turn(json.dumps(action), fault, tool.kind == "write", outcome.text)


def _padded(plan: SessionPlan, length: int) -> SessionPlan:
    # A look-up repeated before the first write gives the same result; after it, perhaps not.
    first = cycle(takewhile(lambda turn: turn.harmless, plan.turns))
    return SessionPlan(plan.index, (*islice(first, max(0, length - len(plan.turns))), *plan.turns[:length]))
