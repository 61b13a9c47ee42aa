"""The caller's knowledge of their wish, and the request made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from env_server.domains.kit.generate.asking import Voice
from env_server.domains.kit.task import Form, GoldCall, OwnCheck, Request, Shape, Value, Want, WantedChange


@dataclass(frozen=True)
class Known:
    """A detail that the caller knows: their words for it, and the forms by which they recognise it."""

    text: str
    """The caller's answer to a question about it."""

    says: tuple[Form, ...] = ()
    """The forms of which any one names it in a proposal; empty for a detail that a proposal need not name."""

    others: tuple[str, ...] = ()
    """Values of the same kind that the caller would correct: the other items of the order, their other cards."""

    def value(self) -> Value | None:
        """Return the forms for its recognition; None if there are none."""
        return Value(says=self.says, others=self.others) if self.says else None


class Speaker(Protocol):
    """A source of wordings: a `Case`."""

    @property
    def voice(self) -> Voice:
        """The generator of wordings for the split of the task."""


Details = Mapping[str, Known | str]
"""Topic -> the caller's knowledge of it. A plain text names nothing that a proposal has to repeat."""


def change(
    plan: str, done: str, *, verbs: Sequence[str], names: Sequence[str] = (), calls: Sequence[GoldCall]
) -> WantedChange:
    """Return a change that the caller agrees to when an agent proposes it.

    Args:
        plan: The change in words that follow "I will", naming all of `names`.
        done: The change as a clause after it was made (`order #W1 has been cancelled`).
        verbs: Beginnings of words for the action. Name all that agents use (`cancel`, `call off`, `void`).
        names: The topics that a proposal has to name; each is a detail with forms.
        calls: The calls that one yes covers, each with the arguments that the caller would know. Leave out arguments
            that only records show (fees, ids the caller never says).
    """
    shapes = tuple(Shape(name=call.name, arguments=call.arguments) for call in calls)
    return WantedChange(plan=plan, done=done, verbs=tuple(verbs), names=tuple(names), calls=shapes)


def shape(name: str, /, **arguments: Any) -> GoldCall:
    """Return a call with the arguments that the caller would know."""
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
    """Return a request in the caller's words.

    Args:
        case: The wish being filled in; its voice draws the wording.
        phrases: At least three wordings of the wish, each to follow "I would like to" (`cancel an order`). Some of them
            are reserved for the `test` split.
        details: The caller's knowledge, by topic.
        changes: The changes that they agree to, each by a yes of its own.
        wants: The values that they wait for.
        revise: Their words in place of the first yes, if they change their mind.
        revised: The details that differ from then on.
        instead: Whether they want it only if the request before was refused.
        until: The output that their own tools must show before they accept it as settled.
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
