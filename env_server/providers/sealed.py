"""Sealed servers: MCP servers in this process whose whole world is the rows of the episode that calls them.

A call opens no socket and touches nothing outside of the episode. A server with a memory of its own (the Python
sandbox) is a cache: each of its calls is stored as a row of the episode, and a server that does not hold the memory of
these rows (another process, a fork, a turn that was undone) first makes the stored calls again.
"""

import hashlib
import json
import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from typing_extensions import TypedDict

import mcp_servers
from env_server.lru import Recent
from env_server.providers.kept_texts import KeptTexts
from env_server.providers.spec import (
    READ,
    WRITE,
    CallScope,
    Effect,
    FailureKind,
    ServerListing,
    ServerResult,
    ServerTool,
    StateLost,
)
from env_server.state import State, Table, TableView
from env_server.state.frozen import freeze

if TYPE_CHECKING:  # the SDK takes long to import, and a server without such a domain does not need it
    from mcp_servers.kit.serving.server import Server

PACKAGE: Final = "mcp_servers"
SHARED: Final = ("kit", "world")
"""Packages that every sealed server is made of."""


KEPT_CHARACTERS: Final = 16_000_000
"""The maximum total length of the kept results of look-ups of one pack."""


class ServerCall(TypedDict):
    """A call to a server with a memory of its own."""

    id: str
    """Its number within the episode, with leading zeros."""

    server: str
    tool: str
    arguments: dict[str, Any]
    output: str
    """SHA-256 of the result's text."""

    killed: bool
    """Whether the call ended the memory of the server: variables and files are gone."""


SERVER_CALLS: Final = Table("server_calls", ServerCall, key="id")
"""The calls to servers with a memory. A domain that offers such a server declares this table."""


class SealedServers:
    """The sealed servers of one pack. They are built when they are first needed."""

    def __init__(
        self,
        names: Iterable[str],
        profile: Literal["limited", "full"] = "limited",
        kept: KeptTexts | None = None,
    ) -> None:
        """Offer the servers in the packages `names` of `mcp_servers`. `kept` keeps their lists for other processes."""
        self.names = tuple(names)
        self._profile = profile
        self._kept = kept
        self._servers: dict[str, Server] = {}
        self._building = threading.Lock()
        self._memories: dict[tuple[str, str], str] = {}
        """(server, episode) -> the position of its memory."""
        self._results: Recent[tuple[Hashable, ...], ServerResult] = Recent(KEPT_CHARACTERS)

    def tools(self) -> tuple[ServerTool, ...]:
        """Return all tools, in the order of the servers and of their lists."""
        return tuple(self._tool(listing, shows=shows) for listing, shows in self._listings())

    def warm(self) -> None:
        """Build all servers, so that the first call need not."""
        for name in self.names:
            self._server(name)

    def sources(self) -> list[Path]:
        """Return the source files that decide what a call does. No server is imported."""
        (package,) = mcp_servers.__path__
        folders = [Path(package) / name for name in (*SHARED, *self.names)]
        return [path for folder in folders for path in sorted(folder.rglob("*.py"))]

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Call `tool` in the rows and at the time of `scope`.

        Raises:
            StateLost: if the memory of the server cannot be made again.
            Exception: any defect of the server.
        """
        name, given = tool.listing.name, dict(arguments)
        if not self._remembers(tool.server):
            return await self._answered(tool, given, scope)
        await self._bring_back(tool.server, scope)
        result = await self._call(tool.server, name, given, scope)
        self._note(tool.server, name, given, result, scope)
        return result

    async def forget(self, episode: str) -> None:
        """Free what the servers remember of an episode."""
        for server, known in [key for key in self._memories if key[1] == episode]:
            del self._memories[server, known]
            await self._server(server).api.forget(episode)

    async def files(self, scope: CallScope, limit: int) -> dict[str, tuple[int, bytes]]:
        """Return the size and the first `limit` bytes of each file that the calls of `scope` have left in a sandbox.

        The stored calls are made again, and what they leave is freed. So `scope` must name an episode of its own.

        Raises:
            StateLost: if the stored calls do not give the same results again.
        """
        found: dict[str, tuple[int, bytes]] = {}
        try:
            for name in {call["server"] for call in TableView(scope.state, SERVER_CALLS)}:
                if hasattr(self._server(name).api, "files"):
                    await self._bring_back(name, scope)
                    found |= await self._server(name).api.files(scope.episode, limit)
        finally:
            await self.forget(scope.episode)
        return found

    async def rest(self, episode: str) -> None:
        """Free what the servers remember of an episode. Its next call makes the stored calls again."""
        await self.forget(episode)

    async def aclose(self) -> None:
        """Close all servers."""
        servers, self._servers = self._servers, {}
        self._memories.clear()
        for server in servers.values():
            await server.aclose()

    def _server(self, name: str) -> "Server":
        with self._building:  # `warm` runs in a thread
            return self._servers.get(name) or self._build(name)

    def _build(self, name: str) -> "Server":
        package = import_module(f"{PACKAGE}.{name}")
        given = {"profile": self._profile, "api_key": None, "user_token": None}
        known = {field: value for field, value in given.items() if field in package.Settings.model_fields}
        server: Server = package.build(package.Settings(**known))
        self._servers[name] = server
        return server

    def _listings(self) -> list[tuple[ServerListing, bool]]:
        """Return the listings of the servers, and whether each tool shows facts of the world.

        The lists depend only on the sources. Reading them takes a hundredth of the time that the SDK's import takes.
        """
        name = f"listings-{self._profile}-{'-'.join(self.names)}"
        with suppress(ValueError, TypeError):  # the file was changed or cut
            text = None if self._kept is None else self._kept.read(name)
            if text is not None:
                return [(_listing(read), bool(shows)) for read, shows in json.loads(text)]
        listings = [listed for server in self.names for listed in self._listed_by(server)]
        if self._kept is not None:
            self._kept.write(name, json.dumps([[asdict(listing), shows] for listing, shows in listings]))
        return listings

    def _listed_by(self, name: str) -> Iterator[tuple[ServerListing, bool]]:
        for listed in self._server(name).listed():
            marked = listed.annotations
            reads = marked is not None and bool(marked.read_only_hint)
            listing = ServerListing(
                name, listed.name, listed.description or "", listed.input_schema, listed.output_schema, reads
            )
            yield listing, marked is None or marked.open_world_hint is not False

    def _tool(self, listing: ServerListing, *, shows: bool) -> ServerTool:
        kind = READ if listing.read_only else WRITE
        return ServerTool(kind=kind, listing=listing, provider=self, effect=Effect.ROWS, shows=shows)

    async def _call(self, server: str, name: str, arguments: dict[str, Any], scope: CallScope) -> ServerResult:
        from env_server.providers.world_rows import call_on_rows  # noqa: PLC0415 - imports the MCP SDK

        return await call_on_rows(self._server(server), name, arguments, scope)

    async def _answered(self, tool: ServerTool, arguments: dict[str, Any], scope: CallScope) -> ServerResult:
        """Return the result of a call to a server without a memory.

        A look-up depends on the rows, the time and its arguments alone. The rollouts of a group make the same ones, so
        results are kept. A failure that is not the model's mistake may pass, and is not kept.
        """
        name = tool.listing.name
        if tool.kind is not READ:
            return await self._call(tool.server, name, arguments, scope)
        asked = (name, json.dumps(arguments, sort_keys=True), scope.now, *_identity(scope.state))
        found = self._results.get(asked)
        if found is None:
            made = await self._call(tool.server, name, arguments, scope)
            found = replace(made, structured=freeze(made.structured))
            if found.failure is None:
                self._results.put(asked, found, len(found.text))
        return found

    def _remembers(self, server: str) -> bool:
        return hasattr(self._server(server).api, "forget")

    async def _bring_back(self, server: str, scope: CallScope) -> None:
        """Make the stored calls of the episode again, unless the server remembers exactly them."""
        made = _calls(scope.state, server)
        if self._memories.get((server, scope.episode), _position(())) == _position(made):
            return
        await self._server(server).api.forget(scope.episode)
        last = max((i for i, call in enumerate(made) if call["killed"]), default=-1)
        for call in made[last + 1 :]:
            again = await self._call(server, call["tool"], call["arguments"], scope)
            if _digest(again.text) != call["output"]:
                raise StateLost(f"call {int(call['id'])} to {server} gave another result when it was made again")
        self._memories[server, scope.episode] = _position(made)

    def _note(self, server: str, name: str, arguments: dict[str, Any], result: ServerResult, scope: CallScope) -> None:
        view = TableView(scope.state, SERVER_CALLS)
        view.put(
            {
                "id": f"{len(view) + 1:04}",
                "server": server,
                "tool": name,
                "arguments": arguments,
                "output": _digest(result.text),
                "killed": result.failure in (FailureKind.TIMED_OUT, FailureKind.REFUSED),
            }
        )
        self._memories[server, scope.episode] = _position(_calls(scope.state, server))


def _identity(state: State) -> tuple[Hashable, ...]:
    """Return a key of the rows of `state` and their order. No other state of the same base has this key."""
    changes = sorted(state.overlay.changes.items())
    return state.overlay.hash, *((table, *changed.late) for table, changed in changes if changed.late)


def _calls(state: State, server: str) -> list[ServerCall]:
    return [call for call in TableView(state, SERVER_CALLS) if call["server"] == server]


def _position(calls: Iterable[ServerCall]) -> str:
    return _digest(json.dumps([(call["id"], call["tool"], call["output"]) for call in calls]))


def _listing(read: dict[str, Any]) -> ServerListing:
    return replace(found := ServerListing(**read), aliases=tuple(found.aliases))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
