"""Brief reports: phrases such as `Done.` and `Refund issued.`, and a verb at the beginning of a sentence."""

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.changes import CHANGED, either

_SAME = frozenset({"put", "set", "reset", "split", "let", "cut", "shut", "read"})
"""Verbs whose past equals the infinitive: "I put it on your card" does not show the time."""

REPORTED = (CHANGED - {"transferred"}) | {
    *("taken", "put", "given", "brought", "switched", "handled", "sorted", "done", "finished", "placed", "deducted"),
    *("ported", "signed", "emailed", "mailed", "messaged", "texted"),
    *("re-enabled", "re-activated", "re-booked", "re-scheduled", "re-added", "re-opened", "re-sent", "re-issued"),
}
REPORT = either(list(REPORTED))
CLEAR = either(list(REPORTED - _SAME))
ADVERBS = (
    r"(?:(?:now|just|also|both|all|already|successfully|fully|officially|finally|today|gone|went|ahead|in|and"
    r"|then|since"
    r"|immediately|each|formally|promptly|safely|correctly|properly|hereby|indeed|temporarily|permanently|manually"
    r"|again|instead|accordingly|not only|only|to) ){0,8}+"
)
_OPENING = (
    r"(?:(?:sure thing|sorry about that|(?:my )?apologies(?: for the \w+)?|yep|there you go|there we go"
    r"|here you go|with that|that worked|it worked|ok|okay|great|perfect|all ?right"
    r"|yes|got it|good news|great news|thanks?|thank you|wonderful|excellent|right|there"
    r"|sure|no problem|of course|certainly|absolutely|fantastic|hi|hello|update|thank you for (?:confirming|your \w+)"
    r"|and|so|then|also|next|finally|awesome|brilliant|lovely|boom|yay|no \w+|not a problem|hey"
    r"|good|no trouble"
    r"|hooray)\b[^a-z0-9#$]+)*+"
)
_FINISHED = compiled(
    rf"^{_OPENING}(?:(?:it|that|this|everything(?: (?:that )?you (?:asked for|wanted|requested|needed))?|both"
    rf"|all|you|we|they|these|that one|all (?:\w+ )?requests)"
    r"(?:'s|'re| is| are| has been| have been| is all| are all)?"
    r"(?: now| all)* )?(?:all )?(?:done|set|all set|completed|complete|good to go|taken care of|sorted|booked"
    r"|cancel+ed|saved|sent|moved|updated|placed|submitted|added|removed|applied|issued|reversed|exchanged"
    r"|confirmed(?!.*\bshow(?:s|n)?\b)(?!\W+(?:that )?your (?:phone|name|e-?mail|zip|identity|date of birth"
    r"|details)\b)|success|finished|fixed|handled|rebooked|refunded|updated|changed)"
    r"(?: for you| now| too| as well| and dusted| (?:on|from|at) (?:my|our) (?:end|side))*(?:$|[,.!:;)]| - | with "
    r"| and )"
)
# "That's settled: in XY7, Ann flies instead" reports; "It's settled, then: I'd cancel it" is about what was agreed.
_THAT_IS = compiled(
    rf"^{_OPENING}(?:(?:so|well|now|and),? )*(?:it|that|this|everything|all of it)"
    r"(?:(?:'s| is)(?: (?:all|now|just|really|fully|officially|finally|also|both))*"
    r" (?:gone through|gone in|in|through|locked in|made|ordered|recorded|registered|settled(?=:| and | now\b)"
    r"|booked in|set up"
    r"|signed off|entered|reserved)"
    r"|(?:'s| has) (?:now |just |all )*been (?:ordered|recorded|registered|settled|entered))"
    r"(?: and (?:done|dusted|sorted|settled|paid|booked|confirmed))?"
    r"(?: for you| now| too| as well| in full)*(?=$|[.!]|[,:;] | - | and )"
    r"(?!.*\b(?:i'll|i'd|i will|i would|we'll|we'd|shall|should|let me|once|unless|as soon as"
    r"|i see|i can see|as far as|going to|gonna|doing (?:it|this|that)|about to)\b)"
)
_HOLDS = compiled(r"\bnow holds?\b|\bis in(?=$|[.!])")
_AGREED = compiled(r"\bsettled\b|\bnow holds? \w+ (?:items?|things?)\b")
_ANNOUNCES = compiled(
    r"\b(?:(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to|'m about to| am about to)|let me)"
    r" (?:now |just |then |quickly |also )*(?:do|make|start|take|go|see|handle|proceed|work|get|be back)\b"
    r"|\b(?:doing|making|starting) (?:it|that|this) (?:now|right|straight|at once|for you)\b"
    r"|\bworking on (?:it|that|this)\b"
    r"|\bi'm on it\b"
)
_NO_VERB = (
    r"(?!(?:almost|nearly|have|has|had|see|you|i|we|they|he|she|it|are|is|was|were|be|been|find|found|any|no|not"
    r"|with|which"
    r"|that|who"
    r"|to|will|would|can|could|should|shall|may|must|if|when|once|status|cannot|what|how|need|get|let|please"
    r"|gets|item|items|{bookable}|price|current|currently|until|as|were|did|does|do|want|like)\b|[\w-]*(?:'s|'ve"
    r"|'re|'ll"
    r"|'d)\b)"
)
# In "changes made to the ticket are final" the verb belongs to the subject of another verb.
_LAST = (
    rf"(?:(?!closed (?:at|early|until) ){CLEAR}|complete|confirmed|successful|lifted)"
    r"(?!(?:\([^()]{0,80}\)|(?! and | but | so | - |[,.;:!?(]).)*? (?:(?:is|are|was|were|will|can|cannot|may|must|would"
    r"|should)\b|(?<!that )(?<!which )(?<!you )(?<!we )(?<!who )(?<! i )(?:(?:has|have|had) (?:already |not "
    r"|now |also )?"
    r"(?:been|arrived|gone|left|come)|includes?|contains?)\b))"
)
# "From the orders linked to your account, I see a lamp": the verb belongs to the noun before it.
_ATTRIBUTE = (
    r"(?!(?:from|among|out of|of|in|on|for|besides|regarding) (?:the|all|any|your|these|those|both) "
    rf"(?:[\w#-]+ ){{0,2}}?[a-z]+s {CLEAR}\b)"
)
# "Refund issued.", "There you go, $5 credit applied", "Line 555: suspension lifted": phrases without a verb of their
# own.
_SHORT = compiled(
    rf"^{_OPENING}{_ATTRIBUTE}(?:{_NO_VERB}[\w.#$'%()@&/-]+ ){{1,8}}?(?:now |successfully |all |both |already "
    rf"|just )*{_LAST}"
    r"(?=$|[.!:;,)]| - | (?:to|for|with|from|and|at|on) )"
)
_ENDINGS = REPORTED | {"complete", "confirmed", "successful"}
_TAGGED = compiled(
    rf"^{_OPENING}{_ATTRIBUTE}(?:{_NO_VERB}[\w.#$'%,:;-]+ ){{2,8}}?(?:lifted|added|applied|updated|removed"
    rf"|credited|refunded"
    r"|enabled"
    r"|waived|reversed|issued|sent|moved|submitted|filed|upgraded|changed|exchanged|cancel+ed|rebooked|rescheduled"
    r"|resumed)(?=$|[.!,;])"
)
# "The system shows: cancelled" reports the agent's action; "the system shows it as cancelled" describes a record.
_SHOWS = compiled(
    rf"^(?:and |so |now |yes,? |okay,? |ok,? )*(?:the |my |our )?(?:system|screen|tool)(?: now)? (?:shows?|says|reads"
    rf"|reports|confirms)"
    rf"(?:: | - |, )(?:(?:it|this|your \w+|order \S+)(?: is|'s)? )?(?:now )?{CLEAR}(?=$|[.!,;])"
)
_STARTS = compiled(
    rf"^{_OPENING}(?:successfully |just )?(?!given|taken|done|set ){REPORT} (?:the|your|a|an|both|all|it|you|\$\d|#"
    rf"|(?:and|&) )|^{_OPENING}(?:just )?sent (?:that|this|them)(?: over| off| along| on)? to "
    rf"|^{_OPENING}successfully {CLEAR} (?:(?:order|reservation|booking|line|item)s? )?\W?\w*\d"
    rf"|^{_OPENING}(?:swapped|exchanged|switched|moved|rebooked|rescheduled|upgraded"
    rf"|downgraded) (?:for|to|from) "
    rf"|^{_OPENING}(?:rescheduled|scheduled|reserved|swapped|switched|upgraded|waived|credited|restored"
    r"|reinstated|resumed|paused)(?: for you)?(?=[.!]*$)"
)

_DIGIT = compiled(r"\d")
_READY = compiled(
    r"\b(?:you|we|i|everything|it|that|all)(?:'re|'m|'s| are| am| is) (?:now |all |both )*(?:set|good|ready)(?: to go)?"
    r"(?: now| then| for you| here| (?:on|from|at) (?:my|our) (?:end|side))*(?: (?:for|(?:with"
    r"|on)(?! (?:the|your|that|those)\b)) (?!you\b)[^,;:.!?]{1,40}?)?"
    r"(?=$|[,.!;]| - )"
)
"""A sentence that tells that all is ready: after a change that it is done, else that it can begin. `All set on the
address` tells what is done.
"""

_PARTS = compiled(
    r"^(?:you're (?:very |most )?welcome|you are welcome|my pleasure|any ?time(?=[,.!]| - )|you too(?=[,.!]| - ))"
    r"|\b(?:good)?bye\b|\btake care\b(?! of)|\bsafe travels\b|\bhave an? (?:\w+ )?(?:great|good|nice|wonderful"
    r"|lovely|safe|fantastic)\b"
    r"|\b(?:thanks|thank you) for (?:calling|choosing|booking|contacting|reaching|flying|shopping|visiting)\b"
    r"|\b(?:take|takes|taking) (?:it|over) from here\b|^(?:i'm |we're )?(?:so )?(?:glad|happy) (?:i|we) could help\b"
    r"|^enjoy (?:the|your)\b|\bdrive safe(?:ly)?\b|^(?:i |we )?(?:hope you )?feel better\b"
)
"""A reply to thanks, a goodbye, or the announcement that somebody else goes on."""

_CONFIRMED = compiled(rf"^{_OPENING}(?:(?:it's|that's|all) )?confirmed(?: on (?:my|our) end)?(?:[.!,:;]| - |$)")
_DATED_VISIT = compiled(
    r"^(?:and |so )?your (?:[\w'-]+ ){0,4}?(?:appointment|visit|cleaning|consultation|check-?up|exam|session|call|table"
    r"|reservation|pick-?up)(?: with [\w. '-]{2,40}?)? (?:is|will be) (?:set for |on |for |at )?(?:this |next )?"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct"
    r"|nov|dec)\w* \d|\d)"
)
"""The day of a visit: `Your appointment with Dr. Lee is Monday at 9.`"""

_JOINS = compiled(
    r"\b(?:(?:someone|somebody)(?: [^,;:.!?]{1,40}?)?|an? (?:[\w-]+ ){0,3}?(?:agent|person|human|specialist"
    r"|representative|colleague|nurse|{carers}|provider|technician|manager|supervisor|member of [^,;:.!?]{2,30})"
    r"|one of (?:our|my) [^,;:.!?]{2,30}) (?:will"
    r"|is going to) (?:be (?:right )?with you"
    r"|take (?:it|you|over) from here|join you|pick up)\b"
)
"""Somebody else goes on with the talk."""

_ANSWERS_NO = compiled(r"^(?:no(?:pe)?|nah)(?:[,.!;]| -|$)|^nothing (?:else|more|further)\b|^not at all\b")
"""The answer to a question such as `Is there anything else I should bring?`"""

_APPOINTS = compiled(
    rf"^{_OPENING}(?:[a-z]+, |(?:alright|okay|perfect|great) [a-z]+, |so |and )?(?:you(?:'re"
    rf"| are) (?:re)?(?:booked|scheduled|confirmed"
    rf"|down)(?: in)? (?:for|on|with|at)\b"
    r"|(?:(?:i|we)(?:'ve| have)? )?(?:got|have) you (?:re)?(?:booked|scheduled|confirmed|down|set up|signed up"
    r"|locked in|reserved)"
    r"(?: in)? (?:for|on|with|at)\b"
    r"|(?:i|we)(?:'ve got| have) your (?:[\w-]+ ){1,4}?(?:booked|confirmed|reserved|scheduled)(?=$|[.,!]| for "
    r"| at | on )"
    r"|(?:your (?:[\w.-]+ ){1,5}?is|you're|you are|it's) on (?:the|our|my|[\w. ]{2,20}'s) (?:calendar|schedule|books)\b"
    r"|your (?!{bookable}|refund|delivery|payment|package)(?:[a-z-]+ ){0,2}[a-z-]+(?: is| are"
    r"|'s) (?:re)?(?:confirmed|set|booked"
    r"|scheduled|reserved) (?:for|on|with|at|under)\b)"
)
"""An appointment or a booking that is new, or that stands in a record."""

_ASSURES = compiled(
    r"\byou(?:'ll| will| should) (?:also |then |soon |shortly |now )*(?:get|receive|see|have) (?:an? |the |your "
    r"|another )?"
    r"(?:\w+ ){0,3}?(?:confirmation|reminder|e-?mail|text|sms|link|invite|invitation)\b"
    r"|\b(?:we|i)(?:'ll| will) (?:also |then )?(?:send|text|e-?mail) (?:you )?(?:an? |the |your |out )?(?:\w+ ){0,3}?"
    r"(?:confirmation|reminder|text|e-?mail|sms|details)\b"
    r"|\bsee you (?:then|there|on|at|next|tomorrow|soon|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|^(?:please |just )*(?:arrive|come|bring)\b[^.;]{0,60}\b(?:early|cards?|id|licen[cs]e)\b"
    r"|\blook(?:ing)? forward to (?:see|seeing) you\b"
)
"""What follows a new appointment: a reminder that is to come, or `See you then`."""

_NEWS = compiled(
    r"^(?:all )?(?:perfect|wonderful|excellent|awesome|fantastic|congratulations|done|success|(?:good"
    r"|great) news)\b(?:[,.!:;]| - )"
)


def readies(view: str) -> tuple[int, int] | None:
    """Return where a sentence says that all is ready, and where the words end; None if it does not, or if it goes on
    to numbers: they tell what is done.
    """
    found = _READY.search(view)
    return None if found is None or _DIGIT.search(view, found.start()) else found.span()


def parts(view: str) -> bool:
    """Return whether a sentence belongs to a goodbye: `You're welcome!`, `Someone will take it from here.`"""
    return bool(_PARTS.search(view))


def dates_visit(view: str) -> bool:
    """Return whether a sentence tells the day of a visit."""
    return bool(_DATED_VISIT.match(view))


def joins(view: str) -> bool:
    """Return whether a sentence says that somebody else comes to talk: `Someone from billing will be with you.`"""
    return bool(_JOINS.search(view))


def answers_no(view: str) -> bool:
    """Return whether a sentence begins with `no` or the like, as an answer."""
    return bool(_ANSWERS_NO.match(view))


def confirms(view: str) -> int | None:
    """Return where the words end with which a sentence says `Confirmed!`; None if it begins with others."""
    found = _CONFIRMED.match(view)
    return found.end() if found else None


def appoints(view: str) -> int | None:
    """Return where the words end that tell of an appointment or a booking, new or old; None if a sentence has none."""
    found = _APPOINTS.match(view)
    return found.end() if found else None


def assures(view: str) -> bool:
    """Return whether a sentence tells what follows a new appointment (`We'll send you a reminder.`), or begins as news
    do (`Perfect!`).
    """
    if _NEWS.match(view):
        return True
    found = _ASSURES.search(view)
    return found is not None and not scope.conditional(view[: found.start()])


def points(view: str) -> int | None:
    """Return where the words of a report end that could also be about what was looked up, given or agreed: `it's in`,
    `that's settled`, `the cart now holds`; None if a sentence has none.
    """
    found = _THAT_IS.match(view) or _HOLDS.search(view)
    return found.end() if found else None


def only_agreed(view: str) -> bool:
    """Return whether the words of a report may mean that all is agreed, or only count: `That's settled: three bags.`"""
    return bool(_AGREED.search(view))


def announces(view: str) -> bool:
    """Return whether a sentence says that the agent is about to act: `I'm going to do it now.`"""
    return bool(_ANNOUNCES.search(view))


def brief_reports(view: str, words: frozenset[str], *, entry: bool) -> list[tuple[int, bool]]:
    """Return the positions of brief reports in a sentence. All of them can only be the agent's own actions."""
    if not entry and ("system" in words or "screen" in words or "tool" in words) and _SHOWS.match(view):
        return [(0, True)]
    found = []
    if _FINISHED.match(view) or (not entry and (_THAT_IS.match(view) or _STARTS.match(view))):
        found.append((0, True))
    if not entry and not words.isdisjoint(_ENDINGS):
        found += [(match.end(), True) for match in (_SHORT.match(view), _TAGGED.match(view)) if match]
    return found
