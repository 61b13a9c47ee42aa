"""The kinds of a job's rows: rows of one kind begin alike."""

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from agent_env_schemas import ResetRequest
from trainer_client.recipes.grpo.rows.read import Row
from trainer_client.skyrl.row import BUILTIN, FIELDS, overridden, reset_options

DEFAULT = "the server's default"
"""Stands for a user's strategy if neither row nor job names one."""

INFORMS = frozenset({"purpose", "template"})
"""Fields of `extra_info` that only inform."""

CLOSE = 0.85
"""The similarity, from 0 to 1, of two names from which one is probably a misspelling of the other."""

OWN = "own"
"""The split of tasks that their rows carry."""


@dataclass(frozen=True, slots=True)
class RowKind:
    """The values that rows share whose episodes begin alike. One listed task stands for its kind in a check; tasks that
    rows carry are checked one by one.
    """

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


def kind_of(part: str, row: Row, fields: Mapping[str, Any]) -> RowKind:
    """The kind of a row: its part of the data, and how its episodes begin where a job sets these fields of `/reset`."""
    options, info = overridden(reset_options(row, 1), fields, None), row["extra_info"]
    told = json.loads(info) if isinstance(info, str) else info
    user = options.get("user") or {}
    return RowKind(
        part,
        options["domain"],
        options.get("pack", BUILTIN),
        options.get("expect", {}).get("pack_version"),
        OWN if "task" in options else told.get("split") or "listed",
        " ".join(filter(None, (user.get("strategy", DEFAULT), user.get("model")))),
    )


def unread(row: Row) -> Iterator[str]:
    """The fields that a row seems to set for its episode but that nobody reads, each with a hint."""
    given = row["extra_info"]
    info: Mapping[str, Any] = json.loads(given) if isinstance(given, str) else given
    told = {name for name, value in info.items() if value is not None}
    for name in sorted(told - FIELDS - INFORMS):
        if name in ResetRequest.model_fields:
            yield f"extra_info.{name}: a row cannot set it"
        elif close := _meant(name):
            yield f"extra_info.{name}: did you mean {close}?"
    for name in sorted(FIELDS & {name for name, value in row.items() if value is not None} - told):
        yield f"{name}: a column, and not in extra_info"


@cache
def _meant(name: str) -> str | None:
    """The field that was probably meant."""
    return next(iter(difflib.get_close_matches(name, FIELDS, n=1, cutoff=CLOSE)), None)


def own_task(row: Row) -> str | None:
    """A text that identifies the task that the row carries; None for a listed task."""
    task = reset_options(row, 1).get("task")
    return None if task is None else json.dumps(task, sort_keys=True)
