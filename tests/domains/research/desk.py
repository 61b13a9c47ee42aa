"""The domain's pack, and episodes whose calls go to the sealed servers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from env_server.domains.kit import ANSWERS, Db, GoldCall, SubmittedAnswer, Task
from env_server.domains.pack import Pack, Toolkit
from env_server.domains.research import domain
from env_server.providers.spec import CallScope
from env_server.rewards.components.answer import answer_fault
from env_server.rewards.components.evidence import newly_shown
from env_server.state import State, canonical
from env_server.tools import CallOutcome, Toolset
from tests.domains import made


def pack() -> Pack:
    """The builtin pack."""
    return made.pack("research")


@cache
def listed(split: str, count: int) -> tuple[Task, ...]:
    """The first tasks of a split."""
    return tuple(pack().task_at(split, index) for index in range(count))


@dataclass
class Visit:
    """One episode of a task: its state, the shown evidence, and the outcome of each call."""

    task: Task
    state: State
    shown: set[int] = field(default_factory=set)
    outcomes: list[CallOutcome] = field(default_factory=list)

    async def call(self, name: str, arguments: dict[str, Any]) -> CallOutcome:
        """Make a call as an agent would."""
        tools = Toolset(pack().tools_for(Toolkit.of(self.task, None, solo=True)), pack().dialect)
        outcome = await tools.call_any(CallScope(self.state, f"visit-{id(self)}", self.task.moment), name, arguments)
        self.shown.update(newly_shown(self.task.evidence, outcome, self.shown))
        self.outcomes.append(outcome)
        return outcome

    async def play(self, calls: Sequence[GoldCall]) -> "Visit":
        """Make several calls."""
        for each in calls:
            await self.call(each.name, each.arguments)
        return self

    @property
    def faults(self) -> list[str]:
        """The texts of the calls that failed."""
        return [f"{each.name}: {each.text}" for each in self.outcomes if each.fault is not None]

    @property
    def unseen(self) -> list[tuple[str, ...]]:
        """The evidence that no call has shown yet."""
        return [each.shows for i, each in enumerate(self.task.evidence) if i not in self.shown]

    @property
    def submitted(self) -> SubmittedAnswer | None:
        """The answer that was submitted."""
        return Db(self.state, pack().dialect)[ANSWERS].get("answer")

    @property
    def wrong(self) -> str | None:
        """The faults of the submitted answer."""
        assert self.task.answer is not None
        return answer_fault(self.task.answer, self.submitted)

    @property
    def projected(self) -> str:
        """The part of the state that counts."""
        assert domain.projection is not None
        return canonical(domain.projection(Db(self.state, pack().dialect), self.task))


def visit(task: Task) -> Visit:
    """Begin an episode of a task."""
    return Visit(task, State.at(pack().snapshot, task.changes()))


async def played(task: Task, calls: Sequence[GoldCall] | None = None) -> Visit:
    """Play a task's gold, or other calls."""
    return await visit(task).play(task.gold.actions if calls is None else calls)
