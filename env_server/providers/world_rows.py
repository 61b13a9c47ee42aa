"""Calls of sealed servers on the rows of an episode.

The import of this module loads the MCP SDK.
"""

from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError

from env_server.providers.episode_store import EpisodeStore
from env_server.providers.spec import CallScope, FailureKind, ServerResult
from mcp_servers.world.store import Scope, within

if TYPE_CHECKING:
    from mcp_servers.kit.serving.server import Server


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
