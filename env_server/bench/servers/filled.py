"""Fills a SQLite database with many episodes: copies of those that were played, made in SQL."""

import sqlite3
from contextlib import closing
from pathlib import Path

TABLES = {"episodes": "id", "turns": "episode", "row_versions": "episode", "endings": "episode"}
"""The tables of an episode, and the column with its key."""

APART = 1_000_000
"""The distance between the keys of an episode and of its next copy."""


def multiply(file: Path, total: int) -> None:
    """Copy the episodes of a database, whose server has stopped, until it has `total`.

    The copies are newer and in the same order. They are no forks, and they have no groups and no idempotency keys.
    """
    with closing(sqlite3.connect(file)) as connection, connection:
        (played,) = connection.execute("SELECT count(*) FROM episodes").fetchone()
        copies = -(-total // played) - 1
        for table, key in TABLES.items():
            _copy(connection, table, key, copies)
        extra = "SELECT id FROM episodes ORDER BY id DESC LIMIT max(0, (SELECT count(*) FROM episodes) - ?)"
        for table, key in reversed(TABLES.items()):
            connection.execute(f"DELETE FROM {table} WHERE {key} IN ({extra})", (total,))
        connection.execute("UPDATE counters SET next = ? WHERE name = 'episodes'", (APART * (copies + 2),))
        connection.execute("ANALYZE")


def _copy(connection: sqlite3.Connection, table: str, key: str, copies: int) -> None:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    copied = [name for name in columns if name != "id" or name == key]
    changed = {
        key: f"{key} + copy.number * {APART}",
        "episode_id": "episode_id || 'x' || copy.number",
        "group_id": "NULL",
        "parent": "NULL",
    }
    values = ", ".join(changed.get(name, name) for name in copied)
    numbers = "WITH RECURSIVE copy(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < ?)"
    connection.execute(
        f"{numbers} INSERT INTO {table} ({', '.join(copied)}) SELECT {values} FROM copy JOIN {table} ORDER BY number",
        (copies,),
    )
