"""Refused inline tasks, without HTTP: what the database keeps of them."""

import sqlite3
from pathlib import Path
from typing import Any

import orjson
import pytest

from agent_env_schemas import ErrorCode, ResetRequest
from env_server.episodes import Episodes
from env_server.errors import ProblemError

LOOK = {"name": "list_all_product_types", "arguments": {}}
GONE = {"name": "get_order_details", "arguments": {"order_id": "#W0"}}


async def reset(episodes: Episodes, *actions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Begin an episode of a task with this gold."""
    task = {"instruction": "x", "gold": {"actions": actions}, **more}
    request = ResetRequest.model_validate({"domain": "retail", "task": task, "user": {"strategy": "none"}})
    found: dict[str, Any] = orjson.loads(await episodes.reset(request, "tester"))
    return found


def rows(folder: Path) -> list[int]:
    """The number of rows in the tables of tasks, gold and episodes."""
    with sqlite3.connect(folder / "episodes.db") as database:
        tables = ("tasks", "golds", "episodes", "turns")
        return [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]


async def test_a_refused_task_leaves_nothing_behind(pair: tuple[Episodes, Episodes], tmp_path: Path) -> None:
    """A task whose gold fails or does nothing leaves no row, however often it is sent; if allowed, it is stored."""
    one, _ = pair
    await reset(one, LOOK, basis=["state", "actions"])
    before = rows(tmp_path)
    for action in (LOOK, LOOK, GONE, GONE):
        with pytest.raises(ProblemError) as problem:
            await reset(one, action)
        assert problem.value.code is ErrorCode.INVALID_REQUEST
    assert rows(tmp_path) == before
    await reset(one, LOOK, allow_no_effect=True)
    assert rows(tmp_path) == [n + 1 for n in before]
    with pytest.raises(ProblemError, match="doing nothing would solve"):
        await reset(one, LOOK)
