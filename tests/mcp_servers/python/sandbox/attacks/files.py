"""Attacks on files of others."""

from tests.mcp_servers.python.sandbox.attacks.kinds import Attack

_TRY = """
def attempt(*steps):
    for step in steps:
        try:
            step()
        except OSError as error:
            print(type(error).__name__)
"""

ATTACKS = [
    Attack("read a file", "open(SECRET).read()", error="Error"),
    Attack("read through the raw call", "call('openat', -100, SECRET.encode(), 0) < 0", value="True"),
    Attack("list a folder", "os.listdir(FOLDER)", error="Error"),
    Attack("list the root folder", "os.listdir('/')", error="PermissionError"),
    Attack("read the passwords", "open('/etc/passwd').read()", error="Error"),
    Attack("write a file", "open(SECRET, 'a').write('x')", error="Error"),
    Attack("make a file", "open(FOLDER + '/new', 'w').write('x')", error="Error"),
    Attack("make a folder", "os.mkdir(FOLDER + '/new')", error="Error"),
    Attack("remove a file", "os.remove(SECRET)", error="Error"),
    Attack("move a file in", "os.rename(SECRET, 'mine')", error="Error"),
    Attack("move a file out", "open('mine', 'w').close(); os.rename('mine', FOLDER + '/theirs')", error="Error"),
    Attack("truncate a file", "call('truncate', SECRET.encode(), 0) < 0", value="True"),
    Attack("empty a file opened for reading", "os.open(SECRET, os.O_RDONLY | os.O_TRUNC)", error="Error"),
    Attack("empty a file of the library", "os.open(os.__file__, os.O_RDONLY | os.O_TRUNC)", error="PermissionError"),
    Attack("write to the library", "open(os.__file__, 'a')", error="Error"),
    Attack("a symbolic link in the folder", "os.symlink(SECRET, 'link'); open('link').read()", error="PermissionError"),
    Attack("a hard link in the folder", "os.link(SECRET, 'link')", error="Error"),
    Attack("a link by descriptor", "call('linkat', -100, SECRET.encode(), -100, b'link', 0) < 0", value="True"),
    Attack("a path that climbs", "open(os.path.relpath(SECRET)).read()", error="Error"),
    Attack(
        "a folder as a working place",
        "was = os.getcwd(); os.chdir(FOLDER)\ntry: open('secret.txt').read()\nfinally: os.chdir(was)",
        error="Error",
    ),
    Attack("the folders of others", "os.listdir(BASE + '/scratch')", error="PermissionError"),
    Attack("chmod", f"{_TRY}\nattempt(lambda: os.chmod(SECRET, 0), lambda: os.chmod(FOLDER, 0))"),
    Attack(
        "chmod by descriptor",
        "os.fchmod(os.open(os.__file__, os.O_RDONLY), 0o777); os.stat(os.__file__).st_mode & 2",
        value="0",
    ),
    Attack("chown", "os.chown(SECRET, os.getuid(), os.getgid())", error="PermissionError"),
    Attack("utime", f"{_TRY}\nattempt(lambda: os.utime(SECRET, (1, 1)), lambda: os.utime(FOLDER))"),
    Attack("extended attributes", "os.setxattr(SECRET, 'user.mark', b'1')", error="OSError"),
    Attack("a device", "call('mknodat', -100, b'disk', 0o60666, 0x800) < 0", value="True"),
    Attack("a pipe with a name", "os.mkfifo('pipe')", error="PermissionError"),
    Attack(
        "a program with the rights of its owner",
        "open('p', 'w').close(); os.chmod('p', 0o4777); os.stat('p').st_mode & 0o4000",
        value="0",
    ),
    Attack("/proc of the host", "open(f'/proc/{HOST}/environ').read()", error="Error"),
    Attack("/proc of its own", "open('/proc/self/maps').read()", error="Error"),
    Attack("the root behind /proc", "open(f'/proc/{TEMPLATE}/root' + SECRET).read()", error="Error"),
    Attack("the terminal", "open('/dev/tty').read()", error="Error"),
    Attack("the disk", "[open(f'/dev/{name}') for name in ('vda', 'sda', 'mem', 'kmsg')]", error="Error"),
    Attack(
        "shared memory of POSIX",
        "import multiprocessing.shared_memory as m; m.SharedMemory(create=True, size=64)",
        error="Error",
    ),
    Attack("a file in memory", "os.memfd_create('x')", error="PermissionError"),
    Attack("a file without a name", "os.open('.', os.O_TMPFILE | os.O_RDWR)", error="OSError"),
    Attack("a queue of messages", "call('mq_open', b'queue', 0o102, 0o600, 0) < 0", value="True"),
    Attack("what a folder does, watched", "call('inotify_init1', 0) < 0", value="True"),
]
