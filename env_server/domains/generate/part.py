"""What templates are filled with: one wish of the caller and its gold, and who the caller is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from env_server.domains.task import EnvAssertion, GoldCall, Request

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

    outputs: tuple[str, ...] = ()
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


ONLY_ASKING = "No, thank you, please change nothing. I only wanted to know."


def asked(
    ask: str,
    goal: str,
    details: dict[str, str],
    outputs: tuple[str, ...],
    proof: tuple[GoldCall, ...],
    slots: dict[str, object],
) -> Part:
    """A question: the caller declines whatever is offered and waits for `outputs`, which only `proof` can show."""
    request = Request(ask=ask, details=details | {"confirm": ONLY_ASKING}, wants=outputs)
    return Part(requests=(request,), goal=goal, proof=proof, outputs=outputs, slots=slots)


def read(name: str, /, **arguments: Any) -> GoldCall:
    """A gold look-up, which `actions` compares by all its arguments."""
    return GoldCall(name=name, arguments=arguments)


def write(name: str, /, **arguments: Any) -> GoldCall:
    """A gold write; `actions` compares what it is about (the first argument), `state` the rest."""
    return GoldCall(name=name, arguments=arguments, compare=(next(iter(arguments)),))
