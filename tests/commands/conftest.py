"""Runs of the command line, in this process and as a process of its own."""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Protocol

import pytest
import structlog
from typer.testing import CliRunner

from env_server.cli import app
from tests.e2e.forked import Forked
from tests.e2e.server import without_settings

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """The outcome of a command."""

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
    """Runs `env-server` with arguments; `typed` is what a person types, line by line."""

    def __call__(self, *arguments: str, typed: tuple[str, ...] = ()) -> Ran:
        """Run the command to its end."""


@pytest.fixture(autouse=True)
def clean_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Run commands in an empty folder without the machine's settings, and restore logging afterwards."""
    for name in list(os.environ):
        if name not in without_settings() or name in ("FORCE_COLOR", "GITHUB_ACTIONS"):
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
    """A real server process on a free port. What it prints is kept in two files beside its folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str], descriptors: int | None = None) -> None:
        """Start it in `folder`, with retail alone unless told otherwise, and wait until it says where it listens.

        `descriptors` is the number of descriptors that it may open.
        """
        surroundings = {
            **os.environ,
            "XDG_DATA_HOME": str(data_folder(folder)),
            "PYTHONPATH": str(ROOT),
            "ENV_SERVER_DOMAINS": "retail",
            **environment,
        }
        printed = Path(mkdtemp(prefix="printed-", dir=folder.parent))
        self._out, self._err = printed / "out.txt", printed / "err.txt"
        arguments = ["serve", "--port", "0"]
        self.process: Forked | subprocess.Popen[bytes]
        if descriptors is None:
            self.process = Forked("env-server", arguments, folder, surroundings, self._out, self._err)
        else:
            limited = ["sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh", sys.executable, "-m", "env_server"]
            with self._out.open("wb") as out, self._err.open("wb") as err:
                self.process = subprocess.Popen(
                    [*limited, *arguments], cwd=folder, env=surroundings, stdout=out, stderr=err
                )
        while not (self._out.exists() and "\n" in self._out.read_text(encoding="utf-8")):
            assert self.process.poll() is None, self._err.read_text(encoding="utf-8")
            time.sleep(0.02)
        self.said: dict[str, Any] = json.loads(self._out.read_text(encoding="utf-8").splitlines()[0])
        self.url: str = self.said["url"]

    def stop(self, signal: int) -> tuple[int, str, str]:
        """Send `signal` and wait; return the status and the rest of the output."""
        assert self.process.pid is not None
        os.kill(self.process.pid, signal)
        status = self.process.wait(300)
        _, _, out = self._out.read_text(encoding="utf-8").partition("\n")
        return status, out, self._err.read_text(encoding="utf-8")

    def kill(self) -> None:
        """Kill the process if it still runs."""
        self.process.kill()
        self.process.wait(300)
