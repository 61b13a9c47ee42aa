"""Drops privileges: user, capabilities and resource limits."""

import contextlib
import os
import resource
from collections.abc import Mapping
from typing import Final

from mcp_servers.python.sandbox.inside.limits import kernel

NOBODY: Final = 65534
_ZERO: Final = ("CORE", "MSGQUEUE", "MEMLOCK", "NICE", "RTPRIO")
_TASKS: Final = 4096  # Processes and threads of the whole user. `watch` limits the threads of one worker from outside.


def become_nobody() -> None:
    """Drop all capabilities permanently. Also drop the user and groups if this process runs as root.

    Raises:
        Lacking: The process runs as root and may not change its user.
    """
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if os.geteuid() != 0:
        kernel.drop_capabilities()
        return
    try:
        kernel.drop_bounding_set()
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError as error:
        raise kernel.Lacking(
            f"The sandbox was started as root and may not change to the user {NOBODY} ({error.strerror}); grant "
            "CAP_SETUID and CAP_SETGID, or start it as an unprivileged user."
        ) from error
    kernel.drop_capabilities()
    # The change of user made the process undumpable. The server cannot watch an undumpable process.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)


def volunteer_for_memory_shortage() -> None:
    """Make the kernel kill workers first when memory runs out, if it permits this setting."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write("1000")


def die_with(parent: int) -> None:
    """Arrange that the kernel kills this process when the parent process ends.

    Raises:
        SystemExit: The parent process has already ended.
    """
    kernel.prctl(kernel.PR_SET_PDEATHSIG, 9)
    if os.getppid() != parent:
        raise SystemExit


def limit(values: Mapping[str, int]) -> None:
    """Set hard resource limits by the names of the RLIMIT constants.

    Set the limits of resources that no worker needs to zero.
    """
    for name, value in {**dict.fromkeys(_ZERO, 0), "NPROC": _TASKS, **values}.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
            # The soft limit sends the signal that states the reason. The hard limit kills later.
            last = bound + 1 if name == "CPU" and bound != hard else bound
            resource.setrlimit(kind, (bound, last))
