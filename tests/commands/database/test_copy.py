"""`env-server copy`: its refusals, each in one line. tests/e2e/test_upkeep.py tests the copy."""

from pathlib import Path

import pytest
from alembic import command

from env_server.records.engine import make_engine
from env_server.records.migrations import config, upgrade
from tests.commands.conftest import Run


@pytest.fixture
def source(tmp_path: Path) -> str:
    """An empty database of the newest schema."""
    url = f"sqlite:///{tmp_path / 'source.db'}"
    upgrade(make_engine(url))
    return url


@pytest.mark.parametrize(
    ("given", "to", "words"),
    [
        ("sqlite:///none.db", "sqlite:///new.db", "there is no database at"),
        ("mysql://me:hidden@host/x", "sqlite:///new.db", "--from: unsupported database 'mysql'"),
        (None, "mysql://me:hidden@host/x", "--to: unsupported database 'mysql'"),
        (None, "postgresql://me:hidden@127.0.0.1:9/x", "postgresql://me:***@127.0.0.1:9/x"),
    ],
)
def test_addresses_that_cannot_be_used(run: Run, source: str, given: str | None, to: str, words: str) -> None:
    """Each wrong address is one line without a password, and no file is made."""
    done = run("copy", "--from", given or source, "--to", to)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert words in done.err
    assert "hidden" not in done.err
    assert not Path("new.db").exists()


def test_an_older_schema_is_not_copied(run: Run, tmp_path: Path) -> None:
    """The refusal names the command that upgrades the schema, and the source stays unchanged."""
    url = f"sqlite:///{tmp_path / 'old.db'}"
    with make_engine(url).begin() as connection:
        command.upgrade(config(connection), "0003")
    done = run("copy", "--from", url, "--to", "sqlite:///new.db")
    assert done.status == 2
    assert "old.db has an older schema: run `env-server migrate` on it first" in done.err


def test_the_configured_database_is_the_source(run: Run, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `--from` the configured database is the source; a second copy, to a target with rows, is refused."""
    monkeypatch.setenv("ENV_SERVER_DATABASE_URL", source)
    with make_engine(source).begin() as connection:
        connection.exec_driver_sql("INSERT INTO secrets VALUES ('n', 'v')")
    done = run("copy", "--to", "sqlite:///new.db")
    assert (done.status, "1 secrets" in done.out) == (0, True)
    again = run("copy", "--to", "sqlite:///new.db", "--json")
    assert (again.status, "new.db is not empty: it has rows in secrets" in again.err) == (2, True)
