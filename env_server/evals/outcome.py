"""The outcome of one episode of an evaluation, in the form that is stored, written to files and summarized."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from env_server.state.digest import canonical

Count = Annotated[int, Field(ge=0)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Spent:
    """The model usage of one side of an episode; zero if no model played it."""

    calls: Count = 0
    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    seconds: Amount = 0.0
    cost: Amount | None = None
    """US dollars; None if a price is not known."""

    cached: Count = 0
    """Answers from the response cache, which count in no other field."""

    unusable: Count = 0
    """Unusable answers, after which the model was asked again."""

    rejected: Count = 0
    """Drafts that a judge rejected."""

    fallbacks: Count = 0
    """Messages that were sent without a judge's approval."""


@dataclass(frozen=True, slots=True)
class EpisodeOutcome:
    """The outcome of one finished episode."""

    task_id: str
    trial: Count
    episode_id: str
    split: str | None
    template: str | None
    """The task's template; None if tasks are not generated from templates."""

    stop_reason: str
    reward: Share | None
    """None if the episode is not scored."""

    scored: bool
    partial: bool
    """Whether a component was omitted because no judge was available."""

    turns: Count
    """Number of the agent's messages."""

    calls: Count
    """Number of the agent's calls, successful or not."""

    tool_errors: Count
    parse_failures: Count
    tools: Mapping[str, tuple[Count, Count]] = field(default_factory=dict)
    """(calls, failed calls) by tool."""

    user: Spent = field(default_factory=Spent)
    policy: Spent = field(default_factory=Spent)
    judge: Spent = field(default_factory=Spent)
    """Usage for the verdicts on the last turn. A judge that checks the user's drafts counts under `user`."""

    seconds: Amount = 0.0
    """Duration of the episode. This and the model seconds are the only figures that differ when a run is repeated."""

    judged: bool = False
    """Whether a judge decided a part of the reward."""

    row_diff: tuple[str, ...] = ()
    """How the rows differ from gold's, in the form of `differing`."""

    breakdown: Mapping[str, Share | None] = field(default_factory=dict)
    """Value by component; None if it was not judged."""

    def __post_init__(self) -> None:
        """Check that a scored episode has a reward.

        Raises:
            ValueError: if it has none.
        """
        if self.scored and self.reward is None:
            raise ValueError("an episode that is scored has a reward")

    @property
    def success(self) -> bool:
        """Return whether the episode earned the whole reward."""
        return self.reward == 1

    def plain(self) -> dict[str, Any]:
        """Return the outcome as a JSON object, with a field `success` for other programs: None if it is not scored."""
        return {**asdict(self), "success": None if self.reward is None else self.success}

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> "EpisodeOutcome":
        """Return the outcome from the result of `plain()`.

        Raises:
            pydantic.ValidationError: if the object is not an outcome (a ValueError).
        """
        return _ADAPTER.validate_python(plain)

    @classmethod
    def read_json(cls, text: str) -> "EpisodeOutcome":
        """Return the outcome from JSON text.

        Raises:
            pydantic.ValidationError: if the text is not an outcome (a ValueError).
        """
        return _ADAPTER.validate_json(text)


_ADAPTER = TypeAdapter(EpisodeOutcome)


def differing(row_diff: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return how rows differ, sorted and without their keys, from the `row_diff` of the last reply.

    `orders.status` is a field that differs, `orders +` a row that gold does not have, and `orders -` a row that only
    gold has. Values are compared as in the state hash, where 1, 1.0 and true are different.
    """
    found: set[str] = set()
    for row in row_diff:
        table, expected, actual = row["table"], row["expected"], row["actual"]
        if expected is None or actual is None:
            found.add(f"{table} {'+' if expected is None else '-'}")
        else:
            names = expected.keys() | actual.keys()
            found |= {f"{table}.{name}" for name in names if _text(expected, name) != _text(actual, name)}
    return tuple(sorted(found))


def _text(row: Mapping[str, Any], name: str) -> str | None:
    return canonical(row[name]) if name in row else None
