"""Claims: sentences that report a change as made, by the agent, now."""

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import compiled
from env_server.reading.sentences.reports.brief_reports import (
    ADVERBS,
    CLEAR,
    REPORT,
    REPORTED,
    appoints,
    brief_reports,
    confirms,
    points,
    readies,
)
from env_server.reading.sentences.reports.made_changes import DOUBTFUL, FIRM, LEAVES
from env_server.reading.sentences.reports.no_changes import general, long_past, no_change, of_others, recaps
from env_server.reading.words.changes import DONE, NOUN
from env_server.reading.words.lexis import words as listed

_CUES = (
    REPORTED
    | frozenset(LEAVES)
    | frozenset(
        listed(
            "out confirmed complete active live through effect care good success successful now successfully "
            "transferred able",
            "started arranged initiated ordered managed consider did took gave loaded yours that's set again called "
            "charged in way off longer back got made finished paid begun entered checked signed had gotten schedule "
            "calendar books down locked queue gone runs starts begins ends covers included let notified informed "
            "alerted passed relayed flagged listed turned knocked pushed bumped nudged snagged grabbed nabbed went "
            "lists",
        )
    )
)
_LOOKED_AT = (
    r"(?:(?:double-)?checked|reviewed|looked (?:at|in|into|up|over|through)|verified|located|found|pulled up"
    r"|confirmed|gone (?:through|over)|went (?:through|over)|contacted|called|spoke|spoken|opened|searched|read)"
)
_PERFECT = compiled(
    rf"\b(?:has|have|'ve|'s) {ADVERBS}been {ADVERBS}(?:(?:received|reviewed|approved"
    rf"|accepted) and {ADVERBS})?(?:{REPORT}|called off|loaded (?:on|onto|to|into))\b"
)
_ONLY = compiled(r"\bonly\b")
"""`It has only been placed so far` tells how things stand."""

_PAST = compiled(rf"\b(?:was|were) {ADVERBS}{REPORT}\b")
# "It was booked" describes a record; "it was updated", without a date, reports the agent's action.
_OLD = compiled(
    r"\b(?:booked|created|placed|purchased|paid|made|ordered|opened|scheduled|cancel+ed|set|sent|processed"
    r"|declined|charged"
    r"|returned|halted|split|closed|suspended|stopped|locked|blocked|dropped|topped|noted|marked|reported"
    r"|assigned|approved|given)$"
)
_DATED = compiled(
    r"\b(?:on|in|since|at|until) (?:the )?(?:jan|feb|mar|apr|x?may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu"
    r"|fri|sat|sun|\d)"
    r"|\b(?:at|during) (?:that|your last|the last) (?:\w+ )?(?:visit|appointment)\b|\bback then\b"
    r"|\d{4}-\d\d|\b(?:already|previously|originally|initially|once|earlier|yesterday|last|because|since"
    r"|when|which|who)\b|(?<!moment )(?<!moments )(?<!minute )(?<!minutes )(?<!second )(?<!seconds )\bago\b"
)
# "It has been moved two times" counts earlier events.
_BEFORE = compiled(
    r" (?:already|previously|(?:once|twice) (?:already|before|so far)|twice|\w+ times|since|earlier|in the past|before"
    r"|for (?:over |about |almost |more than )?\w+ (?:days?|weeks?|months?|years?))\b"
)
_FRESH = compiled(
    r"\b(?:was|were) (?:\w+ )?(?:successfully|just|now)\b|\bsuccessfully\b|\bjust now\b|\b(?:moments?|minutes?"
    r"|seconds?) ago\b"
)
# "It was sent in March and has been settled" tells an earlier story.
_STORY = compiled(r"(?<!that )(?<!which )(?<!who )\b(?:was|were|(?:has|have) already been)\b")
# "You have two orders: one has been cancelled" describes records.
_COUNTED = compiled(
    r"\b(?:has|have) (?:two|three|four|five|six|several|\d+) (?:\w+ )?(?:orders|reservations|bookings"
    r"|appointments|trips"
    r"|lines|bills)\b"
)
# "The refund has been issued on May 2": money moves now or has moved on a day before.
_PAID_ON = compiled(
    r"(?<=issued|edited|funded)(?: \w+){0,3}? on (?:the )?(?:jan|feb|mar|apr|x?may|jun|jul|aug|sep|oct"
    r"|nov|dec|mon|tue|wed"
    r"|thu|fri|sat|sun|\d)"
)
# "It was cancelled as you asked" is no old event.
_AS_ASKED = compiled(
    r"\bas (?:you(?:'ve| have)? )?(?:requested|asked|wished|instructed)\b(?! (?:if|about|me|us|in|on|by|earlier"
    r"|last)\b)"
    r"|\bper your (?:request|wish|instructions)\b"
)
# "You're set up with autopay already" tells how things stand.
_SO_ALREADY = compiled(r"[^,;:.!?]{0,80} already(?=$|[.,!;])")
# "Since we've already exchanged the lamp, I can't exchange it again" gives the reason of a refusal.
_REASON = compiled(
    r"^(?:(?:but|however|and|so),? )?(?:since|because|as|given that|now that) (?:i|we)(?:'ve"
    r"| have) already\b[^;:!?]{1,160}?, "
    r"[^;:!?]{0,60}?\b(?:cannot|can't|can not|can no longer|won't be able|unable|not able|not possible"
    r"|isn't possible)\b"
)
_RELATIVE = compiled(r"\w (?:that|which|who) $")
# "An exchange has already been requested" is the state of a record, and often the reason of a refusal.
_SOME = compiled(r"^(?:.*(?:because|since|as|that|;|:|,) )?(?:an?|one|some|another|any) (?:[\w-]+ ){1,3}$")
# "I have done it: I found your order" reports a look-up.
_LOOKED = compiled(
    rf"\b(?:i|we)(?:'ve| have)? {ADVERBS}done (?:it|that|this|so)(?:[:;,]| -)+ (?:i|we)(?:'ve| have)? (?:now "
    rf"|just )?"
    r"(?:found|looked|checked|searched|see|saw|located|verified|opened|pulled|reviewed|read)\b"
)
# "We refunded $10 on May 3" tells an old payment.
_WE_PAID = compiled(
    r"we (?:charged|refunded|credited|issued|sent|shipped|delivered) [^,;]{1,40}? on (?:the )?(?:\d+(?:st|nd|rd|th)?"
    r" (?:of )?)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|ember|tember|ober"
    r")?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|\d+[/-]\d+\S*|the \d+(?:st|nd|rd|th))(?![\w-])"
)
_OWN_VERB = compiled(rf"\b(?:i|we)(?:'ve| have)? {ADVERBS}\w+")
_NOTED = compiled(r"\bnoted$")
_PLANNED = compiled(
    r"^(?!.*\b(?:i|we|i've|we've|has|have|had|is|are|was|were|been|now)\b)"
    rf"(?:(?:and )?(?:then|next|afterwards|after that|later),? (?:the )?(?:[#\w'-]+ ){{1,4}}{DONE}[.!]?$"
    r"|(?:[#\w'-]+ ){1,3}noted(?:[.!;]|, [^.;!?]{1,80}[.!]?)?$)"
)
"""A step to come, or only a note of what the user said: `Then line L1 resumed.`, `Address noted, 1 Elm Road.`"""

_ON_FILE = compiled(r" (?:on|in|to|under) (?:your|the) (?:account|file|profile|record|chart|booking|reservation)")
_UNDER = compiled(r"^(?:once|after|if|when|as soon as|until|unless|before)\b[^,:]*$")
_SUPPOSED = compiled(r"\b(?:suppose|supposing|imagine|pretend|say|example|if)\b")
_WE = compiled(r"we\b")
# "I have escalated your case and cancelled order #W1": the second verb reports a change, whatever the first one does.
_AND_ALSO = compiled(
    rf" and {ADVERBS}(?!escalated|forwarded|handed|passed|noted|referred|submitted){CLEAR}"
    r" (?:the|your|both|all|this|that|it|order|reservation|line|\W?\w*\d)"
)
_SUCCEEDED = compiled(rf"{NOUN} (?:request )?(?:was|were) ")
# "I have checked the fare and cancelled ABC123": the second verb reports a change, too.
_THEN = compiled(
    rf"\b(?:(?:i|we)(?:'ve| have) {ADVERBS}[a-z]{{3,}}ed|(?:i|we)(?:'ve| have)? {ADVERBS}{_LOOKED_AT}) "
    r"(?:(?!\b(?:you|he|she|they|who|which|that|was|were|is|are|it's)\b)[^;:.!?]){1,80}?,? (?:and then|and|then) "
    r"(?:(?:have|i|i've|also|now|just|successfully) )*"
    rf"(?=(?!escalated|forwarded|handed|passed|noted|referred|marked|made|set|returned|ordered|paid){CLEAR} "
    r"(?:the|your|both|all|this|it|that|order|reservation|booking|line|\W?\w*\d))"
)
_TAG = compiled(
    r", (?:right|correct|true|(?:is|was|has|have|did)(?:n't)? (?:it|that|they|he|she"
    r"|you)(?: (?:right|correct|so))?)\?$"
)
"""The end of a statement that asks whether it is so: `It was cancelled on Monday, right?`"""

_ASKING = compiled(
    r"^(?:has|have|had|was|were|did|do|does|is|are|what|which|when|why|how|who|can|could|would|may|shall|should)\b"
)


_MARKS = " ,.:;!-"
_MOST = 40
"""The maximum number of reports that are read in one sentence. No real sentence has nearly as many."""


_OF_WHICH = compiled(
    r"\b(?:the|your|that|this|those|these|each|any) (?:[\w#'-]+ )??(?:orders?|reservations?|bookings?|changes?|items?"
    r"|refunds?|trips?|appointments?|visits?|address(?:es)?|lines?|bills?|plans?|requests?|ones?|{bookable}"
    r"|{things}) $"
)
"""A noun right before a report: `the order we just changed` only says which order is meant."""

_OBJECT = compiled(r" (?:it|them|that|this|these|those|both|all|everything|you|your|the|for you|as|to)\b|[.!,;:]|$")
"""What follows the verb of a report, and not that of a relative clause."""


def claims(view: str, words: frozenset[str], *, entry: bool) -> tuple[bool, bool]:
    """Return whether a sentence reports a change as made, and whether the report is firm."""
    if words.isdisjoint(_CUES) or recaps(view) or _PLANNED.match(view):
        return False, False
    doubtful = False
    for at, firm in _found(view, words, entry=entry)[:_MOST]:
        own = _OWN_VERB.match(view, at)
        if (
            own
            and view.startswith(("i ", "i'", "we ", "we'"), at)
            and _OF_WHICH.search(view, 0, at)
            and not _OBJECT.match(view, own.end())
        ):
            continue
        heard = _told_by_agent(view, at, own.end()) if own and firm else _told(view, at, firm=firm)
        if heard:
            return True, True
        doubtful = doubtful or heard is not None
    return doubtful, False


def readied(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether the report of a sentence is no more than that all is ready: `You're all set.`"""
    span = readies(view)
    return span is not None and not any(
        claims(part, words, entry=entry)[1] for part in (view[: span[0]], view[span[1] :].lstrip(_MARKS))
    )


def appointed(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether the report of a sentence is one of an appointment that may be old: `You're booked for Friday.`"""
    end = appoints(view)
    return end is not None and not claims(view[end:].lstrip(_MARKS), words, entry=entry)[1]


def confirmed(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether the report of a sentence is no more than `Confirmed!`"""
    end = confirms(view)
    return end is not None and not claims(view[end:].lstrip(_MARKS), words, entry=entry)[1]


def pointed(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether the report of a sentence is one by a pronoun that may be about another thing: `It's in.`"""
    end = points(view)
    return end is not None and not claims(view[end:].lstrip(_MARKS), words, entry=entry)[1]


def _told_by_agent(view: str, at: int, end: int) -> bool | None:
    """Return whether a report that starts with `I` or `we` and a verb of change is firm; None if it reports nothing.

    Such words are a report unless a condition, a negation, a question or a quotation takes them back. Words that may
    take them back make the report doubtful, and the user asks about it.
    """
    before = view[:at]
    if scope.governed(before) or scope.without_object(view, end) or _LOOKED.match(view, at) or _asks(view, at):
        return None
    if _WE_PAID.match(view, at) or (no_change(view[at:], 0) and not _AND_ALSO.search(view, at)):
        return None
    past = (_WE.match(view, at) and long_past(view, at)) or _REASON.match(view)
    if view.endswith("?") or _UNDER.match(before) or (_NOTED.search(view, at, end) and not _ON_FILE.search(view, end)):
        return False
    after = before if _SUPPOSED.search(before) else before[before.rfind(": ") + 1 :]
    clause = before[before.rfind(", ") + 1 :]
    return not (past or scope.hypothetical(after) or scope.recorded(clause))


def _told(view: str, at: int, *, firm: bool) -> bool | None:
    """Return whether a report that names no doer is firm; None if it reports nothing."""
    before = view[:at]
    if no_change(view, at) or general(view, at) or (_SUCCEEDED.match(view, at) and _DATED.search(view)):
        return None
    if scope.modal(before) or scope.conditional(before) or scope.negated(before) or _asks(view, at):
        return None
    firm = firm and not _SO_ALREADY.match(view, at)
    return firm and not _RELATIVE.search(before) and not scope.recorded(before) and not of_others(view, at)


def _asks(view: str, at: int) -> bool:
    return view.endswith("?") and (bool(_ASKING.match(view) and "," not in view[:at]) or bool(_TAG.search(view)))


def _found(view: str, words: frozenset[str], *, entry: bool) -> list[tuple[int, bool]]:
    """Return the positions of reports in the sentence, and whether each can only be the agent's own action."""
    found = [(match.start(), True) for match in FIRM.every(view, words)]
    found += brief_reports(view, words, entry=entry)
    found += [(match.start(), False) for match in DOUBTFUL.every(view, words)]
    found += [(match.end(), True) for match in _THEN.finditer(view)]
    if "been" in words:
        found += _perfect(view)
    if "was" in words or "were" in words:
        found += _past(view, entry=entry)
    return found


def _perfect(view: str) -> list[tuple[int, bool]]:
    found = []
    for match in _PERFECT.finditer(view):
        if _ONLY.search(match[0]):
            continue
        before = " already " in match[0] or _BEFORE.match(view, match.end()) is not None
        before = before or bool(_STORY.search(view[: match.start()])) or _PAID_ON.match(view, match.end()) is not None
        before = before or bool(_COUNTED.search(view[: match.start()]))
        if not (before and _SOME.match(view[: match.start()])):
            # "The result has been released" tells how things stand
            listed = match[0].endswith(" ordered") and "following" in view
            found.append((match.start(), not (before or listed or match[0].endswith(" released"))))
    return found


def _past(view: str, *, entry: bool) -> list[tuple[int, bool]]:
    """Return the reports in the simple past. With a date or `already`, the sentence describes a record and is no
    report.
    """
    fresh = bool(_FRESH.search(view))
    if not fresh and _DATED.search(view):
        return []
    asked = bool(_AS_ASKED.search(view))
    return [
        (match.start(), fresh or asked or (not entry and not _OLD.search(match[0])))
        for match in _PAST.finditer(view)
        if fresh or not (" already " in match[0] or _BEFORE.match(view, match.end()))
    ]
