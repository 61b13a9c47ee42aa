"""What a user knows and waits for while they listen to an agent."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from env_server.domains.kit import UserScript, Value


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

    learned: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Wish/topic -> codes that the agent has told for a value which the user knows by other words."""

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
