"""One server of the configuration: its child processes or its connection, its listing, and its problems."""

import asyncio
import os
from typing import TYPE_CHECKING

from env_server.providers.live.config import ServerConfig
from env_server.providers.live.connection.channel import NotConnected, ServerChannel
from env_server.providers.live.connection.pause import Pause
from env_server.providers.live.connection.places import Places
from env_server.providers.live.masking import redactor
from env_server.providers.spec import Effect, ServerListing

if TYPE_CHECKING:
    from mcp.types import Tool


STARTS = 2 * (os.cpu_count() or 1)
"""Maximum number of child processes of a server that start at a time, because a start takes much CPU."""


class LiveServer:
    """A server with one connection that all episodes share, or with a child process for each episode."""

    def __init__(self, config: ServerConfig, start_s: float) -> None:
        """Store the configuration, and the maximum seconds of a start."""
        self.name, self.block = config.name, config.block
        self.redact = redactor(config)
        self.slots = asyncio.Semaphore(config.block.concurrency)
        self.pause = Pause()
        self._starts = asyncio.Semaphore(STARTS)
        self._places = Places(config.block.max_children, self.make_room)
        self._start_s = start_s
        self._shared = None if config.block.per_episode else self._channel()
        self._episodes: dict[str, ServerChannel] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._leaving = 0
        """Number of processes that are being ended to make room for waiting calls."""

        self.listing: tuple[ServerListing, ...] | None = None
        """Its tools, by the newest listing; None if it was never listed."""

        self.problem: str | None = None
        """Why it cannot be reached; None if it can."""

        self.remarks: tuple[str, ...] = ()
        """Remarks about its listing or its configuration."""

    def tool(self, name: str) -> ServerListing | None:
        """Return a tool by its name or an alias."""
        return next((one for one in self.listing or () if name == one.name or name in one.aliases), None)

    def effect(self, tool: ServerListing) -> Effect:
        """Return the effect of a tool: it writes unless the server or the configuration says that it reads."""
        return Effect.READ if tool.read_only else Effect.WRITE

    def channel(self, episode: str) -> ServerChannel:
        """Return the channel to this server for an episode."""
        if self._shared is not None:
            return self._shared
        if episode not in self._episodes:
            self._episodes[episode] = self._channel(self._places)
        return self._episodes[episode]

    def has(self, episode: str) -> bool:
        """Return whether the child process of an episode is alive; always true for a shared server."""
        return self._shared is not None or (episode in self._episodes and self._episodes[episode].alive)

    @property
    def children(self) -> int:
        """Number of episodes that have a child process, or wait for its start."""
        return sum(channel.admitted for channel in self._episodes.values())

    def lost(self, episode: str) -> bool:
        """Return whether a child process ended that may have held something of this episode."""
        return episode in self._episodes and self._episodes[episode].lost

    async def close_episode(self, episode: str) -> None:
        """End the child process of an episode, if it has one."""
        channel = self._episodes.pop(episode, None)
        if channel is not None:
            await self._close(channel)

    def make_room(self) -> None:
        """If a call waits for a place, end the process that is idle longest. A process that may hold data is kept."""
        if self._places.waiting <= self._leaving:
            return
        idle = {name: channel for name, channel in self._episodes.items() if channel.disposable}
        if idle:
            self._leaving += 1
            oldest = min(idle, key=lambda name: idle[name].used_at)
            self._closed(self._episodes.pop(oldest)).add_done_callback(self._left)

    def _left(self, _: "asyncio.Task[None]") -> None:
        self._leaving -= 1

    async def rest_episode(self, episode: str) -> None:
        """End the child process of an episode, unless a call may have left something in it."""
        channel = self._episodes.get(episode)
        if channel is not None and not channel.written:
            await self.close_episode(episode)

    async def close(self) -> None:
        """End all connections."""
        channels = [*self._episodes.values(), *filter(None, (self._shared,))]
        self._episodes.clear()
        for channel in channels:
            self._closed(channel)
        if self._closing:
            await asyncio.wait(self._closing)

    async def check(self) -> None:
        """Connect if there is no connection, and list the tools again. A failure becomes `problem`.

        A server with a child process for each episode is started only until it was listed.
        """
        if self._shared is not None:
            await self._check(self._shared)
        elif self.listing is None:
            probe = self._channel()
            try:
                await self._check(probe)
            finally:
                await self._close(probe)

    async def _check(self, channel: ServerChannel) -> None:
        try:
            new = not channel.alive
            connection = await channel.connection()
            if new or connection.busy:
                return
            try:
                async with asyncio.timeout(self._start_s):
                    self._listed(await connection.tools())
            except Exception:
                channel.unanswered(connection)
                raise
        except NotConnected:
            pass  # the channel has told why
        except Exception as e:
            self.failed(str(e) or "no answer to a health check")

    def failed(self, why: str) -> None:
        """Note that the server cannot be reached."""
        self.problem = self.redact.line(why)

    async def _close(self, channel: ServerChannel) -> None:
        """Close a channel, even if the caller is cancelled. Else the SDK would leave processes behind."""
        await asyncio.shield(self._closed(channel))

    def _closed(self, channel: ServerChannel) -> "asyncio.Task[None]":
        closing = asyncio.create_task(channel.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        return closing

    def _channel(self, places: Places | None = None) -> ServerChannel:
        return ServerChannel(self.block, self.pause, self._starts, places, self._start_s, self._listed, self.failed)

    def _listed(self, tools: "list[Tool]") -> None:
        from env_server.providers.live.listings import listings  # noqa: PLC0415 - imports the SDK, as `McpConnection` does

        found, self.remarks = listings(self.name, self.block, tools, self.redact)
        if found != self.listing:
            self.listing = found
        self.problem = None
