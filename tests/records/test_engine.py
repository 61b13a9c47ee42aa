"""How a SQLite database is opened."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from env_server.records.engine import BUSY_TIMEOUT_MS, CHECKPOINT_PAGES, make_engine, make_read_only_engine


@pytest.mark.parametrize(("synchronous", "number"), [("NORMAL", 1), ("FULL", 2)])
def test_every_connection_is_set_up(synchronous: Any, number: int, tmp_path: Path) -> None:
    """Write-ahead logging, the wait for a lock, the durability that was asked for, and rare checkpoints."""
    engine = make_engine(f"sqlite:///{tmp_path}/folder/one.db", synchronous)
    with engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "busy_timeout", "synchronous", "wal_autocheckpoint")
        }
    assert found == {
        "journal_mode": "wal",
        "busy_timeout": BUSY_TIMEOUT_MS,
        "synchronous": number,
        "wal_autocheckpoint": CHECKPOINT_PAGES,
    }


def test_a_transaction_locks_from_its_beginning(tmp_path: Path) -> None:
    """A transaction that would fail in its middle, because another one writes, fails at its beginning."""
    engine = make_engine(f"sqlite:///{tmp_path}/one.db")
    with engine.begin() as connection:
        connection.exec_driver_sql("SELECT 1")
        with (
            closing(sqlite3.connect(tmp_path / "one.db", timeout=0, isolation_level=None)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://host/one"])
def test_what_cannot_keep_episodes_is_refused(url: str) -> None:
    """A database in memory, and one of another kind."""
    with pytest.raises(ValueError, match="use sqlite:///file"):
        make_engine(url)


def test_an_engine_that_only_reads_refuses_a_write(tmp_path: Path) -> None:
    """What another engine commits is read, also while that one is open; a write is an error of the database."""
    writing = make_engine(f"sqlite:///{tmp_path}/one.db")
    with writing.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x)")
        connection.exec_driver_sql("INSERT INTO t VALUES (1)")
    reading = make_read_only_engine(f"sqlite:///{tmp_path}/one.db")
    with reading.connect() as connection:
        assert connection.exec_driver_sql("SELECT x FROM t").scalar() == 1
        with pytest.raises(OperationalError, match="readonly"):
            connection.exec_driver_sql("INSERT INTO t VALUES (2)")
    with pytest.raises(OperationalError, match="unable to open"):
        make_read_only_engine(f"sqlite:///{tmp_path}/none.db").connect()
    assert not (tmp_path / "none.db").exists()
