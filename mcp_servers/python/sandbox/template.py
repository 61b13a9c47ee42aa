"""Starts the template process and communicates with it."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import anyio

from mcp_servers.python.sandbox.folders import Folder, fresh
from mcp_servers.python.sandbox.inside.limits import privileges
from mcp_servers.python.sandbox.inside.worker import Terms
from mcp_servers.python.sandbox.inside.zygote import Setup
from mcp_servers.python.sandbox.result import Unusable

_HERE: Final = Path(__file__).parent
_PACKAGE: Final = __package__ or ""
# The template gets empty parent packages for `inside`. It therefore loads neither the server nor the SDK.
_BOOT: Final = """
import sys, types
names, folder = sys.argv[1].split("."), sys.argv[2]
for depth in range(len(names)):
    shell = types.ModuleType(".".join(names[:depth + 1]))
    shell.__path__ = [folder] if depth + 1 == len(names) else []
    sys.modules[shell.__name__] = shell
import importlib
importlib.import_module(sys.argv[1] + ".inside.zygote").main()
"""
_ENVIRONMENT: Final = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",  # Each malloc arena of a thread would take 64 MB of address space.
    "TZ": "UTC",
}
_PATIENCE: Final = 60.0  # Seconds that the packages get to load on a busy machine.


@dataclass
class Ticket:
    """A pending reply of the template."""

    reply: dict[str, Any] | None = None
    descriptors: list[int] = field(default_factory=list)


class Lost(Exception):
    """The template ended."""


class Template:
    """The template process, its control socket and the folder of all scratch folders.

    Args:
        packages: Packages to load before workers are forked. Workers can import only these and the standard library.
        parent: The folder to make the scratch folder in. None uses the system's folder for temporary files.

    Raises:
        Unusable: The system is not Linux, or the folder cannot be made.
    """

    def __init__(self, packages: Sequence[str], parent: str | None) -> None:
        if sys.platform != "linux":
            raise Unusable(
                f"The sandbox of processes needs Linux with Landlock and seccomp, and this is {sys.platform}."
            )
        folder = fresh(parent)
        self.base = folder.path
        self.scratch = folder.make("scratch", 0o700)
        os.chmod(self.base, 0o711)
        _give_away(self.scratch)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        setup: Setup = {
            "control": theirs.fileno(),
            "packages": list(packages),
            "root": folder.make("root", 0o755),
            "scratch": self.scratch,
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", "-c", _BOOT, _PACKAGE, str(_HERE), json.dumps(setup)],
                env=_ENVIRONMENT,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd="/",
                start_new_session=True,
            )
        self._control = ours
        self._lock = anyio.Lock()
        self._due: deque[Ticket] = deque([Ticket()])
        self._hello = self._due[0]
        self.facts: dict[str, Any] = {}
        self._end = weakref.finalize(self, _end, self._process, ours, folder)

    async def ready(self) -> None:
        """Wait until the template can fork.

        Raises:
            Unusable: The machine lacks something that the sandbox needs.
        """
        if self.facts:
            return
        try:
            self.facts, _ = await self.settle(self._hello)
        except Lost as error:
            raise Unusable(f"The sandbox did not start: {self._last_words()}") from error
        if "error" in self.facts:
            raise Unusable(str(self.facts["error"]))

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        words = self._process.stderr.read() if self._process.stderr else b""
        return words.decode("utf-8", "replace").strip()[-1000:] or f"status {self._process.returncode}"

    def order(self, terms: Terms, connection: socket.socket) -> Ticket:
        """Request a worker on this socket, without waiting for it.

        Raises:
            Lost: The template has ended.
        """
        return self._ask({"fork": terms}, connection.fileno())

    async def reap(self, pid: int) -> int:
        """Return the status of a worker that has ended, as waitpid(2) gives it.

        Raises:
            Lost: The template has ended, and its workers with it.
        """
        reply, _ = await self.settle(self._ask({"reap": pid}))
        return int(reply["status"])

    async def held(self, pid: int) -> int:
        """Return the bytes of removed files that a worker holds open.

        The template looks, because it runs as the same user and has the right to.
        """
        try:
            reply, _ = await self.settle(self._ask({"held": pid}))
        except Lost:  # The worker has ended too. The call that waits for its reply is about to notice.
            return 0
        return int(reply["held"])

    def _ask(self, request: dict[str, Any], *descriptors: int) -> Ticket:
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], list(descriptors))
        except OSError as error:
            raise Lost from error
        ticket = Ticket()
        self._due.append(ticket)
        return ticket

    async def settle(self, ticket: Ticket) -> tuple[dict[str, Any], list[int]]:
        """Wait for a reply. Replies come in the order of the requests.

        Raises:
            Lost: The template has ended.
        """
        async with self._lock:
            while ticket.reply is None:
                message, descriptors = await self._receive()
                due = self._due.popleft()
                due.reply, due.descriptors = json.loads(message), descriptors
        return ticket.reply, ticket.descriptors

    async def _receive(self) -> tuple[bytes, list[int]]:
        with anyio.move_on_after(_PATIENCE):
            while True:
                try:
                    message, descriptors, _, _ = socket.recv_fds(self._control, 65_536, 1)
                except BlockingIOError:
                    await anyio.wait_readable(self._control)
                except OSError as error:
                    raise Lost from error
                else:
                    if not message:
                        raise Lost
                    return message, descriptors
        raise Lost

    def make_folder(self) -> str:
        """Make a scratch folder for one worker and return its path."""
        path = os.path.join(self.scratch, os.urandom(8).hex())
        os.mkdir(path, 0o700)
        _give_away(path)
        return path

    async def close(self) -> None:
        """End the template and all its workers, and remove all folders."""
        self._control.close()
        if self._process.poll() is None:
            descriptor = os.pidfd_open(self._process.pid)
            try:
                with anyio.move_on_after(5):
                    await anyio.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        self._end()


def _give_away(path: str) -> None:
    if os.geteuid() == 0:
        os.chown(path, privileges.NOBODY, privileges.NOBODY)


def _end(process: subprocess.Popen[bytes], control: socket.socket, folder: Folder) -> None:
    control.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stderr:
        process.stderr.close()
    folder.remove()
