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
    """Each connection has write-ahead logging, a wait for locks, the asked durability, and rare checkpoints."""
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
    """If another transaction writes, a transaction fails at its beginning and not later."""
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
    """A database in memory, and one of an unknown kind, are refused."""
    with pytest.raises(ValueError, match="use sqlite:///file"):
        make_engine(url)


def test_an_engine_that_only_reads_refuses_a_write(tmp_path: Path) -> None:
    """An engine for reading sees other engines' commits, also while they are open, and cannot write."""
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
