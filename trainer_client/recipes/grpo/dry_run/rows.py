"""The rows of a job, read without SkyRL, and their kinds: rows of one kind begin alike."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.settings import BadSettings
from trainer_client.skyrl.row import reset_options

COLUMNS = ("data_source", "prompt", "env_class", "extra_info")

OWN = "own"
"""The split of tasks that their rows carry."""

Row = Mapping[str, Any]


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


def kind_of(part: str, row: Row) -> Kind:
    """The kind of a row: its part of the data, and how its episodes begin."""
    options, info = reset_options(row, 1), row["extra_info"]
    told = json.loads(info) if isinstance(info, str) else info
    user = options.get("user") or {}
    return Kind(
        part,
        options["domain"],
        options.get("pack", "builtin"),
        options.get("expect", {}).get("pack_version"),
        OWN if "task" in options else told.get("split") or "listed",
        " ".join(filter(None, (user.get("strategy", "the task's"), user.get("model")))),
    )


def own_task(row: Row) -> str | None:
    """A text that identifies the task that the row carries; None for a listed task."""
    task = reset_options(row, 1).get("task")
    return None if task is None else json.dumps(task, sort_keys=True)


def read_rows(paths: Iterable[str]) -> list[Row]:
    """Read the rows of all files, each of which names a task.

    Raises:
        BadSettings: if there are none, or one is not a row.
        Unchecked: if a file cannot be read here.
    """
    rows = [row for path in paths for row in _rows_of(path)]
    if not rows:
        raise BadSettings(f"no rows: {', '.join(paths)}")
    for row in rows:
        _check(row)
    return rows


def _check(row: Row) -> None:
    if missing := [name for name in COLUMNS if name not in row]:
        raise BadSettings(f"a row lacks the columns {', '.join(missing)}")
    if not isinstance(row["prompt"], Sequence) or isinstance(row["prompt"], str):
        raise BadSettings(f"the prompt of a row is no list of messages: {row['prompt']!r:.100}")
    reset_options(row, 1)


def _rows_of(path: str) -> list[Row]:
    file = Path(path)
    match file.suffix.lower():
        case ".parquet":
            return _parquet(file)
        case ".jsonl":
            return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
        case ".json":
            found: list[Row] = json.loads(file.read_text(encoding="utf-8"))
            return found
        case _:  # SkyRL takes it for a data set on a hub
            raise Unchecked(f"{path} is no local file")


def _parquet(file: Path) -> list[Row]:
    try:
        from pyarrow import parquet  # noqa: PLC0415  # it comes with SkyRL, and is missing without
    except ImportError:
        raise Unchecked(f"{file}: pyarrow is not installed: pip install '.[data]' in a checkout") from None
    rows: list[Row] = parquet.read_table(file).to_pylist()
    return rows
