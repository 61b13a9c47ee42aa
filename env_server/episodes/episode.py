"""A live episode in memory: a cache of its state in SQL, plus the turn in progress."""

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
"""The parts of a turn. A score is a separate part only if a judge is asked, after the rest is committed."""


class Position(NamedTuple):
    """The newest committed part: turn, part (0 agent, 1 user, 2 score), and its number within the part."""

    turn: int
    part: int
    seq: int


@dataclass(slots=True)
class Carry:
    """The data of an episode that the next turn needs, beside its rows. Every part commits it."""

    state_hash: str
    errors: int = 0
    calls: int = 0
    parse_failures: int = 0
    awaiting: bool = False
    said: list[int] = field(default_factory=list)
    """Indices of the task's outputs that the agent has told the user."""
    matched: list[int] = field(default_factory=list)
    """Indices of the task's gold calls that were made."""
    notes: dict[str, Any] = field(default_factory=dict)
    """The simulated user's private notes."""
    unscored: str | None = None
    """Stop reason of a last turn that is committed and waits for its score."""
    ledger: dict[str, Any] = field(default_factory=dict)
    """The events from which `heard` and `conduct` are computed."""

    def dump(self) -> str:
        """Return the carry as JSON text."""
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
        """Return the carry of a JSON text."""
        return cls(**orjson.loads(text))


class Ended(NamedTuple):
    """The ending of an episode."""

    turn: int
    stop: StopReason
    reward: float | None
    scored: bool


@dataclass(slots=True, eq=False)
class Episode:
    """One live episode. Only the holder of `lock` may change it.

    `stale` marks an object that failed in the middle of a change. It is dropped, and the next request restores the
    episode from SQL.
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
        """Newest turn that has begun; 0 after the reset."""
        return self.position.turn

    @property
    def stopped(self) -> StopReason | None:
        """Stop reason of the last turn, whether or not it is scored yet; None while the episode goes on."""
        if self.ended is not None:
            return self.ended.stop
        return None if self.carry.unscored is None else StopReason(self.carry.unscored)

    @property
    def solo(self) -> bool:
        """Whether the episode has no user."""
        return self.user.name == "none"

    def bytes(self) -> int:
        """Return the approximate size in memory of this episode's own data, in bytes. Eviction uses it."""
        changed = sum(len(c.rows) for c in self.state.overlay.changes.values())
        own_task = 2 * self.task.size if self.task.split is None else 0  # an inline task; other tasks are shared
        return 2_000 + 3_000 * changed + 2 * len(orjson.dumps(self.carry.notes)) + own_task


def asks_as(options: ResetRequest, episode_id: str, *, forked: bool = False) -> str:
    """Return the name under which the episode's user asks a model. Only episodes with equal names share stored answers.

    Episodes of one trial have equal names. A fork has its own name. So does a member of a group that was begun alone
    and without a trial number. Such episodes are compared with each other, so their answers must differ.
    """
    equals = not forked and (options.group_id is None or "trial" in options.model_fields_set)
    return f"user/{options.trial}" if equals else f"user/{options.trial}/{episode_id}"
