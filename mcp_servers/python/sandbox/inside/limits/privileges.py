"""Giving up rights: user, capabilities and resource limits."""

import contextlib
import os
import resource
from collections.abc import Mapping
from typing import Final

from mcp_servers.python.sandbox.inside.limits import kernel

NOBODY: Final = 65534
_ZERO: Final = ("CORE", "MSGQUEUE", "MEMLOCK", "NICE", "RTPRIO")
_TASKS: Final = 4096  # of the whole user; what one worker may start is watched from outside


def become_nobody() -> None:
    """Drop capabilities for good, and the user and groups too where this process runs as root.

    Raises:
        Lacking: It runs as root and may not change its user.
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
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # the change made it undumpable, and then it cannot be watched


def volunteer_for_memory_shortage() -> None:
    """Have the kernel end workers before anything else when memory runs out, where it lets us."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write("1000")


def die_with(parent: int) -> None:
    """Be killed when the parent process ends.

    Raises:
        SystemExit: It has ended already.
    """
    kernel.prctl(kernel.PR_SET_PDEATHSIG, 9)
    if os.getppid() != parent:
        raise SystemExit


def limit(values: Mapping[str, int]) -> None:
    """Set hard resource limits, by the names of the RLIMIT constants, and to zero what no worker needs."""
    for name, value in {**dict.fromkeys(_ZERO, 0), "NPROC": _TASKS, **values}.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
            last = bound + 1 if name == "CPU" and bound != hard else bound  # after the signal that says why
            resource.setrlimit(kind, (bound, last))
