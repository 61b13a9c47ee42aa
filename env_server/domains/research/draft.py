"""A task before it has an id: the request, the right answer, its evidence, and the calls that solve it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from env_server.domains.kit import Answer, GoldCall, ShownFact
from env_server.domains.research.case import Case
from env_server.domains.research.wording import plain

TOLERANCE = 0.005
"""The relative tolerance of figures that are computed or quoted in rounded form."""

EXACT = 0.0001
"""The relative tolerance of prices, which are quoted to the cent."""

_GROUPED = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?")

Tier = Literal["easy", "medium", "hard"]
TURNS: Mapping[Tier, int] = {"easy": 5, "medium": 8, "hard": 10}
"""Tier -> the turns that an episode has."""

LEVELS: Mapping[Tier, int] = {"easy": 1, "medium": 3, "hard": 5}
"""Tier -> the difficulty of its tasks."""


@dataclass(frozen=True)
class Draft:
    """A task in the making."""

    ask: str
    now: datetime
    answer: Answer
    evidence: tuple[ShownFact, ...]
    calls: tuple[GoldCall, ...]
    """The look-ups and posts; the submission is added at the end."""

    subjects: tuple[str, ...]
    """The tickers that the task is about."""

    pages: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    inner: str = ""
    """The template of the request that a colleague makes, or that is to be reported."""

    initial: Mapping[str, dict[str, dict[str, Any] | None]] = field(default_factory=dict)


Maker = Callable[[Case], Draft | None]
"""A function that makes a draft from the random choices of a case. It returns None if they do not fit. The choices are
then drawn again.
"""


@dataclass(frozen=True)
class Template:
    """A kind of task."""

    name: str
    family: str
    tier: Tier
    make: Maker
    weight: int = 1
    """The number of times that the template occurs in a round of all templates."""

    twin: str | None = None
    """For tasks whose answer cannot be known: the template with the same requests that can be answered."""


def call(name: str, **arguments: Any) -> GoldCall:
    """Return a call of gold without the arguments that are None."""
    return GoldCall(name=name, arguments={key: value for key, value in arguments.items() if value is not None})


def proof(*shows: str | float) -> ShownFact:
    """Return the evidence of values that one result has to show together; prices with at least two decimals."""
    return ShownFact(shows=tuple(map(exact, shows)))


def proofs(subject: str, *values: str | float) -> tuple[ShownFact, ...]:
    """Return the evidence that each of `values` was seen with its subject, in one result or in several."""
    return tuple(proof(subject, value) for value in values)


def exact(value: str | float) -> str:
    """Return a figure with the decimals that tell it from its neighbours."""
    if isinstance(value, str):
        return value.replace(",", "") if _GROUPED.fullmatch(value) else value
    if isinstance(value, int) or (abs(value) >= 10_000 and value.is_integer()):
        return str(int(value))
    return f"{value:.2f}" if round(value, 2) == value else plain(value)


def number(value: float, unit: str, tolerance: float = TOLERANCE) -> Answer:
    """Return a right answer that is a number."""
    return Answer(kind="number", value=float(value), unit=unit, tolerance=tolerance)


def percent(value: float) -> Answer:
    """Return a right answer in per cent."""
    return number(round(value, 4), "%")


def text(value: str, *also: str) -> Answer:
    """Return a right answer that is a text, with other spellings of it."""
    return Answer(kind="text", value=value, also=tuple(dict.fromkeys(each for each in also if each != value)))


def the_date(day: str) -> Answer:
    """Return a right answer that is a date."""
    return Answer(kind="date", value=day)


def order(*tickers: str) -> Answer:
    """Return a right answer that is a list of tickers in order."""
    return Answer(kind="list", value=tickers)


def unknown(like: Answer, *missing: str) -> Answer:
    """Return the right answer where `like` cannot be known, with words that name the missing fact."""
    return Answer(kind=like.kind, value=None, unit=like.unit, missing=tuple(dict.fromkeys(missing)))
