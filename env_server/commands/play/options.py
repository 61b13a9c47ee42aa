"""The options of `env-server play`, and the sides that a person plays."""

from dataclasses import dataclass, field
from typing import Any

from agent_env_schemas import ResetRequest, UserSpec, UserStrategy

ORACLE = "oracle"

SEATS = ("agent", "user", "both", "nobody", ORACLE)
"""Sides that the person may play. `oracle` means `nobody`, with the reference solution as the agent."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """One episode to play: the task, who plays which side, and the server."""

    domain: str
    pack: str = "builtin"
    split: str | None = None
    index: int | None = None
    task_id: str | None = None
    seat: str = "agent"
    """The side that the person plays, one of `SEATS`."""

    agent: str | None = None
    """The policy that plays the agent if the person does not."""

    policy_url: str | None = None
    """Base URL of that policy's model; None for the vendor's own."""

    user: str | None = None
    """The user's strategy. None leaves the choice to the server, unless the person plays the user."""

    seed: int = 0
    url: str | None = None
    """URL of the server; None plays in this process."""

    key: str | None = field(default=None, repr=False)
    difficulty: str | None = None
    """Choose only among tasks of this difficulty."""

    resume: str | None = None
    """The id of an episode. A copy of it is played from its newest turn, instead of a new episode."""

    @property
    def person(self) -> bool:
        """Return whether a person plays a side."""
        return self.plays_agent or self.plays_user

    @property
    def plays_agent(self) -> bool:
        """Return whether the person plays the agent."""
        return self.seat in ("agent", "both")

    @property
    def plays_user(self) -> bool:
        """Return whether the options say that the person plays the user.

        A person who plays the agent also plays an external user.
        """
        return self.seat in ("user", "both")

    @property
    def policy(self) -> str:
        """Return the policy that plays the agent if the person does not."""
        return self.agent or ORACLE

    def refuse_contradictions(self) -> None:
        """Check that the options fit together.

        Raises:
            ValueError: if they do not.
        """
        if self.seat not in SEATS:
            raise ValueError(f"--as must be one of: {', '.join(SEATS)}")
        if self.resume is not None and any(
            (self.split, self.index is not None, self.task_id, self.difficulty, self.user)
        ):
            raise ValueError("--resume goes on with an episode, which has its task and its user already")
        if self.agent is not None and (self.plays_agent or self.seat == ORACLE):
            raise ValueError(f"--agent has no effect with --as {self.seat}; it is for --as user and --as nobody")
        if self.plays_user and self.user not in (None, UserStrategy.EXTERNAL):
            raise ValueError(f"--as {self.seat}: you play the user, not {self.user}")

    def reset(self) -> ResetRequest:
        """Return the reset request that begins the episode.

        Raises:
            pydantic.ValidationError: if the options contradict each other (a ValueError).
        """
        given = {"split": self.split, "index": self.index, "task_id": self.task_id, "difficulty": self.difficulty}
        fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        user = UserStrategy.EXTERNAL if self.plays_user else self.user
        if user is not None:
            fields["user"] = UserSpec(strategy=user)
        return ResetRequest(domain=self.domain, pack=self.pack, seed=self.seed, **fields)
