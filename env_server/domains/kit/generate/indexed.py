"""The addresses of generated tasks: a split and an index, and an id that names the version of the task."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final

from env_server.domains.kit.task import NoSuchTask, Task
from env_server.state import Snapshot

ENDLESS: Final = "train"
"""The split whose tasks continue beyond its listed size."""

_ID: Final = re.compile(r"([a-z]+)-(0|[1-9][0-9]{0,11})-([0-9a-f]{8})")


class IndexedTasks(ABC):
    """The part of a `TaskSource` that sources of generated tasks share."""

    splits: Mapping[str, int]
    """Split -> number of listed tasks."""

    @abstractmethod
    def generate(self, base: Snapshot, split: str, index: int) -> Task:
        """Return the task at an index that exists."""

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """Return the task at `index` of `split`.

        Raises:
            NoSuchTask: if there is no such split or index.
        """
        if split not in self.splits:
            raise NoSuchTask(f"there is no split {split!r}; the splits are {', '.join(self.splits)}")
        if index < 0 or (split != ENDLESS and index >= self.splits[split]):
            raise NoSuchTask(f"split {split!r} has no index {index}; it has {self.splits[split]} tasks")
        return self.generate(base, split, index)

    def find(self, base: Snapshot, task_id: str) -> Task:
        """Return the task with this id.

        Raises:
            NoSuchTask: if there is no such task, or the id belongs to another version of the tasks or the base.
        """
        match = _ID.fullmatch(task_id)
        if match is None:
            raise NoSuchTask(f"{task_id!r} is no task id of this pack")
        task = self.task(base, match[1], int(match[2]))
        if task.task_id != task_id:
            raise NoSuchTask(f"task {task_id!r} is of another version of the tasks; now it is {task.task_id!r}")
        return task
