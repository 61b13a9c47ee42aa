"""The rows of an episode as the storage of the offline world."""

from typing import Any, TypeVar, cast

from env_server.state import Snapshot, State, TableView
from mcp_servers.world.rows import TABLES
from mcp_servers.world.store import Rows
from mcp_servers.world.store import Table as WorldTable

R = TypeVar("R")


class EpisodeStore:
    """A `Store` over the rows of one episode. A write is a changed row of the episode."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        """Read and write `state`."""
        self._state = state

    @property
    def base(self) -> object:
        """The base that the episodes of a pack share. Data that servers derive from it are kept for all."""
        return self._state.overlay.base

    @staticmethod
    def fits(base: Snapshot) -> bool:
        """Return whether the rows of `base` hold an offline world."""
        return all(table.name in base.tables for table in TABLES)

    def rows(self, table: WorldTable[R]) -> Rows[R]:
        """Return the rows of one table.

        Raises:
            KeyError: if the domain of the episode does not declare the table.
        """
        declared = self._state.overlay.base.tables[table.name].table
        view: TableView[Any] = TableView(self._state, declared)
        return cast("Rows[R]", view)
