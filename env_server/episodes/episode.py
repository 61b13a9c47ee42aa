"""A live episode as memory holds it: a cache of what SQL has, plus the turn being played."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from agent_env_schemas import ResetRequest, StopReason
from env_server.domains.kit import Task
from env_server.episodes.packs.library import LivePack
from env_server.state import State
from env_server.users import User

AGENT, USER, SCORE = 0, 1, 2
"""The parts of a turn. A score is a part of its own only where a judge is asked: after the rest is committed."""


class Position(NamedTuple):
    """Which committed part is the newest: turn, part (0 agent, 1 user, 2 score), and its number within the part."""

    turn: int
    part: int
    seq: int


@dataclass(slots=True)
class Carry:
    """What the next turn needs beside rows; committed with every part."""

    state_hash: str
    errors: int = 0
    calls: int = 0
    parse_failures: int = 0
    awaiting: bool = False
    said: list[int] = field(default_factory=list)
    """Indices of the task's outputs that were told to the user."""
    matched: list[int] = field(default_factory=list)
    """Indices of the task's gold calls that were made."""
    notes: dict[str, Any] = field(default_factory=dict)
    """The simulated user's private notes."""
    unscored: str | None = None
    """The stop reason of a last turn that is committed and waits for its score."""
    ledger: dict[str, Any] = field(default_factory=dict)
    """The events that `heard` and `conduct` are computed from."""

    def dump(self) -> str:
        """As JSON text."""
        fields = {
            "state_hash": self.state_hash,
            "errors": self.errors,
            "calls": self.calls,
            "parse_failures": self.parse_failures,
            "awaiting": self.awaiting,
            "said": self.said,
            "matched": self.matched,
            "notes": self.notes,
        }
        if self.unscored is not None:
            fields["unscored"] = self.unscored
        if self.ledger:
            fields["ledger"] = self.ledger
        return orjson.dumps(fields).decode()

    @classmethod
    def load(cls, text: str) -> "Carry":
        """From JSON text."""
        return cls(**orjson.loads(text))


class Ended(NamedTuple):
    """How an episode ended."""

    turn: int
    stop: StopReason
    reward: float | None
    scored: bool


@dataclass(slots=True, eq=False)
class Episode:
    """One live episode. Only the holder of `lock` may change it.

    `stale` marks an object that failed in the middle of something: it is dropped, and whoever comes next builds the
    episode anew from SQL.
    """

    key: int
    episode_id: str
    live: LivePack
    task: Task
    seed: int
    user: User
    options: ResetRequest
    created_at: float
    drifted: bool
    state: State
    position: Position
    carry: Carry
    ended: Ended | None = None
    stale: bool = False
    touched: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def turn(self) -> int:
        """The newest turn that has begun; 0 after the reset."""
        return self.position.turn

    @property
    def stopped(self) -> StopReason | None:
        """How the last turn ended the episode, be it scored or not."""
        if self.ended is not None:
            return self.ended.stop
        return None if self.carry.unscored is None else StopReason(self.carry.unscored)

    @property
    def solo(self) -> bool:
        """Whether no user takes part."""
        return self.user.name == "none"

    def bytes(self) -> int:
        """A rough size in memory, for eviction: what this episode alone holds."""
        changed = sum(len(c.rows) for c in self.state.overlay.changes.values())
        own_task = 2 * self.task.size if self.task.split is None else 0  # an inline one; others are shared
        return 2_000 + 3_000 * changed + 2 * len(orjson.dumps(self.carry.notes)) + own_task


def asks_as(options: ResetRequest, episode_id: str, *, forked: bool = False) -> str:
    """As whom the episode's user asks a model, so that it is told kept answers of equals alone.

    Equal are episodes of one trial. A fork is nobody's equal, nor is a member of a group that was begun one by one,
    without saying which trial each is: they are compared with each other, and must differ.
    """
    equals = not forked and (options.group_id is None or "trial" in options.model_fields_set)
    return f"user/{options.trial}" if equals else f"user/{options.trial}/{episode_id}"
