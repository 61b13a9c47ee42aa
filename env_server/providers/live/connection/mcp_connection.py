"""One connection to an MCP server. It starts and ends the server's child process, or speaks HTTP to the server.

The SDK demands that the task which enters its client also leaves it. So each connection has a task of its own.
"""

import asyncio
import logging
import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import (
    CONNECTION_CLOSED,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    Tool,
)

from env_server.providers.live.config import ServerBlock
from env_server.providers.live.connection.answers import answerable
from env_server.providers.live.connection.group import end_group, group_of
from env_server.providers.live.connection.lines import ENCODING, too_long
from env_server.providers.live.connection.over_http import http_client
from env_server.providers.live.connection.tail import Tail
from env_server.providers.live.substitute import with_directory

T = TypeVar("T")

PAGES = 100
"""Maximum pages of a listing, so that a server cannot list forever."""

CLOSE_S = 20.0
"""Maximum seconds for the end of a connection, before it is cut."""

CLOSED = ("Connection closed", "SSE stream ")
"""Beginnings of the SDK's error messages for a request whose connection ended."""

TRUST = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
"""Variables of this process that every child gets: files with certificates. None of them is a secret."""

US = Implementation(name="env-server", version="1")


class ConnectionLost(Exception):
    """The connection ended, or could not be made. The message says why."""


class McpConnection:
    """A connection to a server. It is opened once and closed once; after it ended, another one is needed."""

    def __init__(self, block: ServerBlock, directory: Path | None) -> None:
        """Store the server, and the directory of the episode if it has one. Nothing is started."""
        self._block, self._directory = block, directory
        self._tail = Tail()
        self._over = asyncio.Event()
        self._client: Client | None = None
        self._owner: asyncio.Task[None] | None = None
        self._asked: set[asyncio.Future[Any]] = set()
        self.silent = 0
        """How many requests in a row got no answer in time."""

    @property
    def alive(self) -> bool:
        """Whether requests can be made."""
        return self._client is not None and not self._over.is_set()

    @property
    def busy(self) -> bool:
        """Whether a request waits for its answer."""
        return bool(self._asked)

    async def open(self) -> None:
        """Start the server or connect to it, and agree on a protocol. If this is cancelled, `close` is still needed.

        Raises:
            ConnectionLost: if that fails.
        """
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ready.add_done_callback(lambda done: done.exception())  # So that asyncio does not log it if nobody waits.
        self._owner = asyncio.create_task(self._own(ready))
        await asyncio.shield(ready)

    async def close(self) -> None:
        """End the connection. A child process gets a few seconds to end by itself."""
        self._over.set()
        if self._owner is None:
            return
        if self._client is None:
            self._owner.cancel()
        # The SDK says good-bye to a server over HTTP without a time limit.
        await asyncio.wait([self._owner], timeout=CLOSE_S)
        self._owner.cancel()
        await asyncio.wait([self._owner], timeout=CLOSE_S)

    async def tools(self) -> list[Tool]:
        """Return all tools that the server lists.

        Raises:
            ConnectionLost: if the connection ended.
            MCPError: if the server answers with an error.
        """
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(PAGES):
            page = await self._ask(self._connected.list_tools(cursor=cursor))
            found += page.tools
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    async def call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        """Return the result of a call.

        Raises:
            ConnectionLost: if the connection ended; whether the call took place is unknown.
            MCPError: if the server answers with an error.
            ValidationError: if the result does not fit the protocol.
        """
        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
        # `Client.call_tool` would raise, and lose the result, where it does not fit the schema that the server states.
        return await self._ask(self._connected.session.send_request(request, CallToolResult))

    @property
    def _connected(self) -> Client:
        if self._client is None:
            raise ConnectionLost(self._why("the connection is closed"))
        return self._client

    async def _ask(self, request: Awaitable[T]) -> T:
        """Wait for an answer. If the connection ends meanwhile, so does the wait."""
        asked = asyncio.ensure_future(request)
        self._asked.add(asked)
        try:
            await asyncio.wait([asked])
            answer = asked.result()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                asked.cancel()
                raise
            raise ConnectionLost(self._why("the connection ended")) from None
        except MCPError as e:
            # The code of a closed connection is also the first of those that servers may use for errors of their own.
            if e.code == CONNECTION_CLOSED and (self._over.is_set() or str(e).startswith(CLOSED)):
                raise ConnectionLost(self._why("the connection ended")) from e
            raise
        finally:
            self._asked.discard(asked)
        self.silent = 0
        return answer

    async def _own(self, ready: "asyncio.Future[None]") -> None:
        problem: BaseException | None = None
        try:
            async with Client(
                _watched(self._transport(), self._over), mode="auto", cache=None, client_info=US
            ) as client:
                self._client = client
                ready.set_result(None)
                await self._over.wait()
        except BaseException as e:
            problem = e
        finally:
            self._over.set()
            self._client = None
            for asked in self._asked:
                asked.cancel()
        if ready.done():
            return
        cancelled = isinstance(problem, asyncio.CancelledError)
        ready.set_exception(ConnectionLost(self._why("it was closed" if cancelled else _reason(problem))))

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Any]:
        block = self._block
        if block.url is not None:
            async with (
                http_client(block.headers, block.concurrency) as http,
                streamable_http_client(block.url, http_client=http) as streams,
            ):
                yield streams
            return
        assert block.command is not None
        env = {name: with_directory(value, self._directory) for name, value in block.env.items()}
        command = StdioServerParameters(
            command=_found(with_directory(block.command, self._directory), env.get("PATH")),
            args=[with_directory(value, self._directory) for value in block.args],
            env={**_trusted(), **env},
            cwd=with_directory(block.cwd, self._directory) if block.cwd else None,
            encoding=ENCODING,
            encoding_error_handler="replace",
        )
        too_long.set(self._over.set)
        group: int | None = None
        async with self._tail.pipe() as errors:
            opened = stdio_client(command, errlog=errors)
            try:
                async with opened as streams:
                    errors.close()
                    group = group_of(opened)
                    yield streams
            finally:
                if group is not None:
                    await end_group(group)

    def _why(self, happened: str) -> str:
        """Return `happened` with the last line that the child wrote to stderr."""
        return f"{happened}; its last words: {self._tail.last}" if self._tail.last else happened


def _trusted() -> dict[str, str]:
    """Return the variables that say which certificates to trust. Without them a child may reach no server."""
    return {name: os.environ[name] for name in TRUST if name in os.environ}


def _found(command: str, path: str | None) -> str:
    """Return the program of a command. If no folder of `PATH` has it, it may lie beside the running Python."""
    if os.sep in command or shutil.which(command, path=path) is not None:
        return command
    beside = Path(sys.executable).parent / command
    return str(beside) if os.access(beside, os.X_OK) else command


@asynccontextmanager
async def _watched(transport: Any, over: asyncio.Event) -> AsyncIterator[Any]:
    """Set `over` when a transport's incoming stream ends."""
    async with transport as (reading, writing):
        yield _Watched(reading, over), writing


class _Watched:
    """An incoming stream that sets an event when it ends. Its messages are readable as far as possible."""

    def __init__(self, stream: Any, over: asyncio.Event) -> None:
        self._stream, self._over = stream, over

    @property
    def last_context(self) -> Any:
        """The context of the sender; see `mcp.shared._context_streams`."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Any:
        try:
            return answerable(await self._stream.receive())
        except Exception:
            self._over.set()
            raise

    async def aclose(self) -> None:
        self._over.set()
        await self._stream.aclose()

    def __aiter__(self) -> "_Watched":
        return self

    async def __anext__(self) -> Any:
        try:
            return answerable(await self._stream.__anext__())
        except Exception:
            self._over.set()
            raise

    async def __aenter__(self) -> "_Watched":
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *exc: Any) -> Any:
        self._over.set()
        return await self._stream.__aexit__(*exc)


def _reason(problem: BaseException | None) -> str:
    """Return the message of an error; of a group, that of its first error."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    if isinstance(problem, MCPError) and problem.code == CONNECTION_CLOSED:
        return "it ended before it answered"
    return str(problem) or type(problem).__name__


def _quiet(record: logging.LogRecord) -> bool:
    """Remove the traceback from a line about an unreadable message, because it may hold a credential."""
    record.exc_info = record.exc_text = None
    return True


for _name in ("mcp.client.stdio", "mcp.client.streamable_http"):
    logging.getLogger(_name).addFilter(_quiet)
