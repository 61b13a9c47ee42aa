"""Landlock rules: the files that a worker may read, and the one folder that it may write to."""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from typing import Final

from mcp_servers.python.sandbox.inside.limits import kernel

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REGULAR = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14

READ: Final = _READ_FILE | _READ_DIR
LIST: Final = _READ_DIR
WRITE: Final = (
    READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REGULAR | _REFER | _TRUNCATE
)  # The rights exclude links, pipes, sockets, devices and execution.
DEVICE: Final = _READ_FILE | _WRITE_FILE
_FOR_FILES: Final = _WRITE_FILE | _READ_FILE | _TRUNCATE

Rule = tuple[int, int]  # A descriptor opened with O_PATH, and the rights below it.


def abi() -> int:
    """Return the version of Landlock that the kernel supports.

    Raises:
        Lacking: The kernel does not support Landlock.
    """
    try:
        return kernel.landlock("create", None, 0, 1)
    except OSError as error:
        raise kernel.Lacking(
            f"The kernel offers no Landlock ({error.strerror}); the sandbox needs Linux 5.13 or newer with "
            "CONFIG_SECURITY_LANDLOCK and `landlock` among the active security modules (lsm=)."
        ) from error


def _handled(version: int) -> tuple[int, bytes]:
    """Return the file rights that this version knows, and the attributes of a ruleset that handles all it can."""
    rights = 13 + (version >= 2) + (version >= 3) + (version >= 5)
    files = (1 << rights) - 1
    network = 0b11 if version >= 4 else 0  # TCP bind and connect.
    scoped = 0b11 if version >= 6 else 0  # Abstract sockets and signals.
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    return files, struct.pack("QQQ", files, network, scoped)[:size]


def rule(path: str, rights: int) -> Rule | None:
    """Open `path` for a rule. Return None if it does not exist."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        rights &= _FOR_FILES
    return descriptor, rights


def restrict(rules: Iterable[Rule]) -> None:
    """Permanently confine this thread, and all threads and processes that it starts, to `rules`.

    Raises:
        Lacking: The kernel does not support Landlock.
        OSError: The kernel refused a rule.
    """
    files, attributes = _handled(abi())
    ruleset = kernel.landlock("create", ctypes.create_string_buffer(attributes, len(attributes)), len(attributes), 0)
    try:
        for descriptor, rights in rules:
            packed = struct.pack("=Qi", rights & files, descriptor)
            kernel.landlock("add", ruleset, 1, ctypes.create_string_buffer(packed, len(packed)), 0)
        kernel.landlock("restrict", ruleset, 0)
    finally:
        os.close(ruleset)
