"""An evaluation by verifiers' own command, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.e2e.server import ROOT
from tests.standin.server import StandIn

ENVIRONMENT = ROOT / "packages" / "verifiers"
PROGRAM = "from verifiers.v1.cli.eval.main import main; main()"


def evaluated(standin: StandIn, folder: Path, *options: str) -> list[dict[str, Any]]:
    """The episodes that verifiers recorded in `folder`; `options` name the taskset. The stand-in is the model."""
    command = [
        *(sys.executable, "-c", PROGRAM, *options, "--model", "standin", "--client.base-url", standin.url),
        *("--client.api-key-var", "STANDIN_KEY", "--no-push", "--no-rich"),
        *("--output-dir", str(folder), "--run.name", "run"),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (ENVIRONMENT, ROOT, ROOT / "schemas"))),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # uv
        "STANDIN_KEY": "none",
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    lines = (folder / "run" / "traces.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def rewards(episodes: list[dict[str, Any]], name: str) -> dict[str, float | None]:
    """The reward of each task by its name; None where the rollout has none."""
    traces = [trace for episode in episodes for trace in episode["traces"]]
    return {trace["task"]["data"]["name"]: trace["rewards"].get(name, {}).get("score") for trace in traces}
