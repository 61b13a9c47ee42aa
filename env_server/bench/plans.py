"""What a session plays: the gold calls of a task, one per turn, each with how it must go."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle, islice, takewhile
from pathlib import Path

from env_server.bench.errors import BenchError
from env_server.domains.discovery import domains, packs
from env_server.domains.pack import Pack
from env_server.domains.packs.builtin import NAME as PACK
from env_server.domains.task import Task
from env_server.state import Db, State
from env_server.tools import Toolset

SPLIT = "train"


@dataclass(frozen=True, slots=True)
class Turn:
    """One call as the agent sends it."""

    action: str
    """The `action` of a step, as JSON text."""

    fault: str | None
    """The fault that the call is meant to have; a few gold calls fail on purpose."""

    writes: bool
    """Whether its tool may change state."""

    text: str
    """What the call answers the first time it is made."""

    @property
    def harmless(self) -> bool:
        """Whether it is a look-up that finds something."""
        return not self.writes and self.fault is None


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """One episode of the task at `index` of the train split."""

    index: int
    turns: tuple[Turn, ...]


def load_pack(domain: str, scale: int = 1) -> Pack:
    """The generated pack of `domain`, its world `scale` times the usual size.

    Raises:
        BenchError: if there is no such domain.
    """
    known = domains()
    if domain not in known:
        raise BenchError(f"no domain {domain!r}; there are: {', '.join(known)}")
    return packs(known[domain], {}, scale)[PACK]


def make_plans(pack: Pack, count: int) -> list[SessionPlan]:
    """Plans for up to `count` tasks: those of the first indices whose gold is all the agent's.

    Raises:
        BenchError: if there are none.
    """
    indices = range(min(count, pack.splits[SPLIT]))
    plans = [SessionPlan(i, tuple(_turns(pack, pack.task_at(SPLIT, i)))) for i in indices if _playable(pack, i)]
    plans = [plan for plan in plans if plan.turns]
    if not plans:
        raise BenchError(f"{pack.domain.name} has no task that the agent can play alone")
    return plans


def padded(plans: Sequence[SessionPlan], length: int) -> list[SessionPlan]:
    """The same plans with exactly `length` turns each; what is short begins with its first look-ups, in turn."""
    return [_padded(plan, length) for plan in plans if plan.turns[0].harmless]


def typical_text(plans: Sequence[SessionPlan]) -> str:
    """The observation whose length is nearest to the mean length."""
    texts = [t.text for p in plans for t in p.turns]
    mean = sum(map(len, texts)) / len(texts)
    return min(texts, key=lambda text: abs(len(text) - mean))


def save(plans: Sequence[SessionPlan], path: Path) -> None:
    """Write plans for the loading process."""
    path.write_text(json.dumps([asdict(p) for p in plans]), encoding="utf-8")


def _playable(pack: Pack, index: int) -> bool:
    return all(call.requestor == "agent" for call in pack.task_at(SPLIT, index).gold.actions)


def _turns(pack: Pack, task: Task) -> Iterator[Turn]:
    """The gold calls that leave the episode going, run once to see how they go."""
    db = Db(State.at(pack.snapshot, task.changes()), pack.dialect)
    side = Toolset(pack.agent_tools, pack.dialect, pack.domain.after_call)
    for call in task.gold.actions:
        tool = pack.agent_tools[call.name]
        if tool.transfers or tool.finishes:
            continue
        outcome = side.call(db, call.name, call.arguments)
        action = {"tool_calls": [{"name": call.name, "arguments": call.arguments}]}
        fault = None if outcome.fault is None else outcome.fault.value
        yield Turn(json.dumps(action), fault, tool.kind == "write", outcome.text)


def _padded(plan: SessionPlan, length: int) -> SessionPlan:
    # Before the first write a look-up finds what it found before; after it, perhaps not.
    first = cycle(takewhile(lambda turn: turn.harmless, plan.turns))
    return SessionPlan(plan.index, (*islice(first, max(0, length - len(plan.turns))), *plan.turns[:length]))
