"""Ledger runs on SQLite with one process and two, and on PostgreSQL with two, each with several SIGKILLs at commits.

Clients play, fork, close each other's episodes and send everything again until it is answered. Then every acknowledged
request is sent again, all rows are counted, and everything is compared.
"""

import os
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.e2e.databases import VARIABLE
from tests.faults.ledger.run import Plan, perform

pytestmark = pytest.mark.faults

KILLS = int(os.environ.get("LEDGER_KILLS", "5"))
"""Kills in each run. About ten clients play for each."""


@pytest.mark.parametrize("replicas", [1, 2])
async def test_a_sqlite_file_loses_nothing(
    replicas: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No acknowledged turn is lost, changed or played twice, and nothing is sent twice or without a turn."""
    monkeypatch.delenv(VARIABLE, raising=False)
    result = await perform(Plan(10 * KILLS, replicas, KILLS, commits=15), tmp_path)
    with capsys.disabled():
        print(f"\nSQLite, {replicas} processes: {result}")
    assert result.kills >= KILLS


async def test_postgresql_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same holds for two replicas whose database is stopped at once, and started again, twice."""
    data = Path(parse_qs(urlsplit(os.environ[VARIABLE]).query)["host"][0])
    result = await perform(Plan(10 * KILLS, 2, KILLS, restarts=2, commits=15, data=data), tmp_path)
    with capsys.disabled():
        print(f"\nPostgreSQL, 2 processes: {result}")
    assert (result.kills >= KILLS, result.restarts) == (True, 2)
