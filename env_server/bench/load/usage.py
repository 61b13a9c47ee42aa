"""CPU time and memory of another process, from /proc, or from psutil if there is no /proc and psutil is installed."""

import importlib
import importlib.util
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

_PROC = Path("/proc")


def cpu_seconds(pid: int) -> float | None:
    """Return user plus system CPU seconds of a process with its threads, or None if the machine does not provide them.

    Raises:
        OSError: if there is no such process.
    """
    if (_PROC / "self/stat").exists():
        # The process name in parentheses may contain any character, so the fields are counted from behind it.
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    process = _psutil(pid)
    return None if process is None else float(sum(process.cpu_times()[:2]))


def tree_seconds(pid: int) -> float | None:
    """Return the CPU seconds of a process, of its children, and of its children that have ended; None without /proc.

    Raises:
        OSError: if there is no such process.
    """
    if not (_PROC / "self/stat").exists():
        return None
    ticks = 0
    for process in _PROC.iterdir():
        if process.name.isdigit():
            with suppress(OSError):  # it has just ended
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                if process.name == str(pid):
                    ticks += sum(map(int, fields[11:15]))
                elif fields[1] == str(pid):
                    ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def parent_of(pid: int) -> int | None:
    """Return the parent of a process; None without /proc, or if there is no such process."""
    try:
        return int((_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def resident_bytes(pid: int) -> int | None:
    """Return the resident memory of a process in bytes, or None if the machine does not provide it.

    Raises:
        OSError: if there is no such process.
    """
    if (_PROC / "self/statm").exists():
        return int((_PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    process = _psutil(pid)
    return None if process is None else int(process.memory_info().rss)


def _psutil(pid: int) -> Any:
    """Return psutil's process object, or None if psutil, which is no dependency, is not installed."""
    if importlib.util.find_spec("psutil") is None:
        return None
    return importlib.import_module("psutil").Process(pid)
