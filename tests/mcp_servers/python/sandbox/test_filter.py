"""What the filter of system calls answers, on both architectures: its program is run here, by hand."""

import errno
import os
import struct

import pytest

from mcp_servers.python.sandbox.inside.limits import seccomp
from mcp_servers.python.sandbox.inside.limits.syscalls import ARCHITECTURE, NUMBERS

PID = 4711
ALLOW, KILL = 0x7FFF0000, 0x80000000
MACHINES = ("x86_64", "aarch64")


def answer(machine: str, number: int, *args: int, architecture: int | None = None) -> int:
    """Run the program over a call and return its action."""
    words = (*args, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("=IIQ6Q", number, architecture or ARCHITECTURE[machine], 0, *(word % 2**64 for word in words))
    code = [struct.unpack("=HBBI", chunk) for chunk in _chunks(seccomp.program(PID, machine))]
    at = accumulator = 0
    while True:
        operation, yes, no, value = code[at]
        at += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, value)
            case 0x54:
                accumulator &= value
            case 0x15:
                at += yes if accumulator == value else no
            case 0x35:
                at += yes if accumulator >= value else no
            case 0x06:
                return int(value)


def _chunks(program: bytes) -> list[bytes]:
    return [program[at : at + 8] for at in range(0, len(program), 8)]


def refused(code: int) -> int:
    """The action that lets a call fail with this error."""
    return 0x50000 | code


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "args", "action"),
    [
        ("read", (), ALLOW),
        ("futex", (), ALLOW),
        ("clone", (0x3D0F00,), ALLOW),
        ("clone", (0x7D0F00,), ALLOW),
        ("clone", (0x3D0F00 | 0x10000000,), refused(errno.EPERM)),
        ("clone", (0x3D0F00 | 1 << 40,), refused(errno.EPERM)),
        ("clone", (17,), refused(errno.EPERM)),
        ("clone3", (), refused(errno.ENOSYS)),
        ("kill", (PID, 9), ALLOW),
        ("kill", (PID + 1, 9), refused(errno.EPERM)),
        ("kill", (-1 % 2**32, 9), refused(errno.EPERM)),
        ("tgkill", (PID, 1, 9), ALLOW),
        ("prlimit64", (0, 7, 0, 1), ALLOW),
        ("prlimit64", (PID, 7, 0, 1), ALLOW),
        ("prlimit64", (1, 7, 0, 1), refused(errno.EPERM)),
        ("prlimit64", (0, 7, 1 << 40, 0), refused(errno.EPERM)),
        ("prlimit64", (0, 7, 1, 0), refused(errno.EPERM)),
        ("openat", (0, 0, os.O_RDWR | os.O_CREAT | os.O_TRUNC), ALLOW),
        ("openat", (0, 0, os.O_RDONLY | os.O_TRUNC), refused(errno.EPERM)),
        ("openat", (0, 0, os.O_RDONLY | os.O_DIRECTORY), ALLOW),
        ("openat", (0, 0, os.O_RDWR | os.O_TMPFILE), refused(errno.EOPNOTSUPP)),
        ("prctl", (15,), ALLOW),
        ("prctl", (1,), refused(errno.EPERM)),
        ("fcntl", (3, 2), ALLOW),
        ("fcntl", (3, 8), refused(errno.EPERM)),
        ("fchmodat", (), refused(0)),
        ("fsetxattr", (), refused(errno.EOPNOTSUPP)),
        ("ptrace", (), KILL),
        ("io_uring_setup", (), KILL),
    ],
)
def test_answers(machine: str, name: str, args: tuple[int, ...], action: int) -> None:
    """Arguments decide where a call is both needed and dangerous."""
    assert answer(machine, NUMBERS[machine][name], *args) == action


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_not_listed(machine: str) -> None:
    """Unlisted calls are refused, newer ones do not exist, and other entries of the kernel end the process."""
    listed = set(NUMBERS[machine].values())
    unlisted = [number for number in range(460) if number not in listed]
    assert {answer(machine, number) for number in unlisted} == {refused(errno.EPERM)}
    assert answer(machine, 471) == refused(errno.ENOSYS)
    assert answer(machine, 0x40000000 + 1) == KILL
    assert answer(machine, NUMBERS[machine]["read"], architecture=0x40000003) == KILL


def test_no_call_is_in_two_groups() -> None:
    """Every name in the policy has one answer, and a number on at least one architecture."""
    groups = [seccomp.FILES, seccomp.MEMORY, seccomp.ITSELF, seccomp.IGNORED, seccomp.UNSUPPORTED, seccomp.UNKNOWN]
    names = [name for group in (*groups, seccomp.DANGEROUS) for name in group]
    assert len(names) == len(set(names))
    assert not [name for name in names if all(name not in numbers for numbers in NUMBERS.values())]
    assert all(len(set(numbers.values())) == len(numbers) for numbers in NUMBERS.values())
