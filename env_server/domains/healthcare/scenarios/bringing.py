"""The presentation of a wish: the request in the caller's words, and prose for a person or model
who plays the caller.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import Case
from env_server.domains.healthcare.scenarios.knowing import drawn
from env_server.domains.kit import Details, Known, Request, Want, WantedChange, prose, texts, wish

TRANSFER = (
    "Yes, please transfer me.",
    "All right, put me through.",
    "Yes, connect me, please.",
    "Fine, let me talk to somebody.",
    "Yes, that is all right with me.",
    "Go ahead and transfer me.",
    "Sure, pass me on.",
    "If that is the way, yes, please.",
)
"""The callers' answers to an offer of a transfer."""


@dataclass(frozen=True)
class SpokenWish:
    """A request and its prose."""

    request: Request
    prose: str


def bring(
    call: Case,
    said: Sequence[str],
    own: Details,
    *changes: WantedChange,
    wants: Sequence[Want] = (),
    instead: bool = False,
    bears: Literal["", "refusal", "transfer"] = "",
    revise: str | None = None,
    revised: Details | None = None,
) -> SpokenWish:
    """Return a wish in words.

    Args:
        call: The case.
        said: Ways to say the wish, each to follow "I would like to".
        own: The details that the caller knows, by topic.
        changes: The changes that they agree to.
        wants: The values that they wait for.
        instead: Whether they want it only if the wish before was refused.
        bears: The outcome that they accept according to the prose. For `transfer`, they also say yes to an offer of a
            transfer.
        revise: Their words in place of the first yes, if they change their mind.
        revised: The details that differ from then on.
    """
    whom = phrases.for_whom(call)
    wishes = [f"{phrase}{whom}" for phrase in said]
    words = phrases.yours(call.voice.pick(*wishes))
    told = [prose.instead(call.voice, words) if instead else prose.wanted(call.voice, words)]
    told += prose.answered(call.voice, list(texts(own).values()))
    told += [prose.revised(call.voice, revise)] if revise else []
    told += [prose.accepts(call.voice)] if bears == "refusal" else []
    told += [prose.transferred(call.voice)] if bears == "transfer" else []
    more: Mapping[str, Known | str] = {**own, "transfer": drawn(call, TRANSFER)} if bears == "transfer" else own
    request = wish(
        call,
        *wishes,
        details=more,
        changes=changes,
        wants=wants,
        revise=revise,
        revised=revised,
        instead=instead,
    )
    return SpokenWish(request, " ".join(told))


def goal(*wishes: SpokenWish) -> str:
    """Return the goal of several wishes."""
    return " ".join(wish.prose for wish in wishes)


def requests(*wishes: SpokenWish) -> tuple[Request, ...]:
    """Return the requests of the wishes, in order."""
    return tuple(wish.request for wish in wishes)
