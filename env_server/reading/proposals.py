"""Whether a sentence asks for a yes to something that is to be done, and what it describes."""

from env_server.reading.rules import Rules, compiled
from env_server.reading.words import ANY_CHANGE, DOING, NOUN, VERB

_LIKE = (
    r"(?:would you (?:still |also |then )?(?:like|want|prefer|wish)|(?:do|did) you (?:still |also "
    r"|really )?(?:want|wish)|want|like"
    r"|you(?:'d| would) (?:still |also )?(?:like|want)|you (?:want|wish))"
)
_PROCEED = (
    r"(?:proceed|go ahead|continue|move forward|move ahead|carry on|do (?:this|that|it|so)|go (?:for"
    r"|with) (?:it|this|that)"
    r"|make (?:this|these|the|that|those) (?:\w+ )?(?:changes?|updates?|modifications?)|complete (?:this|the|your))"
)
_SOON = r"(?:(?:now|also|please|then|just|go ahead and|go and) )*"
_YES = Rules(
    (
        "like want prefer wish",
        rf"\b{_LIKE} (?:(?:me|us|for me|that i) )?(?:to )?{_SOON}{_PROCEED}\b|\b{_LIKE} (?:me|us"
        rf"|for me) (?:to )?{_SOON}(?:{VERB}|put)\b",
    ),
    (
        "shall should may can could",
        rf"\b(?:shall|should|may|can|could) (?:i|we) {_SOON}(?:{_PROCEED}|make|place|submit|process"
        r"|finali[sz]e|book|cancel)\b"
        rf"|\b(?:shall|should) (?:i|we) {_SOON}{VERB}\b",
    ),
    (
        "confirm agree approve authorize authorise consent",
        r"\b(?:do|can|could|would|will) you (?:please |also |just |now |hereby )*+(?:confirm|agree|approve"
        r"|authori[sz]e|consent)\b"
        r"(?! (?:your|the|which|what|if (?:the|your|it|you're|you are|you have|you can)|whether|how|that the"
        r"|when|where|an?"
        r"|both|either)\b)",
    ),
    (
        "confirm approve authorize authorise say reply respond answer",
        r"\b(?:please|kindly|pls|plz),? (?:also |now |just |then |kindly |could you )*+"
        r"(?:confirm|approve|authori[sz]e|say yes|reply|respond|answer|review and confirm)\b"
        r"(?! (?:your|which|what|with me|how|when|where|whether the|if the|if your|if it|that you have|if you have"
        r"|the payment method|with (?:the|your)|the (?:\w+ )?(?:name|number|date|reason|id|model|size|colou?r))\b)",
    ),
    # "... confirm that you'd like this", not "I'll confirm it" or "confirm you have given all items"
    (
        "confirm",
        r"(?<!will )(?<!'ll )\bconfirm (?:that |if |whether )?(?:you(?:'d| would|'re| are)?+ (?!have|provided"
        r"|able|like to use"
        r"|like to keep|on |now |back )|everything|all (?:the )?(?:details|of)|these|(?:that |if )?this"
        r"|that (?:all|everything|i|we)\b|to proceed|so i|and i|(?<!if )(?<!whether )(?<!that )the (?:above"
        r"|details(?! of)|changes?"
        r"|cancel+ation|exchange|return"
        r"|booking|upgrade|following)\b)",
    ),
    (
        "yes y confirm ok go no",
        r"\b(?:say|reply|answer|respond|type|with|a) (?:with )?(?:a )?(?:simple |quick |clear "
        r"|explicit )?\(?(?:yes|y|confirm|ok|go)\b"
        r"|\byes ?(?:/|or) ?no\b|\by ?/ ?n\b",
    ),
    (
        "correct right ok okay fine good accurate acceptable alright work sound look suit",
        r"\b(?:is|are|does|do|(?:confirm|know|tell me|check|verify) (?:that|if|whether)) (?:that|this|it|these"
        r"|those|everything|all"
        r"|all of (?:this|that)|the above|the (?:\w+ )?(?:details|information|summary))(?: \w+){0,3} "
        r"(?:correct|right|ok|okay|fine|good|accurate|acceptable|alright|work|sound|look|suit)\b",
    ),
    (
        "confirmation consent approval go-ahead ahead permission authorization authorisation ok okay light nod yes",
        r"\b(?:need|require|have|get|await|waiting for|wait for|with|give|ask for|receive|want|obtain"
        r"|looking for|upon) (?:me )?"
        r"(?:your|explicit|an?) (?:\w+ )?(?:confirmation(?! (?:e-?mail|number|code))|consent|approval|go-ahead"
        r"|go ahead|permission"
        r"|authori[sz]ation|ok|green light|nod)\b"
        # "your OK", but not "thank you for your approval"
        r"|(?<!thanks for )(?<!thank you for )(?<!received )(?<!have )(?<!got )(?<!with )(?<!without )"
        r"\byour (?:ok|okay|go-ahead|yes|approval|consent|nod|green light)\b(?! to (?:look|check|search))"
        r"|\bgive me (?:the|a|your) (?:go-ahead|go|green light|nod|ok|okay|yes)\b",
    ),
    (
        "ok okay happy fine good comfortable sure alright right ready",
        r"\b(?:are you|would you be|if you're|if you are) (?:ok|okay|happy|fine|good|comfortable|sure|all right) "
        r"(?:with|to|for|about|you)\b|(?:\b(?:are you|if you're) |^)ready (?:to|for me to) "
        r"(?:proceed|go|confirm|book|continue with|make|place|cancel|submit)\b"
        r"|\b(?:ok|okay|alright|fine|good|all right|ready) (?:to (?:proceed|go(?=.*\?)|book|cancel|continue)"
        r"|with you|for you|if i)\b"
        r"|\bhappy for me to\b",
    ),
    (
        "ok okay okey yes confirm confirmed correct right agree agreed proceed good ahead deal ready no",
        r"(?:^|[,;:.-] ?)(?:ok|okay|okey|yes|confirm|confirmed|correct|right|agreed?|proceed|sound good"
        r"|go ahead|good|deal|all good"
        r"|ready|sounds good|look good|looks good|you ok|is ok|is okay|yes or no)\?$",
    ),
    (
        "if",
        r"\blet me know if (?:that|this|it)(?:'s| is)? (?:works? for you|ok|okay|fine|good|alright|acceptable"
        r"|suits|sounds)\b",
    ),
    ("like want", r"\b(?:do|would) you (?:want|like) me to\?$"),
    ("whether if", r"\blet me know (?:whether|if) (?:i|we) (?:may|can|should|shall|could)\b"),
    (
        "verify check",
        r"\b(?:verify|check) that (?:these|this|everything|all)\b(?=.*\b(?:correct|right|what you want|accurate)\b)",
    ),
    (
        "work sound look word agree accept",
        r"\b(?:does|do) (?:that|this|it|these) (?:\w+ )?(?:work|sound|look)\b|\bjust say the word\b"
        r"|\bif you (?:agree|accept)\b(?=.*\bi(?:'ll| will)\b)",
    ),
)
# Questions, yes or no: the agent does something ("Is it alright if we upgrade it?"), or all is said ("Agreed?").
_ASKED = Rules(
    (
        "i we me us",
        r"\b(?:shall|should|may|can|could|might|do|if|that|am|are|would you mind|want|with|for|to have) (?:i"
        r"|we|me|us) (?:should |could |may )?"
        rf"{_SOON}(?:to |be |proceed to )*(?:{VERB}|{DOING})\b|\b(?:shall|should) (?:i|we) (?:get|have|put"
        r"|take|do|give)\b",
    ),
    (
        "",
        r"^(?:(?:so|and|then|all|everything|is|are|it|that|this|you|we|with|by|for|me|to|now|please|still|does"
        r"|do|that's|looks?"
        r"|sounds?|works?|thumbs|up|is it|the|these|those|your)[ ,])*(?:ok|okay|okey|agreed?|right|correct"
        r"|fine|good|yes|yep"
        r"|confirmed?|proceed|ready|sure|deal|go|cool|alright|all right|up|sounds?|works?|happy|accurate"
        r"|accept|acceptable"
        r"|approved?|good to go|go ahead|(?:would you|do you|you'd) (?:like|want|accept) (?:that|this|it|so))"
        r"(?: (?:with|by|for) (?:you|that|this|me))?(?: (?:please|now|then))?\?$",
    ),
)
_BARE = compiled(rf"^{VERB} (?:it|this|that|them|both|these|the|your|now)\b.*\?$")
_YOURSELF = Rules(
    (
        "like want wish",
        rf"\b(?:would|do) you (?:still )?(?:like|want|wish) to (?:{_PROCEED}|book|cancel|exchange|return"
        r"|upgrade|downgrade|purchase"
        r"|switch|accept|confirm|reschedule|order|refill|rebook|modify|change|update|use)\b",
    )
)
_OPEN = compiled(
    r"\b(?:what|which|how|where|why|who|when|whose)\b (?:\S+ ){0,6}?(?:should|shall|would|do|can|did|could|may"
    r"|is|are|to|you|i|you'd)\b",
    r"\bnew size\b|\bwhether you|\bmake any (?:other )?changes",
)
_LOOKS = compiled(
    r"\b(?:me|us|i|we|to) (?:first |also |now |then |to )*(?:search|check|look|find|see|explore|review|verify"
    r"|retrieve|list|show|provide|explain|walk|speak"
    rf"|talk|transfer|connect|escalate|hear|consider|hand|run|troubleshoot|try|(?:help"
    rf"|assist)(?! (?:you )?(?:with |to )?(?:\w+ ){{0,2}}?(?:{DOING}|{VERB}|{NOUN})))\b"
)
_DETAIL = compiled(
    r"\bconfirm the (?:[\w-]+ ){1,8}you(?:'d| would)? (?:like|want|wish|prefer)",
    r"\bconfirm (?:with me )?(?:your|the|that the|if the)? ?(?:(?!this|these)\w+ ){0,2}?(?:name|e-?mail|zip"
    r"|identity|user id|account|phone(?: number)?"
    r"|order (?:id|number)|reservation (?:id|number|code)|date of birth|address on|item id|airport)",
)
_CHOICE = compiled(
    r"^or |\ban? [\w-]+ or an? \w|^(?:is|was) there (?:anything|something) else\b|\b(?:either|one of (?:these"
    r"|the|those)|another one)\b",
    r" or (?:would you|do you|should i|shall i|is there|are there|if there|a different|another|cancel|modify"
    r"|return|exchange|keep|change|choose|add|remove"
    r"|switch|upgrade|look|prefer|maybe|perhaps|explore|provide the)\b",
    r"\b(?:to|for|into) (?:a |an )?(?:different|another|other|alternative)\b|\ba (?:\w+ )?option\b"
    r"|\bis (?:the one|the only|your order|the correct (?:order|account))\b",
    r"\b(?:i'll|i will) (?:then )?(?:explain|prepare|summari[sz]e|guide|begin|start|confirm everything|walk)\b",
)
_LISTED = compiled(r", or |, .{1,60} or ")
_LATER = compiled(
    r"^(?:feel free|whenever|if you\b(?!.*please confirm).*\blet me know)|\bwhen(?:ever)? you(?:'re"
    r"| are) ready\b|^please (?:feel free|let me know when)",
    r"^if you(?:'d| would)? (?:like|want|wish|prefer).{0,120}please (?:provide|share|tell|send|give|specify)",
)
_BESIDE = compiled(
    r"\b(?:proceed|confirm)\b.{0,120}\b(?:and|also|,) (?:please |also |if so,? )*(?:let me know|provide"
    r"|specify|choose|tell me|share|if there are|select) "
    r"(?!if you(?:'d| would)? (?:like|want) (?:me )?to (?:proceed|go))"
)
_ONCE = compiled(
    r"\b(?:once|when|after|as soon as) (?:you(?:'ve| have)? )?confirm(?:ed)?\b.{0,20}\b(?:i|we)(?:'ll| will| can) "
    r"(?!explain|guide|begin|start|provide|walk|prepare|summari[sz]e|let|check|look|confirm|tell|be able)",
    r"\bplease confirm\b.*#\w+.*\bi(?:'ll| will)\b",
)
_NEEDED = compiled(r"\b(?:let me know|provide|tell me|specify|share|give me|choose|which|need)\b(?! if)")
_PAID = compiled(r"\b(?:confirm|reason|payment method|how you(?:'d| would) like to pay)\b(?! you want| you'd)")
_IF_SO = compiled(r"^(?:\S+ )?if (?:so|yes|you (?:do|would|'d)(?: like)?),")
_OFFERS_LOOK = compiled(
    r"\bi (?:can|could|may)(?: also)? (?:look|check|search|find|guide|walk|help you (?:find|look|locate|check"
    r"|explore)|pull|review|retrieve|list|see)\b",
    r"\b(?:troubleshoot|steps|settings|speed test|reboot|restart|tap|device|phone's)\b",
)
_WITH = compiled(
    r"\b(?:proceed|go ahead|continue|move forward) with (?:(?:the|this|that|these|those|your|a|an) \w|flight"
    r"|option|\$|#)|\b(?:book|order) (?:this|that|it|these)\b"
)
_FUTURE = compiled(
    r"\b(?:i|we)(?:'ll| will| can|'m going to| am going to| would|'d) (?:now |then |also |first |proceed (?:to"
    r"|with|by) |go ahead and |be |need to |have to |be able to )*"
    rf"(?:{VERB}|{DOING})\b",
    rf"\b(?:will|would) (?:\w+ )?be (?:\w+ )?(?:{VERB}|[a-z]+ed|made|sent|paid)\b|\bproceed(?:ing)? (?:to|with"
    rf"|by)\b|\b(?:let's|let me) (?:\w+ )?(?:proceed|go ahead|{VERB})\b",
    rf"^(?:to )?(?:{VERB}|{DOING}) \S|\bto be (?:cancel+ed|changed|returned|exchanged|refunded|updated"
    r"|removed|added|downgraded|upgraded)\b",
)


def asks_for_yes(view: str, words: frozenset[str]) -> bool:
    """Whether it asks for a yes to something that is to be done."""
    found = _YES.search(view, words)
    if not found and view.endswith("?"):
        found = _ASKED.search(view, words) or _BARE.match(view)
    if not found and "?" in view:
        found = _YOURSELF.search(view, words)
        if found and _LISTED.search(view, found.end()):
            return False
    if not found:
        return "confirm" in view and bool(_ONCE.search(view))
    if (
        _OPEN.search(view, 0, found.end())
        or _CHOICE.search(view.partition(", or let me know")[0])
        or _LATER.search(view)
    ):
        return False
    if _LOOKS.search(view, found.start(), found.end() + 20):
        return False
    return bool(_ONCE.search(view)) or not _DETAIL.search(view)


def also_asks(view: str) -> bool:
    """Whether it asks for a yes and for a detail beside it."""
    return bool(_BESIDE.search(view))


def goes_on(view: str) -> bool:
    """Whether it goes on after a question: `If so, ...`."""
    return bool(_IF_SO.match(view))


def undefined(view: str) -> bool:
    """Whether it asks for what the change would be, beyond how it is paid and why."""
    return bool(_NEEDED.search(view)) and not _PAID.search(view)


def only_once(view: str, words: frozenset[str]) -> bool:
    """Whether it asks for no yes, but says what will follow one."""
    return not _YES.search(view, words) and bool(_ONCE.search(view))


def looks(view: str) -> bool:
    """Whether it offers to look something up, rather than to change anything."""
    return bool(_OFFERS_LOOK.search(view))


def changes(words: frozenset[str]) -> bool:
    """Whether it speaks of a change at all."""
    return not words.isdisjoint(ANY_CHANGE)


def names(view: str) -> bool:
    """Whether it asks to proceed with something that it names."""
    return (" with " in view or "book " in view or "order " in view) and bool(_WITH.search(view))


def describes(view: str) -> bool:
    """Whether it describes a change that is to come."""
    return bool(_FUTURE.search(view))
