"""Beginning at most once, and the answers to late retries."""

import sqlite3
from pathlib import Path
from time import time
from typing import Any

import orjson
import pytest

from agent_env_schemas import ForkRequest, ResetRequest
from env_server.episodes import Episodes

Pair = tuple[Episodes, Episodes]
DAY = 86_400.0
RESET = ResetRequest(domain="retail", split="test", index=0, idempotency_key="reset")
GROUP = RESET.model_copy(update={"n": 2, "idempotency_key": "group"})


async def begun(episodes: Episodes) -> list[dict[str, Any]]:
    """Begin a reset, a group and a fork, each with a key. Return all the episodes in order."""
    one = orjson.loads(await episodes.reset(RESET, "tester", "http://here"))
    group = orjson.loads(await episodes.reset(GROUP, "tester", "http://here"))
    request = ForkRequest(turn=0, idempotency_key="fork")
    fork = orjson.loads(await episodes.fork(one["episode_id"], request, "tester", "http://here"))
    return [one, *group["episodes"], fork]


def stored(folder: Path) -> sqlite3.Connection:
    """The database of `pair`."""
    return sqlite3.connect(folder / "episodes.db")


async def test_a_retry_is_given_a_token_that_is_good_now(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Days later another process gives the same answer, but with a new token; the database holds no token."""
    first = await begun(pair[0])
    later = time() + 2 * DAY
    monkeypatch.setattr("env_server.episodes.begin.idempotency.time", lambda: later)
    again = await begun(pair[1])
    for before, now in zip(first, again, strict=True):
        assert pair[1].tokens.episode_of(before.pop("agent_token"), later) is None
        assert pair[1].tokens.episode_of(now.pop("agent_token"), later) == now["episode_id"]
        assert before == now
    with stored(tmp_path) as database:
        assert "agt_" not in "".join(database.iterdump())


async def test_a_database_that_holds_tokens_is_understood(pair: Pair, tmp_path: Path) -> None:
    """Replies that an older version stored hold a token that has expired; they are answered with a valid one."""
    first = await begun(pair[0])
    with stored(tmp_path) as database:
        (table,) = database.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%body_digest%'").fetchone()
        for episode in first:
            name = episode["episode_id"]
            old = pair[0].tokens.make(name, now=1_000.0)
            database.execute(f"UPDATE {table} SET reply = replace(reply, ?, ?)", (f"\x02{name}", f'"{old}"'))
        assert "\x02" not in "".join(database.iterdump())
    again = await begun(pair[1])
    for before, now in zip(first, again, strict=True):
        assert pair[1].tokens.episode_of(now.pop("agent_token"), time()) == now["episode_id"]
        assert {**before, "agent_token": None} == {**now, "agent_token": None}
