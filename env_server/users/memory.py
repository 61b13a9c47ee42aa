"""What the scripted user remembers between messages, and how it recognises what it was told."""

import re
from dataclasses import dataclass, field, replace
from typing import Any

_COMMON = frozenset({
    "a", "about", "address", "all", "also", "an", "and", "any", "are", "at", "be", "by", "can", "do", "for",
    "from", "have", "i", "i'd", "i'll", "in", "instead", "is", "it", "its", "like", "me", "my", "new", "no",
    "not", "of", "on", "one", "only", "or", "order", "please", "refund", "return", "some", "take", "that",
    "the", "their", "them", "then", "this", "to", "up", "use", "want", "was", "what", "with", "would", "you",
    "your",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Memory:
    """Private notes; `dump` of it is plain JSON."""

    at: int = 0
    """Which request is being dealt with."""

    turn: int = 0
    idle: int = 0
    """Messages in a row that led nowhere."""

    known: list[str] = field(default_factory=list)
    """Facts already told, by topic."""

    given: list[str] = field(default_factory=list)
    """Details of this request already told, by topic."""

    told: list[str] = field(default_factory=list)
    """Details told in any request, word for word: they need not be said again unasked."""

    heard: list[str] = field(default_factory=list)
    """Wanted values that the agent has said, at any time."""

    confirmed: bool = False
    revised: bool = False
    insisted: bool = False
    warned: bool = False
    """Whether a transfer was announced."""

    @classmethod
    def load(cls, notes: dict[str, Any]) -> "Memory":
        """The memory that `dump` wrote; an empty one from empty notes."""
        return cls(**notes)

    def dump(self) -> dict[str, Any]:
        """Plain JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def next_request(self) -> "Memory":
        """On to the next request: what was said about the last one no longer counts."""
        return replace(
            self, at=self.at + 1, idle=0, given=[], confirmed=False, revised=False, insisted=False, warned=False
        )


def mentions(detail: str, text: str) -> bool:
    """Whether lower-case `text` already says what `detail` would: four in five of its telling words."""
    words = {w.strip(".,;:!?()'\"") for w in detail.lower().split()} - _COMMON - {""}
    if not words:
        return False
    codes = [w for w in words if any(c.isdigit() for c in w)]
    if not all(re.search(rf"(?<!\w){re.escape(c)}(?!\w)", text) for c in codes):
        return False
    return sum(w in text for w in words) >= 0.8 * len(words)
