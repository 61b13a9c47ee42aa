"""A connection that is opened when it is needed, and opened again after it ended."""

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from env_server.providers.live.config import ServerBlock
from env_server.providers.live.connection.pause import Pause
from env_server.providers.live.connection.places import Places
from env_server.providers.live.directories import episode_directory
from env_server.providers.live.substitute import EpisodeDirectory

if TYPE_CHECKING:
    from mcp.types import Tool

    from env_server.providers.live.connection.mcp_connection import McpConnection

SILENT = 3
"""Requests in a row without an answer, after which a connection is opened again unless it holds an episode's data."""


class NotConnected(Exception):
    """There is no connection, so nothing was sent. The message says why."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        """Store the reason, and the seconds after which it is tried again; None if it never is."""
        super().__init__(message)
        self.retry_after = retry_after


class ServerChannel:
    """The connection to one server, for all episodes or for one. It is opened again after it ended."""

    def __init__(
        self,
        block: ServerBlock,
        pause: Pause,
        starts: asyncio.Semaphore,
        places: Places | None,
        start_s: float,
        listed: "Callable[[list[Tool]], None]",
        failed: Callable[[str], None],
    ) -> None:
        """Store how to connect.

        Args:
            block: The server.
            pause: The pause of the server, which its channels share.
            starts: Limits how many processes of the server start at a time.
            places: Limits how many episodes have a process of the server; None for a connection without that limit.
            start_s: Maximum seconds of a start, with the first listing.
            listed: Is told the listing of each new connection.
            failed: Is told why a connection could not be made.
        """
        self._block, self._pause, self._starts, self._start_s = block, pause, starts, start_s
        self._places = places
        self._listed, self._failed = listed, failed
        self._connection: McpConnection | None = None
        self._opening: asyncio.Task[McpConnection] | None = None
        self._endings: set[asyncio.Task[None]] = set()
        self._directory: Path | None = None
        self._closed = False
        self._entering = asyncio.Lock()
        self.admitted = places is None
        """Whether it has a place among the processes of the server."""

        self._calls = 0
        self.used_at = 0.0
        """When its last call began or ended."""

        self.written = False
        """Whether a call that may have left something in the child process was sent."""

    @property
    def alive(self) -> bool:
        """Whether there is a connection now."""
        return self._connection is not None and self._connection.alive

    @property
    def lost(self) -> bool:
        """Whether a child process ended that may have held something of its episode."""
        return self._block.per_episode and self.written and not self.alive

    @property
    def disposable(self) -> bool:
        """Whether its process can end now and be started again: no call runs, and none can have left anything in it."""
        return self.admitted and not self._calls and not self.written

    @contextmanager
    def use(self) -> Iterator[None]:
        """Count a running call while the block runs."""
        self._calls += 1
        self.used_at = time.monotonic()
        try:
            yield
        finally:
            self._calls -= 1
            self.used_at = time.monotonic()

    @property
    def directory(self) -> EpisodeDirectory:
        """The directory of the episode under its two names."""
        return EpisodeDirectory(self._directory)

    async def admit(self) -> None:
        """Wait for a place among the processes of the server. `close` gives it back.

        Raises:
            NotConnected: if the channel is closed.
        """
        async with self._entering:
            if self._places is None or self.admitted:
                return
            await self._places.take()
            if self._closed:
                self._places.give_back()
                raise NotConnected("it is closed")
            self.admitted = True

    async def connection(self) -> "McpConnection":
        """Return the connection. Open it if there is none.

        Raises:
            NotConnected: if that fails, or must not be tried now.
        """
        if self._connection is not None and self._connection.alive:
            return self._connection
        if self._closed:
            raise NotConnected("it is closed")
        if self.lost:
            raise NotConnected("its process ended, and what it held for this episode is lost")
        if self._opening is None:
            if self._pause.left_s:
                raise NotConnected("it failed a moment ago", self._pause.left_s)
            self._opening = asyncio.create_task(self._open())
            self._opening.add_done_callback(self._opened)
        # The start goes on for others when this caller has no more time.
        return await asyncio.shield(self._opening)

    def drop(self, connection: "McpConnection") -> None:
        """Close a connection that is of no more use."""
        if self._connection is connection:
            self._connection = None
        self._end(connection)

    def unanswered(self, connection: "McpConnection") -> None:
        """Count a request without an answer. After some of them the connection is opened again.

        A child process that may hold something of its episode is kept, because a slow answer must not lose that.
        """
        connection.silent += 1
        if connection.silent >= SILENT and not (self._block.per_episode and self.written):
            self.drop(connection)

    async def close(self) -> None:
        """End the connection, and remove the directory of the episode."""
        self._closed = True
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.wait([self._opening])
        if self._connection is not None:
            self.drop(self._connection)
        if self._endings:
            await asyncio.wait(self._endings)
        if self._directory is not None:
            await asyncio.to_thread(shutil.rmtree, self._directory, ignore_errors=True)
        if self._places is not None and self.admitted:
            self.admitted = False
            self._places.give_back()

    async def _open(self) -> "McpConnection":
        # Late, because the SDK takes long to import, and many servers run without a configuration.
        from env_server.providers.live.connection.mcp_connection import ConnectionLost, McpConnection  # noqa: PLC0415

        if self._connection is not None:
            self.drop(self._connection)
        if self._block.per_episode and self._directory is None:
            self._directory = await asyncio.to_thread(episode_directory)
        connection = McpConnection(self._block, self._directory)
        try:
            async with self._starts, asyncio.timeout(self._start_s):
                await connection.open()
                tools = await connection.tools()
        except asyncio.CancelledError:
            self._end(connection)
            raise
        except Exception as e:
            self._end(connection)
            self._pause.failed()
            why = f"no answer within {self._start_s:g} s" if isinstance(e, TimeoutError) else str(e)
            if isinstance(e, ValidationError):
                why = f"what it lists is no list of tools: {_first(e)}"
            elif not isinstance(e, ConnectionLost | TimeoutError):
                why = f"it refused: {why}"
            self._failed(why)
            raise NotConnected(why, self._pause.left_s) from e
        self._pause.over()
        self._connection = connection
        self._listed(tools)
        return connection

    def _opened(self, opening: "asyncio.Task[McpConnection]") -> None:
        self._opening = None
        if not opening.cancelled():
            opening.exception()  # Retrieved here, so that asyncio does not log it if no caller waits any more.

    def _end(self, connection: "McpConnection") -> None:
        ending = asyncio.create_task(connection.close())
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)


def _first(error: ValidationError) -> str:
    """Return the first fault that an error names, and where it is."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
