"""The process backend: restricted workers. Some workers are forked in advance."""

import contextlib
import json
import os
import signal
import socket
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import anyio

from mcp_servers.python.sandbox.channel import Broken, Channel, Gone, TimedOut
from mcp_servers.python.sandbox.inside import imports, trees
from mcp_servers.python.sandbox.inside.worker import Terms
from mcp_servers.python.sandbox.limits import Limits
from mcp_servers.python.sandbox.process import Process
from mcp_servers.python.sandbox.result import CLOSED, Busy, Result, Unusable
from mcp_servers.python.sandbox.template import Lost, Template, Ticket

_LAST_BREATH: Final = 0.2  # Seconds between the end of a worker's connection and the end of its process.


@dataclass(frozen=True)
class _Order:
    """A requested worker."""

    ticket: Ticket
    connection: socket.socket
    folder: str


class ProcessBackend:
    """Workers under Landlock, seccomp and resource limits, forked from one template process.

    Args:
        limits: The limits of a conversation.
        packages: What code may import in addition to the standard library.
        workers: Maximum number of conversations that hold a worker at the same time.
        spare: Number of workers that are kept ready.
        seed: The seed of `random`, of NumPy and of Python's entropy functions.
        folder: The folder to make scratch folders in. None uses the system's folder for temporary files.
    """

    name = "process"

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        packages: Sequence[str] = ("pandas",),
        workers: int = 64,
        spare: int = 1,
        seed: int = 0,
        folder: str | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.packages = packages
        self.workers = workers
        self.spare = spare
        self.seed = seed
        self.folder = folder
        self._template: Template | None = None
        self._orders: deque[_Order] = deque()
        self._taken: dict[Process, Template] = {}
        self._starting = 0

    @property
    def offers(self) -> str:
        """Return what code may use."""
        loaded = ", ".join(["the standard library", *imports.with_companions(self.packages)])
        return (
            f"CPython with {loaded}. No network, no subprocesses, no files but those in the working directory "
            f"({self.limits.disk >> 20} MB)."
        )

    def open(self) -> "ProcessConversation":
        """Begin a conversation. It takes a worker at its first call."""
        return ProcessConversation(self)

    async def start(self) -> dict[str, Any]:
        """Start the template and the spare workers, and return what the machine offers.

        Raises:
            Unusable: The machine lacks something that the sandbox needs.
        """
        template = await self._running()
        self._order_spares(template)
        return template.facts

    async def _running(self) -> Template:
        if self._template is None:
            self._template = Template(self.packages, self.folder)
        template = self._template
        try:
            await template.ready()
        except Unusable:
            await self._drop(template)
            raise
        return template

    async def _drop(self, template: Template) -> None:
        if self._template is template:
            self._template = None
            while self._orders:
                self._orders.popleft().connection.close()
        with anyio.CancelScope(shield=True):
            await template.close()

    def _order_spares(self, template: Template, extra: int = 0) -> None:
        while len(self._orders) < self.spare + extra:
            ours, theirs = socket.socketpair()
            folder = template.make_folder()
            with theirs:
                try:
                    ticket = template.order(self._terms(folder), theirs)
                except Lost:
                    ours.close()
                    raise
            self._orders.append(_Order(ticket, ours, folder))

    def _terms(self, folder: str) -> Terms:
        return {
            "folder": folder,
            "memory": self.limits.memory,
            "file_size": self.limits.file,
            "cpu_s": self.limits.cpu_s,
            "descriptors": self.limits.descriptors,
            "output": self.limits.output,
            "seed": self.seed,
        }

    async def take(self) -> Process:
        """Take a worker that is restricted and waits for code.

        Raises:
            Busy: All workers are in use.
            Unusable: The machine lacks something that the sandbox needs, or no process can be started.
        """
        if len(self._taken) + self._starting >= self.workers:
            raise Busy(f"all {self.workers} workers are in use")
        self._starting += 1
        try:
            return await self._take()
        except (Lost, Gone):  # The template was killed. A new one takes its place.
            if self._template is not None:
                await self._drop(self._template)
            return await self._again()
        finally:
            self._starting -= 1

    async def _again(self) -> Process:
        try:
            return await self._take()
        except (Lost, Gone) as error:
            raise Unusable("The sandbox's processes end as soon as they start.") from error

    async def _take(self) -> Process:
        template = await self._running()
        self._order_spares(template, extra=1)
        order = self._orders.popleft()
        process: Process | None = None
        try:
            reply, descriptors = await template.settle(order.ticket)
            if "error" in reply:
                raise Unusable(str(reply["error"]))
            channel = Channel(order.connection)
            process = Process(reply["pid"], descriptors[0], channel, order.folder, self.limits, template.held)
            self._taken[process] = template
            problem = await process.ready()
            if problem is not None:
                raise Unusable(f"The sandbox cannot lock code in: {problem}")
        except BaseException:
            if process is not None:
                await self.retire(process)
            else:
                self._give_back(order)
            raise
        return process

    def _give_back(self, order: _Order) -> None:
        # The wait was cancelled before the worker came. The next caller takes the worker.
        if order.ticket.reply is None:
            self._orders.appendleft(order)
        else:
            order.connection.close()
            trees.remove(order.folder)

    async def retire(self, process: Process) -> None:
        """End a worker. Remove its process, folder and connection."""
        with anyio.CancelScope(shield=True):
            async with process.ending:
                if process in self._taken:
                    await process.kill()
                    await self._bury(process)

    async def autopsy(self, process: Process) -> str:
        """Remove a worker that ended or broke the protocol. Return how it ended."""
        with anyio.CancelScope(shield=True):
            async with process.ending:
                if process not in self._taken:
                    return _described(None)
                by_itself = await process.ended(_LAST_BREATH)
                if not by_itself:
                    await process.kill()
                status = await self._bury(process)
        return _described(status) if by_itself else "it closed the connection that belongs to the sandbox"

    async def _bury(self, process: Process) -> int | None:
        """Remove the rest of an ended process and return its status. Return None if the template has ended too."""
        template, status = self._taken.pop(process), None
        with contextlib.suppress(Lost):
            status = await template.reap(process.pid)
        process.close()
        await anyio.to_thread.run_sync(trees.remove, process.folder)
        return status

    async def close(self) -> None:
        """End all workers and the template."""
        for process in list(self._taken):
            await self.retire(process)
        if self._template is not None:
            await self._drop(self._template)


def _described(status: int | None) -> str:
    """Return how a process ended, as a clause."""
    if status is None:
        return "the sandbox was ended, with all its workers"
    if os.WIFEXITED(status):
        return f"it ended itself with status {os.WEXITSTATUS(status)}"
    number = os.WTERMSIG(status)
    words = {
        signal.SIGSYS: "it made a system call that the sandbox forbids",
        signal.SIGXCPU: "it used up its processor time",
        signal.SIGKILL: "the system ended it, most likely for want of memory",
    }
    return words.get(signal.Signals(number), f"it crashed ({signal.Signals(number).name})")


class ProcessConversation:
    """One conversation's worker. The first call takes it. A new worker replaces one that had to be ended."""

    def __init__(self, backend: ProcessBackend) -> None:
        self._backend = backend
        self._lock = anyio.Lock()
        self._process: Process | None = None
        self._closed = False

    @property
    def alive(self) -> bool:
        """Return whether there is a worker."""
        return self._process is not None

    @property
    def folder(self) -> str | None:
        """Return the scratch folder of the worker."""
        return None if self._process is None else self._process.folder

    async def run(
        self,
        code: str,
        *,
        now: datetime | None = None,
        inputs: Mapping[str, Any] | None = None,
        keep: str | None = None,
    ) -> Result:
        """Run code after all earlier code of this conversation.

        Raises:
            Busy: All workers are in use.
            Unusable: The machine cannot offer the sandbox.
        """
        limits = self._backend.limits
        if len(code.encode("utf-8", "replace")) > limits.code:
            return Result(error=f"The code is longer than {limits.code} bytes; split it into several calls.")
        if inputs and len(json.dumps(inputs)) > limits.data:
            return Result(error=f"The data are longer than {limits.data} bytes.")
        async with self._lock:
            if self._closed:
                return CLOSED
            process = self._process or await self._backend.take()
            self._process = process  # From now on `close` can end the worker.
            try:
                return await self._run(process, code, now, inputs or {}, keep)
            except BaseException:
                self._process = None
                await self._backend.retire(process)
                raise

    async def _run(
        self, process: Process, code: str, now: datetime | None, inputs: Mapping[str, Any], keep: str | None
    ) -> Result:
        if self._closed:  # `close` ran while the worker was taken.
            self._process = None
            await self._backend.retire(process)
            return CLOSED
        try:
            return await process.run(code, now, inputs, keep)
        except Broken as broken:
            return await self._ended(process, broken)

    async def _ended(self, process: Process, broken: Broken) -> Result:
        """Remove a worker that has ended or has to be ended. Return the reason as a result."""
        self._process = None
        if isinstance(broken, Gone):
            reason = await self._backend.autopsy(process)
        else:
            reason = str(broken)
            await self._backend.retire(process)
        return CLOSED if self._closed else Result(killed=reason, timed_out=isinstance(broken, TimedOut))

    def cpu_seconds(self) -> float:
        """Return the processor time of the worker's main thread in seconds. Return 0 if there is no worker."""
        return self._process.cpu_seconds() if self._process else 0.0

    async def close(self) -> None:
        """End the worker and a running call. Variables and files are lost. No later call runs."""
        self._closed = True
        process, self._process = self._process, None
        if process is not None:
            await self._backend.retire(process)
