"""The scope of a word: a condition, a negation, or a report of a record."""

from env_server.reading.sentences.patterns import compiled

_CONDITION = compiled(
    r"\b(?:let me|let's(?!.{0,200}: $)) (?:\w+ )?(?:confirm|check|verify|see|make sure|ensure)|\b(?:(?:make sure"
    r"|ensure|check|verify) that(?!.{0,200}: $)|if|once|unless|until|till|whether|assuming|suppose|supposing"
    r"|provided that|in case|should you"
    r"|as soon as|by the time"
    r"|would have|could have|i (?:propose|suggest|plan)|the plan (?:is|would be)|(?:here's|here is"
    r"|this is) what (?:(?:will|would)(?! help)|i'll|i'd|i will)(?!.{0,200} (?:tell|say|know)\b)|imagine"
    r"|pretend|so that(?= )"
    r"|(?<!glad )(?<!happy )(?<!pleased )(?<!can )(?<!this is )to (?:see|check|make sure|verify|confirm|ensure"
    r"|have|get)"
    r"|(?<!you'll be )(?:glad|happy|great|good|pleased|sorry|delighted) (?:to (?:hear|see|know)|that(?:'s)?|you"
    r"|it(?:'s)?|this|the"
    r"|your)"
    r"|means?(?: that)?|meaning(?: that)?"
    r"|(?:the|same) way (?:it|you|they|that)|how (?:it|you|they)|you(?:'d| would| will)? (?:like|want"
    r"|wish|need)|that'll|that will)\b",
    r"^(?:just |please |simply |only )*(?:say|give|tell|reply|answer|confirm|agree|nod)\b[^.;]{0,40},? and "
    r"(?:it|that|this)?$",
)
_FACTIVE = compiled(
    r"\b(?:since|because|now that|when|whenever|while|before|after|given that|as(?= (?:your|it|this|you"
    r"|there)))(?! (?:(?:\w+ly )?\w+(?<!th)ing\b|you (?:requested|asked|confirmed)|requested|per|well|part|of"
    r"|a\b|an\b|soon)|,| that,| then| this,)\b[^,]*$"
)
_ATTRIBUTES = compiled(r"\((?=[^(),:]{0,30}[,:] )[^()]{0,200}\)")
"""A list in parentheses, such as the features of a thing, of which one may be `no`."""

_NEGATION = compiled(
    r"\b(?:not|never|nothing|none|nobody|neither|nor|no(?!-)|without|cannot|haven't|hasn't|isn't|aren't|wasn't)\b"
)
# Words that take back a clause: `_GOVERNS` directly before it, `_TAKES_BACK` anywhere in the same clause.
_GOVERNS = compiled(
    r"\b(?:if|once|unless|until|till|whether|assuming|suppose|supposing|provided|in case|as soon as|by the time|when"
    r"|whenever|before|after|while|as if|as though|imagine|pretend|what|so that|would|could|should|might|may|must"
    r"|can|will|cannot|not|shall)(?: that)? (?:\w+ly )?$"
)
_TAKES_BACK = compiled(
    r"(?:\b(?:never|nothing|nobody|neither|nor|cannot|wish|wished|not(?! (?:only|to worry)\b))|n't)\b"
    r"(?! (?:mind|worry|fear)\b)"
)
_JOINT = compiled(r"[,;:!?.] | - | and | but | so | however | as | because | since ")
"""Boundaries between clauses for `governed`."""

_NO_OBJECT = compiled(
    r"[ ,]*(?:(?:absolutely|yet|so far|today|as yet|for you|at all|in fact) )*"
    r"(?:(?:nothing|none|nobody)\b(?! (?:but|except|other than|else than)\b)|neither\b"
    r"|no (?!\d|one\b|longer\b|more than\b|fewer\b|less\b|later\b|sooner\b|problem|worries|doubt|trouble|matter))"
)
_HAS_HAPPENED = compiled(r"\b(?:been|i've|we've|i have|we have|was|were)\b|^i \w+ed\b")
_BREAK = compiled(r"[;:!?.] | - |, | but | and | so | however ")
"""Boundaries between clauses for `negated`. A reason (`because`) belongs to the clause before it."""

_RECORD = compiled(
    r"\byou(?:'ve| have)? (?:\w+ )?(?:mention|said|say|told|tell|stat|note|indicate|report|claim|believ|think"
    r"|thought|want|ask(?!ed for\b))"
    r"|\b(?:agent|colleague|representative|he|she|they|{parties}|store|driver)"
    r" (?:(?:has|have|had|\w+ly) )*(?:promised|said|told|claimed|stated|wrote|mentioned|confirmed)\b"
    r"|\b(?:agent|colleague|representative|he|she|they|{parties}|store|driver|e-?mail|message|note|letter|app"
    r"|website)"
    r" (?:also )?(?:says?|tells?|claims?|states?|writes?|said|stated)\b"
    r"|\bi(?:'ve| have)? (?:can |do |also |just )*(?:see|noticed?|found|find|seen|understand|realise"
    r"|realize)\b|\brecords?\b|(?<!-)\bshow(?:s|n"
    r"|ing)?\b|\bappears?\b|\bseems?\b"
    r"|\b(?:it|this|that) (?:also |still )?(?:says|states)\b(?!:)|\blooks? like\b|\baccording to\b|\bstatus\b"
    r"|\bhistory\b|\bpreviously\b|\bearlier\b|\bago\b|\byesterday\b"
    r"|\blast (?:week|month|year|time|night)\b|\bsystem (?:says|tells|lists)\b|\blisted\b|\bindicates?\b"
    r"|\boriginally\b"
)

_MODAL = compiled(
    r"\b(?:would|could|should|might|may|must|will|can|to|cannot|not|shall) (?:(?:already|also|still|just|\w+ly) ){0,3}$"
)


def conditional(before: str) -> bool:
    """Return whether the text after these words, in the same sentence, is conditional."""
    part = before[_start(before, "; ", " - ", ". ") :]
    return bool(_CONDITION.search(part) or _FACTIVE.search(part))


def hypothetical(before: str) -> bool:
    """Return whether the text after these words is not stated as true. A reason (`since ...`) is stated as true."""
    return bool(_CONDITION.search(before[_start(before, "; ", " - ", ". ") :]))


def negated(before: str) -> bool:
    """Return whether the text after these words, in the same clause, is negated."""
    if "(" in before:
        before = _ATTRIBUTES.sub("", before)
    last = 0
    for found in _BREAK.finditer(before):
        last = found.end()
    return bool(_NEGATION.search(before[last:]))


def modal(before: str) -> bool:
    """Return whether the verb after these words is one of what will, can, should or does not happen."""
    return bool(_MODAL.search(before))


def governed(before: str) -> bool:
    """Return whether a condition or a negation before the clause that follows these words takes that clause back."""
    last = 0
    for found in _JOINT.finditer(before):
        last = found.end()
    return bool(_GOVERNS.search(before) or _TAKES_BACK.search(before, last))


def happened(view: str) -> bool:
    """Return whether an entry of a list says that something has happened, rather than that it will."""
    return bool(_HAS_HAPPENED.search(view))


def without_object(text: str, at: int) -> bool:
    """Return whether the verb that ends at `at` has a negated object: "I have cancelled nothing"."""
    return _NO_OBJECT.match(text, at) is not None


def recorded(before: str) -> bool:
    """Return whether the text after these words is a quoted statement or the content of a record."""
    return bool(_RECORD.search(before[_start(before, "; ", " - ", ". ", ", so ", " and i ") :]))


def _start(before: str, *breaks: str) -> int:
    return max(before.rfind(mark) for mark in breaks) + 1
