"""The inputs of a score: the final state compared with gold's, and the records of calls and messages."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from env_server.rewards.conduct.ledger import Ledger
from env_server.rewards.judge import Verdict
from env_server.state import RowDiff
from env_server.tools import CallOutcome


@dataclass(frozen=True, slots=True)
class GoldOutcome:
    """The outcome of a task's gold calls, run once on the task's initial state."""

    hash: str
    changes: Sequence[tuple[str, str, Any | None]]
    """Gold's row changes in order, (table, key, row or None)."""

    errors: Sequence[str] = ()
    """Observations of gold calls that failed; some fail on purpose."""


class MadeCall(NamedTuple):
    """A call that was executed without an error."""

    name: str
    arguments: Mapping[str, Any]
    requestor: str = "agent"
    """The side that made it: `agent` or `user`."""

    outcome: CallOutcome | None = None
    """The outcome of the call, for components that look at results."""

    shown: CallOutcome | None = None
    """The outcome that the call would have had if the agent had written nothing before. It counts as evidence."""

    own: Collection[int] = ()
    """The facts, by index, that the agent itself has written to the tool's server."""


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """The inputs of scoring: the final state of the episode compared with gold's."""

    state_hash: str
    gold: GoldOutcome
    found: Mapping[str, Collection[int]] = field(default_factory=dict)
    """Component -> what it has found in calls and messages, by index.

    For `communicate` these are the task's outputs that the user was told, for `actions` the gold calls that were made.
    """

    holds: Sequence[bool] = ()
    """Whether each of the task's assertions on the environment holds."""

    wrong_answer: str | None = "no answer was submitted"
    """The fault of the submitted answer; None if it is right."""

    projections: tuple[str, str] | None = None
    """The parts of both states that count, gold first, as the domain projects them. None compares the hashes."""

    transfer_is_gold: bool = True
    """Whether a transfer of the user is part of gold, or at least does not count against the agent."""

    difference: Sequence[RowDiff] = ()
    """The row differences from gold's state to the episode's."""

    has_judge: bool = False
    """Whether the server has a judge."""

    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """The judge's verdicts by component."""

    ledger: Ledger | None = None
    """The record of the agent's conduct; None if it was not recorded."""

    conduct_counts: bool = False
    """Whether the components of conduct are multiplied into the reward."""
