"""Conversion of a caller's wish to a part of a task. The rows either grant the wish, or refuse it and grant it in the
twin.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import Case
from env_server.domains.kit import (
    Details,
    GoldCall,
    Known,
    Patch,
    Refusal,
    Request,
    Tell,
    Want,
    WantedChange,
    Wish,
    prose,
    texts,
    wish,
)


@dataclass(frozen=True)
class Wanted:
    """A wish: its words, the details the caller knows, the changes the caller agrees to, and the
    calls that grant it.
    """

    asks: Sequence[str]
    """Wordings of the wish, as infinitive phrases."""

    details: Mapping[str, Known | str]
    change: WantedChange
    writes: tuple[GoldCall, ...]
    slots: Mapping[str, Any] = field(default_factory=dict)
    wants: tuple[tuple[Want, Tell], ...] = ()
    """Values that the caller also wants to hear."""

    def request(self, case: Case, *, instead: bool = False) -> Request:
        """Return the wish in the caller's words."""
        wants = [want for want, _ in self.wants]
        return wish(case, *self.asks, details=self.details, changes=(self.change,), wants=wants, instead=instead)

    def tells(self, at: int = 0) -> tuple[Tell, ...]:
        """Return the values that the agent must tell. Each belongs to the request with the index `at`."""
        return tuple(Tell(tell.value, tell.says, tell.of, at) for _, tell in self.wants)


def goal(case: Case, asks: Sequence[str], details: Details) -> str:
    """Return the wish in prose, in the second person."""
    wanted = prose.wanted(case.voice, phrases.yours(case.voice.pick(*asks)))
    return f"{wanted} {answers(case, details)}" if details else wanted


def answers(case: Case, details: Details) -> str:
    """Return the caller's answers to questions, in prose. A detail that answers an offer of a transfer is excluded."""
    said = [text for topic, text in texts(details).items() if topic != "transfer"]
    return " ".join(prose.answered(case.voice, said))


def granted(case: Case, wanted: Wanted, *, reads: tuple[GoldCall, ...] = (), proof: tuple[GoldCall, ...] = ()) -> Wish:
    """Return a wish that is granted. `proof` holds the look-ups that show a value to be told."""
    return Wish(
        requests=(wanted.request(case),),
        goal=goal(case, wanted.asks, wanted.details),
        reads=reads,
        proof=proof,
        writes=wanted.writes,
        tells=wanted.tells(),
        slots=dict(wanted.slots),
    )


@dataclass(frozen=True)
class Rows:
    """Rows added to the base in the refused version and in its twin."""

    refused: Patch = field(default_factory=dict)
    due: Patch = field(default_factory=dict)

    def of(self, case: Case) -> Patch:
        """Return the rows that apply."""
        return self.due if case.due else self.refused


def refused(
    case: Case,
    wanted: Wanted,
    reason: Refusal,
    proof: tuple[GoldCall, ...],
    rows: Rows,
    instead: Wanted | None = None,
) -> Wish:
    """Return a wish that the rows forbid, with the caller's alternative. In the twin the wish is granted."""
    requests = [wanted.request(case)]
    words = goal(case, wanted.asks, wanted.details)
    if instead is None:
        words += f" {prose.accepts(case.voice)}"
    else:
        requests.append(instead.request(case, instead=True))
        then = prose.instead(case.voice, phrases.yours(case.voice.pick(*instead.asks)))
        new = {topic: text for topic, text in instead.details.items() if text != wanted.details.get(topic)}
        words += f" {then} {answers(case, new)}" if new else f" {then}"
    otherwise = instead.writes if instead is not None else ()
    return Wish(
        requests=tuple(requests),
        goal=words,
        proof=proof,
        writes=wanted.writes if case.due else otherwise,
        refusals=() if case.due else (reason,),
        tells=wanted.tells() if case.due else (),
        initial=rows.of(case),
        slots={**wanted.slots, **(instead.slots if instead is not None else {})},
    )
