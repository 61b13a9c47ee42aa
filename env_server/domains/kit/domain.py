"""A domain: typed tables, tools, a policy, a seeded world and its tasks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol

from env_server.domains.kit import checks, rows, shared, sources, words
from env_server.domains.kit.dialect import Dialect
from env_server.domains.kit.task import GoldCall, Task
from env_server.domains.kit.tools import Tool, tools_of
from env_server.providers.spec import OutsideProvider
from env_server.state import Db, Snapshot, Table


class TaskSource(Protocol):
    """A source of tasks: named splits of a listed size. The pair (split, index) alone determines a task."""

    @property
    def splits(self) -> Mapping[str, int]:
        """Split -> number of listed tasks."""

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """Return the task at `index` (0 is the first) of `split`; `train` continues beyond its listed size.

        Raises:
            NoSuchTask: if there is no such split or index. Any other exception is a defect of the source.
        """

    def find(self, base: Snapshot, task_id: str) -> Task:
        """Return the task with this id.

        Raises:
            NoSuchTask: if there is no such task. Any other exception is a defect of the source.
        """

    @property
    def digest(self) -> str:
        """The digest of the tasks' sources (source code or data); part of the pack's version."""


Use = Callable[[str, Mapping[str, Any]], str]
"""The function that calls one of the user's own tools: (name, arguments) -> its output."""


class Hands(Protocol):
    """Rules by which a user operates their own tools on instructions in words. A module with these two functions is
    enough.
    """

    def carry_out(self, message: str, use: Use) -> list[str]:
        """Do the actions that the agent's `message` asks for; return one sentence for each action."""

    def instruct(self, call: GoldCall) -> str:
        """Return the words that ask for `call`."""


Sided = Mapping[Literal["agent", "user"], Mapping[str, Callable[..., Any]]]
"""Functions by side and by name, each `function(db, **arguments)`."""

NONE: Sided = {"agent": {}, "user": {}}


def nobody(db: Db[Any], value: str) -> str | None:  # the signature of `owner`
    """Return None: the owner in a domain without owners."""
    return None


def no_faults(db: Db[Any]) -> Iterable[str]:  # the signature of `invariants`
    """Return no faults: the invariants of a domain that names none."""
    return ()


@dataclass(frozen=True, eq=False)
class Domain:
    """The definition of a domain by a folder under `env_server/domains` or by a package with an `env_server.domains`
    entry point.
    """

    name: str
    description: str
    tables: tuple[Table[Any], ...]
    tools_module: ModuleType
    world: Callable[..., Mapping[str, Iterable[Any]]]
    """The function that makes the builtin base: table name -> rows in order; the same bytes at every call.
    `world(scale=n)`, if a domain offers it, makes one with n times as many customers.
    """

    tasks: TaskSource
    dialects: Mapping[str, Dialect]
    """`builtin` and, if the domain reads public data, that data's pack name."""

    user_tools_module: ModuleType | None = None
    """The tools of the user's own side."""

    hands: Hands | None = None
    """The rules by which the scripted user operates those tools."""

    topics: Mapping[str, str] = field(default_factory=dict)
    """Topic of a wish's details -> the pattern of a lower-case question about it, for topics that their own words do
    not name. The scripted user recognises questions by them.
    """

    invariants: Callable[[Db[Any]], Iterable[str]] = no_faults
    """The function that returns the faults of a state, one sentence each: unresolved keys, wrong totals. The builtin
    base has no faults, before or after any calls.
    """

    servers: tuple[str, ...] = ()
    """Packages of `mcp_servers` whose tools the domain offers. They are sealed: they answer from the episode's rows."""

    policy_path: Path | None = None
    """The file of the policy; None for `policy.md` in the domain's folder."""

    outside: OutsideProvider | None = None
    """Servers that the operator has configured. Their tools reach the outside."""

    projection: Callable[[Db[Any], Task], Any] | None = None
    """The function that returns, as JSON, what counts of a state if its wording does not (such as where a message was
    posted). If a domain has one, `state` compares its values, and else the hashes of all rows.
    """

    owner: Callable[[Db[Any], str], str | None] = nobody
    """The function that returns the id of the customer who owns the row that an argument names (their own id included);
    None if the row has no owner or does not exist. It runs for each argument of a look-up, so it must find its row by
    key or index.
    """

    after_call: Callable[[Db[Any]], None] | None = None
    """The function that runs after each successful call of either side (for example, a network notices a change)."""

    setups: Sided = field(default_factory=lambda: NONE)
    """The functions that public tasks may call before an episode begins, beside tools."""

    assertions: Sided = field(default_factory=lambda: NONE)
    """The functions by which tasks assert facts of a final state, each returning a bool."""

    @property
    def folder(self) -> Path:
        """The folder of the domain's files."""
        return Path(str(self.tools_module.__file__)).parent

    @cached_property
    def policy(self) -> str:
        """The builtin policy."""
        return (self.policy_path or self.folder / "policy.md").read_text(encoding="utf-8")

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The domain's own tools, then the shared ones."""
        return tools_of(self.tools_module) + shared.TOOLS

    @cached_property
    def user_tools(self) -> tuple[Tool, ...]:
        """The tools of the user's own side."""
        return tools_of(self.user_tools_module) if self.user_tools_module else ()

    def tool_sources(self) -> list[Path]:
        """Return the source files that decide the effects of a call: the tools' own and their imports within their
        package, and the kit's modules for tools.
        """
        modules = [m.__name__ for m in (self.tools_module, self.user_tools_module) if m is not None]
        modules += [f.__module__ for side in (*self.setups.values(), *self.assertions.values()) for f in side.values()]
        modules += [f.__module__ for f in (self.after_call, self.projection) if f is not None]
        kit = [Path(str(module.__file__)) for module in (shared, checks, rows, words)]
        return [*sources.of(modules, self.tools_module.__name__.rpartition(".")[0]), *kit]
