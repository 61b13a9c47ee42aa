"""Tasks from a list with named splits, the form of all public tasks."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from env_server.domains.kit.task import NoSuchTask, Task
from env_server.state import Snapshot, canonical

Convert = Callable[[Mapping[str, Any], Snapshot], Task]
"""(public object, snapshot for its initial changes) -> task."""


@dataclass(frozen=True, eq=False)
class ListedTasks:
    """A TaskSource over public task objects by id. Each becomes a `Task` at each request."""

    objects: Mapping[str, Mapping[str, Any]]
    members: Mapping[str, Sequence[str]]
    """Split -> task ids. A task may be in several splits; its own split is `test` if that is one of them, else the
    first.
    """

    convert: Convert

    @cached_property
    def splits(self) -> dict[str, int]:
        """Split -> number of tasks."""
        return {split: len(ids) for split, ids in self.members.items()}

    @cached_property
    def digest(self) -> str:
        """The digest of the objects and the splits."""
        return hashlib.sha256(canonical([self.objects, self.members]).encode()).hexdigest()

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """Return the task at `index` of `split`.

        Raises:
            NoSuchTask: if there is no such split or index.
        """
        ids = self.members.get(split)
        if ids is None:
            raise NoSuchTask(f"there is no split {split!r}; the splits are: {', '.join(self.members)}")
        if not 0 <= index < len(ids):
            raise NoSuchTask(f"split {split!r} has {len(ids)} tasks; there is no index {index}")
        return self.find(base, ids[index])

    def find(self, base: Snapshot, task_id: str) -> Task:
        """Return the task with this id.

        Raises:
            NoSuchTask: if there is none.
            PackError: if it needs a feature that this server does not offer.
        """
        found = self.objects.get(task_id)
        if found is None:
            raise NoSuchTask(f"there is no task {task_id!r}")
        splits = [name for name, ids in self.members.items() if task_id in ids]
        split = "test" if "test" in splits else next(iter(splits), None)
        return self.convert(found, base).model_copy(update={"split": split})
