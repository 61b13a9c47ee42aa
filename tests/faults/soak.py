"""A soak: one real server on a SQLite file plays many episodes, and its memory, files and cost of a step are sampled.

`python -m tests.faults.soak --steps 1000000 --episodes 100000` prints a line for each sample, and what grew. Memory is
what Linux counts for the process: anonymous pages are its own, pages of files and shared ones can be dropped.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import orjson

from env_server.bench.load.http import Connection
from tests.e2e.server import Server

APP = "tests.faults.ledger.application:create_app"
MIB = 1024 * 1024


@dataclass(frozen=True)
class Sample:
    """The server at one moment. Sizes in bytes, times in seconds."""

    steps: int
    episodes: int
    anonymous: int
    of_files: int
    shared: int
    descriptors: int
    log_size: int
    """Size of the write-ahead log."""

    processor_s: float

    def __str__(self) -> str:
        """Return one line."""
        anonymous, of_files, shared, log = (
            f"{size / MIB:.1f} MiB" for size in (self.anonymous, self.of_files, self.shared, self.log_size)
        )
        return (
            f"{self.steps:>9,} steps, {self.episodes:>7,} episodes: anonymous {anonymous}, of files {of_files},"
            f" shared {shared}, {self.descriptors} descriptors, WAL {log}, {self.processor_s:.1f} s of processor time"
        )


def cost_us(first: Sample, last: Sample) -> float:
    """Return the processor time of a step between two samples, in microseconds, resets included."""
    return 1e6 * (last.processor_s - first.processor_s) / (last.steps - first.steps)


def sample(pid: int, database: Path, steps: int, episodes: int) -> Sample:
    """Sample a server process."""
    proc = Path(f"/proc/{pid}")
    fields = dict(line.split(":", 1) for line in (proc / "status").read_text(encoding="ascii").splitlines())
    anonymous, of_files, shared = (1024 * int(fields[name].split()[0]) for name in ("RssAnon", "RssFile", "RssShmem"))
    ticks = (proc / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
    used = (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")
    log = database.with_name(f"{database.name}-wal")
    descriptors, log_size = len(list((proc / "fd").iterdir())), log.stat().st_size if log.exists() else 0
    return Sample(steps, episodes, anonymous, of_files, shared, descriptors, log_size, used)


class Soaked(Server):
    """A server whose connections to the database have a page cache of a given size."""

    cache_kib: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The process's environment, with the size."""
        size = {} if self.cache_kib is None else {"LEDGER_CACHE_KIB": str(self.cache_kib)}
        return super().environment | size


async def soak(steps: int, episodes: int, samples: int, cache_kib: int | None = None, at_once: int = 8) -> list[Sample]:
    """Play `steps` steps in `episodes` episodes, and return about `samples` samples.

    `cache_kib` is the size of SQLite's page cache of one connection, in KiB; None is the server's own.
    """
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        database = Path(folder) / "soak.db"
        server = Soaked(database, {"EVICT_AFTER_S": "30"}, app=APP, fresh=True)
        server.cache_kib = cache_kib
        await asyncio.to_thread(server.start)
        try:
            return await _played(server, database, steps, episodes, samples, at_once)
        finally:
            await asyncio.to_thread(server.kill)


async def _played(
    server: Server, database: Path, steps: int, episodes: int, samples: int, at_once: int
) -> list[Sample]:
    assert server.process is not None
    pid, numbers, done = server.process.pid, count(), 0
    each = max(1, steps // episodes)
    found: list[Sample] = []

    async def work() -> None:
        nonlocal done
        connection = await Connection.open(server.port)
        for number in numbers:
            if number >= episodes:
                break
            for _ in [None] * await _episode(connection, each):
                done += 1
            if number % max(1, episodes // samples) == 0:
                found.append(sample(pid, database, done, number))
                print(found[-1], flush=True)
        connection.close()

    await asyncio.gather(*(work() for _ in range(at_once)))
    found.append(sample(pid, database, done, episodes))
    return found


async def _episode(connection: Connection, steps: int) -> int:
    """Play one episode to its end. Return the number of steps."""
    reset = {"domain": "tally", "user": {"strategy": "none"}, "max_turns": steps + 1, "max_calls": steps + 1}
    episode = (await _answer(connection, b"/reset", reset))["episode_id"]
    for turn, call in enumerate(_calls(steps), 1):
        step = {"episode_id": episode, "turn": turn, "action": {"tool_calls": [call]}}
        await _answer(connection, b"/step", step)
    return steps


def _calls(steps: int) -> Iterator[dict[str, object]]:
    for number in range(steps - 1):
        yield {"name": "add", "arguments": {"amount": 1, "note": f"note {number}"}}
    yield {"name": "submit_answer", "arguments": {"answer": "yes"}}


async def _answer(connection: Connection, path: bytes, body: dict[str, object]) -> dict[str, str]:
    status, content = await connection.post(path, orjson.dumps(body))
    assert status == 200, content
    answer: dict[str, str] = orjson.loads(content)
    return answer


def summary(found: list[Sample]) -> str:
    """Return what grew over the second half, and how the cost of a step changed."""
    middle, last = found[len(found) // 2], found[-1]
    steps = last.steps - middle.steps
    early, late = cost_us(found[1], middle), cost_us(middle, last)
    return (
        f"second half: anonymous memory {(last.anonymous - middle.anonymous) / steps:+.1f} bytes a step, pages of files"
        f" {(last.of_files + last.shared - middle.of_files - middle.shared) / steps:+.1f}, descriptors"
        f" {last.descriptors - middle.descriptors:+d}; a step took {late:.0f} us of processor time, {late / early:.2f}"
        f" times that of the first half"
    )


def main() -> int:
    """Execute the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--episodes", type=int, default=100_000)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--cache-kib", type=int, help="size of SQLite's page cache of a connection")
    given = parser.parse_args()
    print(summary(asyncio.run(soak(given.steps, given.episodes, given.samples, given.cache_kib))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
