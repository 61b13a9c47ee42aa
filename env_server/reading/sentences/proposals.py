"""Proposals: sentences that describe a future change."""

from functools import lru_cache

from env_server.reading.sentences.patterns import Rules, compiled
from env_server.reading.words.changes import ANY_CHANGE, DEED, DEEDS, DOING_SO, NOUN, VERB
from env_server.vocabulary import forms

_NEEDED = compiled(
    r"\b(?:let me know|provide|tell me|specify|share|give me|choose|which|how (?:much|many)|need(?! (?:your|a"
    r"|an explicit) (?:\w+ )?(?:confirmation|approval|consent|permission|ok|yes)))\b(?! if)"
)
_PAID = compiled(
    r"\b(?:confirm|reason|payment (?:method|id)|how you(?:'d| would) like to pay)\b(?! you want| you'd)"
    r"|\b(?:your|first|last|full|{people}'?) (?:[\w,]+ ){0,3}?(?:names?|dates? of birth|e-?mail|phone"
    r"|contact details)\b"
)
"""What may be open in a proposal: the payment, the reason, and the user's own data."""

_IF_SO = compiled(r"^(?:\S+ )?if (?:so|yes|you (?:do|would|'d)(?: like)?),")
_OFFERS_LOOK = compiled(
    r"\bi (?:can|could|may|have to|need to|must)(?: also)? (?:look|check|search|find|guide|walk"
    r"|help you (?:find|look|locate|check"
    r"|explore)|pull|review|retrieve|list|see)\b",
    r"\b(?:troubleshoot|steps|settings|{devices}|reboot|restart|tap|device|phone's)\b",
)
_WILL_LOOK = compiled(
    r"\b(?:i'll|i will|let me)(?: \w+)? (?:check|look|search|find out|pull up|see (?:if|what"
    r"|whether))\b(?!.{0,200} and (?:then )?"
    rf"{DEED}\b)",
)
TAKE_IT = (
    r"(?:take|go with|have|grab) (?:the|that|this) (?!call\b|survey\b)(?:[^ ?]+ ){0,4}?(?:slots?|openings?|times?"
    r"|spots?|appointments?|{bookable}|visits?|cars?|\d{1,2}:\d\d|\d{1,2} ?[ap]m)\b"
)
"""Words that accept a free time or seat."""

_WITH = compiled(
    r"\b(?:proceed|go ahead|continue|move forward) with (?:(?:the|this|that|these|those|your|a|an) \w|{bookable}"
    r"|option|\$|#)|\b(?:book|order) (?:this|that|it|these)\b"
    rf"|\blike to {TAKE_IT}"
)
_WITH_CUES = (" with ", "book ", "order ", " take ", " have ", " grab ")
TURNS = (
    r"(?:(?:shall|should|may|can|could) (?:i|we)|(?:like|want) (?:me|us) to) (?:now |then |also )?"
    r"turn (?:(?!to\b|my\b|around\b)(?:(?:your|the) )?[a-z]+(?: [a-z-]+| l?\d+)?(?: for [\w ]{1,20}?)?"
    r"(?: back)? (?:on|off)\b"
    r"|(?:on|off) [a-z]+)"
)
"""A question for a yes to switch something on or off, which the agent does itself."""

_HANDS_OVER = compiled(
    rf"\b{TURNS}",
    r"\b(?:shall|should|may|can|could) (?:i|we) (?:now |also |just |then |go ahead and )*"
    r"(?:ship|deliver|put|charge|debit|sign|e-?mail|mail|fill) "
    r"(?!(?:it|this|that|them|those|these|one|in|up|down)\b)[\w$#]",
    r"\b(?:shall|should|may|can|could) (?:i|we) (?:now |also |just |then |go ahead and )*"
    r"(?:take (?:you|(?:the|your) \w+) off\b|(?:bring|get) (?:that|this|the|your) \w+ back\b)",
)
"""A question for a yes whose verb is an ordinary word elsewhere, with its object: `Shall I email the results?`"""

_FUTURE = compiled(
    r"\b(?:i|we)(?:'ll| will| shall| can| could|'m going to| am going to|'m about to| am about to| would|'d|'d be"
    r"| propose to| should) "
    r"(?:now |then |also |first |proceed (?:to"
    r"|with|by) |go ahead and |be |need to |have to |be able to |like to )*"
    rf"(?:{DEED}|{DOING_SO})\b",
    rf"\b(?:will|would|can|could|gets?|to) (?:\w+ )?be (?:\w+ )?(?:{VERB}|[a-z]+ed|made|sent|paid)\b"
    r"|\bproceed(?:ing)? (?:to|with"
    rf"|by)\b|\b(?:let's|let me) (?:\w+ )?(?:proceed|go ahead|{VERB})\b",
    rf"^(?:(?:to|ok|okay|so|then|sure|right|alright|understood|now|also|and)[ ,-]+)*(?:to )?(?:{DEED}"
    rf"|{DOING_SO}) (?!#|id\b|number|status|details|\()\S",
    rf"\byou(?:'d|'ll| would| will) be {DOING_SO}\b|\bwith (?:me|us) {DOING_SO}\b"
    r"|\b(?:your|the) new (?:\w+ ){1,3}(?:will|would) be\b"
    r"|\b(?:will|would) (?:then |now )?(?:become|replace|take the place of)\b",
    rf"^(?:(?:so|then|now|ok|okay|good|right|thank you|thanks)[,:]? )+i (?:now |then |also )?(?:{VERB}|put)\b"
    r"|\bi (?:propose|suggest)\b|\byou(?:'re| are) (?:asking|requesting) (?:me |us |for )?to\b",
    rf"\b(?:do|offer|propose|suggest) is (?:to )?(?:{DEED}|{DOING_SO})\b|\b(?:ready|need|going|plan|about"
    rf"|set) to {DEED}\b",
    rf"\b(?:you(?:'d| would)? (?:like|want|wish|get|pay|asked|requested)|you(?:'d| would) have) (?:me |us "
    rf"|for )?(?:to )?(?:{DEED}|the"
    r"|an?|that|both)\b",
)
_NEW_THING = (
    r"(?!(?:\w+ )??(?:payment|refund|card|method|contact|e-?mail|phone|name|account|address)\b)(?:\w+ ){0,2}?(?:items?"
    r"|options?|spec\w*|sizes?|colou?rs?|models?|versions?|variants?|features?|resolution|class|dates?"
    r"|times?|days?|replacements?|products?|destination|type|{bookable})\b"
)
_UNDECIDED = compiled(
    r"\b(?:provide|specify|tell me|let me know|share|give me|choose|select|describe|clarify|indicate|state|need"
    rf"|confirm)\b(?! (?:the|your) new)[^.!?\d]{{0,80}}?\b(?:your (?:preferred|desired)|the (?:desired|preferred)) "
    rf"{_NEW_THING}",
    r"\b(?:provide|specify|tell me|let me know|share|give me|describe|clarify|indicate|state)\b(?! (?:if|whether)\b)"
    r"[^.!?\d]{0,40}?\b(?:the"
    rf"|your|any|their) (?:new|replacement|exact) {_NEW_THING}",
    r"\b(?:provide|specify|tell me|let me know|share|give me|describe|clarify|indicate|state)\b(?: me)? (?:the|what"
    r"|which) "
    rf"{_NEW_THING} (?:that )?(?:you(?:'d| would)? (?:like|want|prefer|need|wish)|should|need)\b(?!.*\d)",
    rf"\b(?:which|what) {_NEW_THING}[^.!?\d]{{0,40}}? (?:would|do) you (?:like|want|prefer|need)\b",
    r"\bwhich (?:one )?of (?:these|those|the|them)\b[^.!?]{0,40}? (?:would|do) you (?:like|want|prefer|need)\b",
    rf"^(?:the|your) (?:new|preferred|desired|exact) {_NEW_THING}(?!.*\d).*\byou(?:'d| would)? (?:like|want|prefer|need"
    r"|wish)\b",
)
"""A request for what the change is to be to: `and your preferred cabin class`, `the new size you'd like`."""

_REPLACES = compiled(
    r"(?<!this )(?<!that )(?<!these )(?<!those )(?<!the )(?<!your )(?<!requested )\b(?:chang(?:e|ing)|modify(?:ing)?"
    r"|updat(?:e|ing)|exchang(?:e|ing)|switch(?:ing)?"
    r"|swap(?:ping)?|replac(?:e|ing)|mov(?:e|ing)|reschedul(?:e|ing)|rebook(?:ing)?|redirect(?:ing)?|downgrad(?:e"
    r"|ing))\b"
    r"(?! (?:it|this|that|these|those|them)\b)"
)
_TARGET = compiled(
    r"\bat no (?:charge|cost)\b"
    r"|\b(?:to|for|with|by|into|onto|as|instead|from|accordingly|{grades}|(?:this|that|these|those) (?:change"
    r"|update|modification|upgrade"
    r"|exchange|switch|swap|move|downgrade|action|replacement|booking|{bookable}|option|one)s?)\b"
)
_LOOSE = Rules(
    (
        "another any some more different other alternative one either something anything new suitable better cheaper "
        "later earlier similar visit appointment change slot time date trip specific " + " ".join(forms("bookable")),
        rf"\b(?:{DEED}|{DOING_SO}) (?:(?:me|you|in|up|with) )?(?:another|any|some|more|different|other|alternative"
        r"|one of|either|something|anything|an? (?:new|different|suitable|better|cheaper|later|earlier|similar"
        r"|{bookable}|visit|appointment|change|slot|time|date|trip|specific))\b",
    ),
    ("a an", rf"\b(?:with|for|get|have|want|like) an? {NOUN}\b(?! of| to| for)"),
    ("take taking first", r"\b(?:take|taking) care of\b|\bdo (?:that|this|it) first\b"),
)
ONE_MORE = (
    r"add(?:ing)? (?:another|one more|an? (?:extra|additional|further|second|third|fourth)) (?:(?:free|checked|extra"
    r"|more|paid"
    r"|single) )?(?:{details}|suitcases?|pieces?|gb|gigabytes?|nights?|days?|hours?|cop(?:y"
    r"|ies)|units?|months?|weeks?)\b"
)
"""One more of a thing that needs no choice: `add another bag`."""

_ONE_MORE = compiled(rf"\b{ONE_MORE}")
_SLOT = compiled(
    r"\b(?:(?:i|we|they|he|she|there|dr\.? \w+)(?:'ve|'s| have| has| is| still have| can)(?: got| do| offer"
    r"| fit you in| get"
    r" you in| see you| book you)*"
    r"|(?:how|what) about|(?:the|your|our) (?:\w+ ){0,2}?(?:earliest|first|next|soonest|best|closest"
    r"|nearest) [\w ]{1,40}?"
    r"(?:is|would be)|(?:found|find|see|have got|got) (?:you )?(?:an?|one) (?!of\b)(?:\w+ )?(?:opening|slot|spot"
    r"|(?:available|open|free) (?:time|appointment))"
    r"|(?:there|here)(?:'s| is) an? (?:\w+ )?(?:opening|slot|spot|time))\b"
)
"""A single free time: `We have Tuesday at 2 PM open`, `The earliest slot is May 3 at 9 AM`."""

_HOUR = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_HOURS = compiled(
    r"\b\d{1,2}(?::\d\d)? ?(?:[ap]m|o'clock)\b|\b\d{1,2}:\d\d\b|\bat \d{1,2}\b",
    rf"\b(?:at {_HOUR}|{_HOUR}(?: (?:fifteen|thirty|forty[- ]five))? (?:[ap]m|o'clock|in the (?:morning|afternoon"
    r"|evening))|at noon)\b",
)
_REMARK = (
    "that's ",
    "that is ",
    "it's ",
    "it is ",
    "this is ",
    "that would be ",
    "that'd be ",
    "it would be ",
    "it'd be ",
)
_GETS_BACK = compiled(
    r"\b(?:team|manager|someone|somebody|colleagues?|department|specialist|desk|staff|office|supervisor|they|i"
    r"|we)(?:'ll| will| can"
    r"| could)? (?:\w+ )?(?:follow up|get back|reach out|call(?: you)? back|call you|contact you|e-?mail you|text you"
    r"|message you|review"
    r"|look into|check with|find out|ask (?:my|our|the))\b"
)
_STEP_FIRST = compiled(
    r"\b(?:once|after|when) you(?:'ve| have)? (?:done|called|tried|spoken|talked|been|seen|had|restarted"
    r"|checked)\b[^,]{0,60}, "
    r"(?:please |just )?(?:come back|return|call (?:me|us|back)|write|message|let me know|get back|reach out|tell me)\b"
)
_RECAP = compiled(
    r"^(?:[\w']+[,!.]? )?(?:(?:so|just|and|okay|now)[, ]+)*to (?:confirm|recap|summari[sz]e|be clear|sum up"
    r"|go over it)\b"
    r"(?!,? (?:which|what|who|how|when|where|is|are|do|did|you|your|i)\b)"
    r"(?!.*\b(?:you have|you had|was|were|has been|have been|currently|on file)\b)"
)
_ANY = compiled(
    r"\b(?:to|for|with|by|into|as) (?:another|any (?:other|available)|one of|either|something|different|other"
    r"|(?:an?|(?:their|its) (?:\w+est|best|next)) (?:[\w-]+ ){0,4}?(?:model|version|one"
    r"|option|{bookable}|variant|item|size|colou?r|date|time|plan|address|method|day|slot)s?)\b(?!.*\d)"
)
_STANDS = compiled(
    r"^(?:you|(?:your|the) (?:\w+ ){1,2}(?:#?\w*\d\w* |of \S+ )?)(?:currently )?(?: ?\b)(?:have|has|was"
    r"|were)\b(?!.*\b(?:new"
    r"|total|change[sd]?|want|like|instead)\b)"
)
_VALUE = compiled(r"\d|\$")
_CASE = compiled(
    r"\bif (?:you(?:'re| are)(?! (?:happy|ok|okay|ready|sure|fine|good|comfortable|interested|all right|alright|in"
    r" agreement)\b)|you(?:'ve| have) (?!no\b|any\b)|you (?:send|give|tell) (?:me|us)|your)\b"
)
_ASSUMED = compiled(r"\bi(?:'m| am)? (?:assume|assuming|guess(?:ing)?|suppose|take it)\b")
_RETOLD = compiled(r"\byou(?:'ve| have)? (?:also )?(?:mentioned|said|told|stated|indicated)\b")


_ANNOUNCES = compiled(
    r"\b(?:i|we)(?:'ll| will|'d| would|'m going to| am going to)\b(?! not\b| never\b| have to\b)"
    r"|\bbut (?:i|we|order \S+|(?:the|your) \w+) (?:can|could)\b(?! not\b)"
    r"|^(?:\w+, )?(?:i|we) can (?!not\b|only\b)"
)
_PLANS = compiled(r"\bwhat (?:i|we)(?:'ll| will|'d| would| am going to|'m going to) do\b")
_RECOUNTS = compiled(r"\b(?:show|summari[sz]e|tell|list|sum up|did|done|happen(?:s|ed)?|find|see|report)\b")
_DONE_SO_FAR = compiled(
    r"\b(?:did|done|ha(?:s|ve) (?!to\b)|'ve|been|so far|already|happened|completed?|finished|made|status|stands?|now"
    r"|updates?|shows?|found|summary|summari[sz]e|recap|list|records?|history|successful(?:ly)?)\b"
)
_RECENT = 256
"""The number of sentences whose results are cached, since each sentence of a message is tested several times."""


def goes_on(view: str) -> bool:
    """Return whether a sentence continues after a question: `If so, ...`."""
    return bool(_IF_SO.match(view))


def undefined(view: str) -> bool:
    """Return whether a sentence asks for the content of the change, other than its payment and reason."""
    return bool(_NEEDED.search(view)) and not _PAID.search(view)


def undecided(view: str) -> bool:
    """Return whether a sentence asks for the new item, size, date or the like: the change is not fixed yet."""
    return bool(_UNDECIDED.search(view))


def looks(view: str) -> bool:
    """Return whether a sentence offers a look-up rather than a change."""
    return bool(_OFFERS_LOOK.search(view))


def acts(words: frozenset[str]) -> bool:
    """Return whether a sentence names a change, and not only an order, a booking or the like."""
    return not words.isdisjoint(DEEDS)


def changes(words: frozenset[str]) -> bool:
    """Return whether a sentence names any change."""
    return not words.isdisjoint(ANY_CHANGE)


def names(view: str) -> bool:
    """Return whether a sentence asks to proceed with something that it names, or to send or charge something."""
    return bool(_HANDS_OVER.search(view)) or (any(word in view for word in _WITH_CUES) and bool(_WITH.search(view)))


@lru_cache(maxsize=_RECENT)
def depends(view: str) -> bool:
    """Return whether a sentence holds only in a case that is not yet known: `if you are a gold member, I can ...`."""
    return bool(_CASE.search(view))


def unsettled(view: str, *, after_plan: bool) -> bool:
    """Return whether a sentence is an assumption of the agent's, or sends the user away to do something first, with no
    plan right before it: `Once you've called, come back to me.`
    """
    return bool(_ASSUMED.search(view)) or (bool(_STEP_FIRST.search(view)) and not after_plan)


def retells(view: str) -> bool:
    """Return whether a sentence repeats what the user has said."""
    return bool(_RETOLD.search(view))


@lru_cache(maxsize=_RECENT)
def describes(view: str) -> bool:
    """Return whether a sentence describes a future change."""
    return bool(_FUTURE.search(view))


def plans(view: str) -> bool:
    """Return whether a sentence heads a list of what the agent will do, and not of what it shows or has done."""
    return bool(_PLANS.search(view) or _FUTURE.search(view)) and not _RECOUNTS.search(view)


def recounts(view: str) -> bool:
    """Return whether a sentence heads a list of what is done or shown, rather than of what will be."""
    return not plans(view) and bool(_DONE_SO_FAR.search(view))


def announces(view: str) -> bool:
    """Return whether a sentence says what the agent will do."""
    return bool(_ANNOUNCES.search(view))


def stands(view: str) -> bool:
    """Return whether a sentence describes the present state, and no future one."""
    return bool(_STANDS.search(view)) and not _FUTURE.search(view)


def valued(view: str) -> bool:
    """Return whether a sentence names a figure, a code or an amount."""
    return bool(_VALUE.search(view))


def gets_back(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence only says that somebody will look into it, or will write or call."""
    return bool(_WILL_LOOK.search(view)) or (bool(_GETS_BACK.search(view)) and not changes(words))


def slot(view: str) -> bool:
    """Return whether a sentence names a single free time."""
    places = [found.start() for found in _SLOT.finditer(view)]
    return bool(places) and bool(_HOURS.search(view)) and " or " not in view[max(0, places[-1] - 4) :]


def remarks(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence only adds a remark to the free time before it: `That's two days away.`"""
    return view.startswith(_REMARK) and not view.endswith("?") and not changes(words)


def recaps(view: str) -> bool:
    """Return whether a sentence sums up what was agreed, with its terms: `So to confirm: a sedan, Friday at 2 PM.`"""
    return bool(_RECAP.search(view)) and bool(_HOURS.search(view) or "$" in view)


@lru_cache(maxsize=_RECENT)
def loose(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence's offer is incomplete: something still to be found, or a change without its target."""
    if _ANY.search(view):
        return True
    if _ONE_MORE.search(view):
        return False
    if _VALUE.search(view):
        return False
    if _LOOSE.found(view, words):
        return True
    found = _REPLACES.search(view)
    return found is not None and not _TARGET.search(view, found.end())
