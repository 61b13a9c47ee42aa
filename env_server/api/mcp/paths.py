"""Routes the requests of MCP clients to the MCP endpoints.

These requests bypass the router and its middleware. An MCP endpoint needs neither, and they would take a twentieth of
the time of a call.
"""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from agent_env_schemas import ErrorCode
from env_server.api.problems import rpc_response
from env_server.episodes.codec.address import CATALOGUE, mcp_path
from env_server.errors import ProblemError

_EPISODE = re.compile(mcp_path(r"([^/]+)") + "/?")

_NEARLY = re.compile(r"/|/episodes/?|/episodes/[^/]+/?")
"""Wrong paths that are common for MCP clients. No other client has a reason to post to them."""

RIGHT = (
    f"there is no MCP server at {{path!r}}: that of an episode is at {mcp_path('EPISODE_ID')}, the `mcp_url` of its "
    f"reset, and the trainer's catalogue is at {CATALOGUE}"
)


class McpPaths:
    """ASGI middleware between the gate and the application."""

    def __init__(self, app: ASGIApp) -> None:
        """Send requests for the catalogue and for an episode's tools to their endpoints, and all others to `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to its endpoint or to the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path.removesuffix("/") == CATALOGUE:
            await (await scope["app"].state.mcp.get()).catalogue(scope, receive, send)
        elif (found := _EPISODE.fullmatch(path)) is not None:
            scope["path_params"] = {"episode_id": found[1]}
            await (await scope["app"].state.mcp.get()).episode(scope, receive, send)
        elif _NEARLY.fullmatch(path) is not None and asks_as_mcp(scope):
            problem = ProblemError(ErrorCode.NOT_FOUND, RIGHT.format(path=path))
            await rpc_response(problem, scope["state"]["request_id"])(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def asks_as_mcp(scope: Scope) -> bool:
    """Return whether a request looks like an MCP client's: a POST whose Accept header includes an event stream.

    The protocol requires this header.
    """
    posted: bool = scope.get("method") == "POST"
    return posted and any(name == b"accept" and b"text/event-stream" in value for name, value in scope["headers"])
