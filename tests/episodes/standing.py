"""What servers outside have in common that always answer, and always list the same tools."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

from env_server.providers.spec import ServerListing, ServerTool


class Standing:
    """Servers that are there from the start."""

    shared = False
    """Whether episodes see what others change in them."""

    def made(self) -> tuple[ServerTool, ...]:
        """Make their tools."""
        raise NotImplementedError

    @cached_property
    def _tools(self) -> tuple[ServerTool, ...]:
        return self.made()

    def tools(self) -> tuple[ServerTool, ...]:
        """The same tools each time."""
        return self._tools

    def tool(self, listing: ServerListing, shown_name: str = "") -> ServerTool:
        """The tool of a listing that was stored."""
        found = next(tool for tool in self._tools if tool.listing == listing)
        return replace(found, shown_name=shown_name)

    async def ready(self, servers: Collection[str] | None = None) -> None:
        """They are."""

    def is_shared(self, server: str) -> bool:
        """Whether episodes see what others change in a server."""
        return self.shared

    def missing(self) -> Mapping[str, str]:
        """None is."""
        return {}

    def lists_otherwise(self, tool: ServerTool) -> bool:
        """Whether a tool is not one of them."""
        return all(tool.listing != one.listing for one in self._tools)

    async def forget(self, episode: str) -> None:
        """Nothing is remembered."""

    async def rest(self, episode: str) -> None:
        """Nothing is remembered."""

    async def aclose(self) -> None:
        """Nothing is open."""
