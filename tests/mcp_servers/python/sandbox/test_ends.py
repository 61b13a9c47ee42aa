"""However a call, a worker, the template or the server ends, the next call is answered and nothing is left behind."""

import os
import signal
from pathlib import Path

import anyio
import pytest

from mcp_servers.python.sandbox.limits import Limits
from mcp_servers.python.sandbox.pool import ProcessBackend, ProcessConversation
from mcp_servers.python.sandbox.result import Busy
from tests.mcp_servers.python.sandbox.conftest import Talk


def processes_of(backend: ProcessBackend) -> list[str]:
    """The workers that are alive or not reaped."""
    assert backend._template
    pid = backend._template._process.pid
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def folders_of(backend: ProcessBackend) -> list[str]:
    """The scratch folders that exist."""
    assert backend._template
    return os.listdir(backend._template.scratch)


async def test_a_hundred_conversations_leave_nothing(backend: ProcessBackend) -> None:
    """After many conversations, some ended by force, there are as many descriptors, processes and folders as before."""
    first = backend.open()
    await first.run("1")
    await first.close()
    await backend.start()
    before = len(os.listdir("/proc/self/fd"))
    for number in range(100):
        conversation = backend.open()
        await conversation.run("open('f', 'w').write('x')" if number % 5 else "import os; os._exit(1)")
        await conversation.close()
    await backend.start()
    assert len(os.listdir("/proc/self/fd")) <= before
    assert len(processes_of(backend)) == backend.spare
    assert len(folders_of(backend)) == backend.spare


async def test_a_cancelled_call(backend: ProcessBackend, talk: Talk) -> None:
    """A call that its caller gives up ends the worker, and the conversation goes on afresh."""
    async with talk() as conversation:
        await conversation.run("x = 1")
        with anyio.move_on_after(0.1) as patience:
            await conversation.run("while True: pass")
        assert patience.cancelled_caught
        assert "NameError" in ((await conversation.run("x")).error or "")


async def test_calls_at_the_same_time(talk: Talk) -> None:
    """Calls of one conversation run one after the other, those of several side by side."""
    async with talk() as one, talk() as other:
        values: list[str | None] = []

        async def call(conversation: ProcessConversation, code: str) -> None:
            values.append((await conversation.run(code)).value)

        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(call, one, "n = globals().get('n', 0) + 1\nn")
                group.start_soon(call, other, "n = globals().get('n', 0) + 10\nn")
        assert sorted(values, key=str) == ["1", "10", "2", "20", "3", "30"]


async def test_threads_left_behind_stand_still(talk: Talk) -> None:
    """A thread that outlives its call runs during later calls only."""
    start = "import threading, time\nn = 0\ndef count():\n    global n\n    while True:\n"
    start += "        n += 1\n        time.sleep(0.001)\n"
    async with talk() as conversation:
        await conversation.run(f"{start}threading.Thread(target=count, daemon=True).start()")
        assert conversation._process
        state = Path(f"/proc/{conversation._process.pid}/stat")
        await anyio.sleep(0.05)
        assert state.read_text().rsplit(")", 1)[1].split()[0] == "T"
        assert int((await conversation.run("time.sleep(0.05)\nn")).value or 0) > 1


async def test_the_template_dies(backend: ProcessBackend, talk: Talk) -> None:
    """Where the template is killed, its workers end, calls say so, and a new template serves the next call."""
    async with talk() as conversation:
        await conversation.run("x = 1")
        assert backend._template
        assert conversation._process
        os.kill(backend._template._process.pid, signal.SIGKILL)
        assert await conversation._process.ended(20)
        assert (await conversation.run("x")).killed == "the sandbox was ended, with all its workers"
        assert (await conversation.run("1")).value == "1"
    async with talk() as other:
        assert (await other.run("2")).value == "2"


async def test_too_many_conversations() -> None:
    """Beyond the limit a call says that all workers are in use."""
    backend = ProcessBackend(packages=(), workers=1, spare=0)
    try:
        one, two = backend.open(), backend.open()
        assert (await one.run("1")).value == "1"
        with pytest.raises(Busy):
            await two.run("1")
        await one.close()
        assert (await two.run("2")).value == "2"
    finally:
        await backend.close()


async def test_closing_ends_everything(tmp_path: Path) -> None:
    """A closed backend has no process and no folder, even where a call is under way."""
    tmp_path.chmod(0o755)
    for folder in tmp_path.parents[:2]:
        folder.chmod(0o755)
    backend = ProcessBackend(packages=(), spare=2, folder=str(tmp_path))
    conversation = backend.open()
    await conversation.run("open('f', 'w').write('x')")
    assert backend._template
    pid, workers = backend._template._process.pid, processes_of(backend)
    async with anyio.create_task_group() as group:
        group.start_soon(conversation.run, "while True: pass")
        await anyio.sleep(0.05)
        await backend.close()
        group.cancel_scope.cancel()
    assert os.listdir(tmp_path) == []
    assert not [number for number in (*workers, str(pid)) if Path(f"/proc/{number}").exists()]


@pytest.mark.slow
async def test_processor_time_is_limited() -> None:
    """A worker that has used up its processor time is ended and the result says why."""
    backend = ProcessBackend(Limits(cpu_s=1), packages=(), spare=0)
    try:
        assert (await backend.open().run("while True: pass")).killed == "it used up its processor time"
    finally:
        await backend.close()
