"""A live episode in memory: a cache of its state in SQL, plus the turn in progress."""

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

import orjson

from agent_env_schemas import ResetRequest, ShapingWeights, StopReason, UserStrategy
from env_server.domains.kit import Task
from env_server.domains.pack import Toolkit
from env_server.episodes.packs.library import LivePack
from env_server.rewards.conduct.ledger import Ledger
from env_server.state import State
from env_server.tools import Toolset
from env_server.users import User

AGENT, USER, SCORE = 0, 1, 2
"""The parts of a turn. A score is a separate part only if a judge is asked, after the rest is committed."""

_NOBODY = UserStrategy.NONE


class Position(NamedTuple):
    """The newest committed part: turn, part (0 agent, 1 user, 2 score), and its number within the part."""

    turn: int
    part: int
    seq: int


_STORED_AS = {"said": "communicate", "matched": "actions"}
"""Field of a stored carry -> the component of the reward whose `found` it holds. `found` holds all other components.

Stored episodes use these names.
"""


@dataclass(slots=True)
class Carry:
    """The data of an episode that the next turn needs, beside its rows. Every part commits it."""

    state_hash: str
    errors: int = 0
    calls: int = 0
    parse_failures: int = 0
    awaiting: bool = False
    found: dict[str, list[int]] = field(default_factory=dict)
    """Component of the reward -> the facts, outputs or gold calls that it has found so far, by index."""
    notes: dict[str, Any] = field(default_factory=dict)
    """The simulated user's private notes."""
    unscored: str | None = None
    """Stop reason of a last turn that is committed and waits for its score."""
    ledger: Ledger = field(default_factory=Ledger)
    """The events from which `heard` and `conduct` are computed."""
    sample: dict[str, Any] = field(default_factory=dict)
    """The progress with the plan of the task's sample."""
    shaping: dict[str, Any] = field(default_factory=dict)
    """The memory of the shaped reward between turns."""

    def dump(self) -> str:
        """Return the carry as JSON text."""
        fields = {
            "state_hash": self.state_hash,
            "errors": self.errors,
            "calls": self.calls,
            "parse_failures": self.parse_failures,
            "awaiting": self.awaiting,
            **{name: self.found.get(component, []) for name, component in _STORED_AS.items()},
            "notes": self.notes,
        }
        others = {str(name): found for name, found in self.found.items() if found and name not in _STORED_AS.values()}
        if others:
            fields["found"] = others
        if self.unscored is not None:
            fields["unscored"] = self.unscored
        if ledger := self.ledger.dump():
            fields["ledger"] = ledger
        if self.sample:
            fields["sample"] = self.sample
        if self.shaping:
            fields["shaping"] = self.shaping
        return orjson.dumps(fields).decode()

    @classmethod
    def load(cls, text: str) -> "Carry":
        """Return the carry of a JSON text."""
        fields = orjson.loads(text)
        found = {component: fields.pop(name) for name, component in _STORED_AS.items()}
        ledger = Ledger.load(fields.pop("ledger", {}))
        return cls(**{**fields, "found": {**found, **fields.get("found", {})}}, ledger=ledger)


class TurnOptions(NamedTuple):
    """The options of the reset that every turn reads, by their names there.

    They are read once, because a wire model answers for an attribute ten times as slowly as a tuple.
    """

    max_turns: int
    max_errors: int
    max_calls: int
    deadline_s: float | None
    conduct: str | None
    reward_shaping: str | ShapingWeights
    observation_role: str
    max_observation_chars: int | None


_turn_options_of = attrgetter(*TurnOptions._fields)


class Ended(NamedTuple):
    """How an episode ended: its last turn, the stop reason, and the reward if it is scored."""

    turn: int
    stop: StopReason
    reward: float | None
    scored: bool


@dataclass(slots=True, eq=False)
class Episode:
    """One live episode. Only the request that `EpisodeLocks` has let in may change it.

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
    agent_side: Toolset | None = None
    """The agent's tools, once they have been looked up."""
    busy: bool = False
    """Whether a request is using the episode now. `EpisodeLocks` lets in one at a time."""
    turn_options: TurnOptions = field(init=False)

    def __post_init__(self) -> None:
        """Read the options of turns."""
        self.turn_options = TurnOptions._make(_turn_options_of(self.options))

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
    def toolkit(self) -> Toolkit:
        """The data that decide the agent's tools."""
        return Toolkit.of(self.task, self.options.tools, solo=self.solo)

    @property
    def side(self) -> Toolset:
        """The agent's tools."""
        if self.agent_side is None:
            self.agent_side = self.live.side(self.toolkit)
        return self.agent_side

    @property
    def solo(self) -> bool:
        """Whether the episode has no user."""
        return self.user.name == _NOBODY

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
