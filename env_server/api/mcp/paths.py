"""Which requests are MCP clients', and which endpoint answers them.

They take this short way because an endpoint needs nothing that the router and its middleware do, which would be a
twentieth of a call.
"""

import re
from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from env_server.api.mcp.endpoint import Endpoint
from env_server.episodes.address import mcp_path

_EPISODE = re.compile(mcp_path(r"([^/]+)"))


class McpPaths:
    """ASGI middleware between the gate and the application."""

    def __init__(self, app: ASGIApp, exact: Mapping[str, Endpoint], episode: Endpoint) -> None:
        """Requests for a path in `exact`, and for an episode's, go to their endpoints; all others to `app`."""
        self._app = app
        self._exact = exact
        self._episode = episode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif (endpoint := self._exact.get(scope["path"])) is not None:
            await endpoint(scope, receive, send)
        elif (found := _EPISODE.fullmatch(scope["path"])) is not None:
            scope["path_params"] = {"episode_id": found[1]}
            await self._episode(scope, receive, send)
        else:
            await self._app(scope, receive, send)
