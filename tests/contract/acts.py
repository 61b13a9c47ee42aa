"""Acts of an agent on a task, without a server: calls on its state, told values, and the resulting score."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

import pytest

from agent_env_schemas import StopReason
from env_server.domains.discovery import domains
from env_server.domains.kit import Db, GeneratedTasks, GoldCall, Task, Tool
from env_server.episodes.packs.gold import run_gold
from env_server.episodes.packs.library import LivePack
from env_server.episodes.turn.ending import holds
from env_server.rewards import GoldOutcome, Score, ScoreInputs, match_call, newly_said, score
from env_server.state import State
from env_server.tools import CallOutcome
from tests.domains import made

NAMES = [name for name, domain in domains().items() if isinstance(domain.tasks, GeneratedTasks)]
"""The domains whose tasks have users. The other domains have tests of their own for the same properties."""

SAMPLE = 300
"""The number of test tasks that are checked in detail."""

each_domain = pytest.mark.parametrize("domain", NAMES)


def writes(tools: Mapping[str, Tool]) -> set[str]:
    """The names of the tools that may write."""
    return {name for name, tool in tools.items() if tool.kind == "write"}


class Stage:
    """A domain's builtin pack, ready to be played."""

    def __init__(self, domain: str) -> None:
        """Load the pack."""
        self.pack = made.pack(domain)
        self.live = LivePack(self.pack, 0, self.pack.version)
        self._golds: dict[str, GoldOutcome] = {}
        self._faults: dict[str, list[str]] = {}

    @property
    def generated(self) -> GeneratedTasks[Any]:
        """The source of generated tasks, which makes them from templates."""
        assert isinstance(self.pack.tasks, GeneratedTasks)
        return self.pack.tasks

    def tasks(self, count: int = SAMPLE) -> list[Task]:
        """The first test tasks."""
        return [self.pack.task_at("test", i) for i in range(min(count, self.pack.splits["test"]))]

    def listed(self, split: str) -> tuple[Task, ...]:
        """All listed tasks of a split."""
        return made.listed(self.pack.domain.name, split)

    def some(self, split: str, step: int) -> list[Task]:
        """Every `step`-th listed task of a split."""
        return [self.pack.task_at(split, i) for i in range(0, self.pack.splits[split], step)]

    def used(self, split: str, side: str) -> set[str]:
        """The tools that gold calls in a split."""
        return {call.name for task in self.listed(split) for call in task.gold.actions if call.requestor == side}

    def beginning(self, task: Task) -> State:
        """The state in which the task begins."""
        return State.at(self.pack.snapshot, task.changes())

    def gold(self, task: Task) -> GoldOutcome:
        """The outcome of the task's gold, which is run once."""
        found = self._golds.get(task.task_id)
        if found is None:
            found = self._golds[task.task_id] = asyncio.run(run_gold(self.live, task, self.beginning(task)))
        return found

    def faults(self, state: State) -> list[str]:
        """The domain's complaints about a state; equal states are checked once."""
        if state.hash not in self._faults:
            self._faults[state.hash] = list(self.pack.domain.invariants(Db(state, self.pack.dialect)))
        return self._faults[state.hash]

    @cached_property
    def transfers(self) -> list[str]:
        """The tools that hand the user over."""
        return [name for name, tool in self.pack.agent_tools.items() if tool.transfers]

    def writes(self, call: GoldCall) -> bool:
        """Whether a call's tool may write."""
        side = self.pack.agent_tools if call.requestor == "agent" else self.pack.user_tools
        return side[call.name].kind == "write"

    def call(self, state: State, call: GoldCall) -> CallOutcome:
        """Make a call."""
        side = self.pack.agent_tools if call.requestor == "agent" else self.pack.user_tools
        return self.live._side(side).call(Db(state, self.pack.dialect), call.name, call.arguments)

    def told(self, task: Task, message: str) -> list[int]:
        """Which of the task's outputs a message to the user says."""
        return newly_said(task.gold.outputs, message, self.pack.dialect)

    def result(self, task: Task, calls: Iterable[GoldCall], said: Iterable[int] = ()) -> Score:
        """The score of an agent that makes `calls`, tells the outputs at indices `said`, and is then left."""
        return Trial(self, task).play(calls).score(said)


class Trial:
    """A task in play: its state, and the gold calls that were made."""

    def __init__(self, stage: Stage, task: Task, state: State | None = None, matched: Sequence[int] = ()) -> None:
        """Begin the task, or continue from `state`."""
        self.stage = stage
        self.task = task
        self.state = state or stage.beginning(task)
        self.matched = list(matched)

    def fork(self) -> "Trial":
        """An independent trial that continues from here."""
        return Trial(self.stage, self.task, self.state.fork(), self.matched)

    def play(self, calls: Iterable[GoldCall]) -> "Trial":
        """Make `calls` and return this trial; a failed call changes nothing."""
        gold, dialect = self.task.gold.actions, self.stage.pack.dialect
        for call in calls:
            outcome = self.stage.call(self.state, call)
            if outcome.fault is None:
                self.matched += match_call(gold, outcome.name, outcome.arguments, dialect, self.matched, call.requestor)
        return self

    def score(self, said: Iterable[int] = ()) -> Score:
        """The score after the outputs at indices `said` were told."""
        inputs = ScoreInputs(
            self.state.hash,
            self.stage.gold(self.task),
            {"communicate": list(said), "actions": self.matched},
            holds=[holds(self.stage.pack, a, self.state) for a in self.task.env_assertions],
        )
        return score(self.task, inputs, StopReason.USER_STOP)


stage = cache(Stage)


def all_said(task: Task) -> range:
    """The indices of all outputs."""
    return range(len(task.gold.outputs))
