"""Kernel calls that Python's library does not offer, through ctypes."""

import contextlib
import ctypes
import os
import platform
import struct
from typing import Final

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_NAME: Final = 15
PR_CAPBSET_DROP: Final = 24
PR_SET_NO_NEW_PRIVS: Final = 38
PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_CLEAR_ALL: Final = 4

_LANDLOCK = {"create": 444, "add": 445, "restrict": 446}  # The numbers are the same on every architecture.
_CAPSET = {"x86_64": 126, "aarch64": 91}
_SECCOMP = {"x86_64": 317, "aarch64": 277}


class Lacking(Exception):
    """The kernel or the machine lacks a feature that the sandbox needs. The text names the feature."""


def machine() -> str:
    """Return the name of the architecture.

    Raises:
        Lacking: The architecture is neither x86_64 nor aarch64.
    """
    name = platform.machine()
    if name not in _CAPSET:
        raise Lacking(f"The sandbox knows the system calls of x86_64 and aarch64, and this machine is {name}.")
    return name


def _checked(result: int, call: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{call}: {os.strerror(code)}")
    return result


def syscall(call: str, number: int, *args: int | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a system call and return its result.

    Raises:
        OSError: The call failed. The text names `call`.
    """
    words = [ctypes.c_ulong(value) if isinstance(value, int) else value for value in args]
    return _checked(_libc.syscall(ctypes.c_long(number), *words), call)


def prctl(option: int, *args: int) -> int:
    """Change a property of this process or thread. Accept up to four arguments.

    Raises:
        OSError: The call failed.
    """
    words = [ctypes.c_ulong(value) for value in (*args, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(option, *words), f"prctl({option})")


def landlock(step: str, *args: int | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make one of the three Landlock calls: create, add or restrict.

    Raises:
        OSError: The call failed.
    """
    return syscall(f"landlock {step}", _LANDLOCK[step], *args)


def install_filter(program: bytes) -> None:
    """Install a seccomp filter for this thread and for all threads and processes that it starts.

    Raises:
        OSError: The kernel refused the filter, or has no seccomp.
    """
    code = ctypes.create_string_buffer(program, len(program))
    instructions = len(program) // 8
    header = ctypes.create_string_buffer(struct.pack("=HxxxxxxQ", instructions, ctypes.addressof(code)), 16)
    syscall("seccomp", _SECCOMP[machine()], 1, 0, header)


def offers_killing() -> None:
    """Check that the kernel accepts filters that kill a process.

    Raises:
        OSError: The kernel does not accept them.
    """
    action = ctypes.create_string_buffer((0x80000000).to_bytes(4, "little"), 4)
    syscall("seccomp", _SECCOMP[machine()], 2, 0, action)


def drop_bounding_set() -> None:
    """Give up the right to regain any capability. This has no effect without CAP_SETPCAP."""
    for capability in range(64):
        with contextlib.suppress(OSError):  # The kernel does not know the capability, or the process may not drop it.
            prctl(PR_CAPBSET_DROP, capability)


def drop_capabilities() -> None:
    """Empty every capability set of this thread. Empty the bounding set only if the kernel permits it.

    Raises:
        OSError: The kernel refused.
    """
    drop_bounding_set()
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0), 8)
    syscall("capset", _CAPSET[machine()], header, ctypes.create_string_buffer(bytes(24), 24))


def close_from(descriptor: int) -> None:
    """Close this descriptor and all higher descriptors.

    Raises:
        OSError: The kernel is older than 5.9.
    """
    syscall("close_range", 436, descriptor, 0xFFFFFFFF, 0)


def unshare(flags: int) -> None:
    """Leave the namespaces of the parent process.

    Raises:
        OSError: The call is not permitted, or this kernel does not know it.
    """
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system, bind a folder, or change a mount.

    Raises:
        OSError: The kernel refused.
    """
    words = [text.encode() or None for text in (source, target, kind)]
    result = _libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), data.encode() or None)
    _checked(result, f"mount {target}")


def detach(target: str) -> None:
    """Unmount `target` as soon as it is no longer in use.

    Raises:
        OSError: The kernel refused.
    """
    _checked(_libc.umount2(target.encode(), 2), f"unmount {target}")


def pivot_root(folder: str) -> None:
    """Make the mount `folder` the root. The old root stays mounted over it until it is detached.

    Raises:
        OSError: The kernel refused.
    """
    number = {"x86_64": 155, "aarch64": 41}[machine()]
    path = ctypes.create_string_buffer(folder.encode())
    syscall("pivot_root", number, path, path)
