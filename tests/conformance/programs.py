"""The official programs: the conformance suite and the Inspector, run by the Node.js that is installed beside them."""

import subprocess
from pathlib import Path

HERE = Path(__file__).parent
INSTALLED = HERE / "node_modules"
PATIENCE_S = 180


def node() -> Path:
    """The pinned Node.js of this platform."""
    found = sorted(INSTALLED.glob("node-*/bin/node"))
    assert found, f"nothing is installed in {INSTALLED}: run `make test-conformance`"
    return found[0]


def run(program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run one of the programs in `cwd`."""
    command = [str(node()), str(INSTALLED / ".bin" / program), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
