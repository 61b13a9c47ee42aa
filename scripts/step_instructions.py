"""Instructions per reset and per step of two checkouts, counted by callgrind (the Debian package `valgrind`).

    python scripts/step_instructions.py /path/to/the/commit/before . retail telecom
    python scripts/step_instructions.py . . retail --sessions 1 8 64
    python scripts/step_instructions.py . . retail --sessions 64 --mcp

On a machine whose speed changes, times do not show a difference of a few percent. A count of instructions does not
depend on the speed. It leaves out the kernel's work. It varies by about 2% with the load of the machine, because
requests that are ready together are committed together, and because callgrind slows a step about fifty times, but not
what a server does by the clock.

Each server is `env-server serve` of its checkout with a new database. A process of this checkout plays gold, and plays
each task once before the counting begins. Each checkout makes its own gold, because tasks change between commits. The
last column says whether both have the same calls. `echo` is the bare FastAPI application of this checkout, which gets
the same steps, and `echo / step` its share of a step of the second checkout. With `--mcp`, gold's calls are made over
MCP in place of `/step`.
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from env_server.bench.load.job import Job, What
from env_server.bench.measures.steps import load
from env_server.bench.plans import load_pack, make_plans, save, typical_text
from env_server.bench.servers.echo import TEXT
from env_server.bench.servers.start import ECHO, Running, await_idle, environment, free_port

TASKS = 192
READY_S = 300.0
PLANS = """
import sys
from pathlib import Path
from env_server.bench.plans import load_pack, make_plans, save
save(make_plans(load_pack(sys.argv[1]), int(sys.argv[2])), Path(sys.argv[3]))
"""
"""Writes the gold calls of a domain's first tasks into a file."""

_TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


class Gold(NamedTuple):
    """The gold calls of a domain's first tasks, in a file, and as text."""

    plans: Path
    calls: list[list[str]]

    @property
    def steps(self) -> int:
        """The number of calls."""
        return sum(map(len, self.calls))


class Counted:
    """A server under callgrind that counts nothing until it is told to."""

    def __init__(self, running: Running, dumps: Path) -> None:
        """Control the process of `running`, which writes its dumps as files of the name `dumps`."""
        self.running, self._dumps, self._seen = running, dumps, set[Path]()

    def played(self, what: What, domain: str, gold: Gold, sessions: int) -> int:
        """Play all of gold, and return the instructions for it."""
        self._control("-i", "on")
        self.play(what, domain, gold, sessions)
        self._control("-i", "off")
        self._control("-d")
        new = set(self._dumps.parent.glob(f"{self._dumps.name}*")) - self._seen
        self._seen |= new
        return sum(max(map(int, _TOTAL.findall(file.read_text(errors="replace"))), default=0) for file in new)

    def play(self, what: What, domain: str, gold: Gold, sessions: int) -> None:
        """Play all of gold."""
        to = self.running
        load(Job(what, to.port, to.pid, domain, str(gold.plans), sessions, 0.0, len(gold.calls)))

    def _control(self, *options: str) -> None:
        subprocess.run(["callgrind_control", *options, str(self.running.pid)], check=True, capture_output=True)


def surroundings(root: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a process that runs the code of the checkout `root`."""
    return {**environment(settings), "PYTHONPATH": os.pathsep.join(map(str, (root, root / "schemas")))}


@contextmanager
def counted(command: Sequence[str], folder: Path, environ: Mapping[str, str], healthy: str) -> Iterator[Counted]:
    """Run a server under callgrind, with its files in `folder`, once it answers at the path `healthy`."""
    port, dumps = free_port(), folder / "callgrind"
    tool = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={dumps}"]
    with (folder / "log").open("wb") as log:
        program = [*tool, sys.executable, "-m", *command, "--port", str(port)]
        process = subprocess.Popen(program, cwd=folder, env=environ, stdout=log, stderr=log)
        try:
            _await_ready(port, healthy)
            await_idle(process.pid)
            yield Counted(Running(port, process.pid), dumps)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(READY_S)


def _await_ready(port: int, path: str) -> None:
    ends = time.monotonic() + READY_S
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=READY_S)
            return
        except (OSError, urllib.error.URLError):
            if time.monotonic() > ends:
                raise
            time.sleep(0.25)


def measure(root: Path, domain: str, sessions: int, what: What = "steps") -> tuple[float, float, list[list[str]]]:
    """Return the instructions per reset and per step of the checkout `root`, and the calls of its gold.

    `what` may be `mcp` for calls over MCP in place of steps.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        plans = folder / "plans.json"
        command = [sys.executable, "-c", PLANS, domain, str(TASKS), str(plans)]
        subprocess.run(command, cwd=folder, env=surroundings(root), check=True)
        told = json.loads(plans.read_text(encoding="utf-8"))
        gold = Gold(plans, [[turn["action"] for turn in plan["turns"]] for plan in told])
        environ = surroundings(root, ENV_SERVER_DATABASE_URL=f"sqlite:///{folder}/steps.db")
        with counted(("env_server", "serve"), folder, environ, "/readyz") as server:
            server.play(what, domain, gold, sessions)
            await_idle(server.running.pid)
            resets = server.played("resets", domain, gold, sessions)
            both = server.played(what, domain, gold, sessions)
    return resets / len(gold.calls), (both - resets) / gold.steps, gold.calls


def measure_echo(domain: str, sessions: int) -> float:
    """Return the instructions per step of the echo of this checkout."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        plans = make_plans(load_pack(domain), TASKS)
        save(plans, folder / "plans.json")
        gold = Gold(folder / "plans.json", [[turn.action for turn in plan.turns] for plan in plans])
        command = ("uvicorn", "--factory", ECHO, "--no-access-log", "--log-level", "warning")
        environ = environment({TEXT: typical_text(plans)})
        with counted(command, folder, environ, "/healthz") as server:
            server.play("echo", domain, gold, sessions)
            await_idle(server.running.pid)
            return server.played("echo", domain, gold, sessions) / gold.steps


def main() -> None:
    """Print a line for each domain and each number of sessions."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path, help="may be the same checkout, which is then measured once")
    parser.add_argument("domains", nargs="+")
    parser.add_argument("--sessions", type=int, nargs="+", default=[8])
    parser.add_argument("--mcp", action="store_true", help="count calls over MCP in place of steps")
    given = parser.parse_args()
    roots = [given.before.resolve(), given.after.resolve()]
    what: What = "mcp" if given.mcp else "steps"
    two = f"{'before':>7} {'after':>7} {'ratio':>6}"
    print(f"{'millions':12} {'sessions':>8}  reset: {two}  step: {two} {'echo':>6} {'echo / step':>11}  calls")
    for domain in given.domains:
        for sessions in given.sessions:
            counts = {root: measure(root, domain, sessions, what) for root in dict.fromkeys(roots)}
            (*before, gold), (*after, now) = (counts[root] for root in roots)
            resets, steps = (f"{b / 1e6:7.3f} {a / 1e6:7.3f} {a / b:6.3f}" for b, a in zip(before, after, strict=True))
            echo = measure_echo(domain, sessions)
            share = f"{echo / 1e6:6.3f} {echo / after[1]:11.1%}"
            same = "the same" if gold == now else "others"
            print(f"{domain:12} {sessions:8} {resets:>30} {steps:>29} {share}  {same}", flush=True)


if __name__ == "__main__":
    main()
