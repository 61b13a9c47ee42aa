"""Processes forked from one that has loaded the server, because loading takes two seconds of processor time."""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

LOADED = ["alembic.command", "env_server.app", "httptools", "sqlalchemy.dialects.sqlite", "uvicorn", "uvloop"]
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload([*LOADED, "env_server.cli", __name__, "tests.e2e.preloaded"])

Program = Literal["uvicorn", "env-server"]


class Forked:
    """A process of its own that runs a program, with as much of subprocess.Popen as the tests use.

    It finds packages in PYTHONPATH, which is one folder, before all others. What it prints is added to the files
    `out` and `err`, which may be the same file.
    """

    def __init__(
        self, program: Program, arguments: Sequence[str], cwd: Path, env: Mapping[str, str], out: Path, err: Path
    ) -> None:
        self._process = FORKING.Process(target=_run, args=(program, [*arguments], cwd, {**env}, out, err))
        self._process.start()

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        """Wait for its end.

        Raises:
            TimeoutError: if it still runs after `timeout` seconds.
        """
        self._process.join(timeout)
        status = self._process.exitcode
        if status is None:
            raise TimeoutError(f"process {self.pid} still runs after {timeout} s")
        return status

    def kill(self) -> None:
        """End it as a power switch would."""
        self._process.kill()

    def terminate(self) -> None:
        """End it politely."""
        self._process.terminate()


def commanded(
    arguments: Sequence[str], cwd: Path, env: Mapping[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run `env-server ARGUMENTS` to its end. Raise TimeoutError if it still runs after `timeout` seconds."""
    out, err = cwd / "stdout.txt", cwd / "stderr.txt"
    for path in (out, err):
        path.write_bytes(b"")
    status = Forked("env-server", arguments, cwd, env, out, err).wait(timeout)
    return subprocess.CompletedProcess(
        arguments, status, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")
    )


def _run(program: Program, arguments: list[str], cwd: Path, env: dict[str, str], out: Path, err: Path) -> None:
    """Run the program in surroundings like those of a process that was started for it."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.path.insert(0, env["PYTHONPATH"])
    for path, stream in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    if program == "uvicorn":
        import uvicorn  # noqa: PLC0415 -- where SkyRL is installed the server is not

        uvicorn.main(arguments, standalone_mode=False)
    else:
        from env_server.cli import app  # noqa: PLC0415 -- as above

        app(arguments)
