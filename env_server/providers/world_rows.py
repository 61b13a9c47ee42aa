"""The rows of an episode as the storage of the offline world, so that sealed servers answer from them.

The import of this module loads the MCP SDK.
"""

from typing import TYPE_CHECKING, Any, TypeVar, cast

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError

from env_server.providers.spec import CallScope, FailureKind, ServerResult
from env_server.state import State, TableView
from mcp_servers.world.store import Rows, Scope, within
from mcp_servers.world.store import Table as WorldTable

if TYPE_CHECKING:
    from mcp_servers.kit.serving.server import Server

R = TypeVar("R")


class EpisodeStore:
    """A `Store` over the rows of one episode. A write is a changed row of the episode."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        """Read and write `state`."""
        self._state = state

    @property
    def base(self) -> object:
        """The base that the episodes of a pack share. What servers derive from its rows is kept for all of them."""
        return self._state.overlay.base

    def rows(self, table: WorldTable[R]) -> Rows[R]:
        """Return the rows of one table.

        Raises:
            KeyError: if the domain of the episode does not declare the table.
        """
        declared = self._state.overlay.base.tables[table.name].table
        view: TableView[Any] = TableView(self._state, declared)
        return cast("Rows[R]", view)


async def call_on_rows(server: "Server", name: str, arguments: dict[str, Any], scope: CallScope) -> ServerResult:
    """Call a tool of `server` on the rows of the episode.

    Raises:
        UnexpectedToolError: if the tool is broken.
    """
    assert scope.now is not None  # the tasks of a domain with sealed servers name their time
    with within(Scope(EpisodeStore(scope.state), scope.now, scope.episode)):
        try:
            result: Any = await server.call_tool(name, arguments)
        except UnexpectedToolError:
            raise
        except ToolError as e:
            return ServerResult(str(e), is_error=True, failure=failure_of(e))
    text = "\n".join(part.text for part in result.content if part.type == "text")
    return ServerResult(text, result.structured_content, bool(result.is_error))


def failure_of(error: Exception) -> FailureKind | None:
    """Return why a call failed if the model made no mistake; None for a mistake of the model."""
    kind = getattr(error, "kind", None)
    return next((failure for failure in FailureKind if failure == kind), None)
