"""What became of one episode of an evaluation, as it is stored, written to files and summed up."""

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
    """What one side of an episode took of a language model; nothing where no model played it."""

    calls: Count = 0
    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    seconds: Amount = 0.0
    cost: Amount | None = None
    """US dollars; None where no price is known."""

    cached: Count = 0
    """Answers from memory, which count as nothing else."""

    unusable: Count = 0
    """Answers that could not be used, so that the model was asked again."""

    rejected: Count = 0
    """Drafts that a judge sent back."""

    fallbacks: Count = 0
    """Messages that went out although no judge had approved them."""


@dataclass(frozen=True, slots=True)
class EpisodeOutcome:
    """What became of one finished episode."""

    task_id: str
    trial: Count
    episode_id: str
    split: str | None
    template: str | None
    """The kind of task; None where tasks are not generated from templates."""

    stop_reason: str
    reward: Share | None
    """None where the episode is not scored."""

    scored: bool
    partial: bool
    """Whether a component was left out because nobody judged it."""

    turns: Count
    """The agent's messages."""

    calls: Count
    """The agent's calls, whether or not they went well."""

    tool_errors: Count
    parse_failures: Count
    tools: Mapping[str, tuple[Count, Count]] = field(default_factory=dict)
    """Tool -> its calls, and how many of them failed."""

    user: Spent = field(default_factory=Spent)
    policy: Spent = field(default_factory=Spent)
    judge: Spent = field(default_factory=Spent)
    """Of the verdicts on the last turn; a judge within the user, which looks at drafts, is the user's."""

    seconds: Amount = 0.0
    """How long it took; the only figure here, beside the seconds that were spent, that another run cannot repeat."""

    judged: bool = False
    """Whether a judge had a say in the reward."""

    row_diff: tuple[str, ...] = ()
    """How its rows differ from gold's, as `differing` says it."""

    breakdown: Mapping[str, Share | None] = field(default_factory=dict)
    """Component -> its value, None where it was not judged."""

    def __post_init__(self) -> None:
        """Check that what is scored has a reward."""
        if self.scored and self.reward is None:
            raise ValueError("an episode that is scored has a reward")

    @property
    def success(self) -> bool:
        """Whether it earned the whole reward."""
        return self.reward == 1

    def plain(self) -> dict[str, Any]:
        """As JSON, with `success` for those who read it elsewhere: None where the episode is not scored."""
        return {**asdict(self), "success": None if self.reward is None else self.success}

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> "EpisodeOutcome":
        """The outcome that `plain()` was made of.

        Raises:
            pydantic.ValidationError: if it is none; that is a ValueError.
        """
        return _ADAPTER.validate_python(plain)

    @classmethod
    def read_json(cls, text: str) -> "EpisodeOutcome":
        """The same from text.

        Raises:
            pydantic.ValidationError: if it is no outcome; that is a ValueError.
        """
        return _ADAPTER.validate_json(text)


_ADAPTER = TypeAdapter(EpisodeOutcome)


def differing(row_diff: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """How rows differ, sorted and without their keys, from the `row_diff` of the last reply.

    `orders.status` is a field that differs, `orders +` a row that gold does not have, `orders -` one that only gold
    has. Values differ as they do for the state hash, to which 1, 1.0 and true are three.
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
