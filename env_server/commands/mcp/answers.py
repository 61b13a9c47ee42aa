"""Tracks the answers that `env-server mcp` still has to send. The input may end while calls are being played."""

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
"""The notification by which a client cancels a request. A cancelled request gets no answer."""


class Sink(Protocol):
    """The receiver of messages."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message."""


class Owed:
    """Counts the unanswered requests by id. An id may be a number or text.

    A client that sends an id again before its answer gets one answer per request.
    """

    def __init__(self) -> None:
        """Start without requests."""
        self._ids: Counter[str] = Counter()
        self._settled = asyncio.Event()
        self._settled.set()

    def note(self, item: SessionMessage) -> None:
        """Register an incoming message: a request needs an answer, and a cancelled request needs none."""
        message = item.message
        if isinstance(message, JSONRPCRequest):
            self._ids[str(message.id)] += 1
            self._settled.clear()
        elif isinstance(message, JSONRPCNotification) and message.method == CANCELLED:
            self._strike((message.params or {}).get("requestId"))

    def given(self, item: SessionMessage) -> None:
        """Register an outgoing message."""
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._strike(item.message.id)

    async def settled(self) -> None:
        """Wait until every request is answered."""
        await self._settled.wait()

    def _strike(self, request_id: object) -> None:
        self._ids -= Counter([str(request_id)])  # the subtraction drops counts below one
        if not self._ids:
            self._settled.set()


async def serve(server: Server[Any], source: AsyncIterable[Incoming], sink: Sink) -> None:
    """Let `server` answer all messages of `source`, including those still open when `source` ends.

    Without this, the server would cancel the calls under way as soon as its input ends.
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
