"""The official programs: the conformance suite and the Inspector, and the Node.js that runs them."""

import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
INSTALLED = Path(os.environ.get("CONFORMANCE_PROGRAMS", "node_modules"))
"""Where `make test-conformance` has installed them."""

OLDEST = (22, 19)
"""The oldest Node.js that runs both programs."""

PATIENCE_S = 180


def node() -> Path:
    """The pinned Node.js of this platform, or the system's where none is pinned and it is new enough."""
    assert INSTALLED.is_dir(), f"{INSTALLED.absolute()} does not exist: run `make test-conformance`"
    found = sorted(INSTALLED.glob("node-*/bin/node"))
    if found:
        return found[0]
    needed = f"the MCP suite needs Node.js {'.'.join(map(str, OLDEST))} or newer (https://nodejs.org)"
    own = shutil.which("node")
    assert own, f"{needed}, and no `node` is here"
    said = subprocess.run([own, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert tuple(int(part) for part in said.removeprefix("v").split(".")[:2]) >= OLDEST, f"{needed}; {own} is {said}"
    return Path(own)


def run(program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run one of the programs in `cwd`."""
    command = [str(node()), str(INSTALLED / ".bin" / program), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
