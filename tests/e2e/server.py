"""A real server process that a test starts, kills and starts again on the same database."""

import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from tests.e2e.databases import address_of
from tests.e2e.forked import Forked

ROOT = Path(__file__).parents[2]
PATIENCE_S = 300.0
"""Seconds to wait for anything on a busy machine. Nothing that works takes nearly as long."""


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def without_settings() -> dict[str, str]:
    """This process's environment without settings of the server, but with the tests' own cache folder."""
    return {k: v for k, v in os.environ.items() if not k.startswith("ENV_SERVER_") or k == "ENV_SERVER_CACHE_DIR"}


@dataclass
class Server:
    """One server process: `start`, `stop` (SIGTERM), `kill` (SIGKILL), and start again; the port stays.

    `tree` is the folder whose packages it runs, `python` the interpreter, `settings` are ENV_SERVER_* without the
    prefix.
    """

    database: Path
    settings: dict[str, str] = field(default_factory=dict)
    tree: Path = ROOT
    port: int = field(default_factory=free_port)
    python: str = os.environ.get("ENV_SERVER_PYTHON", sys.executable)
    process: subprocess.Popen[bytes] | Forked | None = None
    app: str = "env_server.app:create_app"
    """The factory of the application that it serves."""

    fresh: bool = False
    """Whether the process imports its code itself and hashes strings in its own way, rather than being forked."""

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def launch(self) -> None:
        """Start the process without waiting for it."""
        arguments = ["--factory", self.app, "--port", str(self.port), "--log-level", "warning", "--no-access-log"]
        # Not in the checkout, so that no `.env` file of the developer is read.
        where = self.database.parent
        self.log.touch()
        ours = (self.tree / "env_server").resolve() == ROOT / "env_server"
        if ours and self.python == sys.executable and not self.fresh:
            self.process = Forked("uvicorn", arguments, where, self.environment, self.log, self.log)
            return
        with self.log.open("ab") as log:
            command = [self.python, "-m", "uvicorn", *arguments]
            self.process = subprocess.Popen(command, cwd=where, env=self.environment, stdout=log, stderr=log)

    @property
    def environment(self) -> dict[str, str]:
        """The process's environment: this one's, with the server's settings and no others."""
        return {
            **without_settings(),
            "ENV_SERVER_PRELOAD": "false",  # most tests use one domain
            **{f"ENV_SERVER_{k}": v for k, v in self.settings.items()},
            "ENV_SERVER_DATABASE_URL": address_of(self.database),
            "PYTHONPATH": str(self.tree),
        }

    def verified(self) -> dict[str, Any]:
        """What `env-server verify --all` finds when it computes every stored hash again, with the code of `tree`."""
        if self.tree == ROOT and self.python == sys.executable:
            with ThreadPoolExecutor(1) as elsewhere:  # the caller may have a running loop
                return elsewhere.submit(self._verified_here).result()
        code = "from env_server.cli import app; app(['verify', '--all', '--json'])"
        where, env = self.database.parent, self.environment
        command = [self.python, "-c", code]
        done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
        assert done.stdout, done.stderr
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found

    def _verified_here(self) -> dict[str, Any]:
        from tests.e2e.recomputed import recomputed  # noqa: PLC0415 -- where SkyRL is installed the server is not

        names = [name for name in self.settings.get("DOMAINS", "").split(",") if name]
        return recomputed(address_of(self.database), names)

    @property
    def log(self) -> Path:
        """What it printed."""
        return self.database.with_suffix(f".{self.port}.log")

    def start(self) -> "Server":
        """Start the process and wait until it is ready."""
        self.launch()
        return self.await_ready()

    def await_ready(self) -> "Server":
        """Wait until the launched process is ready."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            try:
                if httpx2.get(f"{self.url}/readyz").status_code == 200:
                    return self
            except httpx2.TransportError:
                time.sleep(0.05)
        raise AssertionError(f"not ready after {PATIENCE_S} s: {self.log.read_text(encoding='utf-8')}")

    def wait_for_end(self) -> None:
        """Wait until the process has ended of its own."""
        assert self.process is not None
        self.process.wait(timeout=PATIENCE_S)

    def kill(self) -> None:
        """End it as a power switch would."""
        self._end(hard=True)

    def stop(self) -> None:
        """End it politely."""
        self._end(hard=False)

    def _end(self, *, hard: bool) -> None:
        if self.process is not None:
            if hard:
                self.process.kill()
            else:
                self.process.terminate()
            self.process.wait(timeout=PATIENCE_S)
            self.process = None

    def call(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        """One request."""
        return httpx2.request(method, self.url + path, json=body, timeout=PATIENCE_S)

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """The reply to a POST that must succeed."""
        response = self.call("POST", path, body)
        assert response.status_code == 200, response.text
        reply: dict[str, Any] = response.json()
        return reply

    def get(self, path: str) -> dict[str, Any]:
        """The reply to a GET that must succeed."""
        response = self.call("GET", path)
        assert response.status_code == 200, response.text
        reply: dict[str, Any] = response.json()
        return reply
