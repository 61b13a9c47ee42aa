"""Running the command line in this process and beside it."""

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
import structlog
from typer.testing import CliRunner

from env_server.cli import app

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def result(self) -> Any:
        """The JSON object of the last line."""
        return json.loads(self.out.splitlines()[-1])


def data_folder(folder: Path) -> Path:
    """The user's data folder of a test whose working folder is `folder`; it lies beside it."""
    return folder.parent / f"{folder.name}-data"


def database_of(folder: Path) -> Path:
    """The database that commands in `folder` use if no setting names one."""
    return data_folder(folder) / "agent-env-server" / "env-server.db"


class Run(Protocol):
    """Runs `env-server` with these arguments; `typed` is what a person types, line by line."""

    def __call__(self, *arguments: str, typed: tuple[str, ...] = ()) -> Ran:
        """Run it to its end."""


@pytest.fixture(autouse=True)
def clean_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Commands see an empty folder, no settings of the machine's, and leave the logs as they were."""
    for name in list(os.environ):
        if name.startswith("ENV_SERVER_") or name in ("FORCE_COLOR", "GITHUB_ACTIONS"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("XDG_DATA_HOME", str(data_folder(tmp_path)))
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    before, logs = (root.handlers[:], root.level), structlog.get_config()
    yield
    root.handlers[:], root.level = before
    structlog.configure(**logs)


@pytest.fixture
def run() -> Run:
    """Run a command in this process. An exception is a defect of the command: every error must be a readable line."""

    def running(*arguments: str, typed: tuple[str, ...] = ()) -> Ran:
        done = CliRunner().invoke(app, list(arguments), input="".join(f"{line}\n" for line in typed))
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Ran(done.exit_code, done.stdout, done.stderr)

    return running


class Server:
    """A real server process on a free port."""

    def __init__(self, folder: Path, environment: Mapping[str, str], descriptors: int | None = None) -> None:
        """Start it in `folder`, with retail alone unless told otherwise, and wait until it says where it listens.

        `descriptors` is the number of descriptors that it may open.
        """
        surroundings = {
            **os.environ,
            "XDG_DATA_HOME": str(data_folder(folder)),
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "schemas"))),
            "ENV_SERVER_DOMAINS": "retail",
            **environment,
        }
        command = [sys.executable, "-m", "env_server.cli", "serve", "--port", "0"]
        if descriptors is not None:
            command = ["sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh", *command]
        self.process = subprocess.Popen(
            command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first, self.process.communicate()[1]
        self._printed: list[str] = []
        # The server logs each request, and stops at a pipe that nobody empties.
        self._reading = threading.Thread(target=self._printed.extend, args=(self.process.stdout,))
        self._reading.start()
        self.said: dict[str, Any] = json.loads(first)
        self.url: str = self.said["url"]

    def stop(self, signal: int) -> tuple[int, str, str]:
        """Send `signal` and wait; the status and what was still printed."""
        self.process.send_signal(signal)
        self._reading.join(300)
        _, err = self.process.communicate(timeout=300)
        return self.process.returncode, "".join(self._printed), err

    def kill(self) -> None:
        """End it whatever it does."""
        self.process.kill()
        self._reading.join(300)
        self.process.communicate()
