"""The check for leakage: no task is both trained on and evaluated on."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.rows.read import Row
from trainer_client.recipes.grpo.settings import BadSettings, parts
from trainer_client.skyrl.row import BUILTIN, reset_options

NAMES = ("domain", "pack", "task_id", "split", "difficulty", "index", "task")
"""The options that identify a task: the task itself if the row carries it, or its name or place on the server."""


def evaluation_does_not_leak(job: Job) -> str:
    """Check that no file and no task is in both parts, and that few golds of rows to evaluate on are trained on."""
    rows = job.readable()
    files = {part: {Path(path).resolve() for path in paths} for part, paths in parts(job.settings).items()}
    if "val" not in files:
        return "nothing is evaluated"
    if "val" not in rows:
        raise Unchecked("there are no rows to evaluate on")
    if both := files["train"] & files["val"]:
        raise BadSettings(f"what is trained on is evaluated on: {', '.join(sorted(map(str, both)))}")
    if tasks := _trained_on(rows["train"], rows["val"], _task):
        raise BadSettings(f"the tasks of {tasks} of {len(rows['val'])} rows to evaluate on are trained on")
    golds = _trained_on(rows["train"], rows["val"], _gold)
    told = f"the gold of {golds} of {len(rows['val'])} rows to evaluate on is trained on"
    if golds > len(rows["val"]) / 2:
        raise BadSettings(told)
    return told if golds else "no task is trained on and evaluated on"


def _trained_on(train: Iterable[Row], val: Iterable[Row], what: Callable[[Row], str | None]) -> int:
    """The number of rows of `val` for which `what` gives a text that it also gives for a row of `train`."""
    trained = {what(row) for row in train} - {None}
    return sum(what(row) in trained for row in val)


def _task(row: Row) -> str:
    """A text that identifies the row's task."""
    options = {"pack": BUILTIN, **reset_options(row, 1)}
    return json.dumps([options.get(name) for name in NAMES], sort_keys=True)


def _gold(row: Row) -> str | None:
    """The gold of a task that the row carries, if it has actions or outputs."""
    options = reset_options(row, 1)
    gold = options.get("task", {}).get("gold")
    asks = isinstance(gold, Mapping) and any(gold.values())
    return json.dumps([options["domain"], gold], sort_keys=True) if asks else None
