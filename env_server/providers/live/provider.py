"""The tools of the operator's servers inside episodes."""

import time
from collections.abc import Mapping
from typing import Any

from env_server.providers.live.manager import ToolManager
from env_server.providers.spec import READ, WRITE, CallScope, Effect, ServerResult, ServerTool, StateLost


class LiveProvider:
    """A provider over a tool manager. Each call is announced, stored, and made at most once (`CallScope.effects`)."""

    def __init__(self, manager: ToolManager) -> None:
        """Call the servers of `manager`, which its owner starts and closes."""
        self.manager = manager

    def tools(self) -> tuple[ServerTool, ...]:
        """Return the tools of all servers that have been listed."""
        return tuple(
            ServerTool(
                kind=READ if listing.read_only else WRITE,
                aliases=listing.aliases,
                listing=listing,
                provider=self,
                effect=Effect.READ if listing.read_only else Effect.WRITE,
            )
            for listings in self.manager.listings().values()
            for listing in listings
        )

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Call a tool of a server. A failing server is a result.

        Raises:
            StateLost: if the episode's own child process, which its earlier calls have changed, is gone.
        """
        effects = scope.effects
        if effects is None:
            raise RuntimeError(f"{tool.name} reaches the outside, and here nothing may")

        async def made() -> ServerResult:
            if effects.changed(tool.server) and not self.manager.has_episode(scope.episode, tool.server):
                raise StateLost(f"the process of the server {tool.server!r} that held its state has ended")
            left = max(0.0, effects.deadline - time.monotonic())
            limit = left if effects.options.timeout_s is None else min(left, effects.options.timeout_s)
            given = dict(arguments)
            return await self.manager.call(
                tool.server, tool.listing.name, given, episode=scope.episode, deadline_s=limit
            )

        return await effects.make(tool, arguments, made)

    async def forget(self, episode: str) -> None:
        """End the child processes of an episode."""
        await self.manager.close_episode(episode)

    async def aclose(self) -> None:
        """Do nothing: the owner of the manager closes it."""
