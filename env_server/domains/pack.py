"""A pack: one source of data for a domain's code (base snapshot, policy, tasks, tool list, dialect)."""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any, Final, Literal, NamedTuple

from agent_env_schemas import ToolOptions
from env_server.domains.kit.dialect import Dialect
from env_server.domains.kit.domain import Domain, TaskSource
from env_server.domains.kit.shared import SOLO_TOOLS
from env_server.domains.kit.submit_answer import NAME as SUBMIT
from env_server.domains.kit.submit_answer import answer_tool
from env_server.domains.kit.task import Task
from env_server.domains.kit.tools import Tool, ToolSpec
from env_server.providers.kept_texts import KeptTexts
from env_server.providers.live.names import BETWEEN, agent_names
from env_server.providers.sealed import SealedServers
from env_server.providers.spec import Provider, ServerTool
from env_server.state import Snapshot, canonical

KEPT: Final = 512
"""The cache size for tasks looked up by id. The episodes of a group begin one after another; a task
takes 30 to 60 KB.
"""

RESPOND: Final = "respond"
"""The tool with which an agent over MCP speaks to the user."""

RESERVED: Final = frozenset({tool.name for tool in SOLO_TOOLS} | {SUBMIT, RESPOND})
"""The names of this server's own tools. A tool of that name on an MCP server gets the server's name in front."""


class Toolkit(NamedTuple):
    """The data that decide the agent's tools in an episode, beside the pack. Equal toolkits have equal tools."""

    solo: bool
    """Whether no user takes part."""

    answer: tuple[str, str] | None = None
    """Kind and unit of the answer to submit."""

    tools: tuple[str, ...] = ()
    """The only tools of servers that the task allows; empty for all."""

    servers: tuple[str, ...] = ()
    """The only servers that the task allows; empty for all."""

    asked_tools: tuple[str, ...] = ()
    """The only tools of these that the reset asks for; empty for all."""

    asked_servers: tuple[str, ...] = ()
    """The only servers of these that the reset asks for; empty for all."""

    @classmethod
    def of(cls, task: Task, options: ToolOptions | None, *, solo: bool) -> "Toolkit":
        """Return the toolkit of an episode of `task` with these options of its reset."""
        answer = None if task.answer is None else (task.answer.kind, task.answer.unit)
        asked = options or ToolOptions()
        tools, servers = tuple(asked.allow_list or ()), tuple(asked.servers or ())
        return cls(solo, answer, task.tools, task.servers, tools, servers)

    def has(self, tool: ToolSpec) -> bool:
        """Return whether the agent has `tool`, one of the pack."""
        if not isinstance(tool, ServerTool):
            return self.answer is None or tool not in SOLO_TOOLS
        names = names_of(tool)
        return all(not names.isdisjoint(listed) for listed in (self.tools, self.asked_tools) if listed) and all(
            tool.server in listed for listed in (self.servers, self.asked_servers) if listed
        )


def names_of(tool: ServerTool) -> frozenset[str]:
    """Return the names by which lists may name a tool: that for agents, and those with its server in front."""
    return frozenset((tool.name, *(f"{tool.server}{joined}{tool.listing.name}" for joined in (BETWEEN, "."))))


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
    """The difficulty, 1 to 5; None if it has not been measured."""

    opening: str
    """The digest of the prompt and the tools with which episodes of the task begin; see `opening_of`."""


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

    outside: tuple[ServerTool, ...] = ()
    """The tools of the operator's servers, as they were listed when this version of the pack was made."""

    kept: KeptTexts | None = None
    """The store that keeps the tool lists of the sealed servers for other processes."""

    _found: dict[tuple[str, int], Task] = field(default_factory=dict, repr=False)
    _levels: dict[str, tuple[Listed, ...]] = field(default_factory=dict, repr=False)
    _sealed: list[SealedServers] = field(default_factory=list, repr=False)

    @property
    def providers(self) -> tuple[Provider, ...]:
        """The sealed servers of the domain, and those that the operator has configured."""
        sealed = (self._sealed_servers,) if self.domain.servers else ()
        return sealed if self.domain.outside is None else (*sealed, self.domain.outside)

    @property
    def _sealed_servers(self) -> SealedServers:
        """The sealed servers, which all versions of the pack share."""
        if not self._sealed:
            self._sealed.append(SealedServers(self.domain.servers, kept=self.kept))
        return self._sealed[0]

    @property
    def is_current(self) -> bool:
        """Whether the operator's servers still list what they listed when this version of the pack was made."""
        return self.domain.outside is None or self.domain.outside.tools() is self.outside

    def renewed(self) -> "Pack":
        """Return the pack with the tools that the operator's servers list now."""
        return self if self.domain.outside is None else replace(self, outside=self.domain.outside.tools())

    def is_outdated(self, toolkit: Toolkit) -> bool:
        """Return whether a server now lists a tool of `toolkit` differently, or does not list it any more."""
        now = self.domain.outside
        if now is None:
            return False
        tools = (tool for tool in self.tools_for(toolkit).values() if isinstance(tool, ServerTool))
        return any(now.lists_otherwise(tool) for tool in tools)

    @cached_property
    def server_tools(self) -> Mapping[str, ServerTool]:
        """The tools of the servers by name, in the order of their lists. A taken name gets the server's in front.

        The tools of a stored version of the pack have the names that they had then.
        """
        sealed = self._sealed_servers.tools() if self.domain.servers else ()
        taken = {tool.name for tool in self.domain.tools} | RESERVED
        listed = (*sealed, *self.outside)
        names = agent_names(((tool.server, tool.listing.name) for tool in listed), taken)
        named = [t if t.shown_name else _shown(t, names[t.server, t.listing.name]) for t in listed]
        return {tool.name: tool for tool in named}

    @cached_property
    def local_tools(self) -> Mapping[str, Tool]:
        """The agent's tools that are functions on rows, by name."""
        by_name = {t.name: t for t in self.domain.tools}
        names = self.dialect.tools if self.dialect.tools is not None else tuple(by_name)
        return {name: by_name[name] for name in names}

    @cached_property
    def agent_tools(self) -> Mapping[str, ToolSpec]:
        """The agent's tools by name, in display order: functions, then the tools of servers."""
        return {**self.local_tools, **self.server_tools}

    @cached_property
    def solo_tools(self) -> Mapping[str, ToolSpec]:
        """The agent's tools in episodes without a user. They include the user's own tools."""
        return {**self.agent_tools, **self.user_tools, **{t.name: t for t in SOLO_TOOLS}}

    def tools_for(self, toolkit: Toolkit) -> Mapping[str, ToolSpec]:
        """Return the agent's tools in an episode: those that it may use, and the one for its answer."""
        tools = self.solo_tools if toolkit.solo else self.agent_tools
        found = {name: tool for name, tool in tools.items() if toolkit.has(tool)}
        if toolkit.answer is not None:
            submit = answer_tool(*toolkit.answer)
            found[submit.name] = submit
        return found

    def warm(self) -> None:
        """Build the sealed servers, so that the first call does not have to."""
        if self.domain.servers:
            self._sealed_servers.warm()

    async def forget(self, episode: str) -> None:
        """Free what servers remember of an episode that has ended."""
        for provider in self.providers:
            await provider.forget(episode)

    async def rest(self, episode: str) -> None:
        """Free what servers remember of an episode that nobody plays now, if its next call does not need it."""
        for provider in self.providers:
            await provider.rest(episode)

    async def aclose(self) -> None:
        """Close the sealed servers of the pack."""
        for sealed in self._sealed:
            await sealed.aclose()

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

    def schema(self, tool: ToolSpec) -> dict[str, Any]:
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
        """The digest of all that decides the effects of calls: the sources of the tools and tables, the effects that
        servers declare for their tools, the dialect and the schemas.
        """
        sources = [*self.domain.tool_sources(), *(self._sealed_servers.sources() if self.domain.servers else ())]
        parts = [p.read_text(encoding="utf-8") for p in sources]
        parts += [f"{tool.name}: {tool.effect}" for tool in self.server_tools.values()]
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


def _shown(tool: ServerTool, name: str) -> ServerTool:
    return tool if name == tool.listing.name else replace(tool, shown_name=name)


def _listed(split: str, index: int, task: Task) -> Listed:
    return Listed((split, index), task.task_id, task.split, task.template, task.measured, opening_of(task))


def opening_of(task: Task) -> str:
    """Return a digest of the parts of a task that decide the policy and the tools of its episodes. The pack and the
    reset decide the rest.
    """
    toolkit = Toolkit.of(task, None, solo=task.alone)
    return _sha(canonical([list(toolkit), own_policy(task)]))[:16]


def own_policy(task: Task) -> str | None:
    """Return the text that a task has in place of the pack's policy; None for most tasks."""
    return None if task.sample is None else task.sample.system


def plain(text: str) -> str:
    """Return `text` without case and extra white space, because a copy may differ in both."""
    return " ".join(text.casefold().split())


def _sha(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
