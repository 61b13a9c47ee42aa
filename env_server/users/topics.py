"""Which topics an agent's question is about. Topics are the keys of a script's facts and details."""

import re
from collections.abc import Iterable

_WORDS = {
    "name": r"\b(full|first|last|your) names?\b|(?<!'s )\bnames?\b(?! of)",
    "zip": r"\bzip|postal|post ?code",
    "email": r"e-?mail",
    "phone": r"phone|mobile number|\byour number\b",
    "dob": r"\bbirth|\bdob\b",
    "user_id": r"user ?id|user ?name|(account|customer|profile) (id|number)",
    "order": r"order.{0,3}(id|number|no\.|#)|(which|what|find|locate|identify) .{0,12}order"
    r"|order (is|was) (it|this|that)",
    "items": r"items?\b|items?\(s\)|products?\b|article",
    "new_items": r"\b(new|replacement|replace|swap|instead|variant|version|option|colou?r|size|specification)"
    r"|(change|switch|exchange|swap|replace) (it|them|this|that|these|those|the \w+( \w+)?) (to|for|with|into)\b",
    "reason": r"reason|\bwhy\b",
    "payment": r"payment|refund|\bpay\b|\bcard\b|paypal|charge|settle",
    "address": r"(?<!email )(?<!e-mail )\baddress|street|\bcity\b|\bsuite\b|apartment|(ship|send|sent|deliver)\w* to",
    "travel": r"travel|abroad|at home|(outside|which) (\w+ ){0,3}(area|country|region)|where are you",
}
"""Patterns of the usual topics; any other topic is recognised by its own words."""

USUAL = tuple(_WORDS)
"""The topics that are recognised whether or not a script speaks of them."""

_IDENTITY = re.compile(
    r"(verify|confirm|authenticate|establish) (your|you|who)|identi(ty|fy you)|who (am i|i am|i'm|you are)"
    r"|(locate|find|access|look up|pull up) your (account|profile)"
)
IDENTITY = ("email", "name", "zip", "user_id", "dob", "phone")
"""What a user offers when asked who they are, as far as they know it."""


def asked(sentences: Iterable[str], topics: Iterable[str]) -> list[str]:
    """The `topics` that the lower-case `sentences` are about, in the order given."""
    text = "\n".join(sentences)
    found = [topic for topic in topics if re.search(_pattern(topic), text)]
    if "address" in found:
        found = [topic for topic in found if topic != "zip"]
    return found


def asks_identity(sentences: Iterable[str]) -> bool:
    """Whether the lower-case `sentences` ask who the user is, whatever the way."""
    return any(_IDENTITY.search(sentence) for sentence in sentences)


def _pattern(topic: str) -> str:
    return _WORDS.get(topic) or re.escape(topic.replace("_", " ").lower())
