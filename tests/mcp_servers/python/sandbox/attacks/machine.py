"""Attacks on the machine and the kernel."""

import platform

from tests.mcp_servers.python.sandbox.attacks.kinds import Attack

_KILLING = {
    "mount": "b'none', FOLDER.encode(), b'tmpfs', 0, 0",
    "umount2": "b'/', 2",
    "pivot_root": "b'.', b'.'",
    "chroot": "FOLDER.encode()",
    "unshare": "0x10000000",
    "setns": "0, 0",
    "open_tree": "-100, b'/', 1",
    "move_mount": "0, b'', 0, b'', 0",
    "fsopen": "b'tmpfs', 0",
    "mount_setattr": "-100, b'/', 0, 0, 0",
    "acct": "(FOLDER + '/log').encode()",
    "fanotify_init": "0, 0",
    "quotactl": "0, 0, 0, 0",
    "bpf": "0, 0, 0",
    "perf_event_open": "0, 0, -1, -1, 0",
    "userfaultfd": "0",
    "keyctl": "0, -3, 0",
    "io_uring_setup": "8, ctypes.create_string_buffer(120)",
    "init_module": "0, 0, b''",
    "kexec_load": "0, 0, 0, 0",
    "reboot": "0, 0, 0, 0",
    "swapon": "b'/dev/zero', 0",
    "sethostname": "b'mine', 4",
    "settimeofday": "ctypes.create_string_buffer(16), 0",
    "clock_settime": "0, ctypes.create_string_buffer(16)",
    "adjtimex": "ctypes.create_string_buffer(208)",
    "open_by_handle_at": "-100, ctypes.create_string_buffer(64), 0",
    "syslog": "3, ctypes.create_string_buffer(64), 64",
}

# getpid by the 32-bit entry of the kernel, whose numbers mean other calls
_OTHER_ENTRY = """
import mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex('b814000000cd80c3'))
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
"""

_X86 = [
    Attack("the 32-bit entry of the kernel", _OTHER_ENTRY, killed="forbids"),
    Attack("the x32 numbers of calls", "_libc.syscall(0x40000000 + 39)", killed="forbids"),
]

ATTACKS = [
    *(Attack(name, f"call({name!r}, {args})", killed="forbids") for name, args in _KILLING.items()),
    *(_X86 if platform.machine() == "x86_64" else []),
    Attack("a call that does not exist yet", "_libc.syscall(5000), ctypes.get_errno()", value="(-1, 38)"),
    Attack("System V shared memory", "call('shmget', 0, 4096, 0o1666)", value="-1"),
    Attack("System V semaphores", "call('semget', 0, 1, 0o1666)", value="-1"),
    Attack("System V messages", "call('msgget', 0, 0o1666)", value="-1"),
    Attack("memory that is never swapped", "call('mlockall', 3)", value="-1"),
    Attack("no random addresses", "call('personality', 0x40000)", value="-1"),
    Attack("text for the terminal", "import fcntl; fcntl.ioctl(0, 0x5412, b'x')", error="PermissionError"),
    Attack("the network", "import socket; socket.create_connection(('127.0.0.1', PORT))", error="Error"),
    Attack(
        "a socket by the raw call",
        "[call('socket', family, 1, 0) for family in (1, 2, 10, 16, 17, 40)]",
        value="[-1, -1, -1, -1, -1, -1]",
    ),
    Attack("a pair of sockets", "import socket; socket.socketpair()", error="PermissionError"),
    Attack("its own socket, sent away", "call('sendmsg', 3, ctypes.create_string_buffer(56), 0)", value="-1"),
    Attack("a name on the network", "import socket; socket.getaddrinfo('example.com', 80)", error="gaierror"),
    Attack(
        "a timer that rings after the call",
        "import signal; signal.setitimer(signal.ITIMER_REAL, 0.01)",
        error="itimer_error",
    ),
    Attack("another timer", "call('timer_create', 0, 0, ctypes.create_string_buffer(8))", value="-1"),
]
