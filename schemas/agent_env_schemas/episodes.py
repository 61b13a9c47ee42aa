"""Episodes that have begun: listing, trajectory, state, fork, close, batch."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, SkipValidation

from agent_env_schemas.base import OPEN, EpisodeId, Label, Wire
from agent_env_schemas.messages import Message
from agent_env_schemas.reasons import StopReason
from agent_env_schemas.reset import EpisodeReply, GroupReply, ResetRequest
from agent_env_schemas.step import StepInfo, StepReply, StepRequest


class EpisodeSummary(Wire):
    """The present state of an episode."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode_id: EpisodeId
    domain: str
    pack: str
    pack_version: str
    task_id: str
    seed: int
    run: str | None
    purpose: Annotated[Literal["train", "eval"] | None, OPEN]
    group_id: str | None
    parent: dict[str, Any] | None
    """`{episode_id, turn}` of the episode from which this one was forked. Null if it is no fork."""
    created_at: float
    """Seconds since the epoch."""
    turn: int
    """The number of the newest turn."""
    awaiting_user: bool
    """Whether the episode waits for the user's part, by `POST /episodes/{id}/user`."""
    awaiting_judge: bool = False
    """Whether the last turn is committed and waits for a judge. `done` is false until the turn is scored."""
    done: bool
    """Whether the episode has ended."""
    stop_reason: Annotated[StopReason | None, OPEN]
    """Why the episode ended. Null while it goes on."""
    reward: float | None
    """The reward. Null while the episode goes on, and if it is not scored."""
    scored: bool | None
    """Whether the reward counts. Null while the episode goes on."""
    state_hash: str


class EpisodeList(Wire):
    """A page of episodes, newest first."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episodes: list[EpisodeSummary]
    total: int
    """The number of matching episodes on all pages."""


class TrajectoryPart(Wire):
    """The part of the agent or of the user in a turn, with its reply."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    part: Annotated[Literal["agent", "user"], OPEN]
    action: Any
    """What the agent or the user sent."""
    observation: list[Message]
    reward: float | None
    info: StepInfo
    state_hash: str
    at: float
    """Seconds since the epoch."""
    metadata: dict[str, Any] | None = None


class TrajectoryTurn(Wire):
    """One turn, with the parts of agent and user in order."""

    turn: int
    parts: list[TrajectoryPart]


class Trajectory(Wire):
    """The whole record of an episode."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode: EpisodeSummary
    observation: list[Message]
    """The observation of `/reset`."""
    tools: list[dict[str, Any]]
    turns: list[TrajectoryTurn]


class Row(Wire):
    """One row."""

    table: str
    key: str
    row: dict[str, Any]


class StateReply(Wire):
    """The rows that an episode changed, or all rows on request, with its state hash."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    episode_id: EpisodeId
    turn: int
    state_hash: str
    hash_version: int
    """The version of the method that computes `state_hash`."""
    rows: list[Row]
    deleted: list[dict[str, str]]
    """`{table, key}` of each row that the episode deleted."""


class RowDifference(Wire):
    """One row that differs. `before` or `after` is null if the row does not exist there."""

    table: str
    key: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Diff(Wire):
    """The rows that differ between two moments of an episode, or between the reference solution and the episode."""

    episode_id: EpisodeId
    since: str
    rows: list[RowDifference]


class ForkRequest(Wire):
    """Begin a new episode that continues after a turn of this one."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    turn: Annotated[int, Field(ge=0, le=10**9)]
    """The turn after which the new episode continues. 0 is the beginning."""
    seed: Annotated[int, Field(ge=-(2**53), le=2**53)] | None = None
    """The seed of the new episode. The default is the seed of this episode."""
    idempotency_key: Label | None = None
    """A key that makes a retry safe: the same key with the same body gives the same reply."""


class CloseRequest(Wire):
    """End an episode. `infrastructure` leaves it unscored; any other reason scores 0."""

    reason: Label | None = Field(default=None, examples=["context_full", "infrastructure"])


class BatchResetRequest(Wire):
    """Several resets at once."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    items: list[SkipValidation[ResetRequest]] = Field(max_length=1024)
    """The items are checked one by one. A mistake in one item is a problem of that item only."""


class BatchStepRequest(Wire):
    """Several steps at once."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    items: list[SkipValidation[StepRequest]] = Field(max_length=1024)
    """The items are checked one by one. A mistake in one item is a problem of that item only."""


class BatchReply(Wire):
    """One reply or problem for each item, in order."""

    results: list[StepReply | EpisodeReply | GroupReply | dict[str, Any]]
