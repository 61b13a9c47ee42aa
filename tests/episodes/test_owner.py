"""Who holds claims, and whether they still live."""

import os
import subprocess
import sys

from env_server.episodes.owner import OWNER, is_gone

CODE = "from env_server.episodes.owner import OWNER; print(OWNER)"


def test_a_process_that_has_ended_is_gone() -> None:
    """Its number says so; this process is not gone, and an older one with its number is."""
    ended = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout.strip()
    assert is_gone(ended)
    assert not is_gone(OWNER)
    place, pid, _ = OWNER.split("-")
    assert is_gone(f"{place}-{pid}-of-an-older-start")
    assert not is_gone(f"{place}-{os.getppid()}-alive")


def test_of_another_machine_nothing_is_known() -> None:
    """Nor of what is no name of ours: numbers of processes mean something only where they were given."""
    for owner in ("0123456789ab-1-x", "", "A", f"{OWNER.partition('-')[0]}-x-y", "one-server"):
        assert not is_gone(owner)
