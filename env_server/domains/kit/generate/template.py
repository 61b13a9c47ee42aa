"""Templates: the wishes that one caller brings, in order, and the possible subjects of each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from env_server.domains.kit.generate.wish import Row, Wish

NOTHING = ("",)

Subjects = Callable[[Any, Row], Iterable[str]]
"""(world, customer) -> the ids of possible subjects; `NOTHING` for a wish without a subject, () if it does not fit."""

Anchor = tuple[str, tuple[str, ...]]
"""A customer, and the subject of each kind of a template."""


def nothing(world: Any, customer: Row) -> Iterable[str]:  # the signature of `subjects`
    """Return the subjects of a wish that fits every customer and has no subject of its own."""
    return NOTHING


@dataclass(frozen=True)
class WishKind:
    """One kind of wish: the function that fills it in, and its possible subjects."""

    make: Callable[[Any], Wish]
    """The function that fills it in, from a `Case` of the domain."""

    subjects: Subjects = nothing


@dataclass(frozen=True)
class Template:
    """A conversation: its kinds in order, each with a subject of its own."""

    name: str
    kinds: tuple[WishKind, ...]
    chain: bool = False
    """Whether all kinds have the same subject."""

    due: bool = False
    """Whether it is a twin: the same wishes in the same words, with rows under which the refused wish is granted."""

    def twin(self) -> "Template":
        """Return the twin of a template that ends in a refusal or a transfer; `-due` follows its name."""
        return replace(self, name=f"{self.name}-due", due=True)

    def anchors(self, customers: Sequence[str], fits: Callable[[Subjects], list[tuple[str, ...]]]) -> list[Anchor]:
        """Return every (customer, subjects of the kinds) that can fill the template. `fits` returns the possible
        subjects of a kind for each of the customers.
        """
        choices = _together if self.chain else _apart
        columns = [fits(kind.subjects) for kind in self.kinds]
        return [(c, chosen) for c, *found in zip(customers, *columns, strict=True) for chosen in choices(found)]


def _together(found: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield each subject that all kinds can share."""
    bound = [subjects for subjects in found if subjects != NOTHING]
    for subject in bound[0] if bound else NOTHING:
        if all(subject in subjects for subjects in bound):
            yield tuple("" if subjects == NOTHING else subject for subjects in found)


def _apart(found: list[tuple[str, ...]], taken: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every choice of one subject for each kind, none of them twice."""
    if not found:
        yield taken
        return
    for subject in found[0]:
        if not subject or subject not in taken:
            yield from _apart(found[1:], (*taken, subject))
