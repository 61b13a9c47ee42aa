"""Research's tables have the rows of the offline world."""

from typing import Any

from env_server.domains.kit import ANSWERS, SERVER_CALLS
from env_server.domains.research.tables import TABLES, WORLD_TABLES
from env_server.domains.research.world import world
from mcp_servers.world import rows
from tests.domains.research.desk import pack


def test_the_tables_are_those_of_the_offline_world() -> None:
    """Names, row types, keys and indexes are the world's own; an episode has two more tables."""
    assert list(WORLD_TABLES) == [table.name for table in rows.TABLES]
    for table in rows.TABLES:
        here = WORLD_TABLES[table.name]
        assert (here.row, here.key) == (table.row, table.key)
        assert [index.name for index in here.indexes] == [index.name for index in table.indexes]
    assert {table.name for table in TABLES} - set(WORLD_TABLES) == {ANSWERS.name, SERVER_CALLS.name}


def test_indexes_find_the_same_rows() -> None:
    """An index of a table of this server has the values of the world's index."""
    for table in rows.TABLES:
        base = pack().snapshot.tables[table.name]
        for index in table.indexes:
            row: Any = next(iter(base.rows.values()))
            for value in index.values(row):
                assert base.table.key_of(row) in base.index(index.name)[value]


def test_the_world_is_the_same_each_time() -> None:
    """Every call gives the same rows in the same order, as in the base."""
    again = world()
    assert list(again) == list(WORLD_TABLES)
    for name, rows_again in again.items():
        assert list(rows_again) == list(pack().snapshot.tables[name].rows.values()), name
