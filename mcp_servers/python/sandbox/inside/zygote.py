"""The template process: an interpreter with the packages loaded that forks a worker for each request of the server.

Workers share the memory of the template until they write to it, so a worker costs little time and memory. The template
drops its privileges before the first fork, runs no untrusted code, and ends with the server.
"""

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
from typing import Any, NoReturn, TypedDict

from mcp_servers.python.sandbox.inside import imports, removed, trees, worker
from mcp_servers.python.sandbox.inside.limits import kernel, landlock, privileges, seccomp, walls

_ZONES = "/usr/share/zoneinfo"
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


class Setup(TypedDict):
    """The server's parameters for the template."""

    control: int  # Descriptor of the control socket.
    packages: list[str]
    root: str  # An empty folder to build the template's own root folder in.
    scratch: str  # The folder in which the server makes the folders of workers.


class Template:
    """The state of the template process."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.packages = imports.with_companions(setup["packages"])
        self.control = socket.socket(fileno=setup["control"])
        self.used = 0
        self.rules: list[landlock.Rule] = []
        self.walls = False
        self.workers: set[int] = set()
        self.shown_as: dict[str, str] = {}

    def prepare(self) -> dict[str, Any]:
        """Load the packages, drop all privileges, and return facts for the server.

        Raises:
            Lacking: The machine lacks a feature that the sandbox needs.
        """
        version = landlock.abi()
        seccomp.check()
        self._load()
        self.used = _address_space()
        privileges.volunteer_for_memory_shortage()
        packages = imports.files_of(self.packages)
        readable = [*imports.standard_files(), *packages, *filter(os.path.exists, [_ZONES])]
        self._move_in(packages)
        privileges.become_nobody()
        _check_reach([imports.standard_library(), *readable], self.setup["scratch"])
        self.rules = _rules(readable)
        imports.forget_other_packages()
        os.environ.clear()
        gc.collect()
        gc.freeze()
        return {"landlock": version, "walls": self.walls}

    def _load(self) -> None:
        imports.load_standard_extensions()
        imports.load(self.packages)
        for path in imports.files_of(self.packages):
            self.shown_as[os.path.dirname(path) + "/"] = ""
        self.shown_as[imports.standard_library() + "/"] = ""

    def _move_in(self, packages: list[str]) -> None:
        if os.geteuid() == 0:
            seen = [imports.standard_library(), *packages, _ZONES, *_DEVICES]
            self.walls = walls.build(self.setup["root"], seen, imports.installed_packages(), self.setup["scratch"])

    def fork(self, terms: worker.Terms, connection: int) -> tuple[int, int]:
        """Fork a worker. Return its process id and a descriptor of the process."""
        template = os.getpid()
        pid = os.fork()
        if pid == 0:
            worker.main(connection, terms, self.rules, self.used, template, self.shown_as)
        return pid, os.pidfd_open(pid)

    def serve(self) -> None:
        """Answer the server's requests, one at a time, until the server ends."""
        server = os.pidfd_open(os.getppid())
        waiting = select.poll()
        for descriptor in (self.control.fileno(), server):
            waiting.register(descriptor, select.POLLIN)
        while all(descriptor != server for descriptor, _ in waiting.poll()):
            message, descriptors, _, _ = socket.recv_fds(self.control, 65_536, 1)
            if not message:
                return
            self._answer(json.loads(message), descriptors)
            for descriptor in descriptors:
                os.close(descriptor)

    def clear_up(self) -> None:
        """End all workers and remove their files. The server may have ended without doing so."""
        for pid in self.workers:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        for name in os.listdir(self.setup["scratch"]):
            with contextlib.suppress(OSError):  # The server may remove a folder at the same time.
                trees.empty(os.path.join(self.setup["scratch"], name))

    def _answer(self, request: dict[str, Any], descriptors: list[int]) -> None:
        if "held" in request:
            self.tell({"held": self._held(request["held"])})
            return
        if "reap" in request:
            _, status = os.waitpid(request["reap"], 0)
            self.workers.discard(request["reap"])
            self.tell({"status": status})
            return
        try:
            pid, process = self.fork(request["fork"], descriptors[0])
        except OSError as error:
            self.tell({"error": f"no worker could be started: {error}"})
            return
        self.workers.add(pid)
        self.tell({"pid": pid}, process)
        os.close(process)

    def _held(self, pid: int) -> int:
        try:
            return removed.held(pid)
        except OSError:
            return 0

    def tell(self, message: dict[str, Any], *descriptors: int) -> None:
        """Send a message to the server."""
        socket.send_fds(self.control, [json.dumps(message).encode()], descriptors)


def _address_space() -> int:
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _check_reach(paths: list[str], scratch: str) -> None:
    hidden = [path for path in paths if not os.access(path, os.R_OK)]
    if hidden:
        raise kernel.Lacking(
            f"The user {os.geteuid()}, as whom code runs, cannot read {hidden[0]}; install Python and the packages "
            "where everybody can read them, or grant CAP_SYS_ADMIN so that the sandbox can show them."
        )
    if not os.access(scratch, os.W_OK | os.X_OK):
        raise kernel.Lacking(
            f"The user {os.geteuid()}, as whom code runs, cannot reach {scratch}; make scratch folders in a place that "
            "everybody may enter."
        )


def _rules(readable: list[str]) -> list[landlock.Rule]:
    wanted = [
        (imports.standard_library(), landlock.LIST),
        *((path, landlock.READ) for path in readable),
        *((path, landlock.DEVICE) for path in _DEVICES),
    ]
    return [rule for path, rights in wanted if (rule := landlock.rule(path, rights)) is not None]


def main() -> NoReturn:
    """Run the template. Its setup is the last command-line argument, as JSON."""
    setup: Setup = json.loads(sys.argv[-1])
    template = Template(setup)
    try:
        template.tell(template.prepare())
    except (kernel.Lacking, ImportError, OSError) as error:
        template.tell({"error": str(error)})
        raise SystemExit(1) from None
    try:
        template.serve()
    finally:
        template.clear_up()
    raise SystemExit(0)
