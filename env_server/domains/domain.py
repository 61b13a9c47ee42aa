"""A domain: typed tables, tools, a policy, a seeded world and its tasks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from env_server.domains import shared, sources
from env_server.domains.dialect import Dialect
from env_server.domains.task import Task
from env_server.domains.tool import Tool, tools_of
from env_server.state import Snapshot, Table


class TaskSource(Protocol):
    """Where tasks come from: named splits of a listed size, each task made from (split, index) alone."""

    @property
    def splits(self) -> Mapping[str, int]:
        """Split -> number of listed tasks."""

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """The task at `index` (0 is the first) of `split`; `train` goes on beyond its listed size.

        Raises:
            LookupError: if there is no such split or index.
        """

    def find(self, base: Snapshot, task_id: str) -> Task:
        """The task with this id.

        Raises:
            LookupError: if there is no such task.
        """

    @property
    def digest(self) -> str:
        """Identifies what the tasks are made from (source code or data); part of the pack's version."""


@dataclass(frozen=True, eq=False)
class Domain:
    """What one folder under `env_server/domains` (or a package behind the `env_server.domains` entry point) gives."""

    name: str
    description: str
    tables: tuple[Table[Any], ...]
    tools_module: ModuleType
    world: Callable[[], Mapping[str, Iterable[Any]]]
    """Makes the builtin base: table name -> rows in order; the same bytes at every call."""

    tasks: TaskSource
    dialects: Mapping[str, Dialect]
    """`builtin` and, where the domain reads public data, that data's pack name."""

    user_tools_module: ModuleType | None = None

    @property
    def folder(self) -> Path:
        """Where the domain's files are."""
        return Path(str(self.tools_module.__file__)).parent

    @cached_property
    def policy(self) -> str:
        """The builtin policy, `policy.md`."""
        return (self.folder / "policy.md").read_text(encoding="utf-8")

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The domain's own tools, then the shared ones."""
        return tools_of(self.tools_module) + shared.TOOLS

    @cached_property
    def user_tools(self) -> tuple[Tool, ...]:
        """The tools of the user's own side."""
        return tools_of(self.user_tools_module) if self.user_tools_module else ()

    def tool_sources(self) -> list[Path]:
        """The source files that decide what a call does: the tools' own and what they import of their package."""
        modules = [m for m in (self.tools_module, self.user_tools_module) if m is not None]
        return [*sources.of(modules, self.tools_module.__name__.rpartition(".")[0]), Path(str(shared.__file__))]
