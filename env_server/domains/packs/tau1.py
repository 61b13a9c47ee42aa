"""The `tau1` pack: a domain of tau-bench ("v1"), read from a checkout or from its data folder."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from env_server.domains.kit.domain import Domain
from env_server.domains.kit.task import Component, Gold, GoldCall, Task
from env_server.domains.pack import Pack
from env_server.domains.packs import rows, tau1_words
from env_server.domains.packs.data_files import first_folder, read_data, read_text
from env_server.domains.packs.task_lists import ListedTasks
from env_server.errors import PackError
from env_server.state import Snapshot

NAME = "tau1"
SPLITS = ("train", "dev", "test")


class Tau1Action(BaseModel):
    """One gold call; upstream's code says `kwargs`, its files `arguments`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    arguments: dict[str, Any] = Field(default={}, validation_alias=AliasChoices("arguments", "kwargs"))


class Tau1Task(BaseModel):
    """A task object. Upstream's objects have no id; the loader adds one."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = "inline"
    instruction: str
    actions: tuple[Tau1Action, ...] = ()
    outputs: tuple[str, ...] = ()


LAYOUT = "tau_bench/envs/<domain>/wiki.md, as in a checkout of tau-bench"
"""The required layout of the directory."""

VARIABLE = "ENV_SERVER_TAU1_DIR"
"""The variable that names the directory."""


def folder(domain: str, directory: Path) -> Path | None:
    """Return the domain's folder under `directory` (a checkout, its package, or the folder itself), or None."""
    parents = ("tau_bench/envs", "envs", "")
    own = [directory] if directory.name == domain else []
    return first_folder([*(directory / parent / domain for parent in parents), *own], "wiki.md")


def load(domain: Domain, directory: Path) -> Pack:
    """Return the domain's pack.

    Raises:
        PackError: if the data is missing or cannot be read.
    """
    where = folder(domain.name, directory)
    if where is None:
        raise PackError(f"{directory} has no tau-bench data of {domain.name!r}")
    dialect = domain.dialects[NAME]
    tables = where / "data" if (where / "data").is_dir() else where
    data = {table.name: read_data(tables, table.name) for table in domain.tables}
    base = rows.snapshot(domain.tables, data, dialect)
    pack = Pack(domain, NAME, base, read_text(where / "wiki.md"), dialect, _tasks(domain, where))
    return replace(pack, shown=tau1_words.schemas(where / "tools", pack.local_tools))


def task_from_json(domain: Domain, obj: Mapping[str, Any], base: Snapshot) -> Task:
    """Return the task for a tau-bench task object; `base` is unused, since v1 tasks have no initial changes.

    Raises:
        pydantic.ValidationError: if the object does not have this form (a ValueError).
    """
    del base
    source = Tau1Task.model_validate(obj)
    calls = tuple(GoldCall(name=action.name, arguments=action.arguments) for action in source.actions)
    said = (Component.COMMUNICATE,) if source.outputs else ()
    return Task(
        task_id=source.id,
        domain=domain.name,
        pack=NAME,
        instruction=source.instruction,
        gold=Gold(actions=calls, outputs=source.outputs),
        basis=(Component.STATE, *said),
    )


def _tasks(domain: Domain, where: Path) -> ListedTasks:
    """Return the tasks of all splits with a file; a task's id is `<domain>-<split>-<index>`."""
    objects: dict[str, Mapping[str, Any]] = {}
    members: dict[str, list[str]] = {}
    for split in SPLITS:
        listed = read_data(where, f"tasks_{split}")
        if listed is not None:
            members[split] = [f"{domain.name}-{split}-{i}" for i in range(len(listed))]
            objects |= {i: {**obj, "id": i} for i, obj in zip(members[split], listed, strict=True)}
    return ListedTasks(objects, members, partial(task_from_json, domain))
