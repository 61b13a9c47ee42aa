"""Server processes forked from one that has imported the server, because importing takes two seconds of a processor."""

import multiprocessing
import os
import sys
from pathlib import Path

LOADED = ["alembic.command", "env_server.app", "httptools", "sqlalchemy.dialects.sqlite", "uvicorn", "uvloop"]
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(LOADED)


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


def _serve(arguments: list[str], cwd: Path, env: dict[str, str], log: Path) -> None:
    """Serve, in an environment like that of a process that was started for it."""
    import uvicorn  # noqa: PLC0415 -- where SkyRL is installed the server is not

    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.path.insert(0, env["PYTHONPATH"])
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(written, stream)
    uvicorn.main(arguments, standalone_mode=False)
