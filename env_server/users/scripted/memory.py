"""What the scripted user remembers between messages."""

import re
from dataclasses import dataclass, field, fields
from typing import Any

from env_server.hearing import ChangePlace

_COMMON = frozenset({
    "a", "about", "address", "all", "also", "an", "and", "any", "are", "at", "be", "by", "can", "do", "for",
    "from", "have", "i", "i'd", "i'll", "in", "instead", "is", "it", "its", "like", "me", "my", "new", "no",
    "not", "of", "on", "one", "only", "or", "order", "please", "refund", "return", "some", "take", "that",
    "the", "their", "them", "then", "this", "to", "up", "use", "want", "was", "what", "with", "would", "you",
    "your",
})  # fmt: skip


@dataclass(slots=True)
class UserMemory:
    """Private notes; `dump` of it is plain JSON. Wishes are named by their places in the script."""

    turn: int = 0
    idle: int = 0
    """Messages in a row that moved no wish."""

    calls: int = 0
    """The agent's calls up to the last message."""

    closed: dict[int, str] = field(default_factory=dict)
    """Wish -> how it was settled: "done", "refused" or "dropped"."""

    brought: list[int] = field(default_factory=list)
    """The wishes that were brought up."""

    known: list[str] = field(default_factory=list)
    """Facts already told, by topic."""

    given: list[str] = field(default_factory=list)
    """Details already told, as wish/topic."""

    told: list[str] = field(default_factory=list)
    """Details told in any wish, word for word: they need not be said again unasked."""

    heard: list[str] = field(default_factory=list)
    """Waited-for values that were told, as wish/want."""

    agreed: list[ChangePlace] = field(default_factory=list)
    claimed: list[ChangePlace] = field(default_factory=list)
    asked_done: list[ChangePlace] = field(default_factory=list)
    """The changes of which the user has just asked whether they are done."""

    offered: list[ChangePlace] = field(default_factory=list)
    """The changes of the last proposal, to which the user has not said yes."""

    revised: list[int] = field(default_factory=list)
    insisted: list[int] = field(default_factory=list)
    contradicted: dict[int, int] = field(default_factory=dict)
    """Wish -> proposals that named a value which the user had corrected or knew to be wrong."""

    repeats: dict[int, int] = field(default_factory=dict)
    """Wish -> how often it was said again."""

    warned: bool = False
    """Whether a transfer was announced."""

    aside: int = 0
    """The message in which the unrelated question was asked; 0 before."""

    @classmethod
    def load(cls, notes: dict[str, Any]) -> "UserMemory":
        """The memory that `dump` wrote; an empty one from empty notes."""
        memory = cls(**notes)
        for name in ("closed", "contradicted", "repeats"):
            setattr(memory, name, {int(wish): value for wish, value in getattr(memory, name).items()})
        for name in ("agreed", "claimed", "asked_done", "offered"):
            setattr(memory, name, [ChangePlace(*place) for place in getattr(memory, name)])
        return memory

    def dump(self) -> dict[str, Any]:
        """Plain JSON of what is not as in the beginning."""
        found: dict[str, Any] = {}
        for name in _NAMES:
            value = getattr(self, name)
            if value:
                found[name] = _plain(value)
        return found


def _plain(value: Any) -> Any:
    """A value as JSON has it: text keys, and lists for places."""
    if isinstance(value, dict):
        return {str(key): inner for key, inner in value.items()}
    if isinstance(value, list):
        return [list(item) if isinstance(item, tuple) else item for item in value]
    return value


_NAMES = tuple(f.name for f in fields(UserMemory))


def mentions(detail: str, text: str) -> bool:
    """Whether lower-case `text` already says what `detail` would: four in five of its telling words."""
    words = {w.strip(".,;:!?()'\"") for w in detail.lower().split()} - _COMMON - {""}
    if not words:
        return False
    codes = [w for w in words if any(c.isdigit() for c in w)]
    if not all(re.search(rf"(?<!\w){re.escape(c)}(?!\w)", text) for c in codes):
        return False
    return sum(w in text for w in words) >= 0.8 * len(words)
