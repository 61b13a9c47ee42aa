"""Starts the processes under test. Each is a uvicorn process on a free port of this machine."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import env_server
from env_server.bench import BenchError
from env_server.bench.load.usage import cpu_seconds

READY_S = 120.0
"""Maximum seconds until a server is ready. It generates all domains first."""

IDLE_S = 0.5
"""Seconds that a server must be almost idle before it is measured.

A server continues to load shortly after its start.
"""

STOP_S = 10.0
"""Seconds until a server that does not stop is killed."""

OURS, ECHO = "env-server serve", "env_server.bench.servers.echo:create_app"
ROOT = Path(env_server.__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Running:
    """A server that is ready."""

    port: int
    pid: int


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a child process.

    It is this process's environment without the operator's settings, with `given` and the import path. Compiled modules
    are kept, as usual: otherwise each start would compile all that was edited.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ENV_SERVER_") and k != "PYTHONDONTWRITEBYTECODE"}
    path = os.pathsep.join(p for p in (str(ROOT), kept.get("PYTHONPATH", "")) if p)
    return {**kept, **given, "PYTHONPATH": path}


@contextmanager
def serving(factory: str, folder: Path, settings: Mapping[str, str], python: str = sys.executable) -> Iterator[Running]:
    """Run `OURS` or an application's factory in `folder`, where no operator's `.env` is read, and stop it afterwards.

    Raises:
        BenchError: if it does not start; the message ends with the end of its log.
    """
    port = free_port()
    plain = ["uvicorn", "--factory", factory, "--no-access-log", "--log-level", "warning"]
    program = ["env_server", "serve"] if factory == OURS else plain
    log = folder / f"server-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [python, "-m", *program, "--port", str(port)],
            cwd=folder,
            env=environment(settings),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            _await_ready(process, port, log)
            await_idle(process.pid)
            yield Running(port, process.pid)
        finally:
            stop(process)


def await_idle(pid: int) -> None:
    """Wait until a process is almost idle. Servers continue to load after they are ready.

    Raises:
        BenchError: if that takes too long.
    """
    deadline, used = time.monotonic() + READY_S, cpu_seconds(pid)
    while used is not None:
        time.sleep(IDLE_S)
        before, used = used, cpu_seconds(pid) or 0.0
        if used - before < IDLE_S / 10:
            return
        if time.monotonic() > deadline:
            raise BenchError("the server did not become idle")


def free_port() -> int:
    """Return a port on which no process listens now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _await_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Wait until the port is open. uvicorn opens it once the application has started."""
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise BenchError(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """Terminate a process, and kill it if it does not end."""
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
