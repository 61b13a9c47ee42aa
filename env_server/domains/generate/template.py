"""Templates: which wishes one caller brings, in order, and what each of them can be about."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from env_server.domains.generate.part import Part, Row

NOTHING = ("",)


def nothing(world: Any, customer: Row) -> Iterable[str]:  # the signature of `subjects`
    """The subjects of a wish that fits everybody and is about nothing of its own."""
    return NOTHING


@dataclass(frozen=True)
class Move:
    """One kind of wish: how it is filled in, and what it can be about."""

    make: Callable[[Any], Part]
    """Fills it in, from a `Case` of the domain."""

    subjects: Callable[[Any, Row], Iterable[str]] = nothing
    """From (world, customer): the ids it can be about; `NOTHING` for a wish about none, () where it does not fit."""


@dataclass(frozen=True)
class Template:
    """A conversation: its moves in order, each about a subject of its own."""

    name: str
    moves: tuple[Move, ...]
    chain: bool = False
    """Whether the moves are all about one and the same subject."""

    due: bool = False
    """Whether it is a twin: the same wishes in the same words, and rows under which what is refused else is due."""

    def anchors(self, world: Any, customers: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
        """Every (customer, subjects of the moves) that the template can be filled with."""
        return [(c, subjects) for c in customers for subjects in self._choices(world, world.customers[c])]

    def _choices(self, world: Any, customer: Row) -> Iterator[tuple[str, ...]]:
        found = [tuple(move.subjects(world, customer)) for move in self.moves]
        return _together(found) if self.chain else _apart(found)


def _together(found: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The one subject that all moves take, in turn."""
    bound = [subjects for subjects in found if subjects != NOTHING]
    for subject in bound[0] if bound else NOTHING:
        if all(subject in subjects for subjects in bound):
            yield tuple("" if subjects == NOTHING else subject for subjects in found)


def _apart(found: list[tuple[str, ...]], taken: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every choice of one subject for each move, none of them twice."""
    if not found:
        yield taken
        return
    for subject in found[0]:
        if not subject or subject not in taken:
            yield from _apart(found[1:], (*taken, subject))
