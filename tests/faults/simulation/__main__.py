"""Runs seeds: `python -m tests.faults.simulation --seeds 0 2000`, or one with its trace: `... --seed 42`."""

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.faults.simulation.run import Outcome, simulate


def trace(seed: int) -> int:
    """Run one seed and print everything that happened. Return 1 if it found a violation."""
    outcome = simulate(seed)
    print(*outcome.lines, sep="\n")
    print(outcome.violation or "no violation")
    return int(outcome.violation is not None)


def count(outcomes: Iterable[Outcome]) -> int:
    """Print what came of many seeds. Return 1 if one found a violation."""
    done: list[Outcome] = []
    began = time.monotonic()
    for outcome in outcomes:
        done.append(outcome)
        if outcome.violation is not None:
            print(f"seed {outcome.seed}: {outcome.violation}", flush=True)
        if len(done) % 100 == 0:
            print(summary(done, time.monotonic() - began), flush=True)
    print(summary(done, time.monotonic() - began))
    return int(any(outcome.violation for outcome in done))


def summary(done: Sequence[Outcome], seconds: float) -> str:
    """Return one line about many runs."""
    violations = sum(outcome.violation is not None for outcome in done)
    kills, commits = sum(outcome.kills for outcome in done), sum(outcome.commits for outcome in done)
    told, sent = sum(outcome.acknowledged for outcome in done), sum(outcome.sent for outcome in done)
    counted = f"{kills:,} kills, {commits:,} commits, {told:,} requests acknowledged, {sent:,} texts sent outside"
    return f"{len(done):,} seeds in {seconds:.0f} s, {violations} violations: {counted}"


def main() -> int:
    """Execute the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="run one seed and print its trace")
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 2000), metavar=("FIRST", "END"))
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    if given.seed is not None:
        return trace(given.seed)
    seeds = range(*given.seeds)
    if given.processes == 1:
        return count(map(simulate, seeds))
    with ProcessPoolExecutor(given.processes) as pool:
        return count(pool.map(simulate, seeds, chunksize=5))


if __name__ == "__main__":
    sys.exit(main())
