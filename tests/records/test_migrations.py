import subprocess
import sys

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text

from env_server.records.engine import make_engine
from env_server.records.migrations import config, head, migrate, upgrade
from env_server.records.tables import metadata

UPGRADE = """
import sys
from env_server.records.engine import make_engine
from env_server.records.migrations import upgrade
sys.stdin.read(1)
upgrade(make_engine(sys.argv[1]))
"""


def schema(engine: Engine) -> list[object]:
    """The database's own description of its tables, and its latest migration."""
    with engine.connect() as connection:
        found = inspect(connection)
        tables = [(name, found.get_columns(name), found.get_pk_constraint(name)) for name in found.get_table_names()]
        keys = [
            (found.get_indexes(name), found.get_unique_constraints(name), found.get_foreign_keys(name))
            for name, *_ in tables
        ]
        version = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    return [[repr(table) for table in tables], keys, version]


def test_the_migrations_make_exactly_the_tables(url: str) -> None:
    """Alembic finds no difference between the newest schema and the declared tables."""
    engine = make_engine(url)
    with engine.begin() as connection:
        migrate(connection)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_an_empty_database_gets_what_the_migrations_make(url: str) -> None:
    """An empty database is created without Alembic, and equals a migrated one in all that it says about itself."""
    created = make_engine(url)
    upgrade(created)
    found = schema(created)
    with created.begin() as connection:
        metadata.drop_all(connection)
        connection.execute(text("DROP TABLE alembic_version"))
        migrate(connection)
    assert schema(created) == found


def test_listings_get_a_name_of_their_own(url: str) -> None:
    """A recorded listing of tools gets a new name; a call of a tool that is named `tools/list` keeps its own."""
    engine = make_engine(url)
    insert = "INSERT INTO recordings VALUES ('june', 'post', 'tools/list', :it, '', 0, '{}', '[]', :no, :version, 0, 0)"
    with engine.begin() as connection:
        command.upgrade(config(connection), "0005")
        for digest, version in (("a", "a"), ("b", "c")):
            connection.execute(text(insert), {"it": digest, "version": version, "no": False})
    with engine.begin() as connection:
        migrate(connection)
        found = connection.execute(text("SELECT arguments, tool FROM recordings ORDER BY arguments")).all()
    assert [tuple(row) for row in found] == [("a", "(listing)"), ("b", "tools/list")]


def test_an_older_database_is_upgraded(url: str) -> None:
    """A database of an earlier migration gets the later ones, and keeps its rows."""
    engine = make_engine(url)
    with engine.begin() as connection:
        command.upgrade(config(connection), "0001")
        connection.execute(text("INSERT INTO secrets VALUES ('n', 'v')"))
    upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("SELECT value FROM secrets")).scalar() == "v"
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == head()


def test_the_newest_migration_is_known_by_its_file() -> None:
    """The revision in the newest file's name is the one that Alembic reads from its contents."""
    assert ScriptDirectory.from_config(config()).get_heads() == [head()]


def test_upgrading_again_changes_nothing(url: str) -> None:
    """A second start changes neither schema nor data."""
    engine = make_engine(url)
    upgrade(engine)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO secrets VALUES ('n', 'v')"))
    upgrade(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT value FROM secrets")).scalar() == "v"


def test_processes_that_start_together_upgrade_once(url: str) -> None:
    """Several first starts on one missing file all succeed."""
    command = [sys.executable, "-c", UPGRADE, url]
    starts = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    for start in starts:
        assert start.stdin is not None
        start.stdin.write(b"g")
        start.stdin.flush()
    results = [start.communicate(timeout=300) for start in starts]
    assert [(start.returncode, error) for start, (_, error) in zip(starts, results, strict=True)] == [(0, b"")] * 3
