"""Attacks that use up time, memory, disk, output and names."""

from tests.mcp_servers.python.sandbox.attacks.kinds import Attack

_FLOOD = """
for number in range(64):
    with open(f'{number}.bin', 'wb') as file:
        file.write(bytes(1 << 20))
time.sleep(1)
"""
_UNNAMED = """
kept = []
for number in range(32):
    file = open('x', 'wb')
    file.write(bytes(2 << 20))
    file.flush()
    kept.append(file)
    os.remove('x')
time.sleep(1)
"""
_MANY = """
for number in range(5000):
    open(str(number), 'w').close()
"""
_DEEP = """
for _ in range(3000):
    os.mkdir('d' * 100)
    os.chdir('d' * 100)
"""
_CLOSED = """
os.makedirs('a/b', mode=0o700)
os.umask(0o777)
os.mkdir('closed')
os.close(os.open('a/b/file', os.O_CREAT | os.O_WRONLY, 0o000))
"""
_THREADS = """
import threading
threading.stack_size(32768)
for _ in range(20_000):
    threading.Thread(target=time.sleep, args=(60,)).start()
"""
_LEFT_BEHIND = """
import threading
def write():
    number = 0
    while True:
        number += 1
        with open('grows', 'ab') as file:
            file.write(bytes(65536))
        time.sleep(0.0005)
threading.Thread(target=write, daemon=True).start()
"""

_DEAF = """
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
time.sleep(60)
"""

ATTACKS = [
    Attack("a loop without end", "while True: pass", killed="0.3 seconds", seconds=0.3),
    Attack(
        "a loop that catches everything",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        killed="0.3 seconds",
        seconds=0.3,
    ),
    Attack("a long sleep", "time.sleep(10_000)", killed="0.3 seconds", seconds=0.3),
    Attack("a call into C without end", "sum(range(10 ** 15))", killed="0.3 seconds", seconds=0.3),
    Attack(
        "signals ignored",
        _DEAF,
        killed="0.3 seconds",
        seconds=0.3,
    ),
    Attack("much memory at once", "bytearray(8 << 30)", error="MemoryError"),
    Attack("much memory in steps", "kept = []\nwhile True: kept.append(bytes(1 << 22))", error="MemoryError"),
    Attack("much mapped memory", "import mmap\nkept = [mmap.mmap(-1, 1 << 28) for _ in range(64)]", error="OSError"),
    Attack("a big number", "len(str(7 ** (10 ** 8)))", killed="seconds", seconds=0.3),
    Attack(
        "a big file", "file = open('big', 'wb')\nfor _ in range(64): file.write(bytes(1 << 20))", error="File too large"
    ),
    Attack("a file with a hole", "open('big', 'wb').truncate(1 << 40)", error="File too large"),
    Attack("a flood of the disk", _FLOOD, killed="8 MB"),
    Attack("a flood by removed files", _UNNAMED, killed="8 MB"),
    Attack("a flood of files", _MANY, killed="more than 200"),
    Attack("folders without end", _DEEP, killed="scratch folder"),
    Attack("folders that nobody may enter", _CLOSED),
    Attack("descriptors", "kept = []\nwhile True: kept.append(os.open('.', os.O_RDONLY))", error="Too many open files"),
    Attack("pipes", "kept = []\nwhile True: kept.append(os.pipe())", error="Too many open files"),
    Attack("a flood of threads", _THREADS),
    Attack("a thread left behind", _LEFT_BEHIND),
    Attack("a flood of output", "for _ in range(2000): print('x' * 1000)"),
    Attack("a flood on the descriptor", "for _ in range(2000): os.write(1, b'x' * 1000)"),
    Attack("a flood of errors", "raise ValueError('x' * 10 ** 7)", error="xxx"),
    Attack("a long value", "'x' * 10 ** 7"),
    Attack("recursion", "def f(): return f()\nf()", error="RecursionError"),
    Attack("recursion without a guard", "sys.setrecursionlimit(10 ** 9)\ndef f(n): return f(n + 1)\nf(0)", seconds=0.3),
    Attack("nested code", "exec('(' * 100_000 + ')' * 100_000)", error="SyntaxError"),
]
