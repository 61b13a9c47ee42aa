"""What the options of `play` come to."""

from dataclasses import dataclass, field
from typing import Any

from schemas import ResetRequest, UserSpec


@dataclass(frozen=True, slots=True)
class Chosen:
    """One episode to play: which task, who sits where, and on which server."""

    domain: str
    pack: str = "builtin"
    split: str | None = None
    index: int | None = None
    task_id: str | None = None
    seat: str = "agent"
    """Who plays the agent: `agent` is the person at the terminal, `oracle` the reference solution."""

    user: str | None = None
    """The user's strategy; None leaves it to the server."""

    seed: int = 0
    url: str | None = None
    """The server; None plays in this process."""

    key: str | None = field(default=None, repr=False)

    def reset(self) -> ResetRequest:
        """The reset that begins the episode.

        Raises:
            pydantic.ValidationError: if the options contradict each other (a ValueError).
        """
        given = {"split": self.split, "index": self.index, "task_id": self.task_id}
        fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if self.user is not None:
            fields["user"] = UserSpec(strategy=self.user)
        return ResetRequest(domain=self.domain, pack=self.pack, seed=self.seed, **fields)
