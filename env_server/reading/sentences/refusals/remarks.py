"""Remarks: sentences that say that something is impossible beside a step that goes ahead, and refuse nothing of it."""

import re

from env_server.reading.sentences.patterns import compiled, words_of
from env_server.reading.sentences.refusals import limits
from env_server.reading.sentences.refusals.impossible import impossible

_PARENTHESES = compiled(r" ?\([^()]{0,600}\)")
_CLOSES = compiled(r"(?<![:;-])\)[ .!?]*$")
"""A parenthesis that a sentence closes, and an earlier one opened; no smiling face."""

_CASE = (
    r"\b(?:i|we)(?:'m|'re)?\b|\bso (?:an? |the )?[\w-]+ (?:is|are|can)(?:n't|not| not)\b"
    r"|\b(?:so|but) (?:it|this|that|they|these|those)\b|\bsorry\b|unfortunately|\bafraid\b"
)
_OWN_CASE = compiled(_CASE)
"""Words of a refusal that is about the case of the user, and not a remark: `(not delivered, so it can't go back)`."""

_BARRED_THING = compiled(
    r"\((?:note: )?(?:(?:which|it|this|that|they|these)\b|[\w -]{1,40}[,;:])? ?(?:can't|cannot|can not"
    r"|can no longer|(?:neither|none)(?: of [\w ]{1,20})? can) be "
    r"(?:cancel|chang|modif|refund|return|exchang|mov|reschedul|edit|us)\w*",
    r"\((?:\w+ )?not (?:allowed|possible|permitted)(?: here| now)?(?:[:;,]| -| because| since| as) ",
)
"""A parenthesis that refuses something to the thing before it: `a basic fare (can't be changed)`."""

_POINTS = compiled(r"\b(?:your|yours|this|that)\b|^the (?!new\b)")
"""Words that point at a record of the user."""

_ASKED_FOR = compiled(r"\byou(?:'d| had|'ve| have)? (?:asked|want|request|wish|chose|pick|hop)\w*")

_CHECKS = compiled(
    r"\b(?:(?:need|have|want|like|let me|i'll|i will) (?:to )?(?:\w+ )?(?:check|verify|confirm|look|see|know"
    r"|make sure|ensure)"
    r"|sounds? like|seems? (?:like|that)|looks? like|might be|may be|could be|please (?:list|tell|name|send|give"
    r"|include|check))"
    r"\b[^.]{0,120}, (?:as|since|because) (?!i\b|we\b)(?=[^.]{0,80}\bonly\b)"
    r"|\b(?:check|confirm|verify|make sure|see) (?:if|whether) [^.]{1,80}, (?:as|since|because) (?=[^.]{0,80}\bonly\b)"
)
"""A rule as the reason of a look-up: `I need to check the order first, as returns are only possible for ...`."""

_ANSWERS = compiled(
    r"\b(?:yours|this|that|these|those|your (?!name|e-?mail|accounts?|user|profile|own|original|money|id\b))\b"
    r"|#?\b(?=\w*\d)\w{5,}\b|\bsorry\b|unfortunately|\bafraid\b|^(?:no|however|but|since|as|because)\b"
    r"|\bso (?:i|we|it|they|an?)\b|\bending in\b|\beither\b|\bfor example\b|\b(?:not|cannot|nor)\b|n't\b"
)
"""Words that point at the case of the user, or answer a wish."""

_RULE = compiled(r"\bonly\b|\bat most\b|\b(?:must|has to|have to)\b")
"""Words of a rule that allows something."""

_OTHERS = compiled(
    r"^(?:\(?note:? |and |but )?(?:your|the|all) other (?:[\w-]+ )?(?:orders|reservations|bookings|trips"
    r"|appointments|visits|lines)(?: \([^()]{1,120}\))? are still \w+, so\b"
)
"""What is not possible yet with records that nobody asked about."""

_WISHED = compiled(
    r"(?:if|should|in case) (?:you(?:'d| would|'re| are| were)? |what you |your (?:wish|aim|goal|plan) )(?:\w+ )?"
    r"(?:want|like|prefer"
    r"|mean|ask|hop|need|look|wish|try|plan)"
)
_SUPPOSES = compiled(
    r"^(?:(?:note|however|but|also|keep in mind|please note)(?: that)?[:,]? ){0,2}(?:if (?!so\b)|in case |should )"
    r"|, so if (?:it|this|that|yours|the)\b"
)

_CONCLUDES = compiled(r"\bso (?:the|your|it|this|that|i|we)\b[^,.;]{0,40} (?:can't|cannot|can not|won't|isn't)\b")
"""What follows from a condition that holds: `if it was worn, it can't go back, so the coat can't be returned`."""

_APPLIED = compiled(
    r"(?<!if )\byours (?:is|was|has|had|isn't|wasn't|left|departed)\b|\b(?:and|but|while) (?:yours|this|that|it"
    r"|your (?:\w+ ){1,2}?|#?(?=\w{0,20}\d)\w{4,20} )(?: one)? ?(?:is|was|has|were|are|isn't|wasn't)\b"
)
"""The case of the user beside a rule: `I can only cancel pending orders, and yours was delivered`."""

_FURTHER = compiled(
    r"\b(?:what|which|any|anything|something|how)\b(?: \w+)? (?:else|other|more)\b|\binstead\b",
)
"""A question for another wish: `Which other wish do you have?`"""

_CLOSED = compiled(
    r"(?:^|[:;-] |\b(?:note|that|and|now|on)[:,]? )(?:this(?: [\w-]+){0,3}|these|(?P<it>it|they)"
    r"|(?:the|your) (?:(?:new|changed|updated) )?(?P<thing>[\w-]+))"
    r" (?:can no longer|may no longer|can(?:'t|not| not)(?= be [\w ,/]{1,60}\b(?:again|further)\b)) (?:now )?be "
    r"[\w ,/]{1,80}$",
    r"(?:^|[:;-] |\b(?:note|that|and|now|so)[:,]? )no (?:further|more) (?:changes|modifications|exchanges|returns"
    r"|cancel+ations|edits|updates|moves)[\w ,/]{0,60}? (?:are|can be|will be)(?: now)? \w+"
    r"(?: (?:for|on|to|in|with) (?:it|them|th(?:is|ese)\b[\w ]{0,40}))?$",
    r" and can(?:'t|not| not) be [\w ,/]{1,60}\bfurther\b",
)
"""What is no longer possible after a step: `this order can no longer be changed`."""

_NOT_AGAIN = compiled(
    r"\b(?:i|we|you) (?:won't|will not|can't|cannot|can no longer) (?:be able to )?[a-z]+(?:(?:, or |, | or | and |/)"
    r"[a-z]+){0,4}"
    r" (?:(?:it|them|th(?:is|ese)(?: [\w-]+){0,2}) )?(?:again|further)[ .!]*$"
)
_RECORD = compiled(r"#?\b(?=\w*\d)\w{4,}\b")
_OF_A_RECORD = compiled(r"#?\b(?=\w*\d)\w{4,}\b|\b(?:because|since|as|already|was|were)\b|" + _CASE)
_SPENT = compiled(
    r"\balready\b[^.]{0,40}\b(?:modified|exchanged|changed|done|used|made|returned|moved)\b"
    r"|\b(?:has|have|was|were|is|you've)(?: been)? (?:modified|exchanged|changed|done|used|returned|moved)"
    r" (?:already|once|before)\b"
)
_LACKS = compiled(
    r"^(?:[^.:]{0,30}: )?(?:there(?:'s| is| are| were) )?no (?:direct|nonstop|non-stop) ",
    r"^(?:[^.:]{0,30}: )?(?:there (?:are|is) )?no (?:cheaper|better|lower|closer|larger|smaller"
    r"|faster) (?:[\w-]+ )?(?:ones?|options?"
    r"|variants?|versions?|models?)\b",
)
"""What an offer does not have: `there are no direct flights`."""

_OFFERED = compiled(
    r"\b(?:options?|alternatives?|instead|closest|cheapest|quickest|fastest|next best|one-stop|stops?|layovers?"
    r"|connect\w*|book(?:ing)?|other than this)\b"
)
"""Words of what is offered in place of something better."""

_BESIDE = compiled(
    r"^(?:(?:please )?note(?: that|:) )?the new (?:[\w-]+ ){1,3}(?:(?:is|are) (?:\w+ )?non-?\w+able"
    r"|(?:is|are|can't|cannot|won't)(?: not)? (?:be )?"
    r"(?:refund|chang|cancel|return|exchang|transfer)\w+)\b",
    r"\bany (?:amount|balance|value|credit|money|rest|funds|difference) (?:that is )?(?:left|remaining|leftover"
    r"|unused)\b"
    r"|\bany (?:left|remaining|leftover|unused) (?:amount|balance|value|credit|money|funds)\b"
    r"|\b(?:the|its) (?:remaining|leftover|unused) (?:[$\d]|balance|amount|value)",
    r"\bbut (?:the )?(?:number of \w+|\w+ count)\b[^.;]{0,30}? (?:can't|cannot|can not|must|has to|have to)\b",
    r"\b(?:in|with|through|during|by|as part of) th(?:is|at|e) (?:same )?(?:step|change|action|exchange"
    r"|modification|operation|transaction)\b",
)
"""What a proposal leaves aside or brings with it: `the new fare is non-refundable`."""

_HEADS_NOTES = compiled(r"\b(?:notes?|reminders?|keep in mind|be aware|good to know|important)\b[^.]{0,40}:$")
_BARRED = compiled(r"\b(?:i|we)(?:'m|'re| am| are)? (?:\w+ )?(?:can't|cannot|can not|won't|will not|unable|not able)\b")
_LATER = compiled(r"\bafter|\bagain\b|\bfurther\b|\bonce (?!per\b|for\b|on\b|in\b)\w|\bthen\b")
_ONCE = compiled(r"\bonce\b|\bone[- ]time\b")
_ONCE_DONE = compiled(r"\bonce (?:\w+ ){0,3}(add|book|plac|issu|start|request)ed\b")


def parted(view: str) -> tuple[str, str]:
    """Return what stands outside of the parentheses of a sentence, and what stands in them. One may be open at the
    beginning or the end, where a sentence ends within.
    """
    inside: list[str] = []
    for _ in range(2):
        inside += _PARENTHESES.findall(view)
        view = _PARENTHESES.sub("", view)
    if _CLOSES.search(view):
        return "", " ".join([*inside, view])
    view, _, after = view.partition("(")
    inside.append(after)
    return view, " ".join(inside)


def aside(view: str) -> bool:
    """Return whether a sentence refuses only in parentheses, and there not the case of the user."""
    if "(" not in view and ")" not in view:
        return False
    outside, inside = parted(view)
    if _OWN_CASE.search(inside) or _BARRED_THING.search(view) or _ASKED_FOR.search(outside):
        return False
    words = words_of(outside)
    return not (impossible(outside, words) or limits.limit(outside, words))


def checks(view: str) -> bool:
    """Return whether a sentence gives a rule as the reason of a look-up."""
    return "only" in view and bool(_CHECKS.search(view)) and not applied(view)


def closes(view: str, reports: list[str], between: list[str]) -> bool:
    """Return whether a sentence says what the step in `reports` leaves impossible for the record that was changed.
    `between` has the sentences after the last report.
    """
    if _NOT_AGAIN.search(view):
        return not _RECORD.search(view)
    found = _CLOSED.search(parted(view)[0].strip(" ."))
    if found is None or _OF_A_RECORD.search(view):
        return False
    if found["it"] and any(map(_RECORD.search, between)):
        return False
    return found["thing"] is None or any(found["thing"] in words_of(report) for report in reports)


def spends(view: str) -> bool:
    """Return whether a sentence allows something once."""
    return bool(_ONCE.search(view))


def of_another_step(view: str, others: list[str]) -> bool:
    """Return whether a sentence says what is impossible after a step that `others` don't name: `once booked`."""
    done = _ONCE_DONE.search(view)
    return done is not None and not any(
        re.search(rf"\b{done[1]}(?!ings?\b)|\b(?:be|i'm) {done[1]}ing\b", other) for other in others
    )


def bars(view: str) -> bool:
    """Return whether a sentence says that the agent can't do something now, for what is allowed once has been done."""
    return bool(_BARRED.search(view)) and not _LATER.search(view)


def beside(view: str) -> bool:
    """Return whether a sentence says what a proposal leaves aside."""
    return bool(_BESIDE.search(view)) and not _OWN_CASE.search(view)


def lacks(view: str, others: list[str]) -> bool:
    """Return whether a sentence says what the offer in `others` does not have."""
    return bool(_LACKS.search(view)) and not _OWN_CASE.search(view) and any(map(_OFFERED.search, others))


def heads_notes(view: str) -> bool:
    """Return whether a line introduces a list of notes."""
    return bool(_HEADS_NOTES.search(view))


def general(view: str) -> bool:
    """Return whether a sentence says nothing about the case of the user."""
    return not (_OWN_CASE.search(view) or _POINTS.search(view))


def spent(view: str) -> bool:
    """Return whether a sentence says that what is allowed once has been done."""
    return bool(_SPENT.search(view))


def rule(view: str) -> bool:
    """Return whether a sentence says what is allowed for all, and does not apply it to the user."""
    return bool(_RULE.search(view)) and not (_ANSWERS.search(view) or applied(view))


def of_others(view: str) -> bool:
    """Return whether a sentence is about the user's other records, which are not ready for a step."""
    return "other" in view and bool(_OTHERS.search(view))


def supposes(view: str) -> bool:
    """Return whether a sentence begins with a condition that is not the wish of the user."""
    return bool(_SUPPOSES.search(view)) and not (_WISHED.search(view) or _CONCLUDES.search(view) or applied(view))


def further(view: str) -> bool:
    """Return whether a question is for further wishes, rather than for data."""
    return bool(_FURTHER.search(view))


def applied(view: str) -> bool:
    """Return whether a sentence goes on from a rule to the case of the user."""
    return bool(_APPLIED.search(view))
