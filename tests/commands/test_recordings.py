"""`env-server recordings`: recorded results leave one database and enter another."""

import asyncio
from pathlib import Path

import pytest

from env_server.records import RecordingRow, Store, Unit
from tests.commands.conftest import Run

URL = "ENV_SERVER_DATABASE_URL"
ROWS = [
    RecordingRow("may", "post", "look", digest, "0", 0, '{"text":"a"}', '{"text":"look: a"}', False, "v1", 0.25, at)
    for digest, at in (("d1", 1_000.0), ("d2", 2_000_000_000.0))
]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with two recordings."""
    path = tmp_path / "recorded.db"

    async def record() -> None:
        store = Store.open(f"sqlite:///{path}")
        await store.commit(Unit(recordings=ROWS))
        await store.close()

    asyncio.run(record())
    monkeypatch.setenv(URL, f"sqlite:///{path}")
    return path


def test_recordings_are_listed_by_tag_and_server(database: Path, run: Run) -> None:
    """As a table for people and as one object for programs."""
    assert "may" in run("recordings", "list").out
    (found,) = run("recordings", "list", "--json").result["recordings"]
    assert (found["tag"], found["server"], found["results"]) == ("may", "post", 2)


def test_recordings_move_between_databases(
    database: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is exported is imported unchanged, once; a second import changes nothing."""
    refused = run("recordings", "export", "may", "--out", "may.jsonl")
    assert refused.status == 2
    assert "--vendor-data" in refused.err
    assert run("recordings", "export", "may", "--out", "may.jsonl", "--vendor-data", "--json").result == {"exported": 2}
    monkeypatch.setenv(URL, f"sqlite:///{tmp_path}/other.db")
    for _ in range(2):
        assert run("recordings", "import", "may.jsonl", "--json").result == {"imported": 2}
    again = run("recordings", "export", "may", "--vendor-data").out
    assert again == Path("may.jsonl").read_text(encoding="utf-8")


def test_old_recordings_are_pruned(database: Path, run: Run) -> None:
    """Only those of the tag that are older than the given days; without days, all."""
    assert run("recordings", "prune", "may", "--older-than", "3650", "--json").result == {"deleted": 1}
    assert run("recordings", "prune", "june", "--json").result == {"deleted": 0}
    assert run("recordings", "prune", "may", "--json").result["deleted"] in (0, 1)


def test_a_file_that_holds_no_recordings_is_named_with_its_line(database: Path, run: Run) -> None:
    """Neither half a line nor another object is stored."""
    Path("bad.jsonl").write_text('{"tag": "x"}\n', encoding="utf-8")
    failed = run("recordings", "import", "bad.jsonl")
    assert failed.status == 2
    assert "bad.jsonl: line 1 is no recording" in failed.err
    assert run("recordings", "export", "none", "--vendor-data").status == 2
