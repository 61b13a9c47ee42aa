"""Remarks: sentences that say that something is impossible beside a step that goes ahead, and refuse nothing of it."""

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

_CHECKS = compiled(
    r"\b(?:(?:need|have|want|like|let me|i'll|i will) (?:to )?(?:\w+ )?(?:check|verify|confirm|look|see|know"
    r"|make sure|ensure)"
    r"|sounds? like|seems? (?:like|that)|looks? like|might be|may be|could be|please (?:list|tell|name|send|give"
    r"|include|check))"
    r"\b[^.]{0,120}, (?:as|since|because) (?!i\b|we\b)(?=[^.]{0,80}\bonly\b)"
    r"|\b(?:check|confirm|verify|make sure|see) (?:if|whether) [^.]{1,80}, (?:as|since|because) (?=[^.]{0,80}\bonly\b)"
)
"""A rule as the reason of a look-up: `I need to check the order first, as returns are only possible for ...`."""

_POINTS = compiled(
    r"\b(?:yours|this|that|these|those|your (?!name|e-?mail|accounts?|user|profile|own|original|money|id\b))\b"
    r"|#?\b(?=\w*\d)\w{5,}\b"
    r"|\bsorry\b|unfortunately|\bafraid\b|^(?:no|however|but)\b|\b(?:i|we)(?:'m|'re| am| are)? (?:\w+ )?(?:can't"
    r"|cannot|can not"
    r"|won't|will not|unable|not able)\b|\bso (?:i|we|it|they|an?)\b|\bending in\b|\beither\b|\bfor example\b"
    r"|, not (?:for|to|with"
    r"|on|from) "
    r"|\b(?:is|it's)(?: not|n't) (?:possible|allowed|permitted) to\b"
)
"""Words that point at the case of the user, or answer a wish."""

_RULE = compiled(
    r"\bonly\b|\bat most\b|\b(?:must|has to|have to|needs to|need to)\b"
    r"|\b(?:after|once|when|while|before|until|unless|within|without|if)\b"
)
"""The condition of a rule."""

_OTHERS = compiled(
    r"^(?:\(?note:? |and |but )?(?:your|the|all) other (?:[\w-]+ )?(?:orders|reservations|bookings|trips"
    r"|appointments|visits|lines)\b"
)
_WISHED = compiled(
    r"if (?:you(?:'d| would|'re| are| were)? |what you |your (?:wish|aim|goal|plan) )(?:\w+ )?(?:want|like|prefer"
    r"|mean|ask|hop|need|look|wish|try|plan)"
)
_SUPPOSES = compiled(
    r"^(?:(?:note|however|but|also|keep in mind|please note)(?: that)?[:,]? ){0,2}(?:if (?!so\b)|in case |should )"
    r"|, so if (?:it|this|that|yours|the)\b"
)

_APPLIED = compiled(
    r"(?<!if )\byours (?:is|was|has|had|isn't|wasn't|left|departed)\b|\b(?:and|but|while) (?:yours|this|that|it"
    r"|your (?:\w+ ){1,2}?)(?: one)? ?(?:is|was|has|were|are|isn't|wasn't)\b"
)
"""The case of the user beside a rule: `I can only cancel pending orders, and yours was delivered`."""

_FURTHER = compiled(
    r"\b(?:what|which|any|anything|something|how)\b(?: \w+)? (?:else|other|more)\b|\binstead\b",
)
"""A question for another wish: `Which other wish do you have?`"""

_CLOSED = compiled(
    r"(?:^|[:;-] |\b(?:note|that|and|now|on)[:,]? )(?:(?:this|the|your)(?: [\w-]+){0,3}|it|they|these)"
    r" (?:can no longer|can(?:'t|not| not)|may no longer|may not) (?:now )?be [\w ,/]{1,80}$",
    r"(?:^|[:;-] |\b(?:note|that|and|now|so)[:,]? )no (?:further|more|other) [\w ,/]{1,80}? (?:is|are|can be"
    r"|will be)\b",
    r" and can(?:'t|not| not) be [\w ,/]{1,60}\bfurther\b",
)
"""What is no longer possible after a step: `this order can no longer be changed`."""

_NOT_AGAIN = compiled(
    r"\b(?:i|we|you) (?:won't|will not|can't|cannot|can no longer) (?:be able to )?[\w ,/]{1,60}? (?:again|further"
    r"|any ?more"
    r"|afterwards|later)[ .!]*$"
)
_OF_A_RECORD = compiled(r"#?\b(?=\w*\d)\w{4,}\b|\b(?:because|since|as|already|was|were)\b|" + _CASE)
_SPENT = compiled(
    r"\balready\b[^.]{0,40}\b(?:modified|exchanged|changed|done|used|made|returned|moved)\b"
    r"|\b(?:has|have|was|were|is|you've)(?: been)? (?:modified|exchanged|changed|done|used|returned|moved)"
    r" (?:already|once|before)\b"
)
_BESIDE = compiled(
    r"^(?:[^.:]{0,30}: )?(?:there(?:'s| is| are| were) )?no (?:direct|nonstop|non-stop) ",
    r"^(?:(?:please )?note(?: that|:) )?the new (?:[\w-]+ ){1,3}(?:is|are|can't|cannot|won't)\b",
    r"\bany (?:[\w-]+ )?(?:left|remaining|leftover|unused)\b|\b(?:the|its) (?:remaining|leftover|unused) (?:[$\d]"
    r"|balance|amount|value)",
    r"^(?:[^.:]{0,30}: )?(?:there (?:are|is) )?no (?:cheaper|better|lower|closer|larger|smaller"
    r"|faster) (?:[\w-]+ )?(?:ones?|options?"
    r"|variants?|versions?|models?)\b",
    r"^(?!can't\b|cannot\b|no\b|sorry\b|unfortunately\b)[^.;]{0,80}\b(?:number of \w+"
    r"|\w+ count)\b[^.;]{0,30}? (?:can't|cannot|can not|must|has to|have to)\b",
    r"\b(?:in|with|through|during|by|as part of) th(?:is|at|e) (?:same )?(?:step|change|action|exchange"
    r"|modification|operation|transaction)\b",
)
"""What a proposal has in place of something better, or leaves aside: `the new fare is non-refundable`."""

_HEADS_NOTES = compiled(r"\b(?:notes?|reminders?|keep in mind|be aware|good to know|important)\b[^.]{0,40}:$")
_BARRED = compiled(r"\b(?:i|we)(?:'m|'re| am| are)? (?:\w+ )?(?:can't|cannot|can not|won't|will not|unable|not able)\b")
_LATER = compiled(r"\bafter|\bagain\b|\bfurther\b|\bonce (?!per\b|for\b|on\b|in\b)\w|\bthen\b")
_ONCE = compiled(r"\bonce\b|\bone[- ]time\b")


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
    words = words_of(outside)
    return not (_OWN_CASE.search(inside) or impossible(outside, words) or limits.limit(outside, words))


def checks(view: str) -> bool:
    """Return whether a sentence gives a rule as the reason of a look-up."""
    return "only" in view and bool(_CHECKS.search(view))


def closes(view: str) -> bool:
    """Return whether a sentence says what a step that was made leaves impossible."""
    if _NOT_AGAIN.search(view):
        return "#" not in view
    found = _CLOSED.search(parted(view)[0].strip(" ."))
    return found is not None and not _OF_A_RECORD.search(view)


def spends(view: str) -> bool:
    """Return whether a sentence allows something once."""
    return bool(_ONCE.search(view))


def bars(view: str) -> bool:
    """Return whether a sentence says that the agent can't do something now, for what is allowed once has been done."""
    return bool(_BARRED.search(view)) and not _LATER.search(view)


def beside(view: str) -> bool:
    """Return whether a sentence says what a proposal does not have, or leaves aside."""
    return bool(_BESIDE.search(view)) and not _OWN_CASE.search(view)


def heads_notes(view: str) -> bool:
    """Return whether a line introduces a list of notes."""
    return bool(_HEADS_NOTES.search(view))


def general(view: str) -> bool:
    """Return whether a sentence says nothing about the case of the user."""
    return not _OWN_CASE.search(view)


def spent(view: str) -> bool:
    """Return whether a sentence says that what is allowed once has been done."""
    return bool(_SPENT.search(view))


def rule(view: str) -> bool:
    """Return whether a sentence gives a rule for all, with its condition, and does not apply it to the user."""
    return bool(_RULE.search(view)) and not _POINTS.search(view)


def of_others(view: str) -> bool:
    """Return whether a sentence is about the user's other records."""
    return "other" in view and bool(_OTHERS.search(view))


def supposes(view: str) -> bool:
    """Return whether a sentence begins with a condition that is not the wish of the user."""
    return bool(_SUPPOSES.search(view)) and not (_WISHED.search(view) or applied(view))


def further(view: str) -> bool:
    """Return whether a question is for further wishes, rather than for data."""
    return bool(_FURTHER.search(view))


def applied(view: str) -> bool:
    """Return whether a sentence goes on from a rule to the case of the user."""
    return bool(_APPLIED.search(view))
