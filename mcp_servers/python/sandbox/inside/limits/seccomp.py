"""The filter of system calls: a list of allowed calls, built for one worker.

A call that is not listed fails with EPERM. A call that is newer than the tables fails with ENOSYS, so that libraries
fall back to older calls. A call that only attacks make kills the process.
"""

import errno
import os
from typing import Final

from mcp_servers.python.sandbox.inside.limits import bpf, kernel
from mcp_servers.python.sandbox.inside.limits.syscalls import ARCHITECTURE, LAST, NUMBERS

_ALLOW: Final = bpf.end(0x7FFF0000)
_KILL: Final = bpf.end(0x80000000)


def _names(text: str) -> list[str]:
    return text.split()


FILES: Final = _names("""
read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 close close_range lseek stat fstat lstat
newfstatat statx access faccessat faccessat2 getcwd chdir fchdir getdents64 readlink readlinkat mkdir mkdirat rmdir
unlink unlinkat rename renameat ftruncate fsync fdatasync flock dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
epoll_create1 epoll_ctl epoll_wait epoll_pwait statfs fstatfs sendfile copy_file_range fadvise64 umask
""")
MEMORY: Final = _names("mmap munmap mprotect mremap madvise brk msync mincore membarrier")
ITSELF: Final = _names("""
getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getrusage times uname sysinfo
getcpu sched_yield set_tid_address set_robust_list rseq futex exit exit_group restart_syscall rt_sigaction
rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause clock_gettime clock_getres
clock_nanosleep nanosleep gettimeofday time getrandom getrlimit
""")
# Landlock does not cover these calls. Copying a file makes them, so the filter reports success without running them.
IGNORED: Final = _names("chmod fchmod fchmodat fchmodat2 utime utimes futimesat utimensat")
UNSUPPORTED: Final = _names("""
setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr removexattr lremovexattr
fremovexattr
""")
UNKNOWN: Final = _names("clone3 openat2 renameat2 epoll_pwait2")  # The C library falls back to the older calls.
DANGEROUS: Final = _names("""
ptrace process_vm_readv process_vm_writev bpf mount umount2 pivot_root chroot setns unshare init_module finit_module
delete_module kexec_load kexec_file_load reboot swapon swapoff open_by_handle_at perf_event_open userfaultfd add_key
request_key keyctl io_uring_setup io_uring_enter io_uring_register acct fanotify_init fanotify_mark quotactl
quotactl_fd settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname iopl ioperm pidfd_getfd
pidfd_send_signal open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr syslog modify_ldt kcmp
""")

_THREAD: Final = 0x003D0F00  # The flags that the C library passes to clone for a thread. The thread shares everything.
_THREAD_DETACHED: Final = 0x00400000  # An obsolete flag without effect that musl adds.
_PRCTL: Final = (15, 16, 0x53564D41)  # Set and get the thread's name, and name a mapping.
# Duplicate, flags and locks. Not owner, signal or pipe size.
_FCNTL: Final = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030)
# Check for a terminal, get the number of readable bytes, set flags.
_IOCTL: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)


def _error(code: int) -> bytes:
    return bpf.end(0x00050000 | code)


def _one_of(argument: int, values: tuple[int, ...]) -> bytes:
    cases = b"".join(bpf.when(value, _ALLOW) for value in values)
    return bpf.load(bpf.low(argument)) + cases + _error(errno.EPERM)


def _opening(argument: int) -> bytes:
    """Return instructions that refuse unnamed files, and truncation of a file that is opened for reading.

    Older versions of Landlock do not block this truncation.
    """
    nameless = bpf.keep(os.O_TMPFILE) + bpf.when(os.O_TMPFILE, _error(errno.EOPNOTSUPP))
    emptied = bpf.keep(os.O_TRUNC | os.O_ACCMODE) + bpf.when(os.O_TRUNC | os.O_RDONLY, _error(errno.EPERM))
    flags = bpf.load(bpf.low(argument))
    return flags + nameless + flags + emptied + _ALLOW


def _threads() -> bytes:
    return (
        bpf.load(bpf.high(0))
        + bpf.unless(0, _error(errno.EPERM))
        + bpf.load(bpf.low(0))
        + bpf.keep(0xFFFFFFFF ^ _THREAD_DETACHED)
        + bpf.when(_THREAD, _ALLOW)
        + _error(errno.EPERM)
    )


def _reading_limits(pid: int) -> bytes:
    nothing_new = b"".join(bpf.load(word) + bpf.unless(0, _error(errno.EPERM)) for word in (bpf.low(2), bpf.high(2)))
    return nothing_new + _one_of(0, (0, pid))


def _with_arguments(pid: int) -> dict[str, bytes]:
    return {
        "open": _opening(1),
        "openat": _opening(2),
        "clone": _threads(),
        "prctl": _one_of(0, _PRCTL),
        "ioctl": _one_of(1, _IOCTL),
        "fcntl": _one_of(1, _FCNTL),
        "kill": _one_of(0, (pid,)),
        "tgkill": _one_of(0, (pid,)),
        "prlimit64": _reading_limits(pid),
        "sched_getaffinity": _one_of(0, (0, pid)),
    }


def _answers(pid: int) -> dict[str, bytes]:
    plain = dict.fromkeys([*FILES, *MEMORY, *ITSELF], _ALLOW)
    return {
        **plain,
        **_with_arguments(pid),
        **dict.fromkeys(IGNORED, _error(0)),
        **dict.fromkeys(UNSUPPORTED, _error(errno.EOPNOTSUPP)),
        **dict.fromkeys(UNKNOWN, _error(errno.ENOSYS)),
        **dict.fromkeys(DANGEROUS, _KILL),
    }


def program(pid: int, machine: str) -> bytes:
    """Return the filter for the process `pid` on an architecture."""
    numbers = NUMBERS[machine]
    head = bpf.load(bpf.ARCHITECTURE) + bpf.unless(ARCHITECTURE[machine], _KILL) + bpf.load(bpf.NUMBER)
    rules = b"".join(bpf.when(numbers[name], answer) for name, answer in _answers(pid).items() if name in numbers)
    foreign = bpf.from_on(0x40000000, _KILL)  # The x32 variants of the same calls.
    return head + foreign + rules + bpf.from_on(LAST + 1, _error(errno.ENOSYS)) + _error(errno.EPERM)


def check() -> None:
    """Check that the kernel accepts filters.

    Raises:
        Lacking: The kernel does not accept filters.
    """
    try:
        kernel.offers_killing()
    except OSError as error:
        raise kernel.Lacking(
            f"The kernel takes no filters of system calls ({error.strerror}); the sandbox needs CONFIG_SECCOMP_FILTER."
        ) from error


def restrict() -> None:
    """Permanently install the filter for this process, which must have one thread.

    Raises:
        Lacking: The kernel has no seccomp filters.
    """
    try:
        kernel.install_filter(program(os.getpid(), kernel.machine()))
    except OSError as error:
        raise kernel.Lacking(
            f"The kernel refused the filter of system calls ({error}); it needs CONFIG_SECCOMP_FILTER."
        ) from error
