"""Research's tables: those of the offline world, the submitted answer, and the calls to the sandbox."""

from typing import Any

from env_server.domains.kit import ANSWERS, SERVER_CALLS, Index, Table
from mcp_servers.world import rows
from mcp_servers.world.store import Table as WorldTable


def declared(table: WorldTable[Any]) -> Table[Any]:
    """Return a table of the offline world as a table of this server."""
    indexes = tuple(Index(index.name, index.values) for index in table.indexes)
    return Table(table.name, table.row, key=table.key, indexes=indexes)


WORLD_TABLES: dict[str, Table[Any]] = {table.name: declared(table) for table in rows.TABLES}
"""The tables of the offline world by name."""

MESSAGES: Table[rows.Message] = WORLD_TABLES[rows.MESSAGES.name]

TABLES: tuple[Table[Any], ...] = (*WORLD_TABLES.values(), ANSWERS, SERVER_CALLS)
