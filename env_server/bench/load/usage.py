"""What another process has used: CPU time and memory, from /proc or, where there is none, from psutil if installed."""

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any

_PROC = Path("/proc")


def cpu_seconds(pid: int) -> float | None:
    """User and system time of a process, its threads included; None where this machine does not tell.

    Raises:
        OSError: if there is no such process.
    """
    if (_PROC / "self/stat").exists():
        # The name of the process, in parentheses, may hold anything; the fields count from behind it.
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    process = _psutil(pid)
    return None if process is None else float(sum(process.cpu_times()[:2]))


def resident_bytes(pid: int) -> int | None:
    """Resident memory of a process; None where this machine does not tell.

    Raises:
        OSError: if there is no such process.
    """
    if (_PROC / "self/statm").exists():
        return int((_PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    process = _psutil(pid)
    return None if process is None else int(process.memory_info().rss)


def _psutil(pid: int) -> Any:
    """The process as psutil knows it; psutil is no dependency, so None where it is missing."""
    if importlib.util.find_spec("psutil") is None:
        return None
    return importlib.import_module("psutil").Process(pid)
