"""`GET /domains` and tasks."""

from typing import Any, Literal

from pydantic import ConfigDict

from agent_env_schemas.base import Wire
from agent_env_schemas.reset import GoldSpec


class PackInfo(Wire):
    """One source of tasks of a domain."""

    name: str
    splits: dict[str, int]
    tools: list[str]
    version: str | None
    error: str | None = None
    """Why the pack cannot be played, where its data cannot be read."""


class DomainInfo(Wire):
    """One domain."""

    name: str
    description: str
    packs: list[PackInfo]


class DomainList(Wire):
    """All domains this server hosts."""

    domains: list[DomainInfo]


TaskOrder = Literal["id", "difficulty"]
"""How tasks are listed: as they stand in their splits, where ids count up; or from easy to hard, and within a level as
before."""


class TaskSummary(Wire):
    """One listed task."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    task_id: str
    split: str | None
    template: str | None
    difficulty: int | None
    """From 1 to 5, measured by what an agent has to do; null where nobody has measured it, as in public packs."""


class TaskList(Wire):
    """A page of a split."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    tasks: list[TaskSummary]
    total: int
    """How many tasks there are on all pages; with a difficulty, of that difficulty."""


class TaskDetail(TaskSummary):
    """One task; `gold` only on request."""

    domain: str
    pack: str
    instruction: str
    basis: list[str]
    slots: dict[str, Any]
    gold: GoldSpec | None = None
    script: dict[str, Any] | None = None
    """With `gold`: what the scripted user knows and wants."""
    dues: list[dict[str, Any]] | None = None
    """With `gold`: what the user has to be told."""
