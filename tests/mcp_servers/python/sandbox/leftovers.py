"""Memory and messages between processes that the code of an attack could leave on the machine.

Other programs make and remove such objects at any time. So only those count that belong to the user as whom code runs,
and that no process has in use which is not of the host.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

POSIX = Path("/dev/shm")
SYSTEM_V = Path("/proc/sysvipc")


def left_behind(user: int, host: int) -> list[str]:
    """Return the shared memory, semaphores and queues of `user` that processes of `host` may have made and left."""
    files = [str(path) for path in (POSIX.iterdir() if POSIX.is_dir() else ()) if _owner(path) == user]
    objects = [(name, row.get("cpid")) for name, row in _system_v() if row["cuid"] == user]
    if not (files or objects):
        return []
    others = _others(host)
    used = {path for pid in others for path in _opened(pid)} if files else set()
    return sorted({*files} - used | {name for name, maker in objects if maker not in others})


def _owner(path: Path) -> int | None:
    with suppress(FileNotFoundError):  # another program has just removed it
        return path.lstat().st_uid
    return None


def _system_v() -> Iterator[tuple[str, dict[str, int]]]:
    """Yield each object's name, and what the kernel shows of it: `cuid` is its maker's user, `cpid` its process."""
    for file, column in (("shm", "shmid"), ("sem", "semid"), ("msg", "msqid")):
        names, *lines = (SYSTEM_V / file).read_text(encoding="ascii").splitlines()
        for line in lines:
            row = dict(zip(names.split(), map(int, line.split()), strict=True))
            yield f"{column} {row[column]}", row


def _others(host: int) -> set[int]:
    """Return the processes that are neither `host` nor descend from it."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return {pid for pid in parents if host not in _line(pid, parents)}


def _line(pid: int, parents: dict[int, int]) -> Iterator[int]:
    while pid:
        yield pid
        pid = parents.get(pid, 0)


def _opened(pid: int) -> Iterator[str]:
    """Yield the files that a process has mapped or open."""
    with suppress(OSError):  # it has just ended, or belongs to somebody else
        for line in Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines():
            yield line.rpartition(" ")[2]
        for name in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):  # the process has just closed it
                yield os.readlink(f"/proc/{pid}/fd/{name}")
