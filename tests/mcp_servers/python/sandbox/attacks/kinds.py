"""An attack, and what its code may use."""

import platform
from dataclasses import dataclass
from typing import Any

from mcp_servers.python.sandbox.inside.limits.syscalls import NUMBERS

# calls that the filter does not name, so that the sandbox has no numbers for them; x86_64 and aarch64
_MORE = {
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180), "setpriority": (141, 140),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "ioprio_set": (251, 30), "truncate": (76, 45),
    "mknodat": (259, 33), "linkat": (265, 37), "rt_sigqueueinfo": (129, 138), "tkill": (200, 130),
    "timer_create": (222, 107), "inotify_init1": (294, 26), "setuid": (105, 146), "personality": (135, 92),
    "socket": (41, 198), "socketpair": (53, 199), "execveat": (322, 281), "mlockall": (151, 230), "lchown": (94, -1),
    "sendmsg": (46, 211), "fallocate": (285, 47), "setfsuid": (122, 151), "vmsplice": (278, 75),
}  # fmt: skip

NR = NUMBERS[platform.machine()] | {name: pair[platform.machine() == "aarch64"] for name, pair in _MORE.items()}

_PRELUDE = """
import ctypes, os, sys, time
_libc = ctypes.CDLL(None, use_errno=True)
NR = {numbers}
def call(name, *args):
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in args]
    result = _libc.syscall(ctypes.c_long(NR[name]), *words)
    return result if result >= 0 else -ctypes.get_errno()
"""


@dataclass(frozen=True)
class Attack:
    """Code, and how the call that runs it ends.

    Attributes:
        name: What it tries.
        code: It may use the names of `Site`, and `call` for system calls.
        value: The value that it has to end with, as `repr`.
        error: What the error has to contain.
        killed: What the reason for ending the worker has to contain.
        seconds: The time limit, where the attack is one on time.
    """

    name: str
    code: str
    value: str | None = None
    error: str | None = None
    killed: str | None = None
    seconds: float | None = None


def with_names(code: str, names: dict[str, Any]) -> str:
    """Return the code behind definitions of all that it may use."""
    definitions = "\n".join(f"{name} = {value!r}" for name, value in names.items())
    return f"{definitions}\n{_PRELUDE.format(numbers=NR)}\n{code}"
