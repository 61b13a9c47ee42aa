"""The answers that `env-server mcp` owes: its input may end while calls are still being played."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterable
from typing import Any, Protocol

import anyio
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from env_server.commands.mcp.messages import Incoming, UnreadableMessage

CANCELLED = "notifications/cancelled"
"""With it a client says that it waits for an answer no more; none is then given."""


class Sink(Protocol):
    """Where messages go."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write one."""


class Owed:
    """How many requests have no answer yet, by their ids; clients count these in numbers or in text.

    A client that sends an id again before it has its answer gets as many answers.
    """

    def __init__(self) -> None:
        """Nothing is owed yet."""
        self._ids: Counter[str] = Counter()
        self._settled = asyncio.Event()
        self._settled.set()

    def note(self, item: SessionMessage) -> None:
        """Take note of what came in: a request is owed an answer, one that was called off is not."""
        message = item.message
        if isinstance(message, JSONRPCRequest):
            self._ids[str(message.id)] += 1
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
        self._ids -= Counter([str(request_id)])  # none is owed less than nothing
        if not self._ids:
            self._settled.set()


async def serve(server: Server[Any], source: AsyncIterable[Incoming], sink: Sink) -> None:
    """Have `server` answer what comes from `source`, to the last request.

    By itself it would call off what is being played as soon as its input ends.
    """
    owed = Owed()
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()

    async def pass_in() -> None:
        async with to_server:
            async for item in source:
                if isinstance(item, UnreadableMessage):
                    await sink.send(item.answer)
                    continue
                owed.note(item)
                await to_server.send(item)
            await owed.settled()

    async def pass_out() -> None:
        async with from_server:
            async for item in from_server:
                await sink.send(item)
                owed.given(item)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_in)
        tasks.start_soon(pass_out)
        await server.run(incoming, outgoing, server.create_initialization_options())
