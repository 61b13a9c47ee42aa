"""The backend without privileges: an interpreter in its own process that can compute but cannot access the system."""

import itertools
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Any, Final

import anyio
from pydantic_monty import AsyncMonty, AsyncMontySession, MontyCrashedError, MontyError, MountDir, OSPolicy

from mcp_servers.python.sandbox.channel import Broken, TimedOut
from mcp_servers.python.sandbox.folders import Folder, fresh
from mcp_servers.python.sandbox.inside import trees
from mcp_servers.python.sandbox.inside.output import MARK, clipped
from mcp_servers.python.sandbox.limits import Limits
from mcp_servers.python.sandbox.result import CLOSED, Busy, Result, Unusable
from mcp_servers.python.sandbox.text import SHOWN_FOLDER, steady

_OFFERS: Final = (
    "A subset of Python 3 without pandas or other packages. Of the standard library there are parts of asyncio, "
    "base64, bisect, collections, copy, csv, dataclasses, datetime, decimal, functools, hashlib, itertools, json, "
    "math, os, pathlib, random, re, sys, time, tomllib, typing and unicodedata. No `yield`, no network, no "
    "subprocesses, and no files but those in the working directory"
)


class MontyBackend:
    """Conversations in `pydantic-monty`.

    Args:
        limits: The limits of a conversation.
        workers: Maximum number of open conversations.
        seed: The seed of `random`.
        folder: The folder to make scratch folders in. None uses the system's folder for temporary files.
    """

    name = "monty"

    def __init__(
        self, limits: Limits | None = None, *, workers: int = 64, seed: int = 0, folder: str | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.workers = workers
        self.seed = seed
        self.folder = folder
        self._stack = AsyncExitStack()
        self._pool: AsyncMonty | None = None
        self._folder: Folder | None = None
        self._names = itertools.count(1)
        self._open: set[MontyConversation] = set()

    @property
    def offers(self) -> str:
        """Return what code may use."""
        return f"{_OFFERS} ({self.limits.disk >> 20} MB)."

    def open(self) -> "MontyConversation":
        """Begin a conversation. It takes a worker at its first call."""
        return MontyConversation(self)

    async def take(self, conversation: "MontyConversation") -> AsyncMonty:
        """Register a conversation and return the pool.

        Raises:
            Busy: The maximum number of conversations is open.
            Unusable: There is no place for scratch folders.
        """
        if len(self._open) >= self.workers:
            raise Busy(f"all {self.workers} workers are in use")
        if self._folder is None:
            self._folder = fresh(self.folder)
        self._open.add(conversation)
        if self._pool is None:
            self._pool = AsyncMonty(min_processes=1, max_processes=self.workers + 1)
            await self._stack.enter_async_context(self._pool)
        return self._pool

    def make_folder(self) -> str:
        """Make a scratch folder and return its path. `take` made its parent folder.

        Raises:
            Unusable: The folder cannot be made.
        """
        assert self._folder is not None
        try:
            return self._folder.make(f"{next(self._names)}", 0o700)
        except OSError as error:
            raise Unusable(f"The sandbox cannot make a scratch folder: {error}.") from error

    def forget(self, conversation: "MontyConversation") -> None:
        """Unregister a conversation."""
        self._open.discard(conversation)

    async def close(self) -> None:
        """Close all conversations and end all processes."""
        for conversation in list(self._open):
            await conversation.close()
        self._pool = None
        await self._stack.aclose()
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.remove()


class _Printed:
    """Standard output and standard error, each up to a limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.kept = {"stdout": "", "stderr": ""}
        self.lost = {"stdout": 0, "stderr": 0}

    def __call__(self, stream: str, text: str) -> None:
        room = self.limit - len(self.kept[stream])
        self.kept[stream] += text[:room]
        self.lost[stream] += max(len(text) - room, 0)

    def take(self, stream: str) -> str:
        """Return the text of a stream, with a marker if it was cut."""
        lost = self.lost[stream]
        return self.kept[stream] + (MARK.format(count=lost, unit="characters") if lost else "")


class MontyConversation:
    """One conversation: a session of the interpreter and a scratch folder."""

    def __init__(self, backend: MontyBackend) -> None:
        self._backend = backend
        self._lock = anyio.Lock()
        self._session: AsyncMontySession | None = None
        self._call: anyio.CancelScope | None = None
        self._closed = False
        self._folder = ""
        self._seen: dict[str, trees.Entry] = {}

    @property
    def alive(self) -> bool:
        """Return whether there is a session of the interpreter."""
        return self._session is not None

    @property
    def folder(self) -> str | None:
        """Return the scratch folder of the session."""
        return self._folder or None

    async def run(
        self,
        code: str,
        *,
        now: datetime | None = None,
        inputs: Mapping[str, Any] | None = None,
        keep: str | None = None,
    ) -> Result:
        """Run code after all earlier code of this conversation. The `now` of the first call holds for all calls.

        Raises:
            Busy: The maximum number of conversations is open.
            Unusable: There is no place for a scratch folder.
        """
        async with self._lock:
            if self._closed:
                return CLOSED
            with anyio.CancelScope() as self._call:
                return await self._run(code, now, inputs or {}, keep)
            return CLOSED

    async def _run(self, code: str, now: datetime | None, inputs: Mapping[str, Any], keep: str | None) -> Result:
        printed = _Printed(self._backend.limits.output)
        try:
            session = self._session or await self._begin(now)
            return await self._fed(session, code, inputs, keep, printed)
        except Broken as broken:
            await self._end()
            return Result(killed=str(broken), timed_out=isinstance(broken, TimedOut))
        except BaseException:
            await self._end()
            raise

    async def _begin(self, now: datetime | None) -> AsyncMontySession:
        limits = self._backend.limits
        pool = await self._backend.take(self)
        policy: OSPolicy = {"random_start": {"seed": self._backend.seed}, "sleep_system_max": limits.seconds}
        if now is not None:
            policy["datetime"] = now
        self._folder = self._backend.make_folder()
        self._seen = {}
        session = pool.checkout(
            limits={
                "max_feed_duration_secs": limits.seconds,
                "max_total_sleep_secs": limits.seconds,
                "max_memory": limits.memory,
                "max_suspensions": 100_000,
            },
            os_policy=policy,
        )
        self._session = await session.__aenter__()
        return self._session

    async def _fed(
        self,
        session: AsyncMontySession,
        code: str,
        inputs: Mapping[str, Any],
        keep: str | None,
        printed: _Printed,
    ) -> Result:
        limits, value, error = self._backend.limits, None, None
        mount = MountDir(
            host_path=self._folder, virtual_path=SHOWN_FOLDER, mode="read-write", write_bytes_limit=limits.disk
        )
        try:
            with mount:
                found = await session.feed_run(
                    code, inputs=dict(inputs), print_callback=printed, mount=mount, cwd=SHOWN_FOLDER
                )
            if keep is not None and found is not None:
                await session.feed_run("pass", inputs={keep: found})
            value = None if found is None else clipped(repr(found), limits.output)
        except MontyCrashedError as crash:
            raise Broken("the interpreter crashed") from crash
        except MontyError as problem:
            _check(problem, limits)
            error = _described(problem)
        return Result(
            stdout=steady(printed.take("stdout")),
            stderr=steady(printed.take("stderr")),
            value=None if value is None else steady(value),
            error=error,
            files=self._files(),
        )

    def _files(self) -> tuple[str, ...]:
        limits, before = self._backend.limits, self._seen
        try:
            self._seen = trees.listing(self._folder, limits.files)
        except trees.TooMuch as error:
            raise Broken(f"its scratch folder holds {error}") from error
        if sum(max(entry.size, entry.blocks) for entry in self._seen.values()) > limits.disk:
            raise Broken(f"it wrote more than {limits.disk >> 20} MB to its scratch folder")
        return tuple(sorted(name for name, entry in self._seen.items() if before.get(name) != entry))

    async def _end(self) -> None:
        session, self._session = self._session, None
        folder, self._folder = self._folder, ""
        with anyio.CancelScope(shield=True):
            if session is not None:
                await session.__aexit__(None, None, None)
        if folder:
            trees.remove(folder)
        self._backend.forget(self)

    async def close(self) -> None:
        """Close the conversation and end a running call.

        Variables and files are lost. No later call runs.
        """
        self._closed = True
        if self._call is not None:
            self._call.cancel()
        async with self._lock:
            await self._end()


def _check(problem: MontyError, limits: Limits) -> None:
    """Raise Broken if the code reached a limit.

    Code cannot catch these errors. They are recognized by the missing line number.
    """
    if getattr(problem, "traceback", list)():
        return
    kind = problem.exception()
    if isinstance(kind, TimeoutError):
        raise TimedOut(f"it ran for more than {limits.seconds:g} seconds")
    if isinstance(kind, MemoryError):
        raise Broken(f"it took more than {limits.memory >> 20} MB of memory")


def _described(problem: MontyError) -> str:
    display = getattr(problem, "display", None)
    return steady(display() if display is not None else str(problem))
