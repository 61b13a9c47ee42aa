"""verifiers' own command evaluates a model on our episodes; the model is a stand-in's, the server is real."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import ROOT, Server
from tests.skyrl.tiny import NAMES
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn
from tests.trainers.conftest import KEY
from trainer_client import Client

PROGRAM = "from verifiers.v1.cli.eval.main import main; main()"
TASKS = 4


def evaluated(server: Server, standin: StandIn, folder: Path, *options: str) -> list[dict[str, Any]]:
    """The traces of an evaluation on the desk, one for each task."""
    command = [
        *(sys.executable, "-c", PROGRAM, "agent-env", "--env.taskset.domain", "desk", "-n", str(TASKS)),
        *("--model", "standin", "--client.base-url", standin.url, "--client.api-key-var", "STANDIN_KEY"),
        *("--no-push", "--no-rich", "--output-dir", str(folder), "--run.name", "desk", *options),
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "packages" / "verifiers", ROOT, ROOT / "schemas"))),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "ENV_SERVER_URL": server.url,
            "ENV_SERVER_KEY": KEY,
            "STANDIN_KEY": "none",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    print(done.stdout[-3000:], done.stderr[-3000:], [*folder.rglob("*")])
    return []


def good(asked: Asked) -> Reply:
    """Put the caller through to the line that the first message asks for."""
    print(asked)
    return Reply("x")


def test_x(server: Server, tmp_path: Path) -> None:
    with StandIn(good) as standin:
        evaluated(server, standin, tmp_path)
        print(standin.journal)
