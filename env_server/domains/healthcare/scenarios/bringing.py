"""How a wish is brought: the request in the caller's words, and the same wish in prose for whoever plays the caller."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import Call
from env_server.domains.healthcare.scenarios.knowing import drawn
from env_server.domains.kit import Details, Known, Request, Want, WantedChange, wish

_WANTS = (
    "You want to {wish}.",
    "You would like to {wish}.",
    "You are calling to {wish}.",
    "You need to {wish}.",
    "You have made up your mind to {wish}.",
    "Your wish is to {wish}.",
    "You hope to {wish}.",
    "You ask to {wish}.",
    "What you are after is to {wish}.",
    "You got in touch to {wish}.",
    "The point of it is to {wish}.",
    "You mean to {wish}.",
)
_INSTEAD = (
    "Only if that is refused, you want to {wish}.",
    "Should that be refused, you would like to {wish} in its place.",
    "If you are told that this cannot be done, you ask to {wish}.",
    "If that is not possible, and only then, you want to {wish}.",
    "In case of a refusal, you ask to {wish}.",
    "You do not bring it up before, but after a refusal you want to {wish}.",
    "Where that is turned down, your second choice is to {wish}.",
    "After a clear no, and not sooner, you ask to {wish}.",
    "A no would leave you with this: you want to {wish}.",
)
_KNOWS = (
    "Asked about it, you say: {said}",
    "What you can say about it: {said}",
    "You know this much, and say so when asked: {said}",
    "When the agent asks, you answer: {said}",
    "Your answers, if you are asked: {said}",
    "You tell the details as you are asked for them: {said}",
    "To questions you answer with these words: {said}",
    "The particulars, for when they come up: {said}",
    "Should there be questions, you have these answers: {said}",
    "All you know of it is this: {said}",
)
_REVISES = (
    "When the agent asks for your yes, you say instead: {said}",
    "Asked to confirm, you change your mind and say: {said}",
    "At the moment when you should agree, it occurs to you: {said}",
    "Before you agree you take it back: {said}",
    "Instead of the first yes you say: {said}",
    "Just as you are asked to agree, you think of something: {said}",
    "You do not agree at first, but say: {said}",
)
_ACCEPTS = (
    "You accept it if you are refused and told why.",
    "If you are refused, you ask why once, and then leave it at that.",
    "You can live with a refusal that has a reason.",
    "A no is all right with you as long as the reason is given.",
    "If it cannot be, you want to hear why, and that is that.",
    "You take no for an answer once you know what stands in the way.",
    "Turned down, you want the reason, and go no further.",
    "Where there is a reason against it, you put up with it.",
)
_AGREES = (
    "You agree to being transferred if the agent cannot help.",
    "If the agent wants to hand you over to somebody, you agree.",
    "Being passed on to a person is fine with you.",
    "You let yourself be transferred where that is needed.",
    "You have nothing against being transferred.",
    "If people have to settle it, you agree to be put through.",
    "Should you be offered a transfer, you take it.",
    "You go along with a transfer.",
)
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
"""What callers answer to an offer of a transfer."""


@dataclass(frozen=True)
class Wish:
    """A request and its prose."""

    request: Request
    prose: str


def bring(
    call: Call,
    said: Sequence[str],
    own: Details,
    *changes: WantedChange,
    wants: Sequence[Want] = (),
    instead: bool = False,
    bears: Literal["", "refusal", "transfer"] = "",
    revise: str | None = None,
    revised: Details | None = None,
) -> Wish:
    """A wish in words.

    Args:
        call: The call.
        said: Ways to say the wish, each to follow "I would like to".
        own: What the caller knows of it, by topic.
        changes: What they agree to.
        wants: What they wait to be told.
        instead: Whether they want it only if the wish before was refused.
        bears: What the prose says that they put up with; to an offer of a transfer they then say yes.
        revise: What they say instead of the first yes.
        revised: The details that are otherwise from then on.
    """
    whom = phrases.for_whom(call)
    wishes = [f"{phrase}{whom}" for phrase in said]
    texts = [known if isinstance(known, str) else known.text for known in own.values()]
    prose = [drawn(call, _INSTEAD if instead else _WANTS, wish=phrases.yours(call.voice.pick(*wishes)))]
    prose += [drawn(call, _KNOWS, said=_quoted(texts))] if texts else []
    prose += [drawn(call, _REVISES, said=_quoted([revise]))] if revise else []
    prose += [drawn(call, _ACCEPTS)] if bears == "refusal" else []
    prose += [drawn(call, _AGREES)] if bears == "transfer" else []
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
    return Wish(request, " ".join(prose))


def _quoted(texts: Sequence[str]) -> str:
    return " ".join(f'"{text}"' for text in texts)


def prose(*wishes: Wish) -> str:
    """The goal that several wishes come to."""
    return " ".join(wish.prose for wish in wishes)


def requests(*wishes: Wish) -> tuple[Request, ...]:
    """Their requests, in order."""
    return tuple(wish.request for wish in wishes)
