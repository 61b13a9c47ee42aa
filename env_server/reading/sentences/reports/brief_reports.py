"""Brief reports: phrases such as `Done.` and `Refund issued.`, and a verb at the beginning of a sentence."""

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.changes import CHANGED, NOUN, VERB, either

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
    r"|again|instead|accordingly|not only|only|to) )*+"
)
_OPENING = (
    r"(?:(?:sure thing|sorry about that|(?:my )?apologies(?: for the \w+)?|yep|there you go|there we go"
    r"|here you go|with that|that worked|it worked|ok|okay|(?:good|great) news(?: on [^,;:.!?]{3,30}(?= - ))?|great"
    r"|perfect|all ?right|yes|got it|(?:thanks|thank you)(?: for (?:confirming|(?:the|your) \w+))?|thank|wonderful"
    r"|excellent|right|there"
    r"|sure|no problem|of course|certainly|absolutely|fantastic|hi|hello|update"
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
    rf"| and | on (?:the|your|both|that|this) (?:[\w#'-]+ ){{0,2}}?(?:{NOUN}|address|delivery|name)(?=$|[.!,]| - "
    r"| and ))"
)
# "Booked: May 4" is a line of a record, "Booked: May 4 at 6 PM" tells of a visit.
_WHEN = compiled(
    r"^(?:(?:booked|confirmed|reserved|scheduled)(?!.*(?:\d ?[ap]m\b|\d:\d\d))|placed|made|created|ordered|paid|sent"
    r"|submitted|issued|updated|completed)"
    r"(?: on)?[:,] (?:on |about |approx\w* )?(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?:(?:jan|feb|mar|apr|x?may"
    r"|jun"
    r"|jul"
    r"|aug|sep|oct|nov|dec)\w*\.? \d|\d{4}-\d|\d{1,2}[./-]\d|\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|x?may|jun|jul"
    r"|aug"
    r"|sep|oct|nov|dec)|(?:no|none|n/a|\d+ (?:days?|weeks?|months?|years?|hours?) ago)\b)"
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
    r"|gets|example(?!.*\d)|item|items|{bookable}|price|current|currently|until|as|were|did|does|do|want|like)\b|[\w-]*(?:'s"
    r"|'ve"
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
    r"(?!(?:the |your |my )?(?:search|look-?up|checks? (?:of|for|on)|verification|eligibility|identity)\b)"
    r"(?!(?:the |your )?(?:grand |original |full )?(?:total|amount|price|sum|{rates}|cost|deposit)(?: price| cost"
    r"| amount)?"
    r" (?:originally |already )?paid\b(?! (?:back|refunded|returned|credited|reversed)\b))"
    r"(?!(?:from|among|out of|of|in|on|for|besides|regarding) (?:the|all|any|your|these|those|both) "
    rf"(?:[\w#-]+ ){{0,2}}?[a-z]+s {CLEAR}\b)"
)
# "Identity verified, order W1 cancelled.": a report may follow what is no change.
_CHECKED = compiled(
    rf"^{_OPENING}(?:(?:the|your|my) )?(?:(?:search|look-?up|verification|eligibility|identity)"
    r"(?: (?:checks?|verification|(?:of|for|on) [^,;:.!?]{1,30}?))? ?(?:[a-z]+ed|complete|done|successful|okay|ok|fine)"
    r"(?:, | and |: |; | - )|(?:(?:grand|original|full) )?(?:total|amount|price|sum|cost|deposit) paid\b[^,;!?]{0,40}?"
    r"(?:, | and | - |; ))(?:and )?"
)
# "Refund issued.", "There you go, $5 credit applied", "Line 555: suspension lifted": phrases without a verb of their
# own.
_SHORT = compiled(
    rf"^{_OPENING}{_ATTRIBUTE}(?:{_NO_VERB}(?:[\w.#$'%()@&/-]|,(?=\d))+ ){{1,8}}?(?:now |successfully |all |both "
    r"|already "
    rf"|just )*{_LAST}"
    r"(?=$|[.!:;,)]| - | (?:to|for|with|from|and|at|on) )"
)
# "Flight changed successfully": no record and nobody else says that.
_SUCCESSFULLY = compiled(
    rf"^{_OPENING}{_ATTRIBUTE}(?:(?!(?:if|when|once|until|are|is|was|were|will|would|can|could|should|may|must|cannot"
    r"|be"
    r"|to|not|no|that|which|who|what|how|after|before|any|all|each|every)\b)[\w.#$'@/-]+ ){1,6}?"
    rf"{CLEAR} successfully(?=$|[.!:;,)]| - | (?:\(|(?:to|for|with|from|and|at|on|in|as) ))"
    r"(?![^,;:.!?]{0,60}? (?:is|are|will|can|cannot|may|must|would|should)\b)"
)
_ENDINGS = REPORTED | {"complete", "confirmed", "successful"}
_TAGGED = compiled(
    rf"^{_OPENING}{_ATTRIBUTE}(?:{_NO_VERB}[\w.#$'%,:;-]+ ){{2,8}}?(?:lifted|added|applied|updated|removed"
    rf"|credited|refunded"
    r"|enabled"
    r"|waived|reversed|issued|sent|moved|submitted|filed|upgraded|changed|exchanged|cancel+ed|rebooked|rescheduled"
    r"|resumed)(?=$|[.!,;])"
)
# "Saved to your profile just now.", "The bags on QW7: added a moment ago for $60"
_JUST_NOW = compiled(
    rf"(?:^|: | - ){ADVERBS}{CLEAR} (?!by )(?:[\w#$.'-]+ ){{0,5}}?(?:just now|(?:a|one|two|a few|some) "
    r"(?:moment|minute|second)s? ago)(?=$|[.,:!;)]| for | to )"
)
# "Cancel ZK81PQ - success."
_SUCCEEDS = compiled(
    rf"^{_OPENING}(?:(?:address|name|date|plan|e-?mail) )?(?:{VERB}|{NOUN}|{{details}}|{{bookable}})\b"
    r"(?![^;:.!?]{0,60}?\b(?:search|check|look|verif|eligib|test))"
    r"[^;:.!?]{0,60}?(?: - |: )(?:success|successful|succeeded|it worked|all done|done)[.!]*$"
)
# "Regarding the shirt: exchanged for size L."
_REGARDING = compiled(
    r"^(?:and |also )?(?:regarding|as for|about|as to|concerning|re) (?:the|your|both|my) [^;:.!?]{3,40}?(?: - "
    r"|: )(?P<at>)(?:now |it is |it's |that's )?(?:successfully )?(?:updated|changed|switched|moved|corrected"
    r"|increased|upgraded"
    r"|rebooked|rescheduled|swapped|exchanged|extended) (?:to|for|from) (?!be\b)"
)
_SUPPOSES = compiled(r"\b(?:it|that|this|which) would\b")
_CHECKS = frozenset({"search", "lookup", "look-up", "verification", "eligibility", "identity", "paid"})
_TOPICS = ("and ", "also ", "regarding ", "as ", "about ", "concerning ", "re ")
# "Confirmed with style - order placed and locked in!", "Step 1 completed: charged $9 to your card"
_AFTER_DASH = compiled(
    r"(?: - |: )(?:(?:your|the|all|both|new|that) ){0,2}(?:[a-z]+ )?"
    rf"(?:{NOUN}|address|{{bookable}}|{{things}}|delivery|subscription|plan|name|line|email)s? "
    r"(?:(?:is|are|has been|have been|now|successfully|officially) ){0,3}(?:placed|cancel+ed|updated|changed|submitted"
    r"|processed"
    r"|issued|booked|rebooked|rescheduled|applied|added|removed|exchanged|upgraded|swapped|switched|moved|filed"
    r"|completed?|confirmed|waived|saved|in)(?: and [a-z]+(?: in| up| off| away)?)?(?: successfully| for you"
    r"| now)?[.!]*$"
)
_NO_LABEL = compiled(
    r"\b(?:if|once|when|after|before|until|unless|will|would|shall|status|history|shows?|says?|steps?|timeline|next"
    r"|process|works?|example|no|not|never|jan|feb|mar|apr|x?may|jun|jul|aug|sep|oct|nov|dec|mean|means|reads?|called"
    r"|titled|see|previous|original|pending|requested"
    r"|wants?|request|wish|case|email|e-mail|subject|notification|tracking|log|expect)\b"
)
# "Current state: order cancelled." and "AB12CD: flight booked." may be read from a record.
_SHOWN = compiled(
    r"^(?:the )?(?:current|present)(?: \w+)?: |^(?:here it is|here you are|found it|there it is)[:,.]? .*\b(?:confirmed"
    r"|booked)[.!]*$"
)
_ONLY_RECORD = compiled(r"^#?(?=\w*\d)\w{4,12}(?:: | - )\w+ (?:booked|placed|confirmed)[.!]*$")
_STEP_DONE = compiled(
    r"^(?:step|part|phase|task|action|item|change) (?:\d|one|two|three)(?: of \w+)?(?: is|'s)?(?: now)? (?:completed?"
    r"|done"
    rf"|finished)(?:: | - |, |\. )(?:successfully |i |we |i've |we've )?(?=(?:{CLEAR}|charged) [\w#$])"
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
    rf"|downgraded) (?:for|to|from) |^{_OPENING}(?:updated|corrected|changed) to (?!(?:the|our) (?:latest|new)\b)"
    rf"|^{_OPENING}(?:rescheduled|scheduled|reserved|swapped|switched|upgraded|waived|credited|restored"
    r"|reinstated|resumed|paused)(?: for you)?(?=[.!]*$)"
)

_DIGIT = compiled(r"\d")
_SUM = compiled(r"\$ ?\d")
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

_ONLY_REQUESTED = compiled(
    r"^(?:[\w#'-]+ ){1,6}?requested(?:,? (?:and|&|plus) (?:[\w#'-]+ ){1,6}?requested)?(?=[.!:;]*$| \(| - |: )"
)
_ALL_UPDATED = compiled(
    r"\b(?:your|the) (?:[\w-]+ ){1,3}?(?:is|are)(?: now)? all (?:set|updated|sorted|confirmed|good|done|squared away"
    r"|taken care of|in order)\b"
)
_CONFIRMED = compiled(
    rf"^{_OPENING}(?:(?:it's|that's|all|(?:verified|checked|found"
    rf"|received|noted) and) )?confirmed(?: on (?:my|our) end)?(?:[.!,:;]| - |$)"
)
# "Great, reservation AB12CD confirmed.", "Both requests confirmed.": it may be what the agent has understood.
_UNDERSTOOD = compiled(
    rf"^{_OPENING}(?:(?:understood|noted|thanks|thank you)\b[^a-z0-9#$]+){{0,2}}"
    r"(?:(?:the |your )?(?:reservation|order|booking|appointment|account|{bookable}) #?\w*\d\w*"
    r"|(?:both|all|these|your|the|two|three) (?:\w+ ){0,2}?(?:requests?|wishes|details|preferences|choices|selections?"
    r"|options?|reservations?|orders?)) confirmed(?: (?:for|as|with|on) [^,;:.!?]{1,40})?(?=$|[.!:,]| - )"
    rf"|^{_OPENING}(?:[\w'-]+[,.] )?(?:the |your )?(?:reservation|order|booking|appointment|account|{{bookable}}) "
    r"#?\w*\d\w* \((?:currently |status: )?(?:delivered|pending|active|processed|shipped|upcoming|open)[^()]{0,20}\) "
    r"(?:is )?confirmed(?=$|[.!:,]| - )"
)
# "Glad we got that sorted out."
_GLAD = compiled(
    r"^(?:(?:so|i'm|i am|we're|we are|really|very) ){0,3}(?:glad|happy|pleased) (?:that )?(?:i|we) "
    r"(?:(?:could|were|was|able|to|finally|managed|both) ){0,4}(?:get|got|sort|sorted|resolve|resolved|fix|fixed"
    r"|settle|clear|cleared"
    r"|settled|finish|finished) (?:that|this|it|everything|things|all(?: of)? (?:that|this|it))"
    r"(?: all)?(?: (?:sorted|resolved|fixed|settled|done|taken care of|squared away|figured))?"
    r"(?: (?:out|up|today|for you|in the end|finally))?(?=$|[.,!]| - )"
)
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


def only_requested(view: str) -> bool:
    """Return whether a sentence only says that something was requested: `Address change requested.`"""
    return bool(_ONLY_REQUESTED.match(view))


def all_updated(view: str) -> tuple[int, int] | None:
    """Return where a sentence says that all records are updated or ready, or that the agent is glad of it;
    None if it does not.
    """
    found = _GLAD.match(view) or _ALL_UPDATED.search(view)
    return None if found is None or _SUM.search(view) else found.span()


def glad(view: str) -> bool:
    """Return whether a sentence is glad of what need not be a change: `Glad we got that sorted out.`"""
    return ("glad" in view or "happy" in view or "pleased" in view) and _GLAD.match(view) is not None


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
    """Return where the words end with which a sentence says `Confirmed!` or `Order W1 confirmed.`; None if it begins
    with others.
    """
    found = _CONFIRMED.match(view) or ("confirmed" in view and _UNDERSTOOD.match(view)) or None
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
    checked = None if words.isdisjoint(_CHECKS) else _CHECKED.match(view)
    if checked:
        start = checked.end()
        return [(start + at, firm) for at, firm in brief_reports(view[start:], words, entry=entry)]
    found = _results(view, words)
    finished = _FINISHED.match(view) and not _WHEN.match(view)
    if finished or (not entry and (_THAT_IS.match(view) or _STARTS.match(view))):
        found.append((0, True))
    if not entry and not words.isdisjoint(_ENDINGS):
        found += _phrases(view, words)
    return found


def _results(view: str, words: frozenset[str]) -> list[tuple[int, bool]]:
    """Return the positions of results, which are reports in an entry of a list, too: `Bags on QW7: added just now`."""
    found = []
    if ("ago" in words or "just now" in view) and (just := _JUST_NOW.search(view)):
        found.append((just.start(), True))
    if ("success" in view or "done" in words) and _SUCCEEDS.match(view):
        found.append((0, True))
    if view.startswith(_TOPICS) and (said := _REGARDING.match(view)):
        found.append((said.start("at"), not _SUPPOSES.search(view, said.end())))
    return found


def _phrases(view: str, words: frozenset[str]) -> list[tuple[int, bool]]:
    """Return the positions of phrases without a verb of their own: `Refund issued.`"""
    found = [(match.end(), True) for match in (_SHORT.match(view), _TAGGED.match(view)) if match]
    if "successfully" in words and (said := _SUCCESSFULLY.match(view)):
        found.append((said.end(), True))
    last = max(view.rfind(" - "), view.rfind(": "))
    if last > 0:
        if (said := _AFTER_DASH.match(view, last)) and not _NO_LABEL.search(view, 0, last):
            found.append((said.end(), not (_SHOWN.match(view) or _ONLY_RECORD.match(view))))
        if step := _STEP_DONE.match(view):
            found.append((step.end(), True))
    return found
