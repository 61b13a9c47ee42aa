"""Immediate restarts of the PostgreSQL server that beside.py keeps running."""

import os
import signal
import time
from pathlib import Path


def interrupt(data: Path) -> None:
    """Stop PostgreSQL at once, in the middle of transactions and connections, and wait until it answers again."""
    while (pid := answering(data)) is None:
        time.sleep(0.05)
    os.kill(pid, signal.SIGQUIT)
    while answering(data) in (None, pid):
        time.sleep(0.05)


def answering(data: Path) -> int | None:
    """Return the process that takes connections; None where there is none, or its file is only half written."""
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8").split()
    except FileNotFoundError:
        return None
    return int(lines[0]) if lines[-1:] == ["ready"] else None
