"""The offer of a domain: its MCP servers with their tools, as a running server lists them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import CLOSE_INFRASTRUCTURE, UserSpec
from trainer_client.client import Client
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.server import ALONE, RUN

BLANK: Mapping[str, Any] = {"instruction": "Look around.", "gold": {}, "allow_no_effect": True}
"""A task that asks for nothing, for an episode in which tools are listed or tried."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The servers of one domain."""

    domain: str
    pack: str
    pack_version: str
    servers: Mapping[str, Sequence[str]]
    """Server -> the names by which an agent calls its tools."""

    def called(self, server: str, tool: str) -> str:
        """The name by which an agent calls a tool of a server. A tool may be given with or without its server.

        Raises:
            LookupError: if the server or its tool does not exist; the message says which there are.
        """
        if server not in self.servers:
            raise LookupError(f"no server {server!r}; there are: {', '.join(self.servers) or 'none'}")
        names = self.servers[server]
        found = next((name for name in _spellings(server, tool) if name in names), None)
        if found is None:
            raise LookupError(f"server {server!r} has no tool {tool!r}; it has: {', '.join(names)}")
        return found

    def limited(self, servers: Sequence[str]) -> "Offer":
        """The offer with these servers alone; with all of them if none is named.

        Raises:
            DataError: if one does not exist.
        """
        for name in servers:
            if name not in self.servers:
                raise DataError(f"{self.domain} has no server {name!r}; it has: {', '.join(self.servers)}")
        kept = {name: tools for name, tools in self.servers.items() if not servers or name in servers}
        return Offer(self.domain, self.pack, self.pack_version, kept)


def read_offer(client: Client, domain: str, pack: str) -> Offer:
    """Read what a domain offers.

    Raises:
        DataError: if there is no such domain or pack, if it cannot be played, or if no MCP server is behind its tools.
        ServerError: if the server refuses.
    """
    domains = {each.name: each for each in client.domains().domains}
    if domain not in domains:
        raise DataError(f"there is no domain {domain!r}; there are: {', '.join(domains)}")
    found = next((each for each in domains[domain].packs if each.name == pack), None)
    if found is None:
        raise DataError(f"{domain} has no pack {pack!r}; it has: {', '.join(p.name for p in domains[domain].packs)}")
    if found.error is not None or found.version is None:
        raise DataError(f"{domain}'s pack {pack!r} cannot be played: {found.error}")
    if not found.servers:
        raise DataError(f"no MCP server is behind the tools of {domain}; `trainer data generate rule` draws its tasks")
    return Offer(domain, pack, found.version, found.servers)


def read_schemas(client: Client, offer: Offer) -> list[dict[str, Any]]:
    """The function schemas of the offered tools, from an episode that is begun and closed unscored.

    Raises:
        ServerError: if the server refuses.
    """
    episode = client.reset(
        offer.domain,
        pack=offer.pack,
        task=dict(BLANK),
        user=UserSpec(strategy=ALONE),
        tools={"servers": list(offer.servers)},
        run=RUN,
        purpose="eval",
    )
    episode.close(CLOSE_INFRASTRUCTURE)
    names = {name for tools in offer.servers.values() for name in tools}
    functions = [tool["function"] for tool in episode.tools]
    return [function for function in functions if function["name"] in names]


def _spellings(server: str, tool: str) -> tuple[str, ...]:
    return tool, f"{server}__{tool}", tool.removeprefix(f"{server}__"), tool.removeprefix(f"{server}.")
