"""What an episode's rewards have to remember of its conduct, turn by turn: plain data, committed with every part."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from env_server.hearing import ChangePlace


@dataclass(slots=True)
class Ledger:
    """The events that `heard` and `conduct` are computed from, as far as they still matter."""

    messages: int = 0
    """Messages to the user."""

    understood: int = 0
    """Those of them that the user could read."""

    said: list[str] = field(default_factory=list)
    """What the user has said, as far as identity arguments are compared with it."""

    signed_in: bool = False
    """Whether a call that finds or checks who the user is has succeeded."""

    consents: list[ChangePlace] = field(default_factory=list)
    """The changes to which the user has said yes."""

    offered: list[ChangePlace] = field(default_factory=list)
    """The changes that the last message proposed rightly, where the user's own notes do not say so."""

    made: dict[str, list[int]] = field(default_factory=dict)
    """Change, as wish/change -> the places of its calls that were made under a yes."""

    refused: dict[int, int] = field(default_factory=dict)
    """Due -> the message in which its wish was last refused."""

    because: dict[int, int] = field(default_factory=dict)
    """Due -> the message in which its deciding fact was last named, after the look-ups that show it."""

    heard: list[int] = field(default_factory=list)
    """The dues that the user was told."""

    missed: dict[int, int] = field(default_factory=dict)
    """Due -> the message in which other figures were told of its thing, and not its value."""

    denied: list[ChangePlace] = field(default_factory=list)
    """The changes that were refused after they had been made, and not reported since."""

    shown: list[str] = field(default_factory=list)
    """The numbers in what the changes returned that were made."""

    amounts: list[str] = field(default_factory=list)
    """The numbers that were told, up to one more than the budget."""

    faults: list[str] = field(default_factory=list)
    """What the agent did wrong, each once, in words."""

    gave_up: bool = False
    """Whether the user gave up over messages that moved no wish."""

    @classmethod
    def load(cls, notes: Mapping[str, Any]) -> "Ledger":
        """The ledger that `dump` wrote; an empty one from nothing."""
        ledger = cls(**{name: _copied(value) for name, value in notes.items()})
        for name in ("consents", "offered", "denied"):
            setattr(ledger, name, [ChangePlace(*place) for place in getattr(ledger, name)])
        for name in ("refused", "because", "missed"):
            setattr(ledger, name, {int(due): at for due, at in getattr(ledger, name).items()})
        return ledger

    def dump(self) -> dict[str, Any]:
        """Plain JSON of what is not as in the beginning."""
        found: dict[str, Any] = {}
        for name in _NAMES:
            value = getattr(self, name)
            if value:
                found[name] = _plain(value)
        return found

    def fault(self, text: str) -> None:
        """Note something that the agent did wrong."""
        if text not in self.faults and len(self.faults) < MOST_FAULTS:
            self.faults.append(text)


MOST_FAULTS = 20
"""Faults that are kept; one is enough for the component."""

_NAMES = tuple(f.name for f in fields(Ledger))


def _copied(value: Any) -> Any:
    """A copy of the outer container, so that the notes that were loaded stay as they are."""
    if isinstance(value, dict):
        return {key: list(inner) if isinstance(inner, list) else inner for key, inner in value.items()}
    return list(value) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): list(inner) if isinstance(inner, list) else inner for key, inner in value.items()}
    if isinstance(value, list):
        return [list(item) if isinstance(item, tuple) else item for item in value]
    return value
