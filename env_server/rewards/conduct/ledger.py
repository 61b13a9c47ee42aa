"""The state of the conduct rewards of an episode: plain data, committed with every part of a turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from itertools import compress
from operator import attrgetter
from typing import Any

from env_server.reading import Words
from env_server.understanding import ChangePlace


class FaultCode(StrEnum):
    """The kinds of an agent's faults."""

    UNGIVEN_IDENTITY = "ungiven_identity"
    UNKNOWN_USER = "unknown_user"
    NO_CONSENT = "no_consent"
    OTHER_CUSTOMER = "other_customer"
    FALSE_REPORT = "false_report"
    FALSE_MONEY = "false_money"
    CONTRADICTION = "contradiction"


@dataclass(slots=True)
class Ledger:
    """The stored events from which `heard` and `conduct` are computed."""

    messages: int = 0
    """The number of messages to the user."""

    understood: int = 0
    """The number of those messages that the user could read."""

    said: list[str] = field(default_factory=list)
    """The user's messages before sign-in. Identity arguments are compared with them."""

    signed_in: bool = False
    """Whether a call that finds or checks the user's identity has succeeded."""

    consents: list[ChangePlace] = field(default_factory=list)
    """The changes that the user agreed to."""

    offered: list[ChangePlace] = field(default_factory=list)
    """The changes that the last message proposed with the right values, if the user's own notes do not hold them."""

    made: dict[str, list[int]] = field(default_factory=dict)
    """Change, as wish/change -> the indices of its calls that were made under a yes."""

    unasked: list[str] = field(default_factory=list)
    """The tools of changes that were made without the user's yes."""

    refused: dict[int, int] = field(default_factory=dict)
    """Due -> the last message that refused its wish."""

    because: dict[int, int] = field(default_factory=dict)
    """Due -> the last message that named its deciding fact, after the look-ups that show it."""

    heard: list[int] = field(default_factory=list)
    """The dues that the user was told."""

    early: list[int] = field(default_factory=list)
    """The dues that were told before the look-ups that show them."""

    missed: dict[int, int] = field(default_factory=dict)
    """Due -> the last message that told other figures about the same thing, but not the value."""

    denied: list[ChangePlace] = field(default_factory=list)
    """The changes that were refused after they had been made, and not reported as made since."""

    shown: list[str] = field(default_factory=list)
    """The amounts in the arguments and results of the changes made, each as `kind=number`."""

    signs: list[str] = field(default_factory=list)
    """The ways in which money moved by the changes made."""

    promised: list[str] = field(default_factory=list)
    """The words that announced a refund before any change, as long as no change has brought one."""

    seen: list[str] = field(default_factory=list)
    """The amounts in the results of look-ups, each as `kind=number`."""

    seen_signs: list[str] = field(default_factory=list)
    """The ways in which money moved before, by the look-ups."""

    amounts: list[str] = field(default_factory=list)
    """The numbers told to the user, up to one more than the limit."""

    faults: list[str] = field(default_factory=list)
    """The agent's faults in words, each once."""

    codes: list[str] = field(default_factory=list)
    """The kinds of these faults (`FaultCode`), each once."""

    candidates: list[str] = field(default_factory=list)
    """The ids of other customers that look-ups by the user's own words have returned. The agent may open them to
    compare.
    """

    gave_up: bool = False
    """Whether the user gave up because too many messages brought no wish forward."""

    @classmethod
    def load(cls, notes: Mapping[str, Any]) -> "Ledger":
        """Return the ledger that `dump` wrote; an empty ledger for empty notes."""
        ledger = cls(**notes).copy()  # so that `notes` do not change
        for name in _PLACES & notes.keys():
            setattr(ledger, name, [ChangePlace(*place) for place in notes[name]])
        for name in _BY_DUE & notes.keys():
            setattr(ledger, name, {int(due): at for due, at in notes[name].items()})
        return ledger

    def dump(self) -> dict[str, Any]:
        """Return the values that are not empty, as plain JSON. It holds the lists of this ledger, not copies."""
        values = _all_of(self)
        found: dict[str, Any] = dict(compress(zip(_NAMES, values, strict=True), values))
        for name in _PLACES:
            if name in found:
                found[name] = [list(place) for place in found[name]]
        for name in _BY_DUE:
            if name in found:
                found[name] = {str(due): at for due, at in found[name].items()}
        return found

    def copy(self) -> "Ledger":
        """Return a ledger whose changes do not change this one."""
        return Ledger(
            self.messages,
            self.understood,
            [*self.said],
            self.signed_in,
            [*self.consents],
            [*self.offered],
            {change: calls.copy() for change, calls in self.made.items()},
            [*self.unasked],
            {**self.refused},
            {**self.because},
            [*self.heard],
            [*self.early],
            {**self.missed},
            [*self.denied],
            [*self.shown],
            [*self.signs],
            [*self.promised],
            [*self.seen],
            [*self.seen_signs],
            [*self.amounts],
            [*self.faults],
            [*self.codes],
            [*self.candidates],
            self.gave_up,
        )

    def fault(self, code: FaultCode, text: str) -> None:
        """Record a fault of the agent."""
        if code not in self.codes:
            self.codes.append(code.value)
        if text not in self.faults and len(self.faults) < MOST_FAULTS:
            self.faults.append(text)


@lru_cache(maxsize=512)
def words_of(text: str) -> Words:
    """Return the words of `text`. The last 512 are kept, because the rollouts of a group are told the same."""
    return Words(text)


MOST_FAULTS = 20
"""The maximum number of stored faults; one is enough for the component to be 0."""

_NAMES = tuple(f.name for f in fields(Ledger))
_PLACES = frozenset(("consents", "offered", "denied"))
_BY_DUE = frozenset(("refused", "because", "missed"))
_all_of = attrgetter(*_NAMES)
