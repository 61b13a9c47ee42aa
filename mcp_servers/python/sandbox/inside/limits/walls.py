"""Separate namespaces for the template, if it started with the right to make them.

The namespaces are a second layer behind Landlock and seccomp. They give a network without interfaces, no System V
objects of other processes, and a root folder that holds only the interpreter, the packages and the scratch folders.
They also let the unprivileged user read an interpreter in a folder that only its owner may enter.
"""

import os
from collections.abc import Iterable
from typing import Final

from mcp_servers.python.sandbox.inside.limits import kernel

_NEW: Final = 0x00020000 | 0x04000000 | 0x08000000 | 0x40000000  # Mounts, host name, System V, network.
_READ_ONLY, _NO_SETUID, _NO_DEVICES, _NO_EXEC = 1, 2, 4, 8
_REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 32, 4096, 16384, 1 << 18


def _place(root: str, path: str) -> str:
    """Make an empty folder or file under `root` as the mount point of `path`, and return its path."""
    target = root + path
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))
    return target


def _show(root: str, path: str, flags: int) -> None:
    target = _place(root, path)
    kernel.mount(path, target, "", _BIND | _RECURSIVE)
    kernel.mount("", target, "", _BIND | _REMOUNT | _NO_SETUID | flags)


def _hide(root: str, path: str) -> None:
    kernel.mount("none", _place(root, path), "tmpfs", _NO_SETUID | _NO_DEVICES | _NO_EXEC, "mode=755,size=64k")


def build(root: str, readable: Iterable[str], hidden: Iterable[str], scratch: str) -> bool:
    """Leave the machine's namespaces. See only `readable` and `scratch` from now on.

    Return False if that is not permitted.

    Args:
        root: An empty folder to build the new root folder in.
        readable: Absolute paths of folders and files. Missing ones are skipped.
        hidden: Folders inside readable folders that appear empty, except for readable paths inside them.
        scratch: The folder that stays writable.

    Raises:
        OSError: The namespaces were made, and a mount failed.
    """
    try:
        kernel.unshare(_NEW)
        kernel.mount("", "/", "", _RECURSIVE | _PRIVATE)
    except OSError:
        return False
    kernel.mount("none", root, "tmpfs", _NO_SETUID, "mode=755,size=1m")
    veils = {path for path in hidden if os.path.isdir(path)}
    # The sort order mounts a folder before its contents.
    for path in sorted({*veils, *filter(os.path.exists, readable)}):
        if path in veils:
            _hide(root, path)
        else:
            _show(root, path, _READ_ONLY)
    _show(root, scratch, _NO_DEVICES | _NO_EXEC)
    kernel.mount("", root, "", _REMOUNT | _READ_ONLY | _NO_SETUID)
    os.chdir(root)
    kernel.pivot_root(".")
    kernel.detach(".")
    os.chdir("/")
    return True
