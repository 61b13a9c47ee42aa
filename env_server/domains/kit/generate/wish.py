"""The contents of templates: one wish of the caller with its gold, and the caller."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from env_server.domains.kit.generate.asking import Voice
from env_server.domains.kit.generate.known import Details, wish
from env_server.domains.kit.task import EnvAssertion, Form, GoldCall, Request, Want

Row = Mapping[str, Any]
Patch = Mapping[str, Mapping[str, Mapping[str, Any] | None]]
"""Table -> key -> the fields to change in that row (objects field by field), or None to delete it."""


class World(Protocol):
    """A base snapshot with the look-ups that templates need."""

    @property
    def customers(self) -> Mapping[str, Row]:
        """The customers by id, in row order."""

    def owned(self, customer: Row) -> Iterable[str]:
        """Return ids and other values that only this customer has (orders, email address, telephone number, ...)."""


W = TypeVar("W", bound=World)


@dataclass(frozen=True)
class Case(Generic[W]):
    """A customer and the subject of one of their wishes, with all inputs for filling in the wish."""

    world: W
    customer: Row
    subject: str
    """The id of the wish's subject; "" if it has none."""

    rng: Random
    peers: tuple[str, ...]
    """The ids of the customers of the same split."""

    split: str = "train"
    """The split of the task, which decides the available wordings."""

    due: bool = False
    """Whether this is the twin of a refusal or a transfer: the same words, with rows under which the
    wish is granted.
    """

    @cached_property
    def voice(self) -> Voice:
        """The generator of wordings."""
        return Voice(self.rng, self.split)


@dataclass(frozen=True)
class Refusal:
    """A wish that has to be refused, and the deciding fact."""

    says: str
    """The fact as a clause in an agent's words: `the order was delivered on May 3`."""

    because: tuple[Form, ...]
    """The forms of which any one names the deciding fact: a value or a word that only the records show."""

    others: tuple[str, ...] = ()
    """Wrong facts of the same kind. An agent that names one of them has guessed."""

    about: tuple[Form, ...] = ()
    """Names of the wish, beside the verbs of its changes; any one is enough."""

    wish: int = 0
    """The index of the request in the wish."""


@dataclass(frozen=True)
class Tell:
    """A value that the agent has to look up and tell."""

    value: str
    says: str
    """One sentence that tells it."""

    of: tuple[Form, ...]
    """Names of the thing that the value belongs to. One of them has to stand in the sentence that tells it."""

    wish: int = 0
    """The index of the request in the wish that asks for it."""


def told(value: str, says: str, *of: Form, kind: str = "number", wish: int = 0) -> tuple[Want, Tell]:
    """Return the caller's want and gold's tell of `value`; the sentence `says` names the thing by one of `of`.

    `kind` is "number", "date", "time" or "text"; `wish` is the index of the request in the wish.
    """
    return Want.model_validate({"kind": kind, "of": of}), Tell(value, says, of, wish)


@dataclass(frozen=True)
class Wish:
    """One wish of the caller: its requests, and the gold that settles it."""

    requests: tuple[Request, ...]
    goal: str
    """The wish in prose, in the second person."""

    writes: tuple[GoldCall, ...] = ()
    reads: tuple[GoldCall, ...] = ()
    """Look-ups that an honest agent makes but may replace by others; gold omits them if calls are compared."""

    proof: tuple[GoldCall, ...] = ()
    """Look-ups without which a refusal, a transfer or a told value is a guess; they put `actions` into the basis."""

    handover: tuple[GoldCall, ...] = ()
    """The transfer, if it is the answer; it ends the conversation."""

    reason: Refusal | None = None
    """The reason of the transfer, which the agent has to tell first."""

    refusals: tuple[Refusal, ...] = ()
    """The wishes among `requests` that have to be refused."""

    tells: tuple[Tell, ...] = ()
    """The values that have to be told; they are gold's outputs."""

    slots: dict[str, Any] = field(default_factory=dict)
    initial: Patch = field(default_factory=dict)
    """The differences from the base before the episode begins."""

    assertions: tuple[EnvAssertion, ...] = ()
    """Assertions on the final state; they put `env_assertions` into the basis."""


@dataclass(frozen=True)
class Caller:
    """The caller, for the script and for gold."""

    introduction: str
    """Their identity and their knowledge of themselves, in prose, in the second person."""

    facts: dict[str, str]
    unknown: tuple[str, ...]
    sign_in: tuple[GoldCall, ...]
    """The calls that identify them; always in gold."""

    opens: tuple[GoldCall, ...] = ()
    """Look-ups of their own rows; gold omits them if calls are compared."""

    initial: Patch = field(default_factory=dict)
    """The differences from the base while this customer calls."""


def asked(
    case: Any,
    phrases: Sequence[str],
    goal: str,
    details: Details,
    values: Sequence[tuple[Want, Tell]],
    proof: tuple[GoldCall, ...],
    slots: dict[str, object],
) -> Wish:
    """Return a question: the caller agrees to no change and waits for `values` (of `told`), which only `proof` can
    show.
    """
    request = wish(case, *phrases, details=details, wants=[want for want, _ in values])
    return Wish(requests=(request,), goal=goal, proof=proof, tells=tuple(tell for _, tell in values), slots=slots)


def read(name: str, /, **arguments: Any) -> GoldCall:
    """Return a gold look-up; `actions` compares all its arguments."""
    return GoldCall(name=name, arguments=arguments)


def write(name: str, /, **arguments: Any) -> GoldCall:
    """Return a gold write; `actions` compares its subject (the first argument), `state` the rest."""
    return GoldCall(name=name, arguments=arguments, compare=(next(iter(arguments)),))
