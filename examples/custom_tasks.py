"""Tasks of your own, from a file: each line of `custom_tasks.jsonl` has the fields of `/reset`, with a whole task.

    .venv/bin/python examples/custom_tasks.py

The first task has a script for its user, the second has no user. Each task is played twice: with the reference
solution, which has to earn 1, and without any action, which has to earn 0. The server refuses a task that measures
nothing. `make serve` starts the server.
"""

import json
import sys
from pathlib import Path
from typing import Any

from trainer_client import Client, Episode, Unreachable

FILE = Path(__file__).with_suffix(".jsonl")


def solve(episode: Episode, calls: list[dict[str, Any]]) -> None:
    """Make the calls of the solution. Then report to the user or, if there is no user, call `done`."""
    alone = episode.reply.info.user == "none"
    finish: Any = {"tool_calls": [{"name": "done", "arguments": {}}]} if alone else "All done. Is there anything else?"
    for call in calls:
        episode.step({"tool_calls": [call]})
    while not episode.done:
        episode.step(finish)


def main() -> None:
    """Play each task twice, and print both rewards."""
    with Client() as client:
        for line in FILE.read_text(encoding="utf-8").splitlines():
            task = json.loads(line)
            # The solution is played without words, so conduct must not count. Leave `conduct` out for a real agent.
            with client.reset(**task, conduct="report") as solved:
                solve(solved, task["task"]["gold"]["actions"])
            with client.reset(**task) as idle:
                pass
            print(f"solution {solved.reward}, nothing {idle.reward}: {task['task']['instruction']}")


if __name__ == "__main__":
    try:
        main()
    except Unreachable as error:
        sys.exit(f"{error}. Start a server: make serve")
