"""Words that connect a sentence with a change, and changes that the user did not ask for."""

import re
from functools import lru_cache

from env_server.domains.kit import Request, WantedChange
from env_server.reading import Words

_STRANGE = (
    "close", "delete", "terminate", "deactivate", "subscribe", "donate", "waive", "book", "suspend", "upgrade",
    "downgrade", "buy", "purchase", "cancel", "enroll", "sign you up", "block", "resume", "reorder",
)  # fmt: skip
"""Changes that the user did not ask for, unless a wish has the verb."""

_TO_COME = (
    r"\b(?:i will|i ll|ill|i am going to|im going to|we will|well|let me|like me to|want me to|shall i|should i|may i"
    r"|can i|and|also|then)(?: (?:also|now|then|go ahead and|please|just)){0,6} "
)
"""Words of an announcement or an offer before its verb, in flat words."""

_PARTICLES = frozenset({"on", "off", "up", "back", "out"})
_VERB_AND_PARTICLE = 2
"""The number of words of a beginning such as `switch off`. An object may stand between the two."""

_MONEY = frozenset({"credit", "debit", "charg", "charge"})
_NO_NOUN = r"(?!s\b|[a-z]*[^a-z0-9]+cards?\b)"
"""What does not follow a verb of `_MONEY`: `credits` and `debit card` are nouns."""

_UNASKED = re.compile(rf"{_TO_COME}({'|'.join(_STRANGE)})\b")


@lru_cache(maxsize=4_096)
def verbs(beginnings: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds, in flat words, words that begin with any of `beginnings`."""
    return re.compile(r" (?:" + "|".join(_beginning(b, " ") for b in beginnings) + ")")


@lru_cache(maxsize=4_096)
def marked(beginnings: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds the same words in a text with punctuation marks."""
    return re.compile(r"(?<![a-z0-9])(?:" + "|".join(_beginning(b, r"[^a-z0-9]+") for b in beginnings) + ")")


def _beginning(words: str, gap: str) -> str:
    """Return the pattern of a beginning, whose words are apart by `gap`: `switch off` also finds `switched it off`."""
    found = re.findall(r"[a-z0-9]+", words.lower())
    if len(found) == _VERB_AND_PARTICLE and found[1] in _PARTICLES:
        return rf"{found[0]}[a-z]*{gap}(?:(?:it|them|that|this|both){gap})?{found[1]}"
    return gap.join(found) + (_NO_NOUN if found[-1] in _MONEY else "")


def about(change: WantedChange, flat: str) -> bool:
    """Return whether flat words name the action of `change`."""
    return verbs(change.verbs).search(flat) is not None


def names_wish(request: Request, words: Words) -> bool:
    """Return whether `words` name a wish: its action, or one of its values."""
    if any(about(change, words.flat) for change in request.changes):
        return True
    return any(words.names(value.says) for value in request.values.values())


def strange(flat: str, known: tuple[str, ...]) -> bool:
    """Return whether flat words announce a change of `_STRANGE` that none of the `known` beginnings of verbs fits."""
    return any(
        not any(match[1].startswith(k) or k.startswith(match[1]) for k in known) for match in _UNASKED.finditer(flat)
    )


_SUCCESS = re.compile(
    r" (?:payment|booking|order|refund|credit|charge|purchase|reservation|appointment|return|exchange|cancell?ation"
    r"|rebooking|refill|renewal|top up)s? (?:is|are|was|were|has been|have been) "
    r"(?:now |also |all )*(?:a success|successful|complete) "
)
_REPORTED = re.compile(r" (?:cancell?ed|closed|deleted|terminated|suspended|blocked|booked|delayed|landed|resumed) ")


def other_report(flat: str) -> bool:
    """Return whether flat words report an action on a thing, or the success of an action. Such a report is about no
    wish that the words do not name.
    """
    return (_REPORTED.search(flat) or _SUCCESS.search(flat)) is not None
