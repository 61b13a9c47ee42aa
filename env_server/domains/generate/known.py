"""What a caller knows of their wish, and the request that is made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from env_server.domains.generate.asking import Voice
from env_server.domains.task import Form, GoldCall, OwnCheck, Request, Shape, Value, Want, WantedChange


@dataclass(frozen=True)
class Known:
    """A detail that the caller knows: how they say it, and how they recognise it when an agent says it."""

    text: str
    """What the caller answers when asked about it."""

    says: tuple[Form, ...] = ()
    """The forms of which any one names it in a proposal; none for a detail that a proposal need not name."""

    others: tuple[str, ...] = ()
    """Values of the same kind that the caller would correct: the other items of the order, their other cards."""

    def value(self) -> Value | None:
        """How it is recognised; None where there is nothing to recognise."""
        return Value(says=self.says, others=self.others) if self.says else None


class Speaker(Protocol):
    """What wording is drawn from: a `Case`."""

    @property
    def voice(self) -> Voice:
        """Draws wordings for the split that the task belongs to."""


Details = Mapping[str, Known | str]
"""Topic -> what the caller knows of it; a plain text names nothing that a proposal has to repeat."""


def change(
    plan: str, done: str, *, verbs: Sequence[str], names: Sequence[str] = (), calls: Sequence[GoldCall]
) -> WantedChange:
    """A change that the caller agrees to when an agent proposes it.

    Args:
        plan: The change in words that follow "I will", naming all of `names`.
        done: The change once it has been made, a clause (`order #W1 has been cancelled`).
        verbs: Beginnings of words that say what is done. Name all that agents use (`cancel`, `call off`, `void`).
        names: The topics that a proposal has to name; each is a detail with forms.
        calls: The calls that one yes covers, each with the arguments by which the caller would know it. Arguments that
            only records show (fees, ids the caller never says) are left out.
    """
    shapes = tuple(Shape(name=call.name, arguments=call.arguments) for call in calls)
    return WantedChange(plan=plan, done=done, verbs=tuple(verbs), names=tuple(names), calls=shapes)


def shape(name: str, /, **arguments: Any) -> GoldCall:
    """A call by the arguments that the caller would know it by."""
    return GoldCall(name=name, arguments=arguments)


def wish(
    case: Speaker,
    *phrases: str,
    details: Details | None = None,
    changes: Sequence[WantedChange] = (),
    wants: Sequence[Want] = (),
    revise: str | None = None,
    revised: Details | None = None,
    instead: bool = False,
    until: OwnCheck | None = None,
) -> Request:
    """A request in the caller's words.

    Args:
        case: The wish being filled in; its voice draws the wording.
        phrases: At least three ways to say the wish, each to follow "I would like to" (`cancel an order`). Some of
            them are kept for the `test` split alone.
        details: What the caller knows, by topic.
        changes: What they agree to, each by a yes of its own.
        wants: What they wait to be told.
        revise: What they say instead of the first yes, having changed their mind.
        revised: The details that are otherwise from then on.
        instead: Whether they want it only if the request before was refused.
        until: What their own tools must show before they take it as settled.
    """
    known, later = dict(details or {}), dict(revised or {})
    ask, *again = case.voice.asks(phrases, instead=instead)
    return Request(
        ask=ask,
        again=tuple(again),
        details={topic: _text(detail) for topic, detail in known.items()},
        values=_values(known),
        changes=tuple(changes),
        wants=tuple(wants),
        revise=revise,
        revised=_values(later),
        instead=instead,
        until=until,
    )


def _text(detail: Known | str) -> str:
    return detail if isinstance(detail, str) else detail.text


def _values(details: Details) -> dict[str, Value]:
    known = {topic: detail.value() for topic, detail in details.items() if isinstance(detail, Known)}
    return {topic: value for topic, value in known.items() if value is not None}
