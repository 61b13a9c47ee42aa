"""`GET /domains` and tasks."""

from typing import Any, Literal

from pydantic import ConfigDict

from agent_env_schemas.base import Wire
from agent_env_schemas.reset import AnswerSpec, EvidenceSpec, GoldSpec


class PackInfo(Wire):
    """One source of tasks of a domain."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str
    splits: dict[str, int]
    """Split -> its number of listed tasks."""
    tools: list[str]
    """The names of the agent's tools."""
    servers: dict[str, list[str]] = {}
    """The MCP servers behind the tools, each with the names of its tools. Empty if no tool belongs to a server."""
    version: str | None
    """A digest of the pack's rows, policy, tasks and tools. Null if its data cannot be read."""
    error: str | None = None
    """Why the pack cannot be played, if its data cannot be read."""


class DomainInfo(Wire):
    """One domain."""

    name: str
    description: str
    packs: list[PackInfo]


class DomainList(Wire):
    """All domains of this server."""

    domains: list[DomainInfo]


TaskOrder = Literal["id", "difficulty"]
"""The order of listed tasks. `id`: as in their splits, where ids ascend. `difficulty`: from easy to hard, and within a
level as in their splits."""


class TaskSummary(Wire):
    """One listed task."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    task_id: str
    split: str | None
    template: str | None
    """The kind of a generated task."""
    difficulty: int | None
    """A level from 1 to 5, measured by what an agent has to do. Null if it is not measured, as in public packs."""
    opening: str | None = None
    """A digest of what the system message and the tools depend on. Tasks of a pack with equal digests begin with the
    same message and tools, if the other fields of the reset are equal too."""


class TaskList(Wire):
    """A page of a split."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    tasks: list[TaskSummary]
    total: int
    """The number of tasks on all pages, of the requested difficulty if one was given."""


class TaskDetail(TaskSummary):
    """One task. The reference solution (`gold`) comes only on request."""

    domain: str
    pack: str
    instruction: str
    """What the user wants."""
    basis: list[str]
    """The components of the reward."""
    slots: dict[str, Any]
    """The values that fill the template of a generated task."""
    gold: GoldSpec | None = None
    """The reference solution, if the request asks for it."""
    script: dict[str, Any] | None = None
    """What the scripted user knows and wants. It comes with `gold`."""
    dues: list[dict[str, Any]] | None = None
    """What the agent has to tell the user. It comes with `gold`."""
    answer: AnswerSpec | None = None
    """The answer to submit, if the task asks for one. It comes with `gold`."""
    evidence: list[EvidenceSpec] | None = None
    """What look-ups have to show before the answer. It comes with `gold`."""
