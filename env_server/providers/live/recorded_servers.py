"""Tools of servers that cannot be started, because only their recordings are there.

`episodes/turn/outside_calls.py` looks up the recorded results.
"""

from collections.abc import Collection, Mapping
from typing import Any

from env_server.providers.live.manager import ToolManager
from env_server.providers.live.provider import Listings, LiveProvider
from env_server.providers.spec import CallScope, ServerResult, ServerTool


class RecordedServers(LiveProvider):
    """A provider that starts no server and sends no request. A call without a recording fails as `not_recorded`."""

    def __init__(self, listings: Listings) -> None:
        """Offer the tools of `listings`, which were recorded with the calls."""
        super().__init__(ToolManager(()))
        self._recorded = dict(listings)

    async def ready(self, servers: Collection[str] | None = None) -> None:
        """Return at once."""

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Return the recorded result of a call, in an episode that replays."""
        if scope.effects is None or scope.effects.options.mode != "replay":
            raise RuntimeError(f"{tool.name} has recordings and no server, and the episode does not replay")
        return await super().call(tool, arguments, scope)
