"""A domain: typed tables, tools, a policy, a seeded world and its tasks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol

from env_server.domains import shared, sources
from env_server.domains.dialect import Dialect
from env_server.domains.task import GoldCall, Task
from env_server.domains.tool import Tool, tools_of
from env_server.state import Db, Snapshot, Table


class TaskSource(Protocol):
    """Where tasks come from: named splits of a listed size, each task made from (split, index) alone."""

    @property
    def splits(self) -> Mapping[str, int]:
        """Split -> number of listed tasks."""

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """The task at `index` (0 is the first) of `split`; `train` goes on beyond its listed size.

        Raises:
            NoSuchTask: if there is no such split or index. Anything else that is raised is a defect of the source.
        """

    def find(self, base: Snapshot, task_id: str) -> Task:
        """The task with this id.

        Raises:
            NoSuchTask: if there is no such task. Anything else that is raised is a defect of the source.
        """

    @property
    def digest(self) -> str:
        """Identifies what the tasks are made from (source code or data); part of the pack's version."""


Use = Callable[[str, Mapping[str, Any]], str]
"""Calls one of the user's own tools, (name, arguments) -> what it shows."""


class Hands(Protocol):
    """How a user handles their own tools, as told in words; a module with these two functions will do."""

    def carry_out(self, message: str, use: Use) -> list[str]:
        """Do what the agent's `message` asks for; one sentence for each thing done, none if it asks for nothing."""

    def instruct(self, call: GoldCall) -> str:
        """The words that ask for `call`."""


Sided = Mapping[Literal["agent", "user"], Mapping[str, Callable[..., Any]]]
"""Functions by the side they belong to and by name, each `function(db, **arguments)`."""

NONE: Sided = {"agent": {}, "user": {}}


def nobody(db: Db[Any], value: str) -> str | None:  # the signature of `owner`
    """The owner in a domain in which nobody owns anything."""
    return None


def no_faults(db: Db[Any]) -> Iterable[str]:  # the signature of `invariants`
    """The invariants of a domain that names none."""
    return ()


@dataclass(frozen=True, eq=False)
class Domain:
    """What one folder under `env_server/domains` (or a package behind the `env_server.domains` entry point) gives."""

    name: str
    description: str
    tables: tuple[Table[Any], ...]
    tools_module: ModuleType
    world: Callable[..., Mapping[str, Iterable[Any]]]
    """Makes the builtin base: table name -> rows in order; the same bytes at every call. `world(scale=n)`, where a
    domain offers it, makes one with n times as many customers."""

    tasks: TaskSource
    dialects: Mapping[str, Dialect]
    """`builtin` and, where the domain reads public data, that data's pack name."""

    user_tools_module: ModuleType | None = None
    """The tools of the user's own side."""

    hands: Hands | None = None
    """How the scripted user handles those tools."""

    invariants: Callable[[Db[Any]], Iterable[str]] = no_faults
    """What is wrong with a state, a sentence each: keys that do not resolve, totals that do not add up. Nothing is
    wrong with the builtin base, nor after any calls from there."""

    owner: Callable[[Db[Any], str], str | None] = nobody
    """The id of the customer who owns the row that an argument names (their own id included); None where nobody does,
    or no row has that id. It is asked for each argument of a look-up, so it finds its row by key or index."""

    after_call: Callable[[Db[Any]], None] | None = None
    """What follows from each successful call of either side (a network that notices a change, say)."""

    setups: Sided = field(default_factory=lambda: NONE)
    """What public tasks may do before an episode begins, beside calling tools."""

    assertions: Sided = field(default_factory=lambda: NONE)
    """What tasks may assert of a final state, each giving a bool."""

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
        modules = [m.__name__ for m in (self.tools_module, self.user_tools_module) if m is not None]
        modules += [f.__module__ for side in (*self.setups.values(), *self.assertions.values()) for f in side.values()]
        modules += [self.after_call.__module__] if self.after_call else []
        return [*sources.of(modules, self.tools_module.__name__.rpartition(".")[0]), Path(str(shared.__file__))]
