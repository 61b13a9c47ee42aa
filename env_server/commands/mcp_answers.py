"""The answers that `env-server mcp` owes: its input may end while calls are still being played."""

import asyncio
from typing import Any, Protocol

import anyio
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

CANCELLED = "notifications/cancelled"
"""With it a client says that it waits for an answer no more; none is then given."""

Incoming = SessionMessage | Exception


class Source(Protocol):
    """Where messages come from."""

    def __aiter__(self) -> "Source":
        """All of them, until the input ends."""

    async def __anext__(self) -> Incoming:
        """The next one."""


class Sink(Protocol):
    """Where messages go."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write one."""

    async def aclose(self) -> None:
        """Write no more."""


class Owed:
    """Requests without an answer, by their ids; clients count these in numbers or in text."""

    def __init__(self) -> None:
        """Nothing is owed yet."""
        self._ids: set[str] = set()
        self._settled = asyncio.Event()
        self._settled.set()

    def note(self, item: Incoming) -> None:
        """Take note of what came in: a request is owed an answer, one that was called off is not."""
        message = item.message if isinstance(item, SessionMessage) else None
        if isinstance(message, JSONRPCRequest):
            self._ids.add(str(message.id))
            self._settled.clear()
        elif isinstance(message, JSONRPCNotification) and message.method == CANCELLED:
            self._strike((message.params or {}).get("requestId"))

    def given(self, item: SessionMessage) -> None:
        """Take note of what went out."""
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._strike(item.message.id)

    async def settled(self) -> None:
        """Wait until nothing is owed."""
        await self._settled.wait()

    def _strike(self, request_id: object) -> None:
        self._ids.discard(str(request_id))
        if not self._ids:
            self._settled.set()


async def serve(server: Server[Any], source: Source, sink: Sink) -> None:
    """Have `server` answer what comes from `source`, to the last request.

    By itself it would call off what is being played as soon as its input ends.
    """
    owed = Owed()
    to_server, incoming = anyio.create_memory_object_stream[Incoming]()
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()

    async def pass_in() -> None:
        async with to_server:
            async for item in source:
                owed.note(item)
                await to_server.send(item)
            await owed.settled()

    async def pass_out() -> None:
        async with from_server:
            async for item in from_server:
                await sink.send(item)
                owed.given(item)
        await sink.aclose()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_in)
        tasks.start_soon(pass_out)
        await server.run(incoming, outgoing, server.create_initialization_options())
