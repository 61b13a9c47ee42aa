"""Words by which a sentence is about a change, and the changes that nobody asked for."""

import re
from functools import lru_cache

_STRANGE = (
    "close", "delete", "terminate", "deactivate", "subscribe", "donate", "waive", "book", "suspend", "upgrade",
    "downgrade", "buy", "purchase", "cancel", "enroll", "sign you up", "block", "resume", "reorder",
)  # fmt: skip
_TO_COME = (
    r"\b(?:i will|i ll|ill|i am going to|im going to|we will|well|let me|like me to|want me to|shall i|should i|may i"
    r"|can i|and|also|then)(?: (?:also|now|then|go ahead and|please|just))* "
)
_UNASKED = re.compile(rf"{_TO_COME}({'|'.join(_STRANGE)})\b")


@lru_cache(maxsize=4_096)
def verbs(beginnings: tuple[str, ...]) -> re.Pattern[str]:
    """Finds words that begin with any of `beginnings` in flat words."""
    return re.compile(
        r" (?:" + "|".join(re.escape(" ".join(re.findall(r"[a-z0-9]+", b.lower()))) for b in beginnings) + ")"
    )


@lru_cache(maxsize=4_096)
def marked(beginnings: tuple[str, ...]) -> re.Pattern[str]:
    """Finds the same words in a text with its marks."""
    return re.compile(
        r"(?<![a-z0-9])(?:"
        + "|".join(r"[^a-z0-9]+".join(re.findall(r"[a-z0-9]+", b.lower())) for b in beginnings)
        + ")"
    )


def strange(flat: str, known: tuple[str, ...]) -> bool:
    """Whether flat words announce a change of another kind than `known` beginnings of verbs name."""
    return any(
        not any(match[1].startswith(k) or k.startswith(match[1]) for k in known) for match in _UNASKED.finditer(flat)
    )


_REPORTED = re.compile(r" (?:cancell?ed|closed|deleted|terminated|suspended|blocked|booked|delayed|landed|resumed) ")


def other_report(flat: str) -> bool:
    """Whether flat words report something that was done to a thing: by itself it is no wish's that they do not name."""
    return _REPORTED.search(flat) is not None
