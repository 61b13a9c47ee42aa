"""Instructions per reset and per step of two checkouts, counted by callgrind (the Debian package `valgrind`).

    python scripts/step_instructions.py /path/to/the/commit/before . retail telecom

On a machine whose speed changes, times do not show a difference of a few percent. A count of instructions does not
depend on the speed. It leaves out the kernel's work.

Each server is `env-server serve` of its checkout with a new database. A process of this checkout plays gold, and plays
each task once before the counting begins. Each checkout makes its own gold, because tasks change between commits. The
last column says whether both have the same calls.
"""

import argparse
import json
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

from env_server.bench.load.job import Job, What
from env_server.bench.measures.steps import load
from env_server.bench.servers.start import Running, await_idle, environment, free_port

TASKS = 192
SESSIONS = 8
READY_S = 300.0
PLANS = """
import sys
from pathlib import Path
from env_server.bench.plans import load_pack, make_plans, save
save(make_plans(load_pack(sys.argv[1]), int(sys.argv[2])), Path(sys.argv[3]))
"""
"""Writes the gold calls of a domain's first tasks into a file."""

_TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


class Counted:
    """A server under callgrind that counts nothing until it is told to."""

    def __init__(self, running: Running, dumps: Path) -> None:
        """Control the process of `running`, which writes its dumps as files of the name `dumps`."""
        self.running, self._dumps, self._seen = running, dumps, set[Path]()

    @contextmanager
    def counting(self) -> Iterator[list[int]]:
        """Count the instructions of the block. After the block the list has their number."""
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


def surroundings(root: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a process that runs the code of the checkout `root`."""
    return {**environment(settings), "PYTHONPATH": os.pathsep.join(map(str, (root, root / "schemas")))}


@contextmanager
def counted(root: Path, folder: Path) -> Iterator[Counted]:
    """Run the server of the checkout `root` under callgrind, with its files in `folder`."""
    port, dumps = free_port(), folder / "callgrind"
    tool = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={dumps}"]
    environ = surroundings(root, ENV_SERVER_DATABASE_URL=f"sqlite:///{folder}/steps.db")
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


def measure(root: Path, domain: str) -> tuple[float, float, list[list[str]]]:
    """Return the instructions per reset and per step of the checkout `root`, and the calls of its gold."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        plans = folder / "plans.json"
        command = [sys.executable, "-c", PLANS, domain, str(TASKS), str(plans)]
        subprocess.run(command, cwd=folder, env=surroundings(root), check=True)
        calls = [[turn["action"] for turn in plan["turns"]] for plan in json.loads(plans.read_text(encoding="utf-8"))]
        with counted(root, folder) as server:
            to, episodes = server.running, len(calls)

            def play(what: What) -> int:
                return load(Job(what, to.port, to.pid, domain, str(plans), SESSIONS, 0.0, episodes)).requests

            play("steps")
            await_idle(to.pid)
            with server.counting() as of_resets:
                play("resets")
            with server.counting() as of_both:
                steps = play("steps")
    reset = of_resets[0] / episodes
    return reset, (of_both[0] - reset * episodes) / steps, calls


def main() -> None:
    """Print a line for each domain."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("domains", nargs="+")
    given = parser.parse_args()
    print(f"{'millions':12} {'reset':>7} {'':>7} {'ratio':>6} {'step':>7} {'':>7} {'ratio':>6}  calls")
    for domain in given.domains:
        (*before, gold), (*after, now) = (measure(root.resolve(), domain) for root in (given.before, given.after))
        columns = [f"{b / 1e6:7.2f} {a / 1e6:7.2f} {a / b:6.3f}" for b, a in zip(before, after, strict=True)]
        print(f"{domain:12} {' '.join(columns)}  {'the same' if gold == now else 'others'}", flush=True)


if __name__ == "__main__":
    main()
