"""Everything outside the sandbox that an attack could change."""

import contextlib
import os
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.mcp_servers.python.sandbox.leftovers import left_behind
from tests.mcp_servers.python.sandbox.starting import NOBODY, SECRET, USER, Driver


@dataclass
class Site:
    """A host, and a folder beside it that everybody may write to."""

    driver: Driver
    folder: Path
    listener: socket.socket
    before: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, Any]:
        """What the code of an attack may refer to."""
        return {
            "FOLDER": str(self.folder),
            "SECRET": str(self.folder / "secret.txt"),
            "HOST": self.driver.pid,
            "TEMPLATE": self.driver.facts["template"],
            "PORT": self.listener.getsockname()[1],
            "BASE": self.driver.facts["base"],
        }


def prepare(folder: Path, driver: Driver) -> Site:
    """Make a folder with a secret that belongs to the user as whom code runs, and a port that listens."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o777)
    secret = folder / "secret.txt"
    secret.write_text(SECRET)
    secret.chmod(0o666)
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.chown(secret, NOBODY, NOBODY)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    site = Site(driver, folder, listener)
    site.before = facts(site)
    return site


def facts(site: Site) -> dict[str, Any]:
    """Return the state that an attack must not change."""
    watched = {"host": site.driver.pid, "template": int(site.driver.facts["template"])}
    return {
        "folder": {str(path): _file(path) for path in [site.folder, *sorted(site.folder.rglob("*"))]},
        "processes": {name: _process(pid) for name, pid in watched.items()},
        "descendants of workers": [_children(pid) for pid in _children(watched["template"]) if _children(pid)],
        "left behind": left_behind(USER, site.driver.pid),
        "host name": socket.gethostname(),
        "clock": round((time.time() - time.monotonic()) / 3600),
        "mounts": len(Path(f"/proc/{site.driver.pid}/mounts").read_text().splitlines()),
        "connections": _accepted(site.listener),
    }


def _file(path: Path) -> tuple[Any, ...]:
    seen = path.lstat()
    content = path.read_bytes() if path.is_file() else b""
    attributes = os.listxattr(path, follow_symlinks=False)
    return seen.st_mode, seen.st_uid, seen.st_gid, seen.st_mtime_ns, seen.st_nlink, content, attributes


def _process(pid: int) -> dict[str, Any]:
    return {
        "state": "ended" if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z" else "alive",
        "limits": Path(f"/proc/{pid}/limits").read_text(),
        "priority": os.getpriority(os.PRIO_PROCESS, pid),
        "scheduler": os.sched_getscheduler(pid),
        "processors": os.sched_getaffinity(pid),
        "session": os.getsid(pid),
    }


def _children(pid: int | str) -> list[str]:
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def _accepted(listener: socket.socket) -> int:
    with contextlib.suppress(BlockingIOError):
        listener.accept()[0].close()
        return 1
    return 0
