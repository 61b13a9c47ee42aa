"""Checks: questions whether the user's data, a past event or an assumption are right. A yes to them changes nothing."""

from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.changes import DEED, DOING_SO, DONE, NOUN

_WHO = r"(?:number|name|e-?mail|id|zip(?: ?code)?|post ?code|phone|birth(?:day|date)?|username|spelling)"
_DATA = rf"(?:{_WHO}|address|line|account|order|{{bookable}})"
"""What identifies the user or a record."""

_RIGHT = r"(?:correct|right|yes|accurate|true)"
_TAG = compiled(rf"\b{_RIGHT}\?$")
_FACT = compiled(
    r"\b(?:you(?:'re| are)|(?:sounds|seems|looks) like you(?:'re| are)?) (?:calling|writing|asking about|contacting"
    r"|speaking|talking|referring|travell?ing|abroad|trying|looking|hoping|wondering|having|experiencing|wanting|want"
    r"|need"
    r"|unable|interested|concerned|booking for|flying|renting|staying|coming|bringing)\b",
    r"\byou(?:'d|'ll| would| will) be (?:picking|dropping|driving|flying|travel\w+|arriving|coming|staying"
    r"|returning (?:it"
    r"|the (?:car|vehicle|suv|van))\b)",
    rf"^(?:and |so )?(?:is|are) (?:the|your) (?:[\w-]+ ){{0,3}}?{_DATA}\b.{{0,40}}\b{_RIGHT}\?$",
    rf"^(?!.*\b(?:will|would|to be(?! (?:clear|sure|certain|safe|precise|exact)\b)|going to|gets?|new)\b)"
    rf"(?!.*\b(?:i|we)(?:'ll|'d| can)\b).*\b(?:the|your) (?:(?!your\b)[\w-]+ ){{0,3}}?{_DATA}(?: on file)?(?: is|'s"
    rf"| was| are"
    r"| as)\b",
    rf"\b(?:for|as) (?:the|your) (?:[\w-]+ ){{0,2}}?{_WHO}\b[^?]{{0,20}}\b{_RIGHT}\?$",
    rf"^(?!.*(?:\d|\$|\b(?:{DEED}|{DONE}|{DOING_SO}|{NOUN})\b(?!\?)))(?:and |so |okay,? )*(?:that's|it's|this is"
    rf"|that is|it is"
    r"|your (?:\w+ ){1,3}(?:is|are)) ",
    rf"^(?!.*\b(?:{DEED}|{DONE}|{DOING_SO}|{NOUN})\b(?!\?))(?:and |so |okay,? )*you (?:wanted|said|mentioned|told me"
    rf"|meant"
    r"|prefer(?:red)?|needed|take|live|use) ",
    rf"(?<![\w-])[a-z](?:-[a-z]){{2,9}}(?![\w-])[^?]{{0,60}}\b{_RIGHT}\?$",
)
_PAST = compiled(
    r"^(?!.*\b(?:i|we)(?:'ll| will|'d| would| can)\b)(?!.*\b(?:will|would|to) be\b)"
    rf"(?!.*\byou(?:'d| would)? (?:like|want|wish)(?: me| us)? to (?:{DEED}|{NOUN})\b).*"
    r"\b(?:was|were|arrived|has been|have been) ",
)
_TAG_APART = compiled(r"(?:, |\bis (?:that|this) )(?:correct|right)\?$")
_TO_USE = compiled(
    r"\b(?:shall|should|may|can|could) i use (?:(?:the|your|this|that) (?:\w+ )?(?:number|e-?mail|phone|address)\b"
    r"|\+?\(?\d{3}[) -]|[\w.-]+@)",
)
"""Questions whether something in the past, an assumption or a fact about the user is so."""

_DETAIL = compiled(
    r"\b(?:does|do|is|are|would|will) (?:(?:that|this|it|these|those|everything)|(?:the|that|this) \w+) still (?:work"
    r"|suit|ok|okay"
    r"|fine|good|convenient|right|correct|accurate|valid|current|up to date)\b",
    r"^(?:so |and |also )*(?:is|are) there (?:an?|any|some|another|other) (?!(?:\w+ )?objection)",
    r"\bis everything (?:ok|okay|all right|alright|good|fine|right|correct) with (?:the|your) (?!plan\b|proposal\b"
    r"|changes?\b)",
    r"\byou(?:'d| would)? (?:want|like|wish) to (?:know|ask|find out|understand|see|check|hear)\b",
    r"\bconfirm the (?:[\w-]+ ){1,8}you(?:'d| would)? (?:like|want|wish|prefer)",
    r"\bconfirm (?:with me )?(?:your|the|that the|if the)? ?(?:(?!this|these)\w+ ){0,2}?(?:name|e-?mail|zip"
    r"|identity|user id|account|phone(?: number)?"
    r"|order (?:id|number)|reservation (?:id|number|code)|date of birth|address on|item id|{details})",
    r"(?<!and )\b(?:use|keep|stay with|continue with) (?:the|your) (?:same|current|existing)\b",
    r"\bconfirm (?:that |if |whether )?you(?:'ve| have)? (?:already |originally )?(?:paid|used|received"
    r"|restarted|tried"
    r"|got|made|placed|booked|bought|ordered|own)\b",
    r"\bconfirm (?:that |if |whether )?you(?:'re| are) (?:referring|talking|asking about|calling|looking|speaking"
    r"|writing)\b",
    r"\bconfirm (?:that |if |whether )?(?:the|this|that(?! (?:you|i|we|they|it|the|your|this|these|all|everything)\b)"
    r"|your|these|those|it|they) (?:[\w#-]+ ){0,4}?(?:was|were|did"
    r"|arrived|(?:has|have|had) (?!my\b|our\b|to\b))",
    r"\bconfirm (?:that |if |whether )?(?:this|that|it|these|those)(?: is| are|'s) (?:indeed |really |still )?(?:the"
    r"|your)"
    r" (?:[\w-]+ ){0,2}?(?:orders?|reservations?|bookings?|accounts?|items?|appointments?|trips?|cards?|{things}"
    r"|{clients}|{bookable}|number|address|line)\b",
    r"\bconfirm (?:if|whether) (?!(?:it|this|that|these|those|everything|all|the (?:above|details|summary|plan)|you|i"
    r"|we"
    r"|there)\b)(?:\S+ ){1,7}?(?:is|are|was|were|has|have|had|does|did) (?!(?:\w+ )?(?:ok|okay|fine|good|alright|right"
    r"|acceptable|agreeable|what)\b)",
    r"\bconfirm (?:that |if |whether )?(?:i|we)(?:'ve| have)? (?:got |found |located |identified |have )?(?:the "
    r"|your )?"
    r"(?:right|correct) (?:\w+ ){0,2}?(?:orders?|reservations?|bookings?|accounts?|items?|products?|appointments?|one"
    r"|person|{things}|{clients}|{bookable}|number|name|address|line)\b",
    r"\bconfirm (?:that |if |whether )[^.?]{1,60}? (?:is|are) (?:indeed |really |still )?(?:the"
    r"|your) (?:\w+ ){0,2}?(?:orders?"
    r"|reservations?|bookings?|items?|products?|appointments?|ones?|{things}|{bookable}) (?:that "
    r"|which )?(?:you(?:'re|'d"
    r"| are| were| mean\w*| want\w*| would| had)?\b|in question)",
    r"\bconfirm (?:or (?:clarify|specify|add) )?(?:if |whether |that )?(?:there(?:'s| is| are) |you(?:'d| would|"
    r" have| need| want)? (?:like |want |need )?(?:to \w+ )?)?(?:(?:any|some)thing else|(?:any )?(?:other|further|more"
    r"|additional)) \w",
    r"\bconfirm the (?:[\w-]+ ){0,2}?(?:origin|destination|departure|arrival|{details}|class|city|cities|quantity"
    r"|quantities"
    r"|colou?rs?|sizes?|models?|brand|spec\w*|route|{people}|item options?|preferences?)\b(?!.*\d)(?! (?:is|are"
    rf"|of|{NOUN})\b)"
    r"(?!.* and (?:then )?(?:i|we)\b)",
)
_CHECKS = compiled(
    r"^(?:(?:and|so)[, ]+)?(?:is that )?(?:correct|right)\?$|"
    r"\b(?:is|does|do|are) (?:that|this|it|these|everything)(?: (?:all|still|sound|look|seem))* (?:correct|right"
    r"|accurate)\b"
    r"|\b(?:did|do|have) i (?:get|got|hear|have|catch|spell|take|note|write|say|heard|spelled|noted)"
    r"(?: (?:that|it|this|all|everything|you|of|down))* (?:right|correct(?:ly)?)\b"
)
_WISH = compiled(
    r"\b(?:you(?:'re| are| were)|(?:sounds|seems|looks) like you(?:'re| are)?) (?:\w+ )?(?:calling|writing|asking"
    r"|contacting (?:us|me)|reaching out|looking|trying|hoping|wanting|want|here|interested)(?: today)?"
    r" (?:to|in|about|for|regarding)\b(?: ([a-z]+))?"
)
"""What the agent takes for the user's wish, and its first word: `you're looking to cancel an order`."""

_DATUM = compiled(
    rf"\b(?:your|the|their) (?:[\w-]+ ){{0,3}}?{_WHO}\b|\bborn\b",
    r"(?<![\w$#])\+?\(?\d{3}\)?[ -]\d{3,4}(?:[ -]\d{3,4})?\b|\b\d{7,}\b",
    r"[\w.]@[\w.]|\b\d{1,2}/\d{1,2}/(?:19|20[01])\d",
    r"\b[a-z](?:-[a-z]){2,}\b",
    r"\b(?:19|20)\d\d-\d\d-\d\d\b",
    r"\b[a-z]+_[a-z]+_\d+\b",
    r"\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)(?:[ ,-]{1,2}(?:zero|oh|one|two|three|four|five|six"
    r"|seven|eight|nine)\b){3}",
    r"\b(?:nineteen|two thousand|twenty) (?:and )?\w+",
)
"""A phone number, an address, a spelled name, a date or another value by which the user is known."""

_STATED = compiled(rf"\b(?:your|the) (?:[\w-]+ ){{0,3}}?{_WHO}(?:(?: is| as)(?! {DONE}\b)|:) ")
_REPEATS = compiled(
    r"\b(?:read|repeat|say|spell|run|play) (?:that|it|this|(?:the|your) (?:\w+ ){0,2}?\w+) (?:back|again"
    r"|through)\b"
)
"""Words before a value that the agent repeats."""

_STATES = compiled(
    r"\b(?:is|are|was|were|have|has|had|shows?|says?|said|takes?|ends?|lists?|hear|see|costs?|pay|leaves?|arrives?"
    r"|starts?|started|closes?|opens?|mentioned)\b|'(?:ve|re|d)\b"
)
_TO_COME = compiled(
    r"\b(?:will|(?<!you )would|going to|to be|instead|new|total|become|gets?|can|could|shall|propos\w+|plan)\b"
    r"|'(?:ll|m)\b"
)
_TERMS = compiled(
    r"[$\u20ac\u00a3]|\d ?[ap]m\b|\bper (?:day|night|month|item|person)\b|\b(?:pick-?up|drop-?off|delivery|instead)\b",
    rf"\b(?:to|will|gets?) (?:be )?{DEED}\b|\b(?:remains?|stays?|unchanged)\b",
)
"""Terms of a change, which no mere datum has: a price, an hour, a place to hand over, what stays as it is."""


def states(view: str) -> bool:
    """Return whether a sentence says how something is or was, and not how it will be: `Your card ends in 1234.`"""
    return bool(_STATES.search(view)) and not _TO_COME.search(view)


def of_facts(view: str) -> bool:
    """Return whether a question asks whether something in the past, an assumption or a fact about the user is so."""
    if not view.endswith("?"):
        return False
    stated = bool(_TAG.search(view)) and bool(_FACT.search(view))
    return stated or bool(_TAG_APART.search(view) and _PAST.search(view)) or bool(_TO_USE.search(view))


def assumes(view: str) -> bool:
    """Return whether a sentence says what the agent takes for the user's wish: `You're looking to cancel an order.`"""
    return _WISH.search(view) is not None


def assumed(view: str) -> str:
    """Return the first word of what the agent takes for the user's wish; nothing if it says no such thing."""
    found = _WISH.search(view)
    return (found[1] or "") if found else ""


def of_detail(view: str) -> bool:
    """Return whether a sentence asks to confirm a detail or a fact: `confirm that the flight was cancelled`."""
    return bool(_DETAIL.search(view))


def right(view: str) -> bool:
    """Return whether a sentence asks whether something is right, rather than whether to do it."""
    return view.endswith("?") and bool(_CHECKS.search(view))


def reads_back(view: str, *, changes: bool) -> bool:
    """Return whether a sentence repeats a value by which the user is known: `I have 555-0147 as your number`. One with
    the word of a change (`changes`) has to name the value as what it is: `I've noted your number as 555-0147`.
    """
    view = view.replace("make sure", "be sure")
    known = _STATED if changes and not _REPEATS.search(view) else _DATUM
    return not view.endswith("?") and bool(known.search(view)) and not _TERMS.search(view)
