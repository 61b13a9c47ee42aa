"""Immediate restarts of the PostgreSQL server that beside.py keeps running."""

import os
import signal
import time
from pathlib import Path


def interrupt(data: Path) -> None:
    """Let PostgreSQL end at once, without ending transactions and connections, and wait until it answers again."""
    lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    os.kill(int(lines[0]), signal.SIGQUIT)
    while True:
        time.sleep(0.05)
        try:
            again = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            continue
        if again[0] != lines[0] and again[-1].strip() == "ready":
            return
