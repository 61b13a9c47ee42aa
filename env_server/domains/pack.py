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
"""The cache size for tasks looked up by id. The episodes of a group begin one after another; a task
takes 30 to 60 KB.
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A task's entry in a list, and its position."""

    place: tuple[str, int]
    """The split that lists it, and its index there."""

    task_id: str
    split: str | None
    """The task's own split. A task in several splits may be listed here under another one."""

    template: str | None
    difficulty: int | None
    """None if it has not been measured."""


class Unmeasured(Exception):
    """A task has no difficulty although the caller needs it."""


@dataclass(frozen=True, eq=False)
class Pack:
    """The shared data of all episodes of one (domain, pack). Derived values are computed once, at first use."""

    domain: Domain
    name: str
    snapshot: Snapshot
    policy: str
    dialect: Dialect
    tasks: TaskSource
    solo_policy: str | None = None
    """The policy for episodes without a user, if it differs."""

    shown: Mapping[str, dict[str, Any]] | None = None
    """Tool -> the schema of the data's own project, for the tools found in its sources; None if there is no such
    project.
    """

    _found: dict[tuple[str, int], Task] = field(default_factory=dict, repr=False)
    _levels: dict[str, tuple[Listed, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def agent_tools(self) -> Mapping[str, Tool]:
        """The agent's tools by name, in display order."""
        by_name = {t.name: t for t in self.domain.tools}
        names = self.dialect.tools if self.dialect.tools is not None else tuple(by_name)
        return {name: by_name[name] for name in names}

    @cached_property
    def solo_tools(self) -> Mapping[str, Tool]:
        """The agent's tools in episodes without a user. They include the user's own tools."""
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
        """Return one tool as an OpenAI function schema: upstream's own, or ours with the argument types
        of the dialect.
        """
        if self.shown is not None and tool.name in self.shown:
            return self.shown[tool.name]
        return tool.schema_with(self.dialect.argument_types.get(tool.name, {}))

    @property
    def tool_texts(self) -> Literal["upstream", "own", "mixed"] | None:
        """The source of the tool descriptions of a public pack: the checkout, this server, or both."""
        if self.shown is None:
            return None
        named = {*self.agent_tools, *self.user_tools}
        return "upstream" if named <= self.shown.keys() else "mixed" if self.shown else "own"

    @cached_property
    def tools_digest(self) -> str:
        """The digest of the effects of calls: the sources of the tools and tables, the tool list and the dialect."""
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
        """Return the task at `index` of `split`.

        Raises:
            NoSuchTask: if there is none.
            Exception: any error in making it.
        """
        task = self._found.get((split, index))
        if task is None:
            task = self.tasks.task(self.snapshot, split, index)
            if index < self.splits[split]:
                self._found[split, index] = task
        return task

    def listed(self, split: str, index: int) -> Listed:
        """Return the list entry of the task at `index` of `split`.

        Raises:
            NoSuchTask: if there is none.
            Exception: any error in making it.
        """
        return _listed(split, index, self.task_at(split, index))

    def has_levels(self, split: str) -> bool:
        """Return whether `levels` has been called for the split, and so takes no time."""
        return split in self._levels

    def levels(self, split: str) -> tuple[Listed, ...]:
        """Return the entries of all listed tasks of `split`, in its order, each with its difficulty.

        The first call makes every task, which may take seconds. Only the entries are stored.

        Raises:
            Unmeasured: if a task has no difficulty.
            Exception: any error in making one of them.
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
        """The instructions of the tasks of the `test` split. They identify such a task if it comes without its id."""
        found = set()
        for index in range(self.splits["test"]):
            with suppress(Exception):  # a task that cannot be made cannot be played either
                found.add(plain(self.tasks.task(self.snapshot, "test", index).instruction))
        return frozenset(found)

    def find(self, task_id: str) -> Task:
        """Return the task with this id.

        Raises:
            NoSuchTask: if there is none.
            Exception: any error in making it.
        """
        return self._find(task_id)

    @cached_property
    def _find(self) -> Callable[[str], Task]:
        return lru_cache(KEPT)(partial(self.tasks.find, self.snapshot))


def _listed(split: str, index: int, task: Task) -> Listed:
    return Listed((split, index), task.task_id, task.split, task.template, task.measured)


def plain(text: str) -> str:
    """Return `text` in a form without case and extra white space, which may change when it is copied."""
    return " ".join(text.casefold().split())


def _sha(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
