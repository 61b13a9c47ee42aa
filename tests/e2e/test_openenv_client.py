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
PACKAGES = ("openenv==0.10.0", "verifiers==0.3.1")
README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the packages."""
    found = tmp_path_factory.mktemp("openenv") / "bin" / "python"
    subprocess.run([sys.executable, "-m", "uv", "venv", "--quiet", "--clear", found.parents[1]], check=True)
    subprocess.run([sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", found, *PACKAGES], check=True)
    return found


@pytest.mark.slow
def test_verifiers_plays_unmodified(start: Start, python: Path) -> None:
    """It plays the README's episode from a model's replies: words, and calls as JSON, fenced or in OpenEnv's form."""
    actions = [json.loads(body)["action"] for body in re.findall(r"/step -d '(.*)'$", README.read_text("utf-8"), re.M)]
    replies = []
    for number, action in enumerate(actions):
        if isinstance(action, str):
            replies.append(action)
            continue
        (call,) = action["tool_calls"]
        named = {"type": "call_tool", "tool_name": call["name"], "arguments": call["arguments"]}
        shape = (action, call, named)[number % 3]
        replies.append(f"```json\n{json.dumps(shape)}\n```" if number % 2 else json.dumps(shape))
    server = start()
    command = [str(python), str(SCRIPT.with_name("verifiers_client.py")), server.url, json.dumps(replies)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [*[0.0] * (len(replies) - 1), 1.0]


@pytest.mark.slow
def test_it_plays_unmodified(start: Start, python: Path) -> None:
    """The page's example runs. A step is refused before a reset and on a new connection; an episode can be resumed."""
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
