"""System call numbers by name, for x86_64 and aarch64."""

from typing import Final

# Name, number on x86_64, number on aarch64. `-` if the architecture has no such call.
_TABLE = """
read 0 63, write 1 64, pread64 17 67, pwrite64 18 68, readv 19 65, writev 20 66, preadv 295 69, pwritev 296 70,
preadv2 327 286, pwritev2 328 287, close 3 57, close_range 436 436, lseek 8 62, stat 4 -, fstat 5 80, lstat 6 -,
newfstatat 262 79, statx 332 291, access 21 -, faccessat 269 48, faccessat2 439 439, getcwd 79 17, chdir 80 49,
fchdir 81 50, getdents64 217 61, readlink 89 -, readlinkat 267 78, mkdir 83 -, mkdirat 258 34, rmdir 84 -,
unlink 87 -, unlinkat 263 35, rename 82 -, renameat 264 38, renameat2 316 276, ftruncate 77 46, fsync 74 82,
fdatasync 75 83, flock 73 32, dup 32 23, dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59, poll 7 -, ppoll 271
73, select 23 -, pselect6 270 72, epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22,
epoll_pwait2 441 441, statfs 137 43, fstatfs 138 44, sendfile 40 71, copy_file_range 326 285, fadvise64 221 223,
umask 95 166, open 2 -, openat 257 56, openat2 437 437, mmap 9 222, munmap 11 215, mprotect 10 226, mremap 25
216, madvise 28 233, brk 12 214, msync 26 227, mincore 27 232, membarrier 324 283, getpid 39 172, getppid 110
173, gettid 186 178, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177, getresuid 118 148,
getresgid 120 150, getgroups 115 158, getpgrp 111 -, getrusage 98 165, times 100 153, uname 63 160, sysinfo 99
179, getcpu 309 168, sched_yield 24 124, sched_getaffinity 204 123, set_tid_address 218 96, set_robust_list 273
99, rseq 334 293, futex 202 98, exit 60 93, exit_group 231 94, restart_syscall 219 128, rt_sigaction 13 134,
rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigsuspend 130
133, sigaltstack 131 132, pause 34 -, clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115,
nanosleep 35 101, gettimeofday 96 169, time 201 -, getrandom 318 278, getrlimit 97 163, prlimit64 302 261, clone
56 220, clone3 435 435, prctl 157 167, ioctl 16 29, fcntl 72 25, kill 62 129, tgkill 234 131, chmod 90 -, fchmod
91 52, fchmodat 268 53, fchmodat2 452 452, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88,
setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, getxattr 191 8, lgetxattr 192 9, fgetxattr 193 10, listxattr
194 11, llistxattr 195 12, flistxattr 196 13, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16,
ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, bpf 321 280, mount 165 40, umount2 166 39,
pivot_root 155 41, chroot 161 51, setns 308 268, unshare 272 97, init_module 175 105, finit_module 313 273,
delete_module 176 106, kexec_load 246 104, kexec_file_load 320 294, reboot 169 142, swapon 167 224, swapoff 168
225, open_by_handle_at 304 265, perf_event_open 298 241, userfaultfd 323 282, add_key 248 217, request_key 249
218, keyctl 250 219, io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427, acct 163 89,
fanotify_init 300 262, fanotify_mark 301 263, quotactl 179 60, quotactl_fd 443 443, settimeofday 164 170,
clock_settime 227 112, adjtimex 159 171, clock_adjtime 305 266, sethostname 170 161, setdomainname 171 162, iopl
172 -, ioperm 173 -, pidfd_getfd 438 438, pidfd_send_signal 424 424, open_tree 428 428, move_mount 429 429,
fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442, syslog 103 116,
modify_ldt 154 -, kcmp 312 272, seccomp 317 277, capset 126 91, landlock_create_ruleset 444 444,
landlock_add_rule 445 445, landlock_restrict_self 446 446, pidfd_open 434 434, memfd_create 319 279
"""

LAST: Final = 470  # A higher number belongs to a kernel newer than these tables. Programs expect ENOSYS for it.


def _column(index: int) -> dict[str, int]:
    rows = (entry.split() for entry in _TABLE.replace("\n", " ").split(","))
    return {row[0]: int(row[index]) for row in rows if row[index] != "-"}


NUMBERS: Final[dict[str, dict[str, int]]] = {"x86_64": _column(1), "aarch64": _column(2)}
ARCHITECTURE: Final[dict[str, int]] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_*
