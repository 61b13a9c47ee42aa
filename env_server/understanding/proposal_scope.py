"""The proposing words of a sentence. Words that are quoted, denied, hypothetical or set aside propose nothing."""

import re
from collections.abc import Iterator

from env_server.domains.kit import Value

_QUOTED = re.compile(r"(?<!\w)\"[^\"]+\"|(?<!\w)'(?:[^']|(?<=\w)'(?=\w))+'(?!\w)")
_MOST_QUOTED = 3
"""The maximum number of words in quotation marks that are a name or a value. A longer quotation is another speaker's
sentence.
"""

_CLAUSE = re.compile(
    r"[,;:!?.] | - | but | and | so | or | because | since "
    r"|\b(?:i|we|you)(?: (?:will|would|can|shall|am|are|want)\b|'(?:ll|d|m)\b)"
    r"|\b(?:shall|should|may|can|could) (?:i|we)\b"
    r"|\bme to\b|\bwhy don't i\b|\bnot only\b"
)
"""The start of a clause, or of the verb phrase about a future action of the agent."""

_DENIED = re.compile(r"\b(?:not|never|without|neither|nor|instead of|rather than|refrain|avoid)\b|n't\b")
"""Words that deny the verb after them, in the same clause."""

_DENIES = re.compile(r"\b(?:not|never|without|neither|nor|refrain|avoid)\b|n't\b")
"""Words that deny something anywhere in a sentence."""

_AGREED = (
    r"(?! (?:i|we|you|you'd|you're|that|that's|this|so|yes|everything|all|it's|it is|it sounds|it works|it suits)\b"
    r"(?! (?:(?:is|are|be|has|have) )?(?:allow|permit|possible|permissible|within|eligible|in line|(?:not )?against)))"
)
"""A look-ahead after `if` and the like. It rejects the user's agreement and an offer of the agent: `if you like` is no
condition, `if it is allowed` is one.
"""

_SUPPOSED = re.compile(
    rf"(?:if|assuming|had|were|unless|in case|(?:provided|providing|as long as|on condition)(?: that)?+)\b{_AGREED}"
    r"|(?:suppose|supposing|imagine|let's say|say)\b(?! (?:yes|the word|so)\b)"
    r"|should (?!i\b|we\b|you\b)[^?]*, (?:i|we)\b"
    r"|(?:for (?:example|instance)|e\.g\.).*: "
)
_HAS_SUPPOSED = re.compile(
    r"\b(?:hypothetically|theoretically|in theory)\b"
    r"|\bif (?:\w+ ){1,4}?(?:were|had been)\b"
    r"|\bwould(?: \w+)? have (?!to\b)\w+(?:ed|en|ade|one)\b"
    r"|\b(?:i|we) might\b|\bor (?:maybe |perhaps )?not[.!]?$"
    rf"|\b(?:unless|only if)\b{_AGREED}"
    r"|\b(?:if|in case|provided(?: that)?|as long as) (?:\w+ ){1,4}?"
    r"(?:allows?|allowed|permits?|permitted|permissible)\b"
)
"""The beginning, and other parts, of a sentence about a hypothetical case other than an offer of the agent."""

_ROOTS = ("theor", "hypothe", "if ", "only if", "would", "might", "not", "unless", "in case", "provided", "as long as")
"""A sentence has one of these parts if it has a part of `_HAS_SUPPOSED`."""

_OTHERS_WORDS = re.compile(
    r"\b(?:agent|customer|colleague|manager|manual|policy|script|example|template|somebody|someone|he|she|they)\b"
    r"[^:]{0,40}\b(?:sa(?:y|ys|id)|ask(?:s|ed)?|wr(?:ite|ites|ote)|reads?|states?d?)\b[^:]{0,20}: "
)
"""The introduction of another speaker's sentence."""

_RATHER = re.compile(
    r"\(?if you(?:'d| would)? (?:rather|prefer)\b[^?]{0,120}\b(?:say so|just say|tell me|let me know)\b[^?]{0,20}$"
)
"""An alternative to the change that the agent proposes: `if you would rather keep it, tell me`."""

_AFTERWARDS = re.compile(
    r"\b(?:once|after|as soon as|when)\b[^,]{1,60} (?:is|are|has been|have been) (?!confirm|agree|approv)[^,]{1,30}, "
    r"(?:i|we)(?: can| could| may|'ll be able|'d be able)\b"
)
"""What the agent can do after something else has been done."""

_LEFT_OUT = re.compile(
    r"^(?!.*\b(?:until|unless|without|before|only|but|other|rest|else|except|more|instead|either)\b)"
    r"[^,;:?]{1,100}?\b(?:(?:won't|wouldn't|(?:would|will) not) be (?:\w+ ){0,2}?\w+(?:ed|en|nt|ut|ld)"
    r"|(?:isn't|aren't|(?:is|are) not) (?:touched|affected|altered))\b[^,;:?]{0,60}$"
)
"""A sentence about what the agent will not do: `The lipid panel would not be sent.` Its values are not proposed."""

_NOT = r"not|(?:do|does)n't need|instead of|rather than|other than|except|unlike"
_ASIDE = re.compile(
    rf"\b(?:(?P<no>{_NOT})|(?P<away>from|replacing|replaces)|(?P<kept>keep|keeping|leave|leaving)"
    r"|(?P<old>old|current|currently|original|originally|previous|previously))\b"
)
"""Words that set aside a value named after them."""

_NOW = re.compile(r"\b(?:is|are|was|were|it's|stays|remains)\b[^.;]{0,30}$|[,;] (?:and )?(?:your |the )?$")
_STILL = re.compile(
    r"[^.;,]{0,15}\b(?:right now|at the moment|until now|at present)\b| (?:gets|receives) [^;]{0,25}\bback\b"
)
"""Words around a value that is still in force, or to which money goes back: `it is paid by X right now`."""

_REMAINS = re.compile(r"[,;]? (?:which |that )?(?:will |would )?(?:remains?|stays?)\b(?! with\b)")
"""Words after a value that is not touched: `1 soup, which will remain`."""

_NO_BEFORE = re.compile(rf"\b(?:{_NOT})(?: \w+){{0,3}} $")
"""A negation shortly before a word of `_ASIDE`."""

_ONWARD = re.compile(r" (?:to|into|onto|with|by) ")
"""Words between the old value and the new one."""

_REACH = 60
"""The maximum number of characters between a word of `_ASIDE` and the value."""


def supposed(text: str) -> bool:
    """Return whether a sentence is hypothetical, or another speaker's, and proposes nothing."""
    return (
        _SUPPOSED.match(text) is not None
        or (any(map(text.__contains__, _ROOTS)) and _HAS_SUPPOSED.search(text) is not None)
        or (": " in text and _OTHERS_WORDS.search(text) is not None)
    )


def set_apart(text: str, *, asks_itself: bool) -> bool:
    """Return whether a sentence belongs to no proposal: it is hypothetical, it names an alternative to the proposal, or
    it says what the agent will not do.

    A sentence about a later action (`once it is paid, I can ...`) belongs to the proposal, unless a question for a yes
    names its own content (`asks_itself`).
    """
    return (
        supposed(text)
        or bool(_RATHER.match(text) or _LEFT_OUT.match(text))
        or (asks_itself and bool(_AFTERWARDS.search(text)))
    )


def own_words(text: str) -> str:
    """Return a sentence without the sentences of others that it quotes."""
    return _QUOTED.sub(lambda m: m[0] if len(m[0].split()) <= _MOST_QUOTED else '""', text)


def denies(text: str) -> bool:
    """Return whether a sentence denies anything."""
    return _DENIES.search(text) is not None


def proposes(text: str, verbs: re.Pattern[str]) -> bool:
    """Return whether a sentence has `verbs` outside of quotation marks and does not deny them."""
    own = own_words(text)
    return any(not _denied(own[: found.start()]) for found in verbs.finditer(own))


def _denied(before: str) -> bool:
    """Return whether the last clause of the text before a verb denies the verb."""
    last = 0
    for found in _CLAUSE.finditer(before):
        last = found.end()
    return _DENIED.search(before[last:]) is not None


def set_aside(other: str, value: Value, text: str, scope: list[str]) -> bool:
    """Return whether a sentence names `other`, a value of the same kind as `value`, only to set it aside.

    A word before `other` has to set it aside (`not`, `from`, `keep`), with no form of the right value in between; or
    the words around `other` say that it is the value until now, or lead on to the right one (`economy to business`).
    If `scope` names the right value, it has to do so at least once without `not` and without a word of the same kind.
    An agent that sets every value aside has chosen none.
    """
    at = text.find(other.lower())
    still = at >= 0 and (
        (_NOW.search(text, 0, at) and _STILL.match(text, at + len(other))) or _REMAINS.match(text, at + len(other))
    )
    forms = tuple(texts_of(value))
    onward = at >= 0 and any(_leads_on(text[at + len(other) :], form) for form in forms)
    found = ("old", "") if still or onward else _aside(text[: max(at, 0)], ".;")
    if found is None:
        return False
    kind, between = found
    if any(form in between for form in forms):
        return False
    named = [_aside(sentence[:at], ".;,") for sentence in scope for form in forms for at in _places(form, sentence)]
    return not named or any(aside is None or aside[0] not in ("no", kind) for aside in named)


def _leads_on(after: str, form: str) -> bool:
    """Return whether the text after an old value goes on to the new one: ` to business`, ` -> business`."""
    return re.match(rf" (?:\w+ )?(?:(?:in|on)?to|[-=]?>|→) (?:\w+ ){{0,2}}?{re.escape(form)}(?!\w)", after) is not None


def _aside(before: str, stops: str) -> tuple[str, str] | None:
    """Return the kind of the last word that sets the following text aside, and the text after that word."""
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


def texts_of(value: Value) -> Iterator[str]:
    """Yield the texts of all forms of a value, in lower case; a form of several texts gives each of them."""
    for form in value.says:
        for text in (form,) if isinstance(form, str) else form:
            yield text.lower()


def _places(form: str, text: str) -> Iterator[int]:
    """Return the positions at which a form stands as whole words."""
    return (found.start() for found in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text))
