"""Callers, each of whom asks for a line."""

from env_server.domains.kit import Gold, Request, Task, UserScript, write
from env_server.state import Snapshot

from .tools import NAMES

SIZES = {"train": 32, "test": 16}


class Callers:
    """The tasks, made from their place in the split."""

    digest = "callers-1"
    splits = SIZES

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """The task at a place."""
        line = NAMES[index % len(NAMES)]
        return Task(
            task_id=f"desk:builtin:{split}:{index}",
            domain="desk",
            split=split,
            template="connect",
            instruction=f"You want to talk to the {line} line.",
            user=UserScript(requests=(Request(ask=f"{line} please"),)),
            gold=Gold(actions=(write("connect", line=line),)),
            slots={"line": line, "place": index},
        )

    def find(self, base: Snapshot, task_id: str) -> Task:
        """The task with an id."""
        _, _, split, index = task_id.split(":")
        return self.task(base, split, int(index))
