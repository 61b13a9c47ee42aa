"""Statements that sound like a report of a change but change nothing: the agent's paperwork, and events on a device."""

from env_server.reading.sentences.patterns import compiled

# The agent's own paperwork, the user's actions on a device, and a payment request are no changes.
_CLERICAL = compiled(
    r"\b(?:calculations?|(?:my|the|this) (?:own )?(?:notes|review|search|list|draft)|add(?:ed)? up"
    r"|noted (?:your (?:request|concern|comment|wish)|that|this|down|it down)"
    r"|requests? (?:for (?:\w+ ){1,3})?(?:has|have) been noted"
    r"|(?:prepared|drafted|summari[sz]ed|gathered|compiled|listed|considered)|in (?:this|the|my) (?:total|summary"
    r"|estimate)"
    r"|(?:verification|security|one-time) codes?|payment requests? (?:\S+ ){0,8}?sent"
    r"|sent (?:\S+ ){0,4}?as a payment request|(?:added|connected|invited) to (?:the|this|our) (?:chat|call|queue)"
    r"|(?:technician|driver|{parties}|agent|representative)s? (?:has|have|is|was) (?:\w+ )?(?:assigned|notified)"
    r"|speed tests?|reboot|restart"
    r"|steps? (?:one|two|three|\d+)|(?:troubleshooting|first|second|third|next|last|previous|this|that) steps?"
    r"|at the (?:time|moment)|currently|under review|at (?:booking|checkout|purchase|check-in|sign-up)|by price"
    r"|(?:the|that|which|what|this) \w+ you(?:'re| are) (?:booked|scheduled|signed up)|(?:options"
    r"|details|steps|choices|changes|(?<!your )plan|list|totals?"
    r"|{bookable}|items) (?:below|above)"
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
    r" (?:polic|rules|terms|prices|system)\w*"
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
    r"\b(?:{devices}|network mode|permissions?|bluetooth(?= (?:is|has))|speeds?(?= has been (?:reduced|limited)))\b"
    r"|\byour (?:phone|device)(?:'s)?\b(?! (?:number|case|order|plan|line|bill))"
    r"|(?<!account )\bsettings (?:has|have|were|are) (?:\w+ )*?reset\b"
)
_ON_PHONE = compiled(r"\bon (?:your|the) (?:phone|device)\b")
_BY_AGENT = compiled(
    r"\b(?:i|i've|lines?|accounts?|plans?|orders?|requests?|returns?|exchanges?|refunds?|items?|on file)\b"
)
_SUSPENDED = compiled(
    r"\b(?:overdue|unpaid|contract)\b.*\b(?:suspended|blocked|locked|disabled|deactivated)\b|\b(?:suspended"
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
