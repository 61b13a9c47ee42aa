"""Instructions per reset and per step of two checkouts, counted by callgrind (the Debian package `valgrind`).

    python scripts/step_instructions.py /path/to/the/commit/before . retail telecom

A machine that runs at two speeds cannot time a difference of a few percent; a count of instructions does not depend on
the speed. It leaves out the kernel's work. Each server is `env-server serve` of its checkout with a new database. The
load is the same for both: the bench of this checkout plays gold, every task once before the counting begins.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from env_server.bench.measures.steps import Bench, Effort
from env_server.bench.servers.start import Running, await_idle, environment, free_port

TASKS = 192
SESSIONS = 8
READY_S = 300.0
_TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


class Counted:
    """A server under callgrind that counts nothing until it is told to."""

    def __init__(self, running: Running, dumps: Path) -> None:
        """Control the process of `running`, which writes its dumps as files of the name `dumps`."""
        self.running, self._dumps, self._seen = running, dumps, set[Path]()

    @contextmanager
    def counting(self) -> Iterator[list[int]]:
        """Count the instructions of the block. The list has one number after it."""
        found: list[int] = []
        self._control("-i", "on")
        yield found
        self._control("-i", "off")
        self._control("-d")
        new = set(self._dumps.parent.glob(f"{self._dumps.name}*")) - self._seen
        self._seen |= new
        found.append(sum(max(map(int, _TOTAL.findall(file.read_text(errors="replace"))), default=0) for file in new))

    def _control(self, *options: str) -> None:
        subprocess.run(["callgrind_control", *options, str(self.running.pid)], check=True, capture_output=True)


@contextmanager
def counted(root: Path, folder: Path) -> Iterator[Counted]:
    """Run the server of the checkout `root` under callgrind, with its files in `folder`."""
    port, dumps = free_port(), folder / "callgrind"
    tool = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={dumps}"]
    path = os.pathsep.join(map(str, (root, root / "schemas")))
    environ = {**environment({"ENV_SERVER_DATABASE_URL": f"sqlite:///{folder}/steps.db"}), "PYTHONPATH": path}
    with (folder / "log").open("wb") as log:
        command = [*tool, sys.executable, "-m", "env_server", "serve", "--port", str(port)]
        process = subprocess.Popen(command, cwd=folder, env=environ, stdout=log, stderr=log)
        try:
            _await_ready(port)
            await_idle(process.pid)
            yield Counted(Running(port, process.pid), dumps)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(READY_S)


def _await_ready(port: int) -> None:
    ends = time.monotonic() + READY_S
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=READY_S)
            return
        except (OSError, urllib.error.URLError):
            if time.monotonic() > ends:
                raise
            time.sleep(0.25)


def measure(root: Path, domain: str) -> tuple[float, float]:
    """Return the instructions per reset and per step of a domain by the server of the checkout `root`."""
    with TemporaryDirectory() as folder:
        effort = Effort(sessions=(1,), tasks=TASKS, new_tasks=1, episodes=1)
        bench = Bench(domain, effort, Path(folder), lambda _: None)
        episodes = len(bench.prepare())
        with counted(root, Path(folder)) as server:
            bench.load(server.running, "steps", sessions=SESSIONS, episodes=episodes)
            await_idle(server.running.pid)
            with server.counting() as of_resets:
                bench.load(server.running, "resets", sessions=SESSIONS, episodes=episodes)
            with server.counting() as of_both:
                steps = bench.load(server.running, "steps", sessions=SESSIONS, episodes=episodes).requests
    reset = of_resets[0] / episodes
    return reset, (of_both[0] - reset * episodes) / steps


def main() -> None:
    """Print a line for each domain."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("domains", nargs="+")
    given = parser.parse_args()
    print(f"{'millions':12} {'reset':>7} {'':>7} {'ratio':>6} {'step':>7} {'':>7} {'ratio':>6}")
    for domain in given.domains:
        before, after = (measure(root.resolve(), domain) for root in (given.before, given.after))
        columns = [f"{b / 1e6:7.2f} {a / 1e6:7.2f} {a / b:6.2f}" for b, a in zip(before, after, strict=True)]
        print(f"{domain:12} {' '.join(columns)}", flush=True)


if __name__ == "__main__":
    main()
