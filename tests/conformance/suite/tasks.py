"""One task, without anything to do in it: the suite calls what it likes."""

from collections.abc import Mapping

from env_server.domains.kit import NoSuchTask, Request, Task, UserScript
from env_server.state import Snapshot

DOMAIN = "suite"

TRY = Task(
    task_id="try",
    domain=DOMAIN,
    split="test",
    instruction="You want the tools to be tried.",
    user=UserScript(requests=(Request(ask="Please try the tools."),)),
)


class OneTask:
    """The one task."""

    splits: Mapping[str, int] = {"test": 1}
    digest = TRY.digest

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """The task, at the one place there is."""
        if (split, index) != ("test", 0):
            raise NoSuchTask(f"{split} {index}")
        return TRY

    def find(self, base: Snapshot, task_id: str) -> Task:
        """The task, by its id."""
        if task_id != TRY.task_id:
            raise NoSuchTask(task_id)
        return TRY
