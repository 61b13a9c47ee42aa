"""Virtual environments with the project installed in them, and servers that run there."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.e2e.server import PATIENCE_S, free_port

ROOT = Path(__file__).parents[2]
LOCKED = ROOT / "requirements.lock"
"""The file with the versions that are installed. Libraries that it does not name may have any version."""


def outside() -> dict[str, str]:
    """Return this process's environment without what would lead to the checkout or to settings of a server."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ENV_SERVER_", "PYTHON"))}
    return kept | {"VIRTUAL_ENV": ""}


class Installation:
    """A virtual environment, made in `folder`, that holds what `requirements` name and no more."""

    def __init__(self, folder: Path, *requirements: str, locked: bool = True) -> None:
        """Make and fill it. If `locked`, a copy of the locked versions without hashes constrains it."""
        self.folder = folder
        constraints = folder.with_suffix(".txt")
        lines = LOCKED.read_text(encoding="utf-8").splitlines()
        constraints.write_text("\n".join(line.rstrip(" \\") for line in lines if not line.startswith(" ")))
        uv = [sys.executable, "-m", "uv"]
        self._run(*uv, "venv", "--quiet", "--python", sys.executable, str(folder))
        fill = [*uv, "pip", "install", "--quiet", "--python", str(folder)]
        self._run(*fill, *(["--constraint", str(constraints)] if locked else []), *requirements)

    def run(self, program: str, *arguments: str, cwd: Path | None = None) -> str:
        """Return what a program of the environment prints.

        Raises:
            AssertionError: with its output, if it fails.
        """
        return self._run(str(self.folder / "bin" / program), *arguments, cwd=cwd)

    def _run(self, *command: str, cwd: Path | None = None) -> str:
        where = cwd or self.folder.parent
        done = subprocess.run(command, capture_output=True, text=True, cwd=where, env=outside(), check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    @contextmanager
    def serving(self, folder: Path) -> Iterator[str]:
        """Run `env-server serve` in `folder`, and yield its address once it is ready."""
        port = free_port()
        command = [str(self.folder / "bin" / "env-server"), "serve", "--port", str(port)]
        with (folder / "server.log").open("w") as log:
            process = subprocess.Popen(command, cwd=folder, env=outside(), stdout=log, stderr=log)
        url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE_S
        try:
            while not _is_ready(url):
                assert process.poll() is None, (folder / "server.log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def _is_ready(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/readyz").is_success
    except httpx2.TransportError:
        return False
