"""Briefs: the data that policies get before an episode. The oracle needs gold; random calls need the world's values."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from agent_env_schemas import EpisodeReply, GoldSpec
from env_server.domains.kit import WRITE, GoldCall, Task
from env_server.domains.pack import Pack
from env_server.policies import Brief
from env_server.policies.base import Instruct
from env_server.policies.rules.values import Values, collect

Where = tuple[str, str]
"""The address of a row: its table and its key."""


class Briefing:
    """Makes the briefs of one pack's tasks."""

    def __init__(self, pack: Pack) -> None:
        """Make briefs for tasks of `pack`."""
        self.pack = pack

    def brief(self, task: Task, begun: EpisodeReply) -> Brief:
        """Return the brief for `begun`, an episode of `task`."""
        return Brief(
            tools=begun.tools,
            gold=GoldSpec.model_validate(
                task.gold.model_dump(mode="json", exclude={"actions": {"__all__": {"compare"}}})
            ),
            script=None if task.user is None else task.user.model_dump(mode="json"),
            dues=[due.model_dump(mode="json") for due in task.dues],
            instruct=self._instruct if task.user is not None else None,
            transfers=tuple(name for name, tool in self.pack.agent_tools.items() if tool.transfers),
            writes=tuple(name for name, tool in self.pack.agent_tools.items() if tool.kind == WRITE),
            world=self._world,
            near=self._near(task),
            seed=f"{task.domain}/{task.digest}",
        )

    @property
    def _instruct(self) -> Instruct | None:
        hands = self.pack.domain.hands
        return None if hands is None else lambda call: hands.instruct(GoldCall.model_validate(call.model_dump()))

    @cached_property
    def _world(self) -> Values:
        return collect({table: row} for table, _, row in self.pack.snapshot)

    @cached_property
    def _rows(self) -> Mapping[str, Sequence[Where]]:
        """Map each text to the rows that have it as their key or as a value."""
        found: dict[str, dict[Where, None]] = {}
        for table, key, row in self.pack.snapshot:
            for text in (key, *_texts(row)):
                found.setdefault(text, {})[table, key] = None
        return {text: tuple(rows) for text, rows in found.items()}

    def _near(self, task: Task) -> Values:
        """Return values of the rows related to the user of `task`; empty if its slots name no user."""
        user = task.slots.get("user")
        if not isinstance(user, str):
            return {}
        tables = self.pack.snapshot.tables
        rows = dict.fromkeys(self._rows.get(user, ()))
        own = [tables[table].rows[key] for table, key in rows if key == user]
        keyed = [(name, text) for row in own for text in _texts(row) for name in tables if text in tables[name].rows]
        return collect({table: tables[table].rows[key]} for table, key in {**rows, **dict.fromkeys(keyed)})


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
