"""A base class for servers outside that always answer and always list the same tools."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

from env_server.providers.spec import ServerListing, ServerTool


class Standing:
    """Servers that are ready from the start."""

    shared = False
    """Whether an episode sees what other episodes change in these servers."""

    def made(self) -> tuple[ServerTool, ...]:
        """Make the tools of these servers."""
        raise NotImplementedError

    @cached_property
    def _tools(self) -> tuple[ServerTool, ...]:
        return self.made()

    def tools(self) -> tuple[ServerTool, ...]:
        """Return the same tools each time."""
        return self._tools

    def tool(self, listing: ServerListing, shown_name: str = "") -> ServerTool:
        """Return the tool of a stored listing."""
        found = next(tool for tool in self._tools if tool.listing == listing)
        return replace(found, shown_name=shown_name)

    async def ready(self, servers: Collection[str] | None = None) -> None:
        """They are always ready."""

    def is_shared(self, server: str) -> bool:
        """Whether an episode sees what others change in a server."""
        return self.shared

    def missing(self) -> Mapping[str, str]:
        """No server is missing."""
        return {}

    def lists_otherwise(self, tool: ServerTool) -> bool:
        """Whether these servers do not list this tool."""
        return all(tool.listing != one.listing for one in self._tools)

    async def forget(self, episode: str) -> None:
        """Nothing is remembered, so there is nothing to forget."""

    async def rest(self, episode: str) -> None:
        """Nothing is remembered, so there is nothing to do."""

    async def aclose(self) -> None:
        """Nothing is open."""
