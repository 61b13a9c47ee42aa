"""The owners of claims, and whether they still run."""

import os
import subprocess
import sys

from env_server.episodes.turn.claim_owner import is_gone, owner

CODE = "from env_server.episodes.turn.claim_owner import owner; print(owner())"

FORKED = """
import os
from env_server.episodes.turn.claim_owner import owner
print(owner(), owner(), flush=True)
if os.fork() == 0:
    print(owner(), flush=True)
    os._exit(0)
os.wait()
"""


def test_a_process_that_has_ended_is_gone() -> None:
    """A process is known by its number and start: this one has not ended; an older one with its number has."""
    ended = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout.strip()
    assert is_gone(ended)
    assert not is_gone(owner())
    place, pid, _ = owner().split("-")
    assert is_gone(f"{place}-{pid}-of-an-older-start")
    assert not is_gone(f"{place}-{os.getppid()}-alive")


def test_of_another_machine_nothing_is_known() -> None:
    """An owner on another machine, or with another form of name, never counts as gone: process numbers are local."""
    for holder in ("0123456789ab-1-x", "", "A", f"{owner().partition('-')[0]}-x-y", "one-server"):
        assert not is_gone(holder)


def test_a_forked_process_is_another() -> None:
    """A process has one owner's name, and a process forked from it has another one."""
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True)
    parent, again, child = done.stdout.split()
    assert parent == again != child
    assert parent.split("-")[:1] == child.split("-")[:1]
