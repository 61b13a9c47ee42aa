"""Tasks drawn from a server's own lists, which its domains generate by rule: rows with the task and its solution."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from trainer_client.client import Client
from trainer_client.client.errors import ServerError
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.prepare import Preparation, prepare
from trainer_client.dataset.row_files import Row, as_text


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """The options of `trainer data generate rule`."""

    each: Preparation
    """How to make the rows of one split."""

    splits: Sequence[str] = ("train",)


def draw(client: Client, wanted: Drawing) -> tuple[list[Row], dict[str, Any]]:
    """Make the rows of `prepare` for each split, with the whole task as JSON text in the column `task`.

    The server gives a task with its gold to a trainer. Gold's calls and outputs are the ground truth of the row. If the
    server refuses to give a task, `task` is null, and the report counts the row in `without_gold`.

    Raises:
        DataError: if there are no tasks, if they are not allowed, or if a domain's tasks come from an operator's file.
        ServerError: if the server refuses.
    """
    rows: list[Row] = []
    sources: list[dict[str, Any]] = []
    _refuse_files(client, wanted)
    for split in wanted.splits:
        made, report = prepare(client, replace(wanted.each, split=split))
        rows += [_with_task(client, row) for row in made]
        sources += report["domains"]
    without = sum(row["task"] is None for row in rows)
    return rows, {"rows": len(rows), "domains": sources, "without_gold": without}


def _refuse_files(client: Client, wanted: Drawing) -> None:
    """Refuse a domain that an operator made of MCP servers: its tasks stand in a file, and no rule makes them."""
    for domain in client.domains().domains:
        pack = next((each for each in domain.packs if each.name == wanted.each.pack), None)
        if domain.name not in wanted.each.domains or pack is None or not pack.servers:
            continue
        listed = client.tasks(domain.name, pack=pack.name, limit=1).tasks
        if all(task.template is None for task in listed):
            what = "its tasks stand in a file of the operator, and no rule makes others"
            raise DataError(f"{domain.name} is made of MCP servers: {what}; use `specs` or `llm`")


def _with_task(client: Client, row: Row) -> Row:
    info = row["extra_info"]
    try:
        task = client.task(info["domain"], info["task_id"], info["pack"], gold=True)
    except ServerError as e:
        if e.retryable:
            raise
        return {**row, "task": None}
    if task.gold is None:
        return {**row, "task": None}
    calls = [{"requestor": c.requestor, "name": c.name, "arguments": as_text(c.arguments)} for c in task.gold.actions]
    truth = {"actions": calls, "outputs": list(task.gold.outputs)}
    spec = {**row["reward_spec"], "ground_truth": truth}
    return {**row, "reward_spec": spec, "task": as_text(task.model_dump(mode="json"))}
