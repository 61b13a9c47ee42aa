"""The scripted user's memory between messages."""

import re
from dataclasses import dataclass, field, fields
from typing import Any

from env_server.understanding import ChangePlace

_COMMON = frozenset({
    "a", "about", "address", "all", "also", "an", "and", "any", "are", "at", "be", "by", "can", "do", "for",
    "from", "have", "i", "i'd", "i'll", "in", "instead", "is", "it", "its", "like", "me", "my", "new", "no",
    "not", "of", "on", "one", "only", "or", "order", "please", "refund", "return", "some", "take", "that",
    "the", "their", "them", "then", "this", "to", "up", "use", "want", "was", "what", "with", "would", "you",
    "your",
})  # fmt: skip
"""Words that are not significant when two texts are compared (`mentions`)."""


@dataclass(slots=True)
class UserMemory:
    """Private notes; `dump` returns them as plain JSON. Wishes are identified by their indices in the script."""

    turn: int = 0
    idle: int = 0
    """Consecutive messages that moved no wish."""

    calls: int = 0
    """The number of the agent's calls up to the last message."""

    closed: dict[int, str] = field(default_factory=dict)
    """Wish -> its outcome: "done", "refused" or "dropped"."""

    brought: list[int] = field(default_factory=list)
    """The wishes that were brought up."""

    known: list[str] = field(default_factory=list)
    """Topics of the facts already told."""

    given: list[str] = field(default_factory=list)
    """Details already told, as wish/topic."""

    told: list[str] = field(default_factory=list)
    """Texts of the details told for any wish. They need not be told again unasked."""

    heard: list[str] = field(default_factory=list)
    """Values that the user waited for and was told, as wish/want."""

    agreed: list[ChangePlace] = field(default_factory=list)
    claimed: list[ChangePlace] = field(default_factory=list)
    asked_done: list[ChangePlace] = field(default_factory=list)
    """The changes of which the user asked in the last message whether they are done."""

    offered: list[ChangePlace] = field(default_factory=list)
    """The changes of the last proposal, if the user has not said yes to it."""

    asked_yes: list[ChangePlace] = field(default_factory=list)
    """The changes of which the user asked in the last message whether the agent wants a yes."""

    asked_no: list[int] = field(default_factory=list)
    """The wish of which the user asked in the last message whether it is refused."""

    asked_transfer: bool = False
    """Whether the user asked in the last message whether they are transferred."""

    wondered_yes: list[ChangePlace] = field(default_factory=list)
    wondered_done: list[ChangePlace] = field(default_factory=list)
    """The changes of which the user has asked once whether the agent wants a yes, and whether they are done."""

    revised: list[int] = field(default_factory=list)
    insisted: list[int] = field(default_factory=list)
    contradicted: dict[int, int] = field(default_factory=dict)
    """Wish -> number of proposals that named a value which the user had corrected or knew to be wrong."""

    learned: dict[str, list[str]] = field(default_factory=dict)
    """Wish/topic -> the codes that the agent has told for a value."""

    repeats: dict[int, int] = field(default_factory=dict)
    """Wish -> number of times it was repeated."""

    warned: bool = False
    """Whether a transfer was announced."""

    put_through: bool = False
    """Whether the user has agreed to a transfer."""

    aside: int = 0
    """The turn in which the unrelated question was asked; 0 if it was not asked."""

    @classmethod
    def load(cls, notes: dict[str, Any]) -> "UserMemory":
        """Return the memory that `dump` wrote; an empty memory for empty notes."""
        memory = cls(**notes)
        for name in ("closed", "contradicted", "repeats"):
            setattr(memory, name, {int(wish): value for wish, value in getattr(memory, name).items()})
        for name in ("agreed", "claimed", "asked_done", "offered", "asked_yes", "wondered_yes", "wondered_done"):
            setattr(memory, name, [ChangePlace(*place) for place in getattr(memory, name)])
        return memory

    def dump(self) -> dict[str, Any]:
        """Return the values that are not empty, as plain JSON."""
        found: dict[str, Any] = {}
        for name in _NAMES:
            value = getattr(self, name)
            if value:
                found[name] = _plain(value)
        return found


def _plain(value: Any) -> Any:
    """Return a value as JSON represents it: text keys, and lists for places."""
    if isinstance(value, dict):
        return {str(key): inner for key, inner in value.items()}
    if isinstance(value, list):
        return [list(item) if isinstance(item, tuple) else item for item in value]
    return value


_NAMES = tuple(f.name for f in fields(UserMemory))


def mentions(detail: str, text: str) -> bool:
    """Return whether lower-case `text` already says `detail`: all its codes and four in five of its
    significant words.
    """
    words = significant(detail)
    if not words:
        return False
    codes = [w for w in words if any(c.isdigit() for c in w)]
    if not all(re.search(rf"(?<!\w){re.escape(c)}(?!\w)", text) for c in codes):
        return False
    return sum(w in text for w in words) >= 0.8 * len(words)


def significant(text: str) -> set[str]:
    """Return the lower-case words of a text without those that are not significant in comparisons."""
    return {w.strip(".,;:!?()'\"") for w in text.lower().split()} - _COMMON - {""}
