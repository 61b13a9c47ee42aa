"""The API of the tools: it runs code in the conversation of a call."""

import contextlib
import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any

import anyio
from mcp.server.mcpserver import Context

from mcp_servers.kit.deadline import advise_if_late
from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.python.sandbox.choosing import choose
from mcp_servers.python.sandbox.inside import trees
from mcp_servers.python.sandbox.result import Backend, Busy, Result, Unusable
from mcp_servers.python.sessions import ConversationLease, Entry, Sessions, Stored
from mcp_servers.python.settings import Settings
from mcp_servers.world.store import scope

_AFRESH = "its variables and files are gone, so begin again without what ended it"


class PythonTool:
    """A sandbox and its sessions.

    Args:
        settings: The settings of the server.

    Raises:
        Unusable: The settings ask for processes and the machine cannot offer them.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.backend: Backend = choose(
            settings.python_backend,
            settings.limits,
            workers=settings.python_sessions + 8,  # Calls without a session also hold a worker for a short time.
            seed=settings.python_seed,
            packages=settings.packages,
            folder=settings.python_folder,
        )
        self.sessions = Sessions(self.backend.open, settings.python_sessions, settings.python_idle_s)

    def lease(
        self, context: Context[Any, Any], session: str | None, keep: bool = False
    ) -> AbstractAsyncContextManager[ConversationLease]:
        """Lend the conversation of a call; see `Sessions.lease`."""
        return self.sessions.lease(context, session, keep)

    async def run(
        self, entry: Entry, code: str, inputs: Mapping[str, Any] | None = None, keep: str | None = None
    ) -> Result:
        """Run code in a conversation; see `Conversation.run`.

        Raises:
            UpstreamError: The run had to be stopped, or the sandbox is not available.
        """
        known = dict(inputs or {})
        if not entry.told:
            known["context"] = {key: each.data for key, each in entry.stored.items()}
        try:
            result = await entry.conversation.run(code, now=self._now(), inputs=known, keep=keep)
        except Busy as busy:
            raise UpstreamError(ErrorKind.UNAVAILABLE, str(busy)) from busy
        except anyio.get_cancelled_exc_class():
            if not entry.conversation.alive:  # Otherwise this call waited for another one, which goes on.
                entry.told = not entry.stored
                advise_if_late(_AFRESH)
            raise
        except Unusable as problem:
            raise UpstreamError(
                ErrorKind.UNAVAILABLE, str(problem).rstrip("."), "the operator has to change this, so do not call again"
            ) from problem
        entry.told = result.killed is None or not entry.stored
        if result.killed is not None:
            kind = ErrorKind.TIMED_OUT if result.timed_out else ErrorKind.REFUSED
            raise UpstreamError(kind, f"the code was ended because {result.killed}", _AFRESH)
        return result

    def store(self, entry: Entry, key: str, stored: Stored) -> None:
        """Store a value in a session.

        Raises:
            UpstreamError: The session has no room for the value.
        """
        others = {name: each for name, each in entry.stored.items() if name != key}
        if len(json.dumps([each.data for each in (*others.values(), stored)])) > self.settings.limits.data:
            room = self.settings.limits.data
            raise UpstreamError(ErrorKind.BAD_REQUEST, f"all stored results together take more than {room} bytes")
        entry.stored[key] = stored
        entry.told = False

    async def files(self, episode: str, limit: int) -> dict[str, tuple[int, bytes]]:
        """Return the size and the first `limit` bytes of each file that an episode has in its scratch folder."""
        try:
            folder = self.sessions.conversation(("episode", episode)).folder
        except KeyError:
            return {}
        if folder is None:
            return {}
        return await anyio.to_thread.run_sync(_read, folder, self.settings.limits.files, limit)

    def _now(self) -> datetime | None:
        """Return the time that the code sees: the world's time if there is a world, else None for the real time."""
        try:
            return scope().now
        except LookupError:
            return self.settings.world_now

    async def forget(self, episode: str) -> None:
        """End the conversation of an episode."""
        await self.sessions.close_episode(episode)

    async def aclose(self) -> None:
        """End every conversation and process."""
        await self.sessions.close()
        await self.backend.close()


def _read(folder: str, entries: int, limit: int) -> dict[str, tuple[int, bytes]]:
    """Read the regular files below a folder. A link, or a file that is gone by now, is left out."""
    found = {}
    for name, entry in sorted(trees.listing(folder, entries).items()):
        with contextlib.suppress(OSError):
            found[name] = entry.size, trees.read(folder, name, limit)
    return found
