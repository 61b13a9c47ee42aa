"""Conversations that outlive a call. The key of a conversation is its handle, its connection or its episode."""

import secrets
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import anyio
from mcp.server.connection import Connection
from mcp.server.mcpserver import Context
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import JsonValue

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.python.sandbox.result import Conversation
from mcp_servers.world.store import scope

PROTECTED = 60.0
"""Minimum seconds after the last call before a session can be closed to make room for another."""
NEW = "new"
"""The value that a client passes as the handle to begin a session."""


@dataclass(frozen=True)
class Stored:
    """A result that a client stored."""

    data: JsonValue
    description: str | None


@dataclass
class Entry:
    """A conversation and its state."""

    conversation: Conversation
    used: float
    running: int = 0
    stored: dict[str, Stored] = field(default_factory=dict)
    told: bool = True
    """Whether the code already has the current stored values."""


@dataclass(frozen=True)
class ConversationLease:
    """A conversation for one call, and its handle if the client needs one to find it again."""

    entry: Entry
    handle: str | None


class Sessions:
    """All live conversations.

    Args:
        begin: Begins a conversation.
        most: Maximum number of live conversations.
        idle_s: Seconds without a call after which a conversation may be closed.
    """

    def __init__(self, begin: Callable[[], Conversation], most: int, idle_s: float) -> None:
        self.begin = begin
        self.most = most
        self.idle_s = idle_s
        self._entries: dict[Hashable, Entry] = {}
        self._connections: WeakKeyDictionary[Any, str] = WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self._entries)

    @asynccontextmanager
    async def lease(
        self, context: Context[Any, Any], session: str | None, keep: bool = False
    ) -> AsyncIterator[ConversationLease]:
        """Lend the conversation of a call.

        Args:
            context: The context of the call.
            session: A handle, or `NEW`.
            keep: Whether to begin a session if the call belongs to none. Otherwise the conversation ends with the call.

        Raises:
            UpstreamError: The session does not exist, or there are too many sessions.
        """
        await self._expire()
        key = None if session else self._usual(context)
        if session == NEW or (key is None and not session and keep):
            key = session = secrets.token_urlsafe(24)
        elif session:
            key = session
            if key not in self._entries:
                gone = "there is no session under this handle, or it has expired"
                raise UpstreamError(ErrorKind.NOT_FOUND, gone, f'begin one with "{NEW}"')
        if key is None:
            entry = Entry(self.begin(), 0.0)
            try:
                yield ConversationLease(entry, None)
            finally:
                await entry.conversation.close()
            return
        entry = self._entries.get(key) or await self._new(key)
        entry.running += 1
        try:
            yield ConversationLease(entry, session)
        finally:
            entry.running -= 1
            entry.used = anyio.current_time()

    def _usual(self, context: Context[Any, Any]) -> Hashable | None:
        """Return the key of the episode or connection that makes the call. Return None if the call has neither."""
        try:
            episode = scope().episode
        except LookupError:
            episode = ""
        if episode:
            return "episode", episode
        connection = _lasting(context)
        if connection is None:
            return None
        if connection.outbound not in self._connections:
            self._connections[connection.outbound] = handle = secrets.token_urlsafe(24)
            if connection.protocol_version not in MODERN_PROTOCOL_VERSIONS:
                connection.exit_stack.push_async_callback(self._close, ("connection", handle))
        return "connection", self._connections[connection.outbound]

    async def _new(self, key: Hashable) -> Entry:
        while len(self._entries) >= self.most and key not in self._entries:
            await self._make_room()
        if key not in self._entries:  # Another call of the same connection may have added the key.
            self._entries[key] = Entry(self.begin(), anyio.current_time())
        return self._entries[key]

    async def _make_room(self) -> None:
        idle = {key: entry.used for key, entry in self._entries.items() if not entry.running}
        oldest = min(idle, key=lambda key: idle[key], default=None)
        if oldest is None or anyio.current_time() - idle[oldest] < PROTECTED:
            raise UpstreamError(ErrorKind.UNAVAILABLE, f"all {self.most} sessions are in use")
        await self._close(oldest)

    async def _expire(self) -> None:
        limit = anyio.current_time() - self.idle_s
        for key in [key for key, entry in self._entries.items() if not entry.running and entry.used < limit]:
            await self._close(key)

    async def _close(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            await entry.conversation.close()

    def conversation(self, key: Hashable) -> Conversation:
        """Return the conversation under a key.

        Raises:
            KeyError: The key does not exist.
        """
        return self._entries[key].conversation

    async def close_episode(self, episode: str) -> None:
        """Close the conversation of an episode."""
        await self._close(("episode", episode))

    async def close(self) -> None:
        """Close all conversations."""
        for key in list(self._entries):
            await self._close(key)


def _lasting(context: Context[Any, Any]) -> Connection | None:
    """Return the client's connection if it outlives the call, else None.

    A stdio connection and a session of the older protocols outlive the call.
    """
    try:
        session = context.request_context.session
    except ValueError:  # The call came without a client.
        return None
    connection = getattr(session, "_connection", None)  # The SDK offers no public access to the connection.
    return connection if isinstance(connection, Connection) and connection.has_standalone_channel else None
