"""Starts the host as different users."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from mcp_servers.python.sandbox.inside.limits import kernel

ROOT: Final = Path(__file__).parents[4]
SECRET: Final = "s3cret-of-the-operator"
NOBODY: Final = 65534
USER: Final = NOBODY if os.geteuid() == 0 else os.geteuid()
"""The user as whom code runs in the sandbox."""

_CAP_SYS_ADMIN: Final = 21
# what a container's root holds by default: no mounting, no tracing, no network administration
_CONTAINER: Final = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}

WAYS: Final = ("root", "container root", "nobody") if os.geteuid() == 0 else ("the user of the tests",)


class Driver:
    """A running host.

    Args:
        way: As whom it runs, one of `WAYS`.
    """

    def __init__(self, way: str) -> None:
        self.way = way
        # tests start one host at a time, from one thread
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.mcp_servers.python.sandbox.host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": str(ROOT), "OPERATOR_KEY": SECRET, "PATH": os.environ["PATH"]},
            cwd="/",
            preexec_fn=_preparations(way),  # noqa: PLW1509
            text=True,
        )
        self.facts = self.ask("start")

    @property
    def pid(self) -> int:
        """The host's process."""
        return self.process.pid

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def run(self, code: str, name: str = "attack", seconds: float | None = None) -> dict[str, Any]:
        """Run code in a conversation."""
        return self.ask("run", name=name, code=code, seconds=seconds)

    def close(self) -> None:
        """End the host and everything in it."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


def _preparations(way: str) -> Callable[[], None] | None:
    if way == "nobody":
        return partial(_become_nobody, needed_paths())
    if way == "container root":
        return partial(_become_container_root, needed_paths())
    return None


def needed_paths() -> list[str]:
    """Return the folders that an interpreter needs to run the host."""
    return [sys.base_prefix, sys.prefix, str(ROOT)]


def _become_nobody(paths: list[str]) -> None:
    _show(paths)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def _become_container_root(paths: list[str]) -> None:
    _show(paths)
    for capability in set(range(64)) - _CONTAINER:
        try:
            kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
        except OSError:
            continue


def _show(paths: list[str]) -> None:
    """Make `paths` reachable for everybody, in mounts of this process only, where a folder above them is closed."""
    closed = {path: above for path in paths if (above := _closed_above(path))}
    if not closed:
        return
    kernel.unshare(0x00020000)
    kernel.mount("", "/", "", 16384 | 1 << 18)
    opened = {path: os.open(path, os.O_PATH) for path in closed}
    for folder in sorted(set(closed.values())):
        kernel.mount("none", folder, "tmpfs", 0, "mode=755")
    for path, descriptor in opened.items():
        os.makedirs(path, exist_ok=True)
        kernel.mount(f"/proc/self/fd/{descriptor}", path, "", 4096 | 16384)


def _closed_above(path: str) -> str | None:
    """Return the uppermost folder on the way to `path` that others may not enter."""
    for folder in reversed([Path(path), *Path(path).parents]):
        if not folder.stat().st_mode & 0o001:
            return str(folder)
    return None
