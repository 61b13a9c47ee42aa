"""The official programs: the conformance suite and the Inspector, run by the Node.js that is installed beside them."""

import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
INSTALLED = Path(os.environ.get("CONFORMANCE_PROGRAMS", "node_modules"))
"""Where `make test-conformance` has installed them."""

PATIENCE_S = 180


def node() -> Path:
    """The pinned Node.js of this platform."""
    found = sorted(INSTALLED.glob("node-*/bin/node"))
    assert found, f"no Node.js in {INSTALLED.absolute()}: run `make test-conformance`"
    return found[0]


def run(program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run one of the programs in `cwd`."""
    command = [str(node()), str(INSTALLED / ".bin" / program), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
