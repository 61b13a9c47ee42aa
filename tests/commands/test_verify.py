"""`env-server verify` checks stored episodes, and finds every change that was made by hand."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from env_server.state import Snapshot
from tests.commands.conftest import Ran, Run

URL = "ENV_SERVER_DATABASE_URL"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The database of the played episodes, made once."""
    return [tmp_path_factory.mktemp("played") / "played.db"]


@pytest.fixture
def database(run: Run, recorded: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the database with two played episodes."""
    (original,) = recorded
    if not original.exists():
        monkeypatch.setenv(URL, f"sqlite:///{original}")
        for index in ("3", "21"):
            play = ("play", "--domain", "retail", "--split", "test", "--index", index, "--as", "oracle", "--json")
            assert run(*play).result["reward"] == 1.0
    copy = tmp_path / "copy.db"
    shutil.copy(original, copy)
    monkeypatch.setenv(URL, f"sqlite:///{copy}")
    return copy


def change(database: Path, statement: str, *values: object) -> None:
    """Change the database without the server."""
    connection = sqlite3.connect(database)
    with connection:
        assert connection.execute(statement, values).rowcount > 0
    connection.close()


def ask(database: Path, statement: str) -> list[tuple[object, ...]]:
    """Read the database."""
    connection = sqlite3.connect(database)
    found = connection.execute(statement).fetchall()
    connection.close()
    return found


def caught(done: Ran) -> list[dict[str, object]]:
    """The mismatches that a failed check reports."""
    assert (done.status, done.result["ok"]) == (1, False)
    found: list[dict[str, object]] = done.result["mismatches"]
    return found


def test_what_was_played_verifies(run: Run, database: Path) -> None:
    """One episode, the bases, and everything: the hashes recomputed from SQL are the stored ones."""
    (episode,) = ask(database, "SELECT episode_id FROM episodes LIMIT 1")[0]
    turns = ask(database, "SELECT COUNT(*) FROM turns")[0][0]
    one, base, everything = (run("verify", what, "--json") for what in (str(episode), "--base", "--all"))
    assert [done.status for done in (one, base, everything)] == [0, 0, 0]
    assert (one.result["episodes"], one.result["snapshots"], base.result["snapshots"]) == (1, 1, 1)
    assert (everything.result["episodes"], everything.result["turns"]) == (2, turns)
    assert "all hashes hold" in run("verify", "--all").out


def test_latest_is_the_newest_episode(run: Run, database: Path) -> None:
    """`verify latest` checks the newest episode."""
    (newest,) = ask(database, "SELECT episode_id FROM episodes ORDER BY id DESC LIMIT 1")[0]
    assert run("verify", "latest", "--json").result == run("verify", str(newest), "--json").result


def test_a_pack_that_changed_in_memory_is_named(run: Run, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hash of the rows in memory is recomputed, once for each pack of the database."""
    monkeypatch.setattr(Snapshot, "fresh_hash", lambda snapshot: snapshot.hash + 1)
    (found,) = caught(run("verify", "--base", "--json"))
    assert (found["what"], found["detail"]) == ("pack", "retail/builtin was changed in memory")


def test_every_changed_row_is_caught(run: Run, database: Path) -> None:
    """A change of any row that an episode wrote is found, with its turn and key."""
    for id, turn, table, key, row in ask(database, "SELECT id, turn, tbl, key, row FROM row_versions"):
        other = json.dumps({**json.loads(str(row)), "added": 1})
        change(database, "UPDATE row_versions SET row = ? WHERE id = ?", other, id)
        (found, *_) = caught(run("verify", "--all", "--json"))
        assert found["turn"] == turn
        assert f"{table}/{key}" in str(found["rows"])
        change(database, "UPDATE row_versions SET row = ? WHERE id = ?", row, id)
    assert run("verify", "--all").status == 0


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM row_versions WHERE id = (SELECT MAX(id) FROM row_versions)",
        "UPDATE row_versions SET row = NULL WHERE id = 1",
        "UPDATE row_versions SET row = 'not JSON' WHERE id = 1",
        "UPDATE row_versions SET row = '{\"n\":NaN}' WHERE id = 1",
        "UPDATE row_versions SET tbl = 'no_such_table' WHERE id = 1",
        "UPDATE row_versions SET turn = 1000 WHERE id = 1",
        "INSERT INTO row_versions SELECT 1000, episode, 1000, part, seq, tbl, key, row FROM row_versions WHERE id = 1",
        'UPDATE turns SET carry = replace(carry, \'"state_hash":"\', \'"state_hash":"0\') WHERE turn = 2',
        "UPDATE turns SET carry = '[]' WHERE turn = 2",
        'UPDATE turns SET reply = replace(reply, \'"state_hash":"\', \'"state_hash":"0\') WHERE turn = 2',
        "UPDATE turns SET reply = 'gone' WHERE turn = 2",
        "UPDATE tasks SET body = replace(body, ' your ', ' his ') WHERE id = 1",
        "UPDATE base_rows SET row = replace(row, '\"pending\"', '\"cancelled\"')",
        "UPDATE base_rows SET row = 'not JSON' WHERE pos = 7",
        "UPDATE base_rows SET key = 'other' WHERE pos = 7",
        "DELETE FROM base_rows WHERE pos = 7",
        "UPDATE base_rows SET pos = 1000000 WHERE pos = 7",
        "UPDATE snapshots SET state_hash = digest",
    ],
)
def test_every_kind_of_change_is_caught(run: Run, database: Path, statement: str) -> None:
    """A changed, deleted or broken row, turn, task or base is found."""
    change(database, statement)
    assert caught(run("verify", "--all", "--json"))


def test_a_change_is_named_where_it_is(run: Run, database: Path) -> None:
    """A changed base row is reported once, with its name, and its episodes are not."""
    ((pos, table, key),) = ask(database, "SELECT pos, tbl, key FROM base_rows WHERE row LIKE '%pending%' LIMIT 1")
    change(database, "UPDATE base_rows SET row = replace(row, 'pending', 'cancelled') WHERE pos = ?", pos)
    (found,) = caught(run("verify", "--all", "--json"))
    assert (found["what"], found["rows"]) == ("base", [f"{table}/{key}"])
    told = run("verify", "--base")
    assert told.status == 1
    assert f"{table}/{key}" in told.out


def test_a_row_that_cannot_be_read_is_named(run: Run, database: Path) -> None:
    """A broken row is reported as broken, beside the hash that differs."""
    change(database, "UPDATE row_versions SET row = '{' WHERE id = 1")
    (found, *_) = caught(run("verify", "--all", "--json"))
    ((table, key),) = ask(database, "SELECT tbl, key FROM row_versions WHERE id = 1")
    assert (found["detail"], found["rows"]) == ("rows that cannot be read", [f"{table}/{key}"])


def test_what_cannot_be_checked_is_not_called_good(run: Run, database: Path) -> None:
    """An episode whose pack is missing here gives a status of its own."""
    change(database, "UPDATE packs SET name = 'elsewhere'")
    done = run("verify", "--all", "--json")
    assert (done.status, done.result["ok"], done.result["mismatches"]) == (2, False, [])
    assert "does not have its pack retail/elsewhere" in str(done.result["unchecked"])


def test_checking_writes_nothing(run: Run, database: Path) -> None:
    """The rows of all tables are unchanged after a check."""
    tables = [str(name) for (name,) in ask(database, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    before = [ask(database, f"SELECT * FROM {table}") for table in tables]
    run("verify", "--all")
    assert [ask(database, f"SELECT * FROM {table}") for table in tables] == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name an episode (or `latest`), or add --base or --all"),
        (["--base", "--all"], "name an episode (or `latest`), or add --base or --all"),
        (["ep_nobody"], "no episode 'ep_nobody'"),
    ],
)
def test_misuse_is_one_readable_line(run: Run, database: Path, arguments: list[str], words: str) -> None:
    """Options must say what to check in one way, and it must exist."""
    done = run("verify", *arguments)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert words in done.err


def test_a_missing_database_is_not_made(run: Run, tmp_path: Path) -> None:
    """If there is no database, none is made, and nothing passes."""
    done = run("verify", "--all")
    assert done.status == 2
    assert "there is no database at" in done.err
    assert list(tmp_path.iterdir()) == []
