"""Users whose messages are not made by this server."""

from dataclasses import dataclass
from typing import Any, NoReturn

from env_server.domains.kit import Task
from env_server.users.base import OwnTools


class NotPlayedHere(RuntimeError):
    """The server asked for a message of a user that it does not play."""


@dataclass(frozen=True)
class Silent:
    """A user that never produces a message."""

    name: str
    awaits: bool
    remote: bool = False

    async def first(self, task: Task, seed: int) -> NoReturn:  # noqa: ARG002  # the protocol's signature
        """Raise: this user has no messages of its own.

        Raises:
            NotPlayedHere: always.
        """
        raise NotPlayedHere(f"the {self.name!r} user of task {task.task_id} has no words of its own")

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> NoReturn:  # noqa: ARG002
        """Raise: this user has no messages of its own.

        Raises:
            NotPlayedHere: always.
        """
        raise NotPlayedHere(f"the {self.name!r} user of task {task.task_id} has no words of its own")
