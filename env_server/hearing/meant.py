"""Which words of a proposal are meant: what an agent quotes, denies, only supposes or sets aside proposes nothing."""

import re
from collections.abc import Iterator

from env_server.domains.kit import Value

_QUOTED = re.compile(r"(?<!\w)\"[^\"]+\"|(?<!\w)'(?:[^']|(?<=\w)'(?=\w))+'(?!\w)")
_MOST_QUOTED = 3
"""Words in quotation marks up to which they are a name or a value; more of them are somebody's sentence."""

_CLAUSE = re.compile(
    r"[,;:!?.] | - | but | and | so | or | because | since "
    r"|\b(?:i|we|you)(?: (?:will|would|can|shall|am|are|want)\b|'(?:ll|d|m)\b)"
    r"|\b(?:shall|should|may|can|could) (?:i|we)\b"
    r"|\bme to\b|\bwhy don't i\b|\bnot only\b"
)
"""Where a clause begins, or the verb phrase of what the agent is going to do."""

_DENIED = re.compile(r"\b(?:not|never|without|neither|nor|instead of|rather than|refrain|avoid)\b|n't\b")
_SUPPOSED = re.compile(
    r"(?:if|suppose|supposing|assuming|imagine|had|were|unless|in case)\b"
    r"(?! (?:i|we|you|you'd|you're|that|that's|this|so|yes|everything|all|it's|it is|it sounds|it works|it suits)\b)"
    r"|.*\b(?:hypothetically|theoretically|in theory)\b"
    r"|.*\bif (?:\w+ ){1,4}?(?:were|had been)\b"
    r"|.*\bwould(?: \w+)? have (?!to\b)\w+(?:ed|en|ade|one)\b"
)
"""A sentence about a case, other than the user's agreement or what the agent would do."""

_NOT = r"not|instead of|rather than|other than|except|unlike"
_ASIDE = re.compile(
    rf"\b(?:(?P<no>{_NOT})|(?P<away>from|replacing|replaces)|(?P<kept>keep|keeping|leave|leaving)"
    r"|(?P<old>old|current|currently|original|originally|previous|previously))\b"
)
"""What sets a value aside that is named after it."""

_NO_BEFORE = re.compile(rf"\b(?:{_NOT})(?: \w+){{0,3}} $")
_ONWARD = re.compile(r" (?:to|into|onto|with|by) ")
"""What leads from the value that is left to the one that takes its place."""

_REACH = 60
"""Characters between such a word and the value."""


def supposed(text: str) -> bool:
    """Whether a sentence is about what would be, and proposes nothing."""
    return _SUPPOSED.match(text) is not None


def proposes(text: str, verbs: re.Pattern[str]) -> bool:
    """Whether a sentence has `verbs` in its own words, outside of quotation marks, and does not deny them."""
    own = _QUOTED.sub(lambda m: m[0] if len(m[0].split()) <= _MOST_QUOTED else '""', text)
    return any(not _denied(own[: found.start()]) for found in verbs.finditer(own))


def _denied(before: str) -> bool:
    last = 0
    for found in _CLAUSE.finditer(before):
        last = found.end()
    return _DENIED.search(before[last:]) is not None


def set_aside(other: str, value: Value, text: str, scope: list[str]) -> bool:
    """Whether a sentence names `other`, of the kind of `value`, because it is not meant.

    A word before it has to say so (`not`, `from`, `keep`), with no form of the right value in between; and the right
    value has to be named somewhere in `scope` without such a word. Who sets every value aside has chosen none.
    """
    at = text.find(other.lower())
    found = _aside(text[: max(at, 0)], ".;")
    if found is None:
        return False
    kind, between = found
    forms = tuple(_texts(value))
    if any(form in between for form in forms):
        return False
    named = [_aside(sentence[:at], ".;,") for sentence in scope for form in forms for at in _places(form, sentence)]
    return not named or any(aside is None or aside[0] not in ("no", kind) for aside in named)


def _aside(before: str, stops: str) -> tuple[str, str] | None:
    """The kind of the last word that sets aside what follows, and what stands after it."""
    last = None
    for last in _ASIDE.finditer(before):  # noqa: B007 - the last one counts
        pass
    if last is None:
        return None
    kind, between = str(last.lastgroup), before[last.end() :]
    if kind != "no" and _NO_BEFORE.search(before[: last.start()]):
        kind = "no"
    onward = " but " in between if kind == "no" else _ONWARD.search(between) is not None
    if onward or len(between) > _REACH or any(stop in between for stop in stops):
        return None
    return kind, between


def _texts(value: Value) -> Iterator[str]:
    for form in value.says:
        for text in (form,) if isinstance(form, str) else form:
            yield text.lower()


def _places(form: str, text: str) -> Iterator[int]:
    """Where a form stands as whole words."""
    return (found.start() for found in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text))
