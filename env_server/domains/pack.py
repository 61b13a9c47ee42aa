"""A pack: one source of data for a domain's code (base snapshot, policy, tasks, tool list, dialect)."""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any, Final, Literal

from env_server.domains.dialect import Dialect
from env_server.domains.domain import Domain, TaskSource
from env_server.domains.shared import SOLO_TOOLS
from env_server.domains.task import Task
from env_server.domains.tool import Tool
from env_server.state import Snapshot, canonical

KEPT: Final = 512
"""Tasks that a pack keeps of those looked up by id: a group's episodes begin one after another (30 to 60 KB each)."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list says of a task, and where it stands."""

    place: tuple[str, int]
    """The split that lists it, and its index there."""

    task_id: str
    split: str | None
    """The task's own split; of a task in several it need not be the one that lists it here."""

    template: str | None
    difficulty: int | None
    """None where nobody has measured it."""


class Unmeasured(Exception):
    """A task that does not say how difficult it is, where that is asked."""


@dataclass(frozen=True, eq=False)
class Pack:
    """What episodes of one (domain, pack) share. Everything derived is computed once, at first use."""

    domain: Domain
    name: str
    snapshot: Snapshot
    policy: str
    dialect: Dialect
    tasks: TaskSource
    solo_policy: str | None = None
    """The policy where no user takes part, if it is another."""

    shown: Mapping[str, dict[str, Any]] | None = None
    """Tool -> the schema that the data's own project shows of it, as far as its sources were there to read; None where
    there is no such project."""

    _found: dict[tuple[str, int], Task] = field(default_factory=dict, repr=False)
    _levels: dict[str, tuple[Listed, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def agent_tools(self) -> Mapping[str, Tool]:
        """The agent's tools by name, in the order shown."""
        by_name = {t.name: t for t in self.domain.tools}
        names = self.dialect.tools if self.dialect.tools is not None else tuple(by_name)
        return {name: by_name[name] for name in names}

    @cached_property
    def solo_tools(self) -> Mapping[str, Tool]:
        """The agent's tools where no user takes part: the user's own are the agent's as well."""
        return {**self.agent_tools, **self.user_tools, **{t.name: t for t in SOLO_TOOLS}}

    @cached_property
    def user_tools(self) -> Mapping[str, Tool]:
        """The user's own tools by name."""
        by_name = {t.name: t for t in self.domain.user_tools}
        names = self.dialect.user_tools if self.dialect.user_tools is not None else tuple(by_name)
        return {name: by_name[name] for name in names}

    @cached_property
    def schemas(self) -> list[dict[str, Any]]:
        """The agent's tools as OpenAI function schemas."""
        return [self.schema(t) for t in self.agent_tools.values()]

    @cached_property
    def user_schemas(self) -> list[dict[str, Any]]:
        """The user's own tools as OpenAI function schemas."""
        return [self.schema(t) for t in self.user_tools.values()]

    def schema(self, tool: Tool) -> dict[str, Any]:
        """One tool as an OpenAI function schema: upstream's own, or ours with the argument types of the dialect."""
        if self.shown is not None and tool.name in self.shown:
            return self.shown[tool.name]
        return tool.schema_with(self.dialect.argument_types.get(tool.name, {}))

    @property
    def tool_texts(self) -> Literal["upstream", "own", "mixed"] | None:
        """Whose words describe the tools of a public pack: the checkout's, this server's, or some are these."""
        if self.shown is None:
            return None
        named = {*self.agent_tools, *self.user_tools}
        return "upstream" if named <= self.shown.keys() else "mixed" if self.shown else "own"

    @cached_property
    def tools_digest(self) -> str:
        """Identifies what calls do: the sources of the tools and tables, the tool list and the dialect."""
        parts = [p.read_text(encoding="utf-8") for p in self.domain.tool_sources()]
        shown = [canonical(schemas) for schemas in (self.schemas, self.user_schemas) if schemas]
        return _sha(*parts, repr(self.dialect), *shown)

    @cached_property
    def version(self) -> str:
        """The pack's version: the digest of its snapshot, policy, tasks, tool sources and schemas."""
        return _sha(self.snapshot.digest, *self._policies, self.tasks.digest, self.tools_digest)

    @property
    def _policies(self) -> tuple[str, ...]:
        return (self.policy,) if self.solo_policy is None else (self.policy, self.solo_policy)

    @property
    def splits(self) -> Mapping[str, int]:
        """Split -> number of listed tasks."""
        return self.tasks.splits

    def task_at(self, split: str, index: int) -> Task:
        """The task at `index` of `split`.

        Raises:
            NoSuchTask: if there is none.
            Exception: whatever making it raises.
        """
        task = self._found.get((split, index))
        if task is None:
            task = self.tasks.task(self.snapshot, split, index)
            if index < self.splits[split]:
                self._found[split, index] = task
        return task

    def listed(self, split: str, index: int) -> Listed:
        """What a list says of the task at `index` of `split`.

        Raises:
            NoSuchTask: if there is none.
            Exception: whatever making it raises.
        """
        return _listed(split, index, self.task_at(split, index))

    def has_levels(self, split: str) -> bool:
        """Whether `levels` has been asked for the split, and so takes no time."""
        return split in self._levels

    def levels(self, split: str) -> tuple[Listed, ...]:
        """All listed tasks of `split`, in its order, each with its difficulty.

        The first time every task is made, which may take seconds. Only what a list says of it is kept.

        Raises:
            Unmeasured: if a task does not say how difficult it is.
            Exception: whatever making one of them raises.
        """
        found = self._levels.get(split)
        if found is None:
            found = self._levels[split] = tuple(self._measured(split, i) for i in range(self.splits[split]))
        return found

    def _measured(self, split: str, index: int) -> Listed:
        found = _listed(split, index, self.tasks.task(self.snapshot, split, index))
        if found.difficulty is None:
            raise Unmeasured(found.task_id)
        return found

    @cached_property
    def test_instructions(self) -> frozenset[str]:
        """What the tasks of the `test` split want, by which one of them is known when it comes without its id."""
        found = set()
        for index in range(self.splits["test"]):
            with suppress(Exception):  # a task that cannot be made cannot be played either
                found.add(plain(self.tasks.task(self.snapshot, "test", index).instruction))
        return frozenset(found)

    def find(self, task_id: str) -> Task:
        """The task with this id.

        Raises:
            NoSuchTask: if there is none.
            Exception: whatever making it raises.
        """
        return self._find(task_id)

    @cached_property
    def _find(self) -> Callable[[str], Task]:
        return lru_cache(KEPT)(partial(self.tasks.find, self.snapshot))


def _listed(split: str, index: int, task: Task) -> Listed:
    return Listed((split, index), task.task_id, task.split, task.template, task.measured)


def plain(text: str) -> str:
    """`text` without what may change when it is copied: case and white space."""
    return " ".join(text.casefold().split())


def _sha(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
