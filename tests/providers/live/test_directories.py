"""The directories of episodes, and when they are removed."""

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from env_server.providers.live import directories

CHILD = """
import signal, sys, tempfile
tempfile.tempdir = sys.argv[1]
from env_server.providers.live.directories import episode_directory
print(episode_directory(), flush=True)
if sys.argv[2] == "wait":
    signal.pause()
"""


def started(folder: Path, *then: str) -> tuple[subprocess.Popen[str], Path]:
    """Start a process that makes a directory in `folder`."""
    process = subprocess.Popen([sys.executable, "-c", CHILD, str(folder), *then], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_a_process_removes_what_killed_ones_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directories of a killed process are removed, but not those of a live one; an ending one removes its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    alive, kept = started(tmp_path, "wait")
    killed, left = started(tmp_path, "wait")
    ended, own = started(tmp_path, "end")
    ended.communicate()
    assert (kept.is_dir(), left.is_dir(), own.parent.exists()) == (True, True, False)
    killed.kill()
    killed.communicate()
    (tmp_path / f"{directories.PREFIX}link").symlink_to(kept)
    directories.remove_left_over()
    assert (kept.is_dir(), left.parent.exists()) == (True, False)
    alive.send_signal(signal.SIGKILL)
    alive.communicate()
    directories.remove_left_over()
    assert not kept.parent.exists()
