"""OpenEnv's own client, from an environment of its own: its requirements and this project's exclude each other."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import Start
from tests.e2e.server import PATIENCE_S

SCRIPT = Path(__file__).with_name("openenv_client.py")
PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
PACKAGE = "openenv==0.10.0"


@pytest.mark.slow
def test_it_plays_unmodified(start: Start, tmp_path: Path) -> None:
    """It plays, is refused before a reset and on a new connection, and resumes the episode it names; the page does."""
    python = tmp_path / "openenv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "uv", "venv", "--quiet", python.parents[1]], check=True)
    subprocess.run([sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python, PACKAGE], check=True)
    server = start()
    (example,) = re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    env = {**os.environ, "ENV_SERVER_URL": server.url}
    subprocess.run([python, "-c", example], env=env, check=True, timeout=PATIENCE_S)
    done = subprocess.run([python, SCRIPT, server.url], capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert "SESSION_ERROR" in found["too early"]
    assert "SESSION_ERROR" in found["lost"]
    assert [found[k] for k in ("first", "resumed", "second", "state")] == [1, 1, 2, 2]
    assert found["tools"] > 10
    assert found["end"] == [True, 0.0, "max_turns"]
