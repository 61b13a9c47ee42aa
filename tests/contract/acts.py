"""What an agent may do with a task, without a server: calls on its state, values said, and the score it comes to."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from env_server.domains.discovery import domains, packs
from env_server.domains.kit import GoldCall, Task
from env_server.domains.pack import Pack
from env_server.episodes.ending import holds
from env_server.episodes.gold import run_gold
from env_server.episodes.library import LivePack
from env_server.rewards import Evidence, GoldOutcome, Score, match_call, newly_said, score
from env_server.state import Db, State
from env_server.tools import Outcome
from schemas import StopReason

NAMES = list(domains())


class Stage:
    """A domain's builtin pack, ready to play on."""

    def __init__(self, domain: str) -> None:
        """Load the pack."""
        self.pack: Pack = packs(domains()[domain], {})["builtin"]
        self.live = LivePack(self.pack, 0, self.pack.version)

    def tasks(self, count: int) -> list[Task]:
        """The first test tasks."""
        return [self.pack.task_at("test", i) for i in range(min(count, self.pack.splits["test"]))]

    def beginning(self, task: Task) -> State:
        """The state in which the task begins."""
        return State.at(self.pack.snapshot, task.changes())

    def gold(self, task: Task) -> GoldOutcome:
        """What the task's gold comes to."""
        return run_gold(self.live, task, self.beginning(task))

    @cached_property
    def transfers(self) -> list[str]:
        """The tools that hand the user over."""
        return [name for name, tool in self.pack.agent_tools.items() if tool.transfers]

    def writes(self, call: GoldCall) -> bool:
        """Whether a gold call is to a tool that may write."""
        side = self.pack.agent_tools if call.requestor == "agent" else self.pack.user_tools
        return side[call.name].kind == "write"

    def call(self, state: State, call: GoldCall) -> Outcome:
        """Make a call."""
        side = self.live.agent_side if call.requestor == "agent" else self.live.user_side
        return side.call(Db(state, self.pack.dialect), call.name, call.arguments)

    def told(self, task: Task, message: str) -> list[int]:
        """Which of the task's outputs a message to the user says."""
        return newly_said(task.gold.outputs, message, self.pack.dialect)

    def result(self, task: Task, calls: Sequence[GoldCall], said: Sequence[int] = ()) -> Score:
        """The score of an agent that makes `calls`, tells the outputs at indices `said`, and is then left."""
        state, matched = self.beginning(task), list[int]()
        for call in calls:
            outcome = self.call(state, call)
            if outcome.fault is None:
                args: Any = outcome.arguments
                gold, dialect = task.gold.actions, self.pack.dialect
                matched += match_call(gold, outcome.name, args, dialect, matched, call.requestor)
        evidence = Evidence(
            state.hash,
            self.gold(task),
            frozenset(said),
            frozenset(matched),
            holds=[holds(self.pack, a, state) for a in task.env_assertions],
        )
        return score(task, evidence, StopReason.USER_STOP)
