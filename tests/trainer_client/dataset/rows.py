"""Playing what a row says, as its documentation says to."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from trainer_client import Client, Episode


def begin(client: Client, row: Mapping[str, Any], **more: Any) -> Episode:
    """The episode that a row names; `more` goes before what it says."""
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
    """The listed tasks that rows name."""
    return [row["extra_info"]["task_id"] for row in rows]
