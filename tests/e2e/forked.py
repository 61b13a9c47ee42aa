"""Processes forked from one that has imported the server, because importing takes two seconds of a processor."""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

LOADED = ["alembic.command", "env_server.app", "httptools", "sqlalchemy.dialects.sqlite", "uvicorn", "uvloop"]
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload([*LOADED, "env_server.cli"])


class Forked:
    """A process of its own that runs `uvicorn ARGUMENTS`, with as much of subprocess.Popen as the tests use."""

    def __init__(self, arguments: list[str], cwd: Path, env: dict[str, str], log: Path) -> None:
        self._process = FORKING.Process(target=_serve, args=(arguments, cwd, env, log))
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


def commanded(arguments: list[str], cwd: Path, env: dict[str, str], timeout: float) -> subprocess.CompletedProcess[str]:
    """What `env-server ARGUMENTS` comes to within `timeout` seconds, in a process of its own."""
    out, err = cwd / "stdout.txt", cwd / "stderr.txt"
    for path in (out, err):
        path.write_bytes(b"")
    process = FORKING.Process(target=_command, args=(arguments, cwd, env, out, err))
    process.start()
    process.join(timeout)
    assert process.exitcode is not None, arguments
    said = [path.read_text(encoding="utf-8") for path in (out, err)]
    return subprocess.CompletedProcess(arguments, process.exitcode, *said)


def _serve(arguments: list[str], cwd: Path, env: dict[str, str], log: Path) -> None:
    import uvicorn  # noqa: PLC0415 -- where SkyRL is installed the server is not

    _settle(cwd, env, log, log)
    uvicorn.main(arguments, standalone_mode=False)


def _command(arguments: list[str], cwd: Path, env: dict[str, str], out: Path, err: Path) -> None:
    from env_server.cli import app  # noqa: PLC0415 -- as above

    _settle(cwd, env, out, err)
    app(arguments)


def _settle(cwd: Path, env: dict[str, str], out: Path, err: Path) -> None:
    """Make the surroundings those of a process that was started with them."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.path.insert(0, env["PYTHONPATH"])
    for path, stream in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
