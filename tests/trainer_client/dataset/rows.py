"""Plays rows as their documentation describes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from trainer_client import Client, Episode


def begin(client: Client, row: Mapping[str, Any], **more: Any) -> Episode:
    """The episode that a row names; `more` replaces fields of the row."""
    info = row["extra_info"]
    nested = {name: json.loads(info[name]) for name in ("user", "task") if info[name] is not None}
    named = {} if info["task_id"] is None else {"task_id": info["task_id"]}
    options = {"pack": info["pack"], "max_turns": info["max_turns"], "purpose": info["purpose"], **nested, **named}
    return client.reset(info["domain"], expect={"pack_version": info["pack_version"]}, **{**options, **more})


def system(row: Mapping[str, Any]) -> str:
    """The one message of a row's prompt, which is the system's."""
    (message,) = row["prompt"]
    assert message.keys() == {"role", "content"}
    assert message["role"] == "system"
    return str(message["content"])


def task_ids(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The ids of the listed tasks in the rows."""
    return [row["extra_info"]["task_id"] for row in rows]


def sound_tasks(client: Client, domain: str, n: int, template: str | None = None) -> list[dict[str, Any]]:
    """`n` sound tasks in the form of a file: listed ones whose gold has only agent's calls and changes something."""
    found = []
    for task in client.tasks(domain, split="val", limit=200).tasks:
        detail = client.task(domain, task.task_id, gold=True)
        gold = detail.gold
        if template not in (None, task.template) or gold is None or "state" not in detail.basis or gold.outputs:
            continue
        if any(c.requestor == "user" or c.name.startswith("transfer") for c in gold.actions) or task.difficulty != 1:
            continue
        actions = [{"name": c.name, "kwargs": c.arguments} for c in gold.actions]
        found.append({"domain": domain, "user_id": "u", "instruction": detail.instruction, "actions": actions})
        if len(found) == n:
            return found
    raise AssertionError(f"{domain} has no {n} such tasks")
