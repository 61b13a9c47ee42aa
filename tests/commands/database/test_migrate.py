"""`env-server migrate`."""

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import text

from env_server.records.engine import make_engine
from env_server.records.migrations import config, everything, head
from tests.commands.conftest import Run

REVISIONS = [one.revision for one in everything()]


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The configured database, which does not exist yet."""
    url = f"sqlite:///{tmp_path / 'records.db'}"
    monkeypatch.setenv("ENV_SERVER_DATABASE_URL", url)
    return url


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_database_of_each_older_schema_is_upgraded(run: Run, url: str, revision: str) -> None:
    """`--check` names the missing migrations and changes nothing; `migrate` runs these, and then none is missing."""
    engine = make_engine(url)
    with engine.begin() as connection:
        command.upgrade(config(connection), revision)
        connection.execute(text("INSERT INTO secrets VALUES ('n', 'v')"))
    later = REVISIONS[REVISIONS.index(revision) + 1 :]
    for _ in range(2):
        checked = run("migrate", "--check", "--json")
        assert checked.status == (1 if later else 0)
        assert [one["revision"] for one in checked.result["pending"]] == later
    done = run("migrate", "--json")
    assert (done.status, [one["revision"] for one in done.result["applied"]]) == (0, later)
    assert run("migrate", "--check").status == 0
    with engine.connect() as connection:
        assert connection.execute(text("SELECT value FROM secrets")).scalar() == "v"
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == head()


def test_a_missing_database_is_made_by_migrate_alone(run: Run, url: str, tmp_path: Path) -> None:
    """`--check` makes no file and says that all migrations are missing; `migrate` makes the file."""
    checked = run("migrate", "--check")
    assert (checked.status, list(tmp_path.iterdir())) == (1, [])
    assert all(one.does in checked.out for one in everything())
    assert run("migrate").status == 0
    assert "the schema is the newest" in run("migrate").out


@pytest.mark.parametrize("arguments", [("migrate",), ("migrate", "--check"), ("verify", "--all")])
def test_the_schema_of_a_newer_program_is_refused(run: Run, url: str, arguments: tuple[str, ...]) -> None:
    """One line says that this program is too old, and the database stays as it is."""
    assert run("migrate").status == 0
    with make_engine(url).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    done = run(*arguments)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "upgrade this program" in done.err
    with make_engine(url).connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"
