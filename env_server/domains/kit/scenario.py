"""Parts that scenarios of several domains are made of: the subjects of a wish, twins, and a transfer to people."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from env_server.domains.kit.generate.known import Known
from env_server.domains.kit.generate.template import NOTHING, Template, WishKind
from env_server.domains.kit.generate.wish import Row, W, Wish
from env_server.domains.kit.task import GoldCall

S = TypeVar("S")
"""The input of a test of a subject: a `Spot`, or a domain's own class."""


@dataclass(frozen=True)
class Spot(Generic[W]):
    """A caller and the row that a wish may be about, before there is a case."""

    world: W
    user: Row
    row: Row = field(default_factory=dict)
    """The row; empty where the wish is about none."""


def about(
    spots: Callable[[Any, Row], Iterable[tuple[str, S]]], make: Callable[[Any], Wish], *tests: Callable[[S], bool]
) -> WishKind:
    """Return the kind of a wish about one of the caller's `spots` (id, spot) for which all `tests` hold."""

    def subjects(world: Any, user: Row) -> Iterator[str]:
        return (subject for subject, at in spots(world, user) if all(test(at) for test in tests))

    return WishKind(make, subjects)


def about_caller(spot: Callable[[Any, Row], S], make: Callable[[Any], Wish], *tests: Callable[[S], bool]) -> WishKind:
    """Return the kind of a wish about no row. It fits callers for whose `spot` all `tests` hold."""

    def subjects(world: Any, user: Row) -> tuple[str, ...]:
        at = spot(world, user)
        return NOTHING if all(test(at) for test in tests) else ()

    return WishKind(make, subjects)


def twins(name: str, *kinds: WishKind, chain: bool = False) -> tuple[Template, Template]:
    """Return a template that ends in a refusal or a transfer, and its twin, in which the rows grant the wish."""
    refused = Template(name, kinds, chain)
    return refused, refused.twin()


def handover(summary: str) -> tuple[GoldCall, ...]:
    """Return the transfer to people as gold's last call. Its summary is not compared."""
    return (GoldCall(name="transfer_to_human_agents", arguments={"summary": summary}, compare=()),)


def texts(details: Mapping[str, Known | str]) -> dict[str, str]:
    """Return the caller's answers to questions, by topic."""
    return {topic: detail if isinstance(detail, str) else detail.text for topic, detail in details.items()}
