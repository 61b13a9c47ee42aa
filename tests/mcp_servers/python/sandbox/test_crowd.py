"""Many workers, many conversations, and servers that end without a word."""

import os
import signal
import time
from pathlib import Path

import pytest

from mcp_servers.python.sandbox.pool import ProcessBackend
from tests.mcp_servers.python.sandbox.starting import WAYS, Driver

pytestmark = pytest.mark.slow


def proportional(pid: int) -> int:
    """The proportional set size of a process, in bytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024


async def test_64_workers_with_pandas_fit_into_2_gb(offered: None) -> None:
    """Workers share the packages' memory: 64 that have used pandas take less than 2 GB, the template included."""
    backend = ProcessBackend(spare=0)
    try:
        conversations = [backend.open() for _ in range(64)]
        for conversation in conversations:
            code = "import pandas as pd\nfloat(pd.DataFrame({'a': range(1000)}).a.rolling(5).mean().iloc[-1])"
            assert (await conversation.run(code)).value == "997.0"
        pids = [conversation._process.pid for conversation in conversations if conversation._process]
        assert backend._template
        total = sum(map(proportional, [*pids, backend._template._process.pid]))
        print(f"64 workers: {total / 2**20:.0f} MB")
        assert total < 2 * 2**30
    finally:
        await backend.close()


async def test_a_thousand_conversations_leave_nothing(offered: None) -> None:
    """No process, zombie, descriptor or folder is left."""
    backend = ProcessBackend(packages=("numpy",))
    try:
        await backend.start()
        await backend.open().run("1")
        template = backend._template
        assert template
        before = len(os.listdir("/proc/self/fd"))
        inside = len(os.listdir(f"/proc/{template._process.pid}/fd"))
        for number in range(1000):
            conversation = backend.open()
            await conversation.run(("x = 1", "import os; os._exit(1)", "open('f', 'w').write('x')")[number % 3])
            await conversation.close()
        await backend.start()
        children = Path(f"/proc/{template._process.pid}/task/{template._process.pid}/children").read_text().split()
        assert len(os.listdir("/proc/self/fd")) <= before + 2
        assert len(os.listdir(f"/proc/{template._process.pid}/fd")) == inside
        assert len(children) <= 2
        assert len(os.listdir(template.scratch)) <= 2
    finally:
        await backend.close()


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_is_killed_takes_everything_with_it(offered: None, way: str) -> None:
    """Where the server gets SIGKILL, the template and all workers end, and what code wrote is removed."""
    driver = Driver(way)
    driver.run("open('f', 'w').write('x')")
    driver.run("import time, threading; threading.Thread(target=time.sleep, args=(60,)).start()", "threads")
    pids = [driver.facts["template"], *(driver.ask("where", name=name)["pid"] for name in ("attack", "threads"))]
    os.kill(driver.pid, signal.SIGKILL)
    driver.process.wait()
    for stream in (driver.process.stdin, driver.process.stdout):
        assert stream
        stream.close()
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
    assert not [path for path in Path(driver.facts["base"], "scratch").rglob("*") if path.is_file()]
    Driver(way).close()  # the next server removes the empty folder
    assert not Path(driver.facts["base"]).exists()
