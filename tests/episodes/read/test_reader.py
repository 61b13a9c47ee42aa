"""Read-only requests about episodes whose record is damaged."""

import sqlite3
from contextlib import closing
from pathlib import Path

import orjson
import pytest

from agent_env_schemas import ErrorCode, ResetRequest
from env_server.episodes import Episodes
from env_server.errors import ProblemError


@pytest.mark.parametrize("table", ["turns", "packs", "tasks"])
async def test_an_incomplete_record_is_named(pair: tuple[Episodes, Episodes], tmp_path: Path, table: str) -> None:
    """If a part of the record is missing, the problem says so and names the episode."""
    one, two = pair
    reply = await one.reset(ResetRequest(domain="retail", split="test", index=0), "tester")
    name = orjson.loads(reply)["episode_id"]
    with closing(sqlite3.connect(tmp_path / "episodes.db")) as connection, connection:
        assert connection.execute(f"DELETE FROM {table}").rowcount > 0
    with pytest.raises(ProblemError, match="incomplete") as refused:
        two.reader.summary(name)
    assert (refused.value.code, refused.value.episode_id) == (ErrorCode.INTERNAL, name)
