import subprocess
import sys

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from env_server.records.engine import make_engine
from env_server.records.migrations import upgrade
from env_server.records.tables import metadata

UPGRADE = """
import sys
from env_server.records.engine import make_engine
from env_server.records.migrations import upgrade
sys.stdin.read(1)
upgrade(make_engine(sys.argv[1]))
"""


def test_the_migrations_make_exactly_the_tables(url: str) -> None:
    """Alembic finds no difference between the newest schema and the declared tables."""
    engine = make_engine(url)
    upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_upgrading_again_changes_nothing(url: str) -> None:
    """A second start finds the schema as it is and keeps the data."""
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
