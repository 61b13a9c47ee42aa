"""Statements that sound like a report of a change but are none: paperwork, events on a device, rules, the past."""

from env_server.reading.sentences.patterns import compiled

# The agent's own paperwork, the user's actions on a device, and a payment request are no changes.
_CLERICAL = compiled(
    r"\b(?:calculations?|(?:my|the|this) (?:own )?(?:notes|review|search|list|draft)|add(?:ed)? up"
    r"|noted (?:your (?:request|concern|comment|wish)|that|this|down|it down)"
    r"|requests? (?:for (?:\w+ ){1,3})?(?:has|have) been noted"
    r"|(?:prepared|drafted|summari[sz]ed|gathered|compiled|listed(?! (?:[^,;:!?]{1,40} )?as your\b)"
    r"|considered)|in (?:this|the|my) (?:total|summary"
    r"|estimate)"
    r"|(?:verification|security|one-time) codes?|payment requests? (?:\S+ ){0,8}?sent"
    r"|sent (?:\S+ ){0,4}?as a payment request|(?:added|connected|invited) to (?:the|this|our) (?:chat|call"
    r"|queue)(?! for (?:an?|the|your) (?:\w+ )?visit\b)"
    r"|(?:slots?|times?|rooms?|openings?|{bookable}) (?:has|have|was|were|is|are) (?:already "
    r"|just |now )*(?:been )?taken"
    r"|(?:labs?|lab work|blood work|x-rays?|scans?|screenings?|results?) (?:has|have|is|are|was"
    r"|were) (?:\w+ )?(?:been )?"
    r"(?:completed|done|reviewed|finished)"
    r"|given (?:so many|a lot|many|different|wrong|the wrong|bad|conflicting)"
    r"|(?:initiated|started|begun|launched) (?:an?|the|my) (?:\w+ )?(?:search|look-?up|check|review|investigation"
    r"|verification|identification|escalation)"
    r"|(?:request|case|issue|concern|complaint|matter|call|chat|question)s? (?:has|have) (?:now |just "
    r"|also )*been (?:\w+ly )?"
    r"(?:escalated|transferred)|(?:answers?|responses?|feedback) (?:has|have) been"
    r"|(?:added|placed|put) you (?:to|in|into|on) (?:the|our|a) (?:\w+ )?(?:queue|line) (?:for|to) (?:\w+ ){0,4}?"
    r"(?:agent|human|person|representative|team|colleague|specialist|operator|support)s?|your call (?:has been"
    r"|is|was) (?:\w+ )?(?:placed in|added|queued|transferred|routed)"
    r"|(?:technician|driver|{parties}|agent|representative)s? (?:has|have|is|was) (?:\w+ )?(?:assigned|notified)"
    r"|speed tests?|reboot|restart|(?:moved|changed|switched) to gate"
    r"|(?:inquir(?:y|ies)|enquir(?:y|ies)|quer(?:y|ies)|questions?) (?:has|have) been (?:\w+ )?(?:resolved"
    r"|addressed|handled|closed|settled|completed)"
    r"|warrant(?:y|ies) (?:has|have|is|was) (?:now )?(?:been )?voided|(?:set up|drafted|staged|queued|laid out"
    r"|sent) (?:\S+ ){1,10}?for your (?:review|approval|confirmation)|all set with (?:the|your) (?:verification"
    r"|sign-in|log-?in|details|identity)"
    r"|we(?:'ve| have)? (?:recently )?(?:moved|switched|changed) to (?:an?|our) new (?:system|address|location"
    r"|building|office|platform)"
    r"|steps? (?:one|two|three|\d+)|(?:troubleshooting|first|second|third|next|last|previous|this|that) steps?"
    r"|at the (?:time|moment)|currently|under review|at (?:booking|checkout|purchase|check-in|sign-up)|by price"
    r"|(?:the|that|which|what|this) \w+ you(?:'re| are) (?:booked|scheduled|signed up)|(?<!\()(?:options"
    r"|details|steps|choices|changes|(?<!your )plan|list|totals?"
    r"|{bookable}|items) (?:below|above)(?! (?:has|have) (?:now )?been)"
    r"|done with (?:the|your|my|our|this|that) (?:verification|search|check|review|look-?up|identification)"
    r"|(?:finished|completed|done) (?:checking|reviewing|searching|looking|comparing|calculating|going through)"
    r"|(?:noted|recorded) your (?:request|preference|choice|answer|feedback)|get the (?:total|price|details|answer)"
    r"|(?:made|created|prepared|compiled|put|set|placed|sorted|corrected|updated|revised|adjusted"
    r"|changed) (?:out |up |together |aside )?(?:a "
    r"|an |the |your |my |some )?"
    r"(?:\w+ )?(?:lists?|mistakes?|errors?|sure(?!(?: \S+){1,10}? (?:is|are|was|were|been) )"
    r"|options|summary|proposal|totals?(?= to|:|$|[.,;])|search|questions?"
    r"|comparison|overview|estimate|quote)"
    r"|marked as (?:already )?(?:delivered|returned|received|shipped|paid|used|flown|lost|completed?|processed"
    r"|pending"
    r"|awaiting)|(?:fully|completely|over) ?booked|allowances?(?: \w+)? (?:is|are|has been|have been)"
    r"|(?:polic(?:y|ies)|rules?|terms|schedules?|prices?|{rates}|website|systems?|guidelines|forecast)"
    r" (?:has|have|was|were|is|are|got) (?:\w+ )?(?:been )?(?:\w+ )?(?:changed|updated|reduced|increased|revised|set)"
    r"|(?:we|they)(?:'ve| have)? (?:recently )?(?:changed|updated|revised) (?:our|the|their)"
    r" (?:\w+ )?(?:polic|rules|terms|prices|system)\w*"
    r"|(?:completed|processed|finished|done|handled|made) (?:a |an |the |your |my |our |all (?:the )?)?(?:\w+ )?"
    r"(?:look-?up|search|check|review|information|details|verification|calculations?|comparison|analysis"
    r"|request to (?:look|find|check|search|see|know|speak|talk)|inquiry|query|questions?)s?"
    r"|request to (?:look|find|check|search|see|know)\b.{0,60}"
    r"|what we(?:'ve| have) done|set aside (?:the|that|this) (?:\w+ )?(?:options?|ideas?|questions?)"
    r"|(?:my|our|the) (?:\w+ )?(?:checks?|review|search|verification|analysis|look-?up|calculation|investigation)"
    r" (?:is|are|was|has been) (?:now )?(?:complete|completed|done|finished|successful)"
    r"|(?:taken|took) (?:.{1,60} )?into (?:account|consideration)|(?:taken|took|made) (?:a )?note"
    r"|(?:my|the) (?:previous|earlier|last) (?:statement|answer|message|mistake|figures?)"
    r"|put together|for (?:(?:other|many) (?:customers|users|people|{people})|(?:all|most|some) (?:customers|users))"
    r"|(?<!from )(?<!for )(?<!in )(?<!of )(?<!on )(?<!from your )(?<!from the )orders? (?:#?\w*\d\w* )?(?:has|have)"
    r" been (?:\w+ )?processed"
    r"|set (?:the|a|my) (?:\w+ )?(?:filter|search|reminder)s?|(?:reached|exceeded|exhausted) (?:the|my|our)"
    r"|(?:added|included|applied|factored|counted) (?:.{1,60} )?(?:to|in|into|toward) (?:the|this|that|my|our)"
    r" (?:new |grand |overall |estimated |final )?(?:totals?|price|sum|cost|calculations?|estimate|list|quote"
    r"|summary)"
    r"|(?:removed|taken|dropped|left|subtracted|deducted) (?:.{1,60} )?(?:from|out of|off) (?:the|this|that|my|our)"
    r" (?:new |grand |overall |estimated |final )?(?:totals?|sum|calculations?|estimate|quote|summary)"
    r"(?! of (?:your|the|this|order|reservation)\b)"
    r"|bills?(?: (?:for|of|from|in) \S+(?: \d+)?)? (?:is|are|has been|have been|was|were) (?:now )?(?:\w+ )?paid\b"
    r"(?!.* charged to)"
    r"|bills?(?: (?:for|of|from|in) \S+(?: \d+)?)?(?: \(?#?\w*\d\w*\)?)? (?:is|are|was|were) (?:\w+ )?issued\b"
    r"|(?:complaint|feedback|concern|comment|remark|suggestion)s? (?:has|have) been (?:\w+ )?(?:noted|recorded"
    r"|submitted)"
    r"|(?:the|your) transfer (?:has been|is|was) (?:\w+ )?(?:initiated|made|started|requested)"
    r"|escalated (?:your|the|this) (?:\w+ )?(?:request|case|issue|concern|complaint|matter)"
    r"|(?:leg|segment|portion|part|half)s? (?:of \S+ (?:\S+ )?)?(?:has|have) (?:already )?been (?:completed|used)"
    r"|troubleshooting|submitted your case|(?:escalated|forwarded|transferred|passed|handed"
    r"|referred) (?:\S+ ){0,5}?to (?:\S+ ){0,3}?(?:agent|human|team|colleague"
    r"|department|specialist|supervisor|person|technician)s?"
    r"|payment (?:is|has been|was) (?:\w+ )?(?:received|made)|(?:made|created) (?:a|the|your) payment request"
    r"|(?:totals?|difference|sum|estimate|quote) (?:is|has been|have been|was) (?:\w+ )?(?:adjusted|updated|corrected"
    r"|calculated|computed|recalculated|reduced) (?:to (?:include|reflect)|as|at)"
    r"|applied (?:your|the|these|all) (?:\w+ )?(?:criteria|filters?|preferences|policy|rules?)"
    r"|you(?:'re| are) now (?:verified|identified|authenticated|speaking|chatting)|profile is now open"
    r"|(?:price|{rates}|window) is now)\b"
)
_DEVICE = compiled(
    r"\b(?:{devices}|network mode|permissions?|bluetooth(?= (?:is|has))|speeds?(?= (?:has been|have been|is|are"
    r"|was|were) (?:now )?(?:reduced|limited|throttled|slowed)))\b"
    r"|\byour (?:phone|device)(?:'s)?\b(?! (?:number|case|order|plan|line|bill))"
    r"|(?<!account )\bsettings (?:has|have|were|are) (?:\w+ ){0,6}?reset\b"
)
_ON_PHONE = compiled(r"\bon (?:your|the) (?:phone|device)\b")
_BY_AGENT = compiled(
    r"\b(?:i|i've|lines?|accounts?|plans?|orders?|requests?|returns?|exchanges?|refunds?|items?|on file)\b"
)
_SUSPENDED = compiled(
    r"\b(?:overdue|unpaid|contract)\b.{0,200}\b(?:suspended|blocked|locked|disabled|deactivated)\b|\b(?:suspended"
    r"|suspension) (?:because"
    r"|due|for)\b"
)
_BREAKS = compiled(r"[,;:!?.] | - | and | but | so | which ")

# "Both wishes noted: ..." and "I've taken down three things" repeat what the user wants.
_TAKES_NOTE = compiled(
    r"^(?:\w+[ ,]+){0,4}?(?:wishes|requests|points|things|both|all|that|it|this|those)(?: is| are)? noted\b"
)
_TAKES_DOWN = compiled(
    r"\b(?:i|we)(?:'ve| have)? (?:now |just |also )?(?:taken|put|noted|written|marked)(?: all| both)? "
    r"(?:down|(?:your|the|these|those|both|all|two|three|four|five|\d) (?:\w+ )?(?:wishes|requests|points|things))\b"
)


_OTHERS = compiled(
    r" by (?:the|your|our|an?|another) (?:{parties}|(?:account )?(?:owner|holder)|carrier|system|provider"
    r"|branch|lab|counter|store|bank|driver|previous|warehouse|seller|office|customer|user|{people})| by you\b"
    r"| by (?:the |your |our |an? )?(?:dr|front desk|desk|staff|insurer|{parties}|nurse|shop|hotel|school|husband"
    r"|wife|mother|father|son|daughter|colleague|manager|dentist|default)\b| in the past\b"
    r"| in (?:our|my) (?:calendar|records?|system|database)\b|^(?:the )?{bookable} [a-z]*\d"
    r"| due to (?:bad |severe |an? |the )?(?:weather|strikes?|snow|storms?|technical|schedule|aircraft|{parties}"
    r"|operational)"
)
_BOOKED = compiled(r"(?:the )?{bookable}\b")
_SINCE = compiled(
    r" since (?:then|last|yesterday|the \d|\d|jan|feb|mar|apr|may \d|jun|jul|aug|sep|oct|nov|dec"
    r"|mon|tue|wed|thu|fri|sat|sun)"
)
# "W1 is cancelled, so it cannot be changed" is the reason of a refusal.
_HINDERS = compiled(
    r"[^,;:.!?]{0,60}\b(?:is|are|been) (?:\w+ )?\w+(?:,? so|,? which means(?: that)?|, meaning(?: that)?| - so) "
    r"[^,;:.!?]{0,40}?\b(?:cannot|can't|can not|can no longer|unable|no (?:\w+ ){1,3}can|not (?:possible"
    r"|eligible|allowed))\b"
)
# "Unfortunately, those are all booked" is news of another kind.
_BAD_NEWS = compiled(r"\b(?:unfortunately|i'm afraid|sadly|regrettably)(?:,? that| -|,)? ?[^,;:.!?]{0,80}$")
_SADLY = compiled(r", (?:unfortunately|i'm afraid|sadly|sorry)[.!]*$")
# "And then you're all set": it is not done yet.
_LATER = compiled(
    r"(?:and |but |so )?(?:then|after(?! (?:\w+ly )?\w+ing\b))\b[^;:.]{0,100}\b(?:you|we|everything|that|it)"
    r"(?:'re|'s| are| is) (?:now |all )*(?:set|done|good to go|booked)\b"
)
# "The total of your order is now $20" tells a price.
_PRICE_OF = compiled(r"\b(?:price|{rates}|cost|rate|total|amount|sum|premium)s? (?:of|for|on) [^,;:.!?]{1,60} $")
# "Refunds for cancelled orders are issued to the card" is a rule, too: it names no order.
_GENERAL = compiled(
    r"^(?:all |any )?(?:refunds?|returns?|exchanges?|cancel+ations?|certificates?|credits?|fees?|payments?|vouchers?"
    r"|labels?|orders?|{bookable}|reservations?|bookings?|items?|changes?) (?:for|of|on|from|to|in|with|under) "
    r"(?!(?:your|the|both|all|this|these|that|those|it|order|reservation|\w*[#$\d]\S*)\b"
    r"|[#$])(?:[\w-]+ ){1,6}(?:is|are) "
    r"|^(?:all |any )?(?:[a-z]+ed|\w+en) (?:items|orders|products|goods|purchases|{bookable}s) (?:[\w-]+ ){0,4}?are "
    r"|^(?:all |any )?(?:refunds|returns|exchanges|cancel+ations|certificates|credits|fees|payments|vouchers|labels"
    r"|{bookable}s?|changes|upgrades|bookings|appointments|reservations|rentals|visits) are (?!now\b|all\b"
    r"|both\b)[\w-]+,? "
)
_OF_THE_CASE = compiled(
    r", (?:(?:and|but|so) )?(?:now )?(?:(?:i|we)(?:'ve| have) |(?:the|your|this|that|it|both|order|reservation)\b"
    r"(?:(?!\b(?:once|if|when|after|unless|until|as|that|which|is|are)\b)[^,;:.]){0,60}? "
    r"(?:has been|have been|was|were|is now|are now)\b"
    r"|(?:[\w#]+ ){0,3}?#?[a-z]{0,6}\d\w{0,20} (?:is|are|has been|was)\b)"
)
"""A clause about the user's own record, after a rule: `cancellations are free, and the order has been cancelled`."""

_STATUSES = compiled(
    r"^(?:here are )?(?:your|the) (?:\w+ ){0,2}(?:orders|lines|accounts|bills|status(?:es)?|history|bookings"
    r"|reservations|appointments|{bookable}s)\b(?! (?:have|were) )[^:]{0,30}: (?!(?:.* )?(?:i|we|i've"
    r"|we've) |(?:it|they|both|all|everything)\b)"
    r"|^when(?:ever)? (?:an?|any) |^(?:up)?on (?:approval|receipt|arrival|delivery|inspection|confirmation"
    r"|pick-?up|return)\b(?!.*\b(?:has|have|was|were)\b)"
)
# "A refund is issued only if you return it" is a rule.
_RULE = compiled(
    r"[^,;]{0,20}\b(?:is|are) (?:(?!now )[\w-]+ ){1,4}(?:only )?(?:if|unless|upon|as soon as|whenever"
    r"|(?:once|when|after)(?! (?:and|your)\b))\b"
)
_AS_RECORDED = compiled(
    r"(?:,| -) as (?:(?:the|your|our|my|this) (?:\S+ ){1,5}?|it )(?:says?|shows?|states?|notes?|indicates?"
    r"|mentions?)\b"
)
_BOUGHT = compiled(r", (?:booked|made|placed|bought|purchased|ordered) (?:on|in|at|back)\b")
_LONG_AGO = compiled(r"\b(?:yesterday|last (?:week|month|year|night|time))\b")
# "The total has been recalculated: it is now $310" tells a price.
_REPRICED = compiled(r"\b(?:re)?calculat(?:ed|ion)\b")


def no_change(view: str, at: int) -> bool:
    """Return whether the clause is about paperwork, or about a device in the user's hands."""
    start = 0
    for found in _BREAKS.finditer(view, 0, at):
        start = found.end()
    end = _BREAKS.search(view, at + 1)
    clause = view[start : end.start() if end else len(view)]
    if _CLERICAL.search(clause) or _SUSPENDED.search(view):
        return True
    return bool(_DEVICE.search(clause)) and not (_BY_AGENT.search(clause) and not _ON_PHONE.search(view))


def recaps(view: str) -> bool:
    """Return whether a sentence only repeats what the user wants."""
    return ("not" in view and _TAKES_NOTE.search(view) is not None) or _TAKES_DOWN.search(view) is not None


def general(view: str, at: int) -> bool:
    """Return whether a sentence with a report at `at` tells a rule or a price."""
    if _GENERAL.match(view):
        own = _OF_THE_CASE.search(view)
        if own is None or own.start() > at:
            return True
    return bool(_RULE.match(view, at) or _STATUSES.match(view) or _REPRICED.search(view, 0, at))


def long_past(view: str, at: int) -> bool:
    """Return whether the words from `at` on tell of something that was long ago."""
    return bool(_LONG_AGO.search(view, at) or _SINCE.search(view, at))


def of_others(view: str, at: int) -> bool:
    """Return whether a report at `at` that names no doer may be about what others did, an old change, a price, a later
    time, or the reason of a refusal.
    """
    return bool(
        _OTHERS.search(view, 0 if _BOOKED.match(view) else at)
        or "according to" in view
        or long_past(view, at)
        or _AS_RECORDED.search(view, at)
        or _BOUGHT.search(view, at)
        or _HINDERS.match(view, at)
        or _LATER.match(view)
        or _BAD_NEWS.search(view[:at])
        or _SADLY.search(view)
        or (view.startswith(("is now", "are now"), at) and _PRICE_OF.search(view[:at]))
    )
