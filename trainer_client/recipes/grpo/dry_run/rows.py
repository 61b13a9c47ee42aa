"""The kinds of a job's rows: rows of one kind begin alike."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainer_client.recipes.grpo.rows.read import Row
from trainer_client.skyrl.row import BUILTIN, overridden, reset_options

DEFAULT = "the server's default"
"""In place of a user's strategy where neither row nor job names one."""

OWN = "own"
"""The split of tasks that their rows carry."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The values that rows share which begin alike. A listed task stands for its kind; a carried task does not."""

    part: str
    """`train` or `val`."""

    domain: str
    pack: str
    version: str | None
    split: str
    """The split of their tasks; `own` if the rows carry them."""

    user: str

    def __str__(self) -> str:
        """Name the kind, without the version, which means nothing to people."""
        return f"{self.part} {self.domain}/{self.pack}, {self.split} tasks, user {self.user}"


def kind_of(part: str, row: Row, fields: Mapping[str, Any]) -> Kind:
    """The kind of a row: its part of the data, and how its episodes begin where a job sets these fields of `/reset`."""
    options, info = overridden(reset_options(row, 1), fields, None), row["extra_info"]
    told = json.loads(info) if isinstance(info, str) else info
    user = options.get("user") or {}
    return Kind(
        part,
        options["domain"],
        options.get("pack", BUILTIN),
        options.get("expect", {}).get("pack_version"),
        OWN if "task" in options else told.get("split") or "listed",
        " ".join(filter(None, (user.get("strategy", DEFAULT), user.get("model")))),
    )


def own_task(row: Row) -> str | None:
    """A text that identifies the task that the row carries; None for a listed task."""
    task = reset_options(row, 1).get("task")
    return None if task is None else json.dumps(task, sort_keys=True)
