"""`env-server bench --pages`."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from env_server.bench.measures.pages import FEW, LARGEST, MANY, addresses
from env_server.bench.servers.filled import multiply
from env_server.cli import app
from env_server.records.engine import make_engine
from env_server.records.migrations import upgrade


@pytest.mark.slow
def test_pages_are_measured() -> None:
    """Each kind of page has times and a size with few and with many episodes, on a real server."""
    result = CliRunner().invoke(app, ["bench", "--pages", "--quick", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])["pages"]
    assert set(found) == set(addresses("retail", "a", "b"))
    for page in found.values():
        for number in (FEW, MANY):
            assert 0 < page[str(number)]["p50_ms"] <= page[str(number)]["p95_ms"]
            assert 0 < page[str(number)]["bytes"] < LARGEST
    assert "a run" in result.stderr


def test_copies_of_episodes(tmp_path: Path) -> None:
    """As many copies as asked for are made, each with turns and an ending; the next episode gets a key of its own."""
    file = tmp_path / "records.db"
    upgrade(make_engine(f"sqlite:///{file}"))
    with closing(sqlite3.connect(file)) as connection, connection:
        for id in (1, 2):
            connection.execute(
                "INSERT INTO episodes VALUES (?, ?, 1, 1, 'r', NULL, 'g', NULL, NULL, 'me', 0, '{}', 0)",
                (id, f"ep_{id}"),
            )
            connection.execute("INSERT INTO endings VALUES (?, 1, 'user_stop', 0, 1, 0)", (id,))
            connection.execute(
                "INSERT INTO turns (episode, turn, part, seq, action, reply, carry, at) "
                "VALUES (?, 0, 0, 0, '', '', '', 0)",
                (id,),
            )
        connection.execute("INSERT INTO counters VALUES ('episodes', 1001)")
    multiply(file, 5)
    with closing(sqlite3.connect(file)) as connection:
        for table, key in (("episodes", "id"), ("endings", "episode"), ("turns", "episode")):
            counted = f"SELECT count(*), count(DISTINCT {key}) FROM {table}"
            assert connection.execute(counted).fetchone() == (5, 5)
        assert connection.execute("SELECT count(DISTINCT episode_id), count(group_id) FROM episodes").fetchone() == (
            5,
            2,
        )
        newest, free = connection.execute("SELECT max(id), (SELECT next FROM counters) FROM episodes").fetchone()
    assert newest < free


def test_one_measurement_at_a_time() -> None:
    """The option cannot be combined with another measurement."""
    result = CliRunner().invoke(app, ["bench", "--pages", "--tools"])
    assert (result.exit_code, "at a time" in result.stderr) == (2, True)
