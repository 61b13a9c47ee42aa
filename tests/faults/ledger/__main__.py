"""A ledger run: `python -m tests.faults.ledger --clients 8500 --replicas 2 --kills 100 --restarts 5`.

On the PostgreSQL server of POSTGRES_URL where that is set (`make ledger`), else on a SQLite file.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.e2e.databases import VARIABLE
from tests.faults.ledger.run import Plan, perform


def main() -> int:
    """Execute the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.ledger", description=__doc__)
    parser.add_argument("--clients", type=int, default=8_500, help="each plays an episode or two, and perhaps forks")
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--restarts", type=int, default=5)
    parser.add_argument("--commits", type=int, default=60, help="a process is killed after about as many")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    address = os.environ.get(VARIABLE)
    data = None if address is None else Path(parse_qs(urlsplit(address).query)["host"][0])
    restarts = 0 if data is None else given.restarts
    plan = Plan(given.clients, given.replicas, given.kills, restarts, given.seed, commits=given.commits, data=data)
    with tempfile.TemporaryDirectory(prefix="ledger-") as folder:
        print(asyncio.run(perform(plan, Path(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
