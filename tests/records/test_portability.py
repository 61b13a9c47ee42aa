import pytest
from sqlalchemy import ClauseElement, Dialect, create_mock_engine
from sqlalchemy.schema import CreateTable

from env_server.records import EpisodeFilter, catalog, recordings, statements, tables
from env_server.records import turn_claims as claims
from env_server.records.archive import look_up, write
from env_server.records.ids import reserve_statement
from env_server.records.read import listings, moment, reads
from env_server.records.upkeep import prune


def _statements(dialect: Dialect) -> list[ClauseElement]:
    """Every SQL statement of the package, built for `dialect`."""
    wanted = EpisodeFilter("run", "group", "domain", done=True)
    declared = [
        value
        for module in (reads, catalog, claims, recordings, statements, listings, prune, look_up, write, moment)
        for value in vars(module).values()
    ]
    return [
        *(value for value in declared if isinstance(value, ClauseElement)),
        *(statements.insert_once(dialect, table) for table in tables.metadata.tables.values()),
        *(CreateTable(table) for table in tables.metadata.tables.values()),
        claims.take_statement(dialect),
        reserve_statement(dialect),
        listings.count_statement(wanted),
        listings.page_statement(wanted, 10, before=5),
    ]


@pytest.mark.parametrize(("driver", "style"), [("postgresql+psycopg", "format"), ("sqlite+pysqlite", "qmark")])
def test_every_statement_compiles_for_both_databases(driver: str, style: str) -> None:
    """Every statement compiles for both dialects; that needs no server and no driver."""
    dialect = create_mock_engine(f"{driver}://", executor=print, paramstyle=style).dialect
    texts = [str(statement.compile(dialect=dialect)) for statement in _statements(dialect)]
    assert len(texts) > 40
    assert statements.prepare_inserts(dialect).turns.startswith("INSERT INTO turns (episode, turn, part, seq,")
