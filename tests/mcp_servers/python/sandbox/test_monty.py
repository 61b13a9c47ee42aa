"""The backend without privileges behaves as the other, as far as it goes."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mcp_servers.python.sandbox.limits import MB, Limits
from mcp_servers.python.sandbox.monty import MontyBackend
from mcp_servers.python.sandbox.result import Busy

LIMITS = Limits(seconds=5, memory=64 * MB, disk=MB, files=50, output=1000)


@pytest.fixture
async def backend(tmp_path: Path) -> AsyncIterator[MontyBackend]:
    """A backend with small limits, which leaves no folder."""
    backend = MontyBackend(LIMITS, workers=2, folder=str(tmp_path))
    yield backend
    await backend.close()
    assert os.listdir(tmp_path) == []


async def test_what_a_call_gives(backend: MontyBackend) -> None:
    """State, output, value, errors, files, inputs, kept values, clock and seed are as in a process."""
    talk = backend.open()
    assert (await talk.run("print('a')\nx = 1")).stdout == "a\n"
    assert (await talk.run("x + 1")).value == "2"
    assert "ZeroDivisionError" in ((await talk.run("1 / 0")).error or "")
    assert "SyntaxError" in ((await talk.run("x = (")).error or "")
    assert (await talk.run("open('f.txt', 'w').write('hi')")).files == ("f.txt",)
    assert (await talk.run("open('f.txt').read()")).value == "'hi'"
    await talk.run("[n * 2 for n in data]", inputs={"data": [1, 2]}, keep="data")
    assert (await talk.run("data")).value == "[2, 4]"
    assert (await talk.run("import random; random.random()")).value == "0.8444218515250481"
    assert (await talk.run("(lambda: 1)")).value == "\"<function '<lambda>' at 0x0>\""
    other = backend.open()
    clock = await other.run("import datetime; str(datetime.datetime.now())", now=datetime(2026, 3, 2, 21, tzinfo=UTC))
    assert clock.value == "'2026-03-02 21:00:00'"
    with pytest.raises(Busy):
        await backend.open().run("1")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("while True:\n    pass", "0.2 seconds"),
        ("x = []\nwhile True:\n    x.append('a' * 1000)", "MB of memory"),
        ("for n in range(100):\n    open(str(n), 'w').write('x')", "more than 50"),
    ],
)
async def test_limits(tmp_path: Path, code: str, why: str) -> None:
    """Time, memory and files are limited; the conversation goes on afresh."""
    backend = MontyBackend(Limits(seconds=0.2, memory=16 * MB, files=50), folder=str(tmp_path))
    talk = backend.open()
    await talk.run("y = 1")
    assert why in ((await talk.run(code)).killed or "")
    assert "NameError" in ((await talk.run("y")).error or "")
    await backend.close()


async def test_output_is_cut(backend: MontyBackend) -> None:
    """Output and values are cut at the limit, and say how much is missing."""
    result = await backend.open().run("for _ in range(1000):\n    print('x' * 10)\n'y' * 5000")
    assert "cut]" in result.stdout
    assert "cut]" in (result.value or "")
    assert len(result.stdout) + len(result.value or "") < 2200


KILLED = """
import os, sys, anyio
from mcp_servers.python.sandbox.monty import MontyBackend

async def main():
    await MontyBackend(folder=sys.argv[1]).open().run("open('left.txt', 'w').write('x')")
    print(os.getpid(), flush=True)
    sys.stdin.readline()

anyio.run(main)
"""


@contextmanager
def other_server(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process whose backend has written a file; it is killed at the end."""
    root = str(Path(__file__).parents[4])
    command = [sys.executable, "-c", KILLED, str(folder)]
    with subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": root}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == str(process.pid)
        try:
            yield process
        finally:
            process.kill()


async def test_what_a_killed_server_left_goes(tmp_path: Path) -> None:
    """The next server removes the folders of one that was killed, and leaves those of one that lives."""
    with other_server(tmp_path):
        (killed,) = tmp_path.iterdir()
    with other_server(tmp_path):
        assert not killed.exists()
        (living,) = tmp_path.iterdir()
        assert [path.name for path in living.rglob("*.txt")] == ["left.txt"]
        backend = MontyBackend(LIMITS, folder=str(tmp_path))
        await backend.open().run("1")
        assert living.exists()
        await backend.close()
        assert list(tmp_path.iterdir()) == [living]


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd').read()",
        "import socket",
        "import subprocess",
        "import ctypes",
        "import os; os.fork()",
        "import os; os.listdir('/')",
    ],
)
async def test_nothing_outside(backend: MontyBackend, code: str) -> None:
    """Files, sockets and processes of the machine do not exist."""
    result = await backend.open().run(code)
    assert "Error" in (result.error or "")
