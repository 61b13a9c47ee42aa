"""Starts, watches and closes the configured MCP servers. `connection/channel.py` opens a lost connection again."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from env_server.providers.live.config import ServerConfig
from env_server.providers.live.server import LiveServer
from env_server.providers.spec import FailureKind, ServerListing, ServerResult
from env_server.telemetry.metrics import ANY_TOOL, CHILDREN, count_server_call


class ToolManager:
    """Connects to servers and calls their tools. A server that fails does not disturb the others."""

    def __init__(
        self,
        config: Sequence[ServerConfig],
        *,
        servers: Collection[str] | None = None,
        start_s: float = 30.0,
        check_s: float = 30.0,
    ) -> None:
        """Store the configuration. Nothing is started.

        Args:
            config: The servers; see `read_config`.
            servers: The names of the servers to use; None uses all.
            start_s: Maximum seconds of the start of a server. `start` waits no longer.
            check_s: Seconds between two health checks of a server.
        """
        chosen = [one for one in config if servers is None or one.name in servers]
        self._servers = {one.name: LiveServer(one, start_s) for one in chosen}
        self._start_s, self._check_s = start_s, check_s
        self._tasks: list[asyncio.Task[None]] = []
        self.names = tuple(self._servers)
        """The names of the servers, in the order of the configuration."""

        self._asked = {name: asyncio.Event() for name in self._servers}
        """Set when a server has listed its tools once, has failed to, or has used up its time."""

    async def start(self) -> None:
        """List the tools of all servers, in parallel. A server that does not answer in time is listed later."""
        first = {name: asyncio.create_task(server.check()) for name, server in self._servers.items()}
        watches = [asyncio.create_task(self._watch(self._servers[name], check)) for name, check in first.items()]
        self._tasks = [*watches, *first.values()]
        for name, check in first.items():
            check.add_done_callback(partial(_set, self._asked[name]))
        for server in filter(lambda server: server.block.per_episode, self._servers.values()):
            CHILDREN.labels(server.name).set_function(partial(getattr, server, "children"))
        if first:
            _, late = await asyncio.wait(first.values(), timeout=self._start_s)
            for name in (name for name, check in first.items() if check in late):
                self._servers[name].failed(f"no answer within {self._start_s:g} s")
        for asked in self._asked.values():
            asked.set()

    async def asked(self, servers: Collection[str]) -> None:
        """Wait until each of these servers has listed its tools once, has failed to, or has used up its time."""
        for name in servers:
            await self._asked[name].wait()

    def listings(self) -> Mapping[str, tuple[ServerListing, ...]]:
        """Return the tools of each server, by its newest listing. A server that was never listed is left out."""
        return {name: server.listing for name, server in self._servers.items() if server.listing is not None}

    def problems(self) -> Mapping[str, str]:
        """Return why servers cannot be reached, by their names. A server that can be reached is left out."""
        return {name: server.problem for name, server in self._servers.items() if server.problem is not None}

    def remarks(self) -> Mapping[str, tuple[str, ...]]:
        """Return remarks about servers, such as an allowed tool that does not exist."""
        return {name: server.remarks for name, server in self._servers.items() if server.remarks}

    def has_episode(self, episode: str, server: str) -> bool:
        """Return whether the child process of an episode is alive. A shared server always is."""
        return server in self._servers and self._servers[server].has(episode)

    def is_shared(self, server: str) -> bool:
        """Return whether all episodes use one process of a server. An unknown server counts as shared."""
        return server not in self._servers or not self._servers[server].block.per_episode

    def lost(self, episode: str, server: str) -> bool:
        """Return whether a child process ended that may have held something of this episode.

        Calls of this episode then answer `unavailable`, because a new process would know nothing of the earlier calls.
        """
        return server in self._servers and self._servers[server].lost(episode)

    async def call(
        self,
        server: str,
        tool: str,
        arguments: dict[str, Any],
        *,
        episode: str,
        deadline_s: float,
        retries: int | None = None,
    ) -> ServerResult:
        """Return the result of a call. A failure of the server is a result with `failure`, never an exception.

        Args:
            server: The server's name.
            tool: The tool, by the server's own name for it.
            arguments: The arguments, which the server checks.
            episode: The episode, whose child process gets the call.
            deadline_s: Maximum seconds; the server's own limit may be shorter.
            retries: How often the call may be made again; the server's own limit may be smaller. None for that limit.
        """
        # Late, because the SDK takes long to import.
        from env_server.providers.live.calls import ToolRun, failure  # noqa: PLC0415

        known = self._servers.get(server)
        if known is None:
            return ServerResult(
                f"[{FailureKind.REFUSED}] there is no server {server!r}", is_error=True, failure=FailureKind.REFUSED
            )
        if known.listing is None:
            count_server_call(server, ANY_TOOL, FailureKind.UNAVAILABLE, {})
            return failure(known, FailureKind.UNAVAILABLE, known.problem or "it has not started yet")
        listed = known.tool(tool)
        if listed is None:
            count_server_call(server, ANY_TOOL, FailureKind.UNAVAILABLE, {})
            return failure(known, FailureKind.UNAVAILABLE, f"it has no tool {tool!r} for agents")
        block = known.block
        again = block.retries if retries is None else min(retries, block.retries)
        run = ToolRun(known, listed, arguments, min(deadline_s, block.timeout_s), again)
        result = await run.play(known.channel(episode))
        count_server_call(server, listed.name, result.outcome, result.metrics)
        return result

    async def close_episode(self, episode: str) -> None:
        """End the child processes of an episode, and remove their directories."""
        await asyncio.gather(*(server.close_episode(episode) for server in self._servers.values()))

    async def rest_episode(self, episode: str) -> None:
        """End the child processes of an episode in which no call can have left anything."""
        await asyncio.gather(*(server.rest_episode(episode) for server in self._servers.values()))

    async def aclose(self) -> None:
        """End all connections and child processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(server.close() for server in self._servers.values()))
        for name in self._servers:
            with suppress(KeyError):  # one that never started has no gauge
                CHILDREN.remove(name)

    async def _watch(self, server: LiveServer, first: "asyncio.Task[None]") -> None:
        """Check a server every `check_s` seconds, or after a failure when its pause ends."""
        await asyncio.wait([first])
        while True:
            await asyncio.sleep(server.pause.left_s + 0.05 if server.pause.left_s else self._check_s)
            await server.check()


def _set(event: asyncio.Event, _: "asyncio.Task[None]") -> None:
    event.set()
