import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.mcp_servers.python.sandbox.leftovers import left_behind
from tests.mcp_servers.python.sandbox.outside import facts, prepare
from tests.mcp_servers.python.sandbox.starting import USER, WAYS, Driver

PROGRAM = """
import ctypes, mmap, os, sys
libc = ctypes.CDLL(None)
os.setuid(int(sys.argv[1]))
path = f"/dev/shm/left-{os.getpid()}"
descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
os.ftruncate(descriptor, 4096)
mapped = mmap.mmap(descriptor, 4096)
os.close(descriptor)
shm, sem, msg = libc.shmget(0, 4096, 0o1600), libc.semget(0, 1, 0o1600), libc.msgget(0, 0o1600)
print(path, f"shmid {shm}", f"semid {sem}", f"msqid {msg}", sep=",", flush=True)
sys.stdin.read()
"""
"""Makes an object of each kind as a user, prints their names, waits, and removes none of them."""


@contextmanager
def program(user: int) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A program of `user`, and the names of what it has made, which is removed in the end."""
    command = [sys.executable, "-c", PROGRAM, str(user)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        made = process.stdout.readline().strip().split(",")
        try:
            yield process, made
        finally:
            process.communicate()
            libc = ctypes.CDLL(None)
            remove = {"shmid": libc.shmctl, "semid": libc.semctl, "msqid": libc.msgctl}
            Path(made[0]).unlink()
            for kind, number in map(str.split, made[1:]):
                remove[kind](int(number), 0, 0)


def test_what_a_program_left_is_found() -> None:
    """Files, shared memory, semaphores and queues count, while the host's program runs and after its end."""
    with program(USER) as (process, made):
        assert {*made} <= {*left_behind(USER, os.getpid())}
        process.communicate()
        assert {*made} <= {*left_behind(USER, process.pid)}
    assert not {*made} & {*left_behind(USER, os.getpid())}


def test_what_other_programs_have_does_not_count() -> None:
    """Neither the memory that another running program of the same user has, nor anything of another user."""
    with program(USER) as (_, made):
        file, memory, *_ = made
        assert not {file, memory} & {*left_behind(USER, host=0)}
        assert not {*made} & {*left_behind(USER + 1, os.getpid())}


def test_an_attack_that_leaves_something_would_be_seen(offered: None, tmp_path: Path) -> None:
    """The comparison after each attack differs where shared memory was left."""
    driver = Driver(WAYS[0])
    site = prepare(tmp_path / "outside", driver)
    try:
        with program(USER) as (process, _):
            process.communicate()
            assert {name for name, seen in facts(site).items() if seen != site.before[name]} == {"left behind"}
        assert facts(site) == site.before
    finally:
        site.listener.close()
        driver.close()
