"""Users whose words do not come from here."""

from dataclasses import dataclass
from typing import Any, NoReturn

from env_server.domains.kit import Task
from env_server.users.base import OwnTools


class NotPlayedHere(RuntimeError):
    """A user without words of its own was asked for some."""


@dataclass(frozen=True)
class Silent:
    """A user that says nothing by itself."""

    name: str
    awaits: bool
    remote: bool = False

    async def first(self, task: Task, seed: int) -> NoReturn:  # noqa: ARG002  # the protocol's signature
        """Raise: there is nothing to say.

        Raises:
            NotPlayedHere: always.
        """
        raise NotPlayedHere(f"the {self.name!r} user of task {task.task_id} has no words of its own")

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> NoReturn:  # noqa: ARG002
        """Raise: there is nothing to say.

        Raises:
            NotPlayedHere: always.
        """
        raise NotPlayedHere(f"the {self.name!r} user of task {task.task_id} has no words of its own")


EXTERNAL = Silent("external", awaits=True)
"""A person or another program: its words arrive at `POST /episodes/{id}/user`."""

NONE = Silent("none", awaits=False)
"""No user at all: the agent works alone on the task's instruction."""
