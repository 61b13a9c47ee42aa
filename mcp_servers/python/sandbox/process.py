"""The server's handle of one worker process."""

import contextlib
import json
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

import anyio
from pydantic import BaseModel, ConfigDict, ValidationError

from mcp_servers.python.sandbox.channel import Broken, Channel, TimedOut
from mcp_servers.python.sandbox.inside import frames
from mcp_servers.python.sandbox.limits import Limits
from mcp_servers.python.sandbox.result import Result
from mcp_servers.python.sandbox.text import steady
from mcp_servers.python.sandbox.watch import Watch

Held = Callable[[int], Awaitable[int]]


class _Reply(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    stdout: str
    stderr: str
    value: str | None
    error: str | None


class Process:
    """A restricted worker process.

    Args:
        pid: The process id of the worker.
        descriptor: A file descriptor of the process (pidfd).
        channel: The socket of the worker.
        folder: The scratch folder of the worker.
        limits: The resource limits of the worker.
        held: Returns the bytes of removed files that a process holds open. The template answers, because it has the
            right to look.
    """

    def __init__(self, pid: int, descriptor: int, channel: Channel, folder: str, limits: Limits, held: Held) -> None:
        self.pid = pid
        self.folder = folder
        self.limits = limits
        self.ending = anyio.Lock()
        self._descriptor = descriptor
        self._channel = channel
        self._watch = Watch(pid, folder, limits, held)
        self._longest = 4 * 3 * limits.output + 65_536
        self._stopped = False

    async def ready(self) -> str | None:
        """Wait until the worker is restricted. Return an error text, or None if it succeeded.

        Raises:
            Broken: The worker ended before.
        """
        body = await self._channel.receive(frames.READY, self._longest)
        problem = json.loads(body).get("error")
        return None if problem is None else str(problem)

    async def run(self, code: str, now: datetime | None, inputs: Mapping[str, Any], keep: str | None) -> Result:
        """Run code in the worker.

        Raises:
            Broken: The worker has to be ended; the text states why. `TimedOut` is a subclass.
        """
        request = {"code": code, "now": now.isoformat() if now else None, "inputs": inputs, "keep": keep}
        identity = frames.new_identity()
        if self._stopped:
            self._signal(signal.SIGCONT)
            self._stopped = False
        with anyio.move_on_after(self.limits.seconds):
            await self._channel.send(frames.pack(identity, json.dumps(request).encode()))
            body = await self._channel.receive(identity, self._longest, self._watch.check)
            return await self._result(body)
        raise TimedOut(f"it ran for more than {self.limits.seconds:g} seconds")

    async def _result(self, body: bytes) -> Result:
        try:
            reply = _Reply.model_validate_json(body)
        except ValidationError as error:
            raise Broken("it wrote to the connection that belongs to the sandbox") from error
        if self._watch.threads() > 1:
            self._signal(signal.SIGSTOP)  # Threads that the code left running continue only during the next call.
            self._stopped = True
        return Result(
            stdout=self._steady(reply.stdout),
            stderr=self._steady(reply.stderr),
            value=None if reply.value is None else self._steady(reply.value),
            error=None if reply.error is None else self._steady(reply.error),
            files=await self._watch.files(),
        )

    def _steady(self, text: str) -> str:
        return steady(text, self.folder)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, number)

    def cpu_seconds(self) -> float:
        """Return the processor time of the main thread, in seconds."""
        with open(f"/proc/{self.pid}/schedstat", encoding="ascii") as schedstat:
            return int(schedstat.read().split()[0]) / 1e9

    async def ended(self, seconds: float) -> bool:
        """Wait up to `seconds` for the worker to end. Return whether it has ended."""
        with anyio.move_on_after(seconds):
            await anyio.wait_readable(self._descriptor)
            return True
        return False

    async def kill(self) -> None:
        """Kill the worker and wait until it has ended. The caller still has to reap it."""
        self._signal(signal.SIGKILL)
        await anyio.wait_readable(self._descriptor)

    def close(self) -> None:
        """Close the descriptors."""
        self._channel.close()
        os.close(self._descriptor)
