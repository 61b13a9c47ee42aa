"""What a user knows and waits for while they listen to an agent."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from env_server.domains.kit import UserScript, Value, WantedChange


class ChangePlace(NamedTuple):
    """The indices in the script of one change and of its wish."""

    wish: int
    change: int


@dataclass(frozen=True, slots=True)
class Ear:
    """The state of the user that decides how a message is interpreted, beside its words."""

    script: UserScript
    focus: int
    """The current wish."""

    open: Collection[int]
    """The wishes that are neither granted nor given up."""

    revised: Collection[int] = field(default_factory=frozenset)
    """The wishes about which the user has changed their mind."""

    agreed: Collection[ChangePlace] = field(default_factory=frozenset)
    """The changes that the user has agreed to."""

    brought: Collection[int] | None = None
    """The wishes that the user has brought up; None for all. A report is about one of them rather than about others."""

    learned: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """`wish/topic` -> the codes that the agent has told for a value. The user knows the value by other words."""

    @property
    def voiced(self) -> list[int]:
        """The wishes that the user has brought up or agreed to."""
        wishes = range(len(self.script.requests))
        agreed = {place.wish for place in self.agreed}
        return [w for w in wishes if self.brought is None or w in self.brought or w in agreed]

    def second_choice(self, w: int) -> bool:
        """Return whether a wish has taken the place of the one before it, which has been refused."""
        return self.script.requests[w].instead and w - 1 not in self.open

    def change(self, place: ChangePlace) -> WantedChange:
        """Return the change at a place of the script."""
        return self.script.requests[place.wish].changes[place.change]

    def values(self, wish: int) -> dict[str, Value]:
        """Return the values of a wish that the user knows now."""
        known = self.script.requests[wish].known(revised=wish in self.revised)
        if not self.learned:
            return known
        more = {topic: self.learned.get(f"{wish}/{topic}", ()) for topic in known}
        return {
            topic: value.model_copy(update={"says": (*value.says, *more[topic])}) if more[topic] else value
            for topic, value in known.items()
        }
