"""What templates are filled with: one wish of the caller and its gold, and who the caller is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from env_server.domains.generate.asking import Voice
from env_server.domains.generate.known import Details, wish
from env_server.domains.task import EnvAssertion, Form, GoldCall, Request, Want

Row = Mapping[str, Any]
Patch = Mapping[str, Mapping[str, Mapping[str, Any] | None]]
"""Table -> key -> the fields to change in that row (objects field by field), or None to delete it."""


class World(Protocol):
    """A base snapshot as templates look things up in it."""

    @property
    def customers(self) -> Mapping[str, Row]:
        """The customers by id, in row order."""

    def owned(self, customer: Row) -> Iterable[str]:
        """Ids and other values that only this customer has (orders, email address, telephone number, ...)."""


W = TypeVar("W", bound=World)


@dataclass(frozen=True)
class Case(Generic[W]):
    """A customer and what one wish of theirs is about, with all that filling it in draws from."""

    world: W
    customer: Row
    subject: str
    """The id of what the wish is about; "" where it is about nothing of its own."""

    rng: Random
    peers: tuple[str, ...]
    """The ids of the customers of the same split."""

    split: str = "train"
    """Where the task belongs, which decides the wordings to draw from."""

    due: bool = False
    """Whether this is the twin of a refusal or a transfer: the same words, and rows under which the wish is granted."""

    @cached_property
    def voice(self) -> Voice:
        """Draws wordings."""
        return Voice(self.rng, self.split)


@dataclass(frozen=True)
class Refusal:
    """A wish that has to be refused, and the fact that decides it."""

    says: str
    """The fact as a clause, as an agent would put it: `the order was delivered on May 3`."""

    because: tuple[Form, ...]
    """The forms of which any one names the deciding fact, a value or a word that only the records show."""

    others: tuple[str, ...] = ()
    """Facts of the same kind that are not so: who names one of these has guessed."""

    about: tuple[Form, ...] = ()
    """What names the wish, beside the verbs of its changes; any one will do."""

    wish: int = 0
    """Which of the part's requests it is."""


@dataclass(frozen=True)
class Tell:
    """A value that has to be looked up and told."""

    value: str
    says: str
    """One sentence that tells it."""

    of: tuple[Form, ...]
    """What it is a value of: any one of these stands in the sentence that tells it."""

    wish: int = 0
    """Which of the part's requests asks for it."""


def told(value: str, says: str, *of: Form, kind: str = "number", wish: int = 0) -> tuple[Want, Tell]:
    """What the caller waits for, and what gold tells: `value`, by a sentence such as `says` that names it by `of`.

    `kind` is "number", "date", "time" or "text"; `wish` is the place of the request among the part's.
    """
    return Want.model_validate({"kind": kind, "of": of}), Tell(value, says, of, wish)


@dataclass(frozen=True)
class Part:
    """One wish of the caller: what is said, and the gold that settles it."""

    requests: tuple[Request, ...]
    goal: str
    """The wish in prose, in the second person."""

    writes: tuple[GoldCall, ...] = ()
    reads: tuple[GoldCall, ...] = ()
    """Look-ups that an honest agent makes but may make otherwise; they are left out of gold beside any `proof`."""

    proof: tuple[GoldCall, ...] = ()
    """Look-ups without which a refusal, a transfer or a told value is a guess; they put `actions` into the basis."""

    handover: tuple[GoldCall, ...] = ()
    """The transfer, where it is the answer; it ends the conversation."""

    reason: Refusal | None = None
    """Why the caller is handed over, which they have to be told first."""

    refusals: tuple[Refusal, ...] = ()
    """The wishes among `requests` that have to be refused."""

    tells: tuple[Tell, ...] = ()
    """What has to be told; the values are gold's outputs."""

    slots: dict[str, Any] = field(default_factory=dict)
    initial: Patch = field(default_factory=dict)
    """What is otherwise than in the base before the episode begins."""

    assertions: tuple[EnvAssertion, ...] = ()
    """What must hold of the state at the end; they put `env_assertions` into the basis."""


@dataclass(frozen=True)
class Caller:
    """Who calls, as the script plays them and as gold finds them."""

    introduction: str
    """Who they are and what they know of themselves, in prose, in the second person."""

    facts: dict[str, str]
    unknown: tuple[str, ...]
    sign_in: tuple[GoldCall, ...]
    """The calls that identify them; always in gold."""

    opens: tuple[GoldCall, ...] = ()
    """Look-ups of what is theirs; left out of gold beside any `proof`."""

    initial: Patch = field(default_factory=dict)
    """What is otherwise than in the base while this customer calls."""


def asked(
    case: Any,
    phrases: Sequence[str],
    goal: str,
    details: Details,
    values: Sequence[tuple[Want, Tell]],
    proof: tuple[GoldCall, ...],
    slots: dict[str, object],
) -> Part:
    """A question: the caller agrees to no change and waits for `values` (of `told`), which only `proof` can show."""
    request = wish(case, *phrases, details=details, wants=[want for want, _ in values])
    return Part(requests=(request,), goal=goal, proof=proof, tells=tuple(tell for _, tell in values), slots=slots)


def read(name: str, /, **arguments: Any) -> GoldCall:
    """A gold look-up, which `actions` compares by all its arguments."""
    return GoldCall(name=name, arguments=arguments)


def write(name: str, /, **arguments: Any) -> GoldCall:
    """A gold write; `actions` compares what it is about (the first argument), `state` the rest."""
    return GoldCall(name=name, arguments=arguments, compare=(next(iter(arguments)),))
