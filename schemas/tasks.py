"""`GET /domains` and tasks."""

from typing import Any

from schemas.base import Wire
from schemas.reset import GoldSpec


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


class TaskSummary(Wire):
    """One listed task."""

    task_id: str
    split: str | None
    template: str | None
    difficulty: int


class TaskList(Wire):
    """A page of a split."""

    tasks: list[TaskSummary]
    total: int


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
