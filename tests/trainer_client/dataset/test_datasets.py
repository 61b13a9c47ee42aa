"""Hugging Face's `datasets`, from an environment of its own: it is large, and only a trainer has it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trainer_client.dataset.test_row_files import listed, own
from trainer_client.dataset import write

SCRIPT = Path(__file__).with_name("load.py")
PACKAGE = "datasets==5.2.0"


@pytest.mark.slow
def test_it_loads_and_joins_every_file(tmp_path: Path) -> None:
    """Rows of listed tasks and of own ones, in both formats, load and join in any order, and are what was written."""
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "uv", "venv", "--quiet", python.parents[1]], check=True)
    subprocess.run([sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python, PACKAGE], check=True)
    rows = {"listed": listed(3), "own": [own(), own("Another.")]}
    names = [tmp_path / f"{name}.{ending}" for ending in ("jsonl", "parquet") for name in rows]
    for path in names:
        write(path, rows[path.stem])
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")}
    for order in (names, names[::-1]):
        done = subprocess.run([python, SCRIPT, *order], capture_output=True, text=True, check=False, env=offline)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout.splitlines()[-1])
        assert found["sizes"] == [len(rows[path.stem]) for path in order]
        assert found["rows"] == [row for path in order for row in rows[path.stem]]
