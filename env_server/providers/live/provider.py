"""The tools of the operator's servers inside episodes."""

import time
from collections.abc import Collection, Mapping
from typing import Any

from env_server.providers.live.manager import ToolManager
from env_server.providers.spec import (
    READ,
    WRITE,
    CallScope,
    Effect,
    ServerListing,
    ServerResult,
    ServerTool,
    StateLost,
)

Listings = Mapping[str, tuple[ServerListing, ...]]
"""The tools of servers, by the names of the servers."""


class LiveProvider:
    """A provider over a tool manager. Each call is announced, stored, and made at most once (`CallScope.effects`)."""

    def __init__(self, manager: ToolManager, recorded: Listings | None = None) -> None:
        """Call the servers of `manager`, which its owner starts and closes.

        `recorded` has what servers listed when their calls were recorded. It stands in for a server that has not
        listed its tools yet, so that episodes can replay its calls.
        """
        self.manager = manager
        self._recorded = {name: tools for name, tools in (recorded or {}).items() if name in manager.names}
        self._listings: Listings | None = None
        self._tools: tuple[ServerTool, ...] = ()

    def tools(self) -> tuple[ServerTool, ...]:
        """Return the tools of all servers that have been listed: the same tuple until a listing changes."""
        found = {**self._recorded, **self.manager.listings()}
        if found != self._listings:
            self._listings = found
            order = [name for name in dict.fromkeys((*self.manager.names, *found)) if name in found]
            self._tools = tuple(self.tool(listing) for name in order for listing in found[name])
        return self._tools

    def tool(self, listing: ServerListing, shown_name: str = "") -> ServerTool:
        """Return the tool that a server lists."""
        return ServerTool(
            kind=READ if listing.read_only else WRITE,
            aliases=listing.aliases,
            listing=listing,
            provider=self,
            effect=Effect.READ if listing.read_only else Effect.WRITE,
            shown_name=shown_name,
        )

    async def ready(self, servers: Collection[str] | None = None) -> None:
        """Wait until each of these servers has listed its tools once, has failed to, or has used up its time."""
        await self.manager.asked(self.manager.names if servers is None else servers)

    def missing(self) -> Mapping[str, str]:
        """Return the servers that have not listed their tools yet, each with the reason."""
        listed, problems = self.manager.listings(), self.manager.problems()
        return {name: problems.get(name, "it starts") for name in self.manager.names if name not in listed}

    def lists_otherwise(self, tool: ServerTool) -> bool:
        """Return whether the tool's server has listed its tools, and not this one as it is."""
        listed = self.manager.listings().get(tool.server)
        return listed is not None and tool.listing not in listed

    def is_shared(self, server: str) -> bool:
        """Return whether all episodes use one process of `server`, so that they see what others change in it."""
        return self.manager.is_shared(server)

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Call a tool of a server. A failing server is a result.

        Raises:
            StateLost: if the episode's own child process, which its earlier calls have changed, is gone.
        """
        effects = scope.effects
        if effects is None:
            raise RuntimeError(f"{tool.name} calls a server outside, which is not allowed here")

        async def made() -> ServerResult:
            if not self.manager.has_episode(scope.episode, tool.server) and effects.changed(tool.server):
                raise StateLost(f"the process of the server {tool.server!r} that held its state has ended")
            left = max(0.0, effects.deadline - time.monotonic())
            limit = left if effects.options.timeout_s is None else min(left, effects.options.timeout_s)
            return await self.manager.call(
                tool.server,
                tool.listing.name,
                dict(arguments),
                episode=scope.episode,
                deadline_s=limit,
                retries=effects.options.retries,
            )

        return await effects.make(tool, arguments, made)

    async def forget(self, episode: str) -> None:
        """End the child processes of an episode."""
        await self.manager.close_episode(episode)

    async def rest(self, episode: str) -> None:
        """End the child processes of an episode in which no call can have left anything."""
        await self.manager.rest_episode(episode)

    async def aclose(self) -> None:
        """Do nothing: the owner of the manager closes it."""
