"""`python -m trainer_client.learn` with arms in processes."""

import os
import queue
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.server import Server
from trainer_client.learn import parallel
from trainer_client.learn.experiment import Hardware, Scale
from trainer_client.learn.grpo import Settings

ROOT = Path(__file__).parents[2]


def test_arms_train_at_once_on_their_own_servers(tmp_path: Path) -> None:
    """Two servers, two processes, bfloat16: both arms end, the page names them, and the log has each update of each.

    They have the first seed that is asked for.
    """
    servers = [Server(tmp_path / f"{name}.db").start() for name in ("one", "two")]
    urls = [word for one in servers for word in ("--url", one.url)]
    asked = ["--quick", "--updates", "2", "--jobs", "2", "--dtype", "bfloat16", "--lora", "4", "--first-seed", "5"]
    files = ["--out", str(tmp_path / "page.md"), "--log", str(tmp_path / "run" / "log")]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "trainer_client.learn", *urls, *asked, *files],
            env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'schemas'}"},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    finally:
        for one in servers:
            one.kill()
    assert done.returncode == 1, done.stderr  # two updates are too few for the aims
    log = (tmp_path / "run" / "log").read_text(encoding="utf-8")
    for arm in ("true 5", "control 5"):
        assert f"{arm} update=0" in log
        assert f"{arm} update=1" in log
        assert f"{arm} test" in log
    assert log.index("control 5 update=0") < log.index("true 5 test"), "the control waited for the end of its true arm"
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "bfloat16, 2 arms at a time" in page
    assert "| 5 | control (test) |" in page


def test_a_control_whose_true_arm_fails_fails_too(tmp_path: Path) -> None:
    """The control does not wait for rewards that never come."""
    told: parallel.Told = queue.Queue()
    hardware = Hardware(device="no such device")
    job = parallel.Assignment("http://127.0.0.1:9", 1, "true", Scale(), Settings(), hardware, 1, tmp_path / "log")
    with pytest.raises(RuntimeError, match="no such device"):
        parallel.play(job, told)
    with pytest.raises(RuntimeError, match="ended before its last update"):
        next(parallel._read(told))
