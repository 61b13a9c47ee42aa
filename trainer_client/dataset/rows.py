"""The shape of a row: SkyRL's five columns, of one type in every row, whatever the domain."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from schemas import DEFAULT_TURNS
from trainer_client.row import ENV_CLASS

METHOD = "env_server"
"""How a row is rewarded: by the server that plays its episode."""

Row = dict[str, Any]

_ON_THE_SERVER = {"actions": None, "outputs": None}
"""Ground truth that does not go along. An object in every row: `datasets` joins no object with a null."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all rows of one domain have in common."""

    domain: str
    pack: str
    pack_version: str
    """What the rows rely on: a server with another version refuses to play them."""

    system: str
    """The system message: policy, tools, examples."""

    user: Mapping[str, Any] | None = None
    """Who plays the user, as in `/reset`; None for the pack's script."""

    max_turns: int = DEFAULT_TURNS
    """Messages of the agent after which an episode ends; a trainer may have a lower limit."""


def row(  # noqa: PLR0913 -- each is a column
    setting: Setting,
    *,
    source: str,
    split: str,
    purpose: Literal["train", "eval"],
    task_id: str | None = None,
    task: Mapping[str, Any] | None = None,
    template: str | None = None,
    difficulty: int | None = None,
    ground_truth: Mapping[str, Any] | None = None,
) -> Row:
    """One row.

    Args:
        setting: What it shares with others.
        source: The group under which results are reported.
        split: The split of the task.
        purpose: What the row is for.
        task_id: A listed task, or
        task: a task that goes along, as `/reset` takes it.
        template: The kind of a generated task.
        difficulty: How difficult it is, where that is measured.
        ground_truth: The reference solution, where it goes along; else it stays on the server.
    """
    return {
        "data_source": source,
        "prompt": [{"role": "system", "content": setting.system}],
        "env_class": ENV_CLASS,
        "reward_spec": {"method": METHOD, "ground_truth": dict(ground_truth or _ON_THE_SERVER)},
        "extra_info": {
            "domain": setting.domain,
            "pack": setting.pack,
            "pack_version": setting.pack_version,
            "task_id": task_id,
            "split": split,
            "template": template,
            "difficulty": difficulty,
            "purpose": purpose,
            "max_turns": setting.max_turns,
            "user": as_text(setting.user),
            "task": as_text(task),
        },
    }


def as_text(value: Mapping[str, Any] | None) -> str | None:
    """An object as JSON text.

    A column has one type: of objects with different keys a table would make one with all keys, the absent ones null,
    which are other arguments for a tool than none.
    """
    return None if value is None else json.dumps(value, separators=(",", ":"), sort_keys=True)
