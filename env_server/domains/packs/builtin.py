"""The `builtin` pack: generated from a seed, it needs nothing."""

from collections.abc import Mapping
from inspect import signature
from typing import Any

from env_server.domains.domain import Domain
from env_server.domains.pack import Pack
from env_server.domains.packs.files import PackError
from env_server.domains.task import Component, Task
from env_server.state import Snapshot
from schemas import InlineTask

NAME = "builtin"


def load(domain: Domain, scale: int = 1) -> Pack:
    """The domain's own world, policy and tasks; the world `scale` times as large where the domain offers that."""
    dialect = domain.dialects[NAME]
    sized = "scale" in signature(domain.world).parameters
    rows = domain.world(scale=scale) if sized else domain.world()
    base = Snapshot(domain.tables, rows, coerces=dialect.coerces)
    return Pack(domain, NAME, base, domain.policy, dialect, domain.tasks)


def task_from_json(domain: Domain, obj: Mapping[str, Any], base: Snapshot) -> Task:
    """The task that `{instruction, user?, initial?, gold: {actions, outputs}, basis?}` describes.

    Without a basis the state counts and, where there are outputs, whether they were said. Raises:
        pydantic.ValidationError: if it is no such object (a ValueError).
        PackError: if its initial changes name a table that does not exist, or its basis assertions (a ValueError).
    """
    named = {k: v for k, v in obj.items() if k != "id"}
    InlineTask.model_validate(named)
    task = Task.model_validate({**named, "task_id": "inline", "domain": domain.name, "pack": NAME})
    for name, rows in task.initial.items():
        if name not in base.tables:
            raise PackError(f"the initial changes name a table {name!r}; the tables are: {', '.join(base.tables)}")
        for row in rows.values():
            if row is not None:
                base.tables[name].table.validate(row)
    if Component.ENV_ASSERTIONS in task.basis:
        raise PackError("the basis names env_assertions, and an inline task has none")
    if "basis" not in obj and task.gold.outputs:
        return task.model_copy(update={"basis": (Component.STATE, Component.COMMUNICATE)})
    return task
