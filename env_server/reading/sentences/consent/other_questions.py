"""Questions that a request for a yes may hold as well, or be instead: for a choice, a detail, a look-up."""

import re

from env_server.reading.sentences.consent import requests
from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.changes import DEED, DOING_SO, NOUN, VERB

_OPEN = compiled(
    r"\b(?:what|which|how(?! about\b)|where|why|who|when|whose)\b (?:\S+ ){0,6}?(?:should|shall|would|do|can|did"
    r"|could|may"
    r"|is|are|to|you|i|you'd)\b",
    r"\bnew size\b|\bwhether you\b(?!'d)|\bmake any (?:other )?changes",
)
_OPEN_AFTER = compiled(
    r"\b(?:and|so|but)(?: if (?:so|yes))?,? (?:for )?(?:which|what|how many|when|where|how|who)(?: \w+){0,2}\?$"
    r"|\b(?:and|also)(?: if (?:so|yes))?,? (?:for |to |on |with |in )?(?:which|what) (?:new |other |kind of "
    r"|type of )?"
    r"(?:items?|options?|models?|sizes?|colou?rs?|products?|versions?|variants?|ones?|dates?|times?|days?"
    r"|slots?|plans?"
    r"|address|{bookable})\b"
)
_LOOKS = compiled(
    r"\b(?:me|us|i|we|to) (?:first |also |now |then |to |go ahead and )*(?:search|check|look|find|see|explore|review"
    r"|verify"
    r"|retrieve|list|show|provide|explain|walk|speak"
    rf"|talk|transfer|connect|escalate|(?:placed?|put) you on (?:a |brief |short )*hold|ask(?:ed)? you|hear|consider"
    rf"|hand|run|troubleshoot|try|(?:help"
    rf"|assist)(?! (?:you )?(?:with |to )?(?:\w+ ){{0,2}}?(?:{DOING_SO}|{VERB}|{NOUN})))\b"
)
_THEN_LOOKS = compiled(r"\b(?:i'll|i will|let me|i can|so i can) (?:\w+ )?(?:check|see|look|search|find)\b")
_CHOICE = compiled(
    r"\b(?:like|want|wish|care) to (?:add|purchase|buy|include|get|take(?: out)?) (?:\w+ ){0,3}?(?:insur\w+|protection"
    r"|coverage|warranty)\b",
    r"\b(?:start|begin|continue|go on|move on|proceed) with (?:the|your|our) (?:remaining|other|rest|next|first"
    r"|search"
    r"|check|investigation|look-?up|troubleshooting|steps?|verification"
    r"|second)\b",
    r"\b(?:start|begin|resume|continue|proceed)(?: with)? (?:(?:a|the|your|our|another"
    r"|my) )?(?:\w+ )?(?:search\w*|checks?"
    r"|checking|look-?up|verif\w+|troubleshoot\w*|diagnos\w+|investigat\w+)\b",
    r"\b(?:start|begin|continue|keep|resume|proceed|go ahead|go on|carry on|move (?:on|forward|ahead))(?: by| with)? "
    r"(?:to )?(?:finding|looking|checking|searching|retrieving|gathering|exploring|reviewing|listing|collecting"
    r"|verifying|locating|pulling|comparing|identifying|investigating|fetching|obtaining|calculating|estimating"
    r"|determining|researching|browsing|troubleshooting|diagnosing|discussing|showing)\b",
    r"\b(?:with|follow|try|through) (?:these|those|this|the) (?:\w+ )?steps?\b",
    r"^or |\ban? [\w-]+ or an? \w|^(?:is|was) there (?:anything|something) else\b|\b(?:either|(?:one|any)"
    r" of (?:these|the|those|them)|another one)\b",
    r" or (?:would you|do you|should i|should we|shall i|shall we|is there|are there|if there|a different"
    r"|another|cancel|modify"
    r"|return|exchange|keep|change|choose|add|remove"
    r"|switch|upgrade|look|prefer|maybe|perhaps|explore|provide the|must it|leave)\b",
    r"\b(?:to|for|into) (?:a |an )?(?:different|another|other|alternative)\b|\ba (?:\w+ )?option\b"
    r"|\b(?:is|was) (?:it|this|that) (?:the|an?) [^?]{1,80} or (?:the|an?)\b"
    r"|\boption \w+(?: \([^)]{1,80}\))?,? or (?:option )?\w+"
    r"|\bboth\b[^.]{1,40} or (?:only|just)\b"
    r"|\bwhether you(?:'d| would) (?:like|want|prefer) (?:the|an?) \S+ or (?:the|an?)\b"
    r"|\bis (?:the one|the only|your order|the correct (?:order|account))\b|\bstill the (?:right|correct)\b",
    r"\b(?:i'll|i will) (?:then )?(?:explain|prepare|summari[sz]e|guide|begin"
    r"|start(?! (?:it|this|that|them)\b)|confirm everything|walk)\b",
    r"\bare you sure you (?:don't|do not|still)\b|\bso (?:that )?i can (?:calculate|check|look|verify"
    r"|find|locate|prepare)\b",
    r"\bi (?:can|will|could) (?:assist|help|guide) you (?:further|with the next)\b",
    r"\b(?:like|want) (?:me )?to (?:(?:start|begin|go) with (?:an?|one|the first)|use your most recent)\b"
    r"|\bstill (?:like|want|wish) (?:me )?to (?:try|attempt)\b"
    r"|\blike (?:an? )?(?:\w+ )?(?:copy|summary|recap|transcript|list) (?:of|with) (?:this|these"
    r"|the (?:above|details)|our|all)\b",
)
_BESIDES = compiled(
    r", or let me know\b| and (?:please |also )*(?:let me know|provide|tell me|specify|give me|share|state) (?!if "
    r"|whether )"
)
"""The end of a question for a yes, where another question begins."""

_LISTED = compiled(r", or |, .{1,60} or ")
_EITHER = compiled(r"(?<!\byes) or (?!not?\b|so\b|more\b|less\b|fewer\b|later\b|earlier\b|above\b|below\b|better\b)")
"""Alternatives in a question, such as `Shall I refund it to the card or to the account?`"""

_THEN = compiled(
    r",? and (?:please )?(?:provide|let me know|tell me|specify|give me|share|if so|should|shall|would|do|is"
    r"|are|which|what|how)\b"
)
_LATER = compiled(
    r"^(?:feel free|whenever|if you\b(?!.*\b(?:please confirm|confirm yes)\b).*\blet me know)|\bwhen(?:ever)? you(?:'re"
    r"| are) ready\b|^please (?:feel free|let me know when)",
    r"\b(?:once|when|after|as soon as) you .{1,60}\bready to\b|\bask (?:for|you for) your (?:\w+ )?\w+ (?:before"
    r"|first)\b",
    r"^if you(?:'d| would)? (?:like|want|wish|prefer).{0,120}please (?:provide|share|tell|send|give|specify)",
)
_WHICH = compiled(
    r"\b(?:confirm|specify|tell me|let me know|choose|select|say|clarify|indicate) which (?!ones? to (?:use"
    r"|charge)\b)(?!(?:\w+ ){0,3}?(?:payment"
    r"|card"
    r"|method|account|certificates?|reason|way)\b)(?:\w+ ){1,4}?(?:you|it|to|i|we)\b"
)
_BESIDE = compiled(
    r"\b(?:proceed|confirm|agree|okay|ok)\b.{0,120}\b(?:and|also|,) (?:please |also |if so,? )*(?:let me know|provide"
    r"|specify|choose|tell me|share|if there are|select|would you tell me|i(?:'ll| will)? need|should (?:the|it)"
    r"|which|what|how) "
    r"(?!if you(?:'d| would)? (?:like|want) (?:me )?to (?:proceed|go)|if i |whether i )"
)
_HOW = compiled(
    r"\b(?:how|what) (?:you(?:'d| would) (?:like|prefer)|do you want|would you like|you want"
    r"|you prefer)\b(?: me)?(?: to (?:proceed|continue|do|go (?:on|forward|ahead)"
    r"|move (?:on|forward|ahead)|handle (?:this|it))\b|$|[.?!])"
    r"|\bwhat would (?:help|suit|work|be|feel)(?: \w+){0,2}? (?:most|best|better|right|helpful|useful|easiest)\b"
)
_GOES_ON = compiled(
    r"^(?:please )?(?:let me know|tell me) how you(?:'d| would) like (?:me )?to (?:proceed|continue"
    r"|go (?:on|ahead|forward)|move (?:on|forward|ahead))(?:[.!]?$|,? and confirm\b)"
)
_IN_NEED = compiled(
    r"\bif (?:you(?:'d| would)? (?:ever )?(?:need|have|want|like|think of) (?:any|more|some|help|anything|something"
    r"|further|details|assistance|support|a hand|to know|another|other)|(?:there's|there is) (?:any|some)thing)"
)
"""The condition of an offer of help, which `just say the word` may end."""

_OPPOSITE = compiled(
    r",? or (?:(?:would|do) you (?:rather|prefer to|want to) |(?:shall|should) (?:we|i) )"
    r"(?:keep|leave|stay)\b(?! \w+ing\b)(?: (?!(?:and|but|or|then)\b)[\w']+){0,7}\?$"
)
"""The opposite of the change as the other answer: `Shall I move it, or would you rather leave it as it is?`"""

_STEP = compiled(
    r"\b(?:with|to|on) (?:\w+ing |\w+ )?(?:your|the) (?:(?:{devices}|network) |{switches}|phone|device"
    r"|router)"
    r"|\b(?:rebooting|restarting|{switches}|{devices} settings)\b"
)
_BY_AGENT = compiled(r"\b(?:i|me|we|us|line|account)\b")


_CHECKS_FIRST = compiled(
    r"\b(?:(?:allow|help|let|enable)s? me (?:to )?|(?:i|we)(?:'ll| will| can| could| need to|'ll need to| have to) )"
    r"(?:first |also |then )?(?:look(?:ing)? (?:up|at|into)|check|review|pull up|retrieve|fetch|search)\b"
    r"[^.?!]{1,160}? (?:to|and) confirm\b"
)
"""A check of the agent's own: `I need to look up your orders to confirm the details.`"""

_OR_IF = compiled(
    r"\bconfirm (?:if|whether|that)\b[^.?!]{1,200}? or (?:if|whether) you(?:'d| would)? (?:like|want|prefer|need)\b"
    r"(?! (?:to (?:change|adjust|edit|modify|discuss|explore|keep|leave|make|add)|any|something|anything|more|other"
    r"|me to (?:adjust|change|hold|wait)|different)\b)"
)
_AS_IS = compiled(r"\b(?:leave|keep)\b[^.?!]{1,60}\bas[- ]is\b[^.?!]{0,60}\b(?:confirm|yes)\b")
_WAS_GIVEN = compiled(
    r"\b(?:i|we)(?:'ve| have) [^.?!]{1,160}? with your (?:\w+ )?(?:confirmation|approval|consent|permission|ok)\b"
)
_INVITES = compiled(
    r"\b(?:let me know|tell me) (?:if|whether) you(?:'d| would)? (?:like|want|prefer|need)\b(?!.*\byes\b)"
)
_TO_PAY = compiled(r"\b(?:payment|card|refund|certificate|reason)\b")
_WISHES = compiled(r"\b(?:would|do) you (?:still |rather )?(?:like|want|prefer|wish)\b|\b(?:shall|should) (?:i|we)\b")
_YES_OR_NO = compiled(r"\((?:yes ?(?:/|or) ?no|y ?/ ?n)\)")
_DETAILS = compiled(
    r"\b(?:provide|specify|share|include|tell me|give me|send|enter|details|preferences?)\b[^.?!]{0,300}?,"
)
"""Details of which one is answered by yes or no: `Provide the date, and insurance (yes/no).`"""


_EITHER_DEED = compiled(
    rf"^(?!.*\b(?:keep|leave|not)\b).*\b(?:{DEED}|{NOUN}) (?:[\w#-]+ ){{0,3}}?or (?:to |an? |the |should i |shall i )?"
    rf"(?!(?:use|charge|pay|credit|refund)\b)(?:{DEED}|{NOUN})\b.*\?$"
)
"""A question for one of two changes: `Would you like a refund or an exchange?`"""


def either(view: str) -> bool:
    """Return whether a sentence asks which of two changes it should be."""
    return " or " in view and view.endswith("?") and _EITHER_DEED.match(view) is not None


def lists(view: str, start: int) -> bool:
    """Return whether several alternatives follow position `start` of a sentence."""
    return bool(_LISTED.search(view, start))


def instead(view: str, found: re.Match[str]) -> bool:
    """Return whether a sentence with the request `found` asks for a choice, a detail, a look-up or a step instead."""
    if " or " in view:
        view = _OPPOSITE.sub("?", view)
    if ", or " in view and requests.explicit(view):
        view = view[: max(view.index(", or "), found.end())]
    if (
        _OPEN.search(view, 0, found.end())
        or _CHOICE.search(_BESIDES.split(view, maxsplit=1)[0])
        or _LATER.search(view)
        or _OPEN_AFTER.search(view)
        or (" or " in view and view.endswith("?") and _EITHER.search(_THEN.split(view, maxsplit=1)[0], found.start()))
        or _LOOKS.search(view, found.start(), found.end() + 20)
        or ("say the word" in view and _IN_NEED.search(view))
        or (" confirm" in view and _CHECKS_FIRST.search(view))
        or ("(e.g" in view and requests.only_as_example(view, found))
        or ("as" in view and _AS_IS.search(view))
        or ("with your" in view and _WAS_GIVEN.search(view))
        or (" or " in view and _OR_IF.search(view))
        or (found[0].endswith("no") and _among_details(view))
    ):
        return True
    return bool(_STEP.search(view)) and not _BY_AGENT.search(view)


def _among_details(view: str) -> bool:
    """Return whether the yes or no of a sentence answers for one of several details that it asks for."""
    found = _YES_OR_NO.search(view)
    return found is not None and _DETAILS.search(view, 0, found.start()) is not None


def invites(view: str) -> bool:
    """Return whether a sentence invites the user to ask for something: `Let me know if you'd like me to change it.`"""
    return _INVITES.search(view) is not None and not view.endswith("?")


def alternatives(view: str) -> bool:
    """Return whether a question offers several changes: `Would you like to take one of these, or cancel the order?`"""
    if not (view.endswith("?") and " or " in view) or _OPPOSITE.search(view) or _TO_PAY.search(view):
        return False
    return bool(_WISHES.search(view)) and bool(_CHOICE.search(view))


def chooses(view: str) -> bool:
    """Return whether a sentence asks which of several things the change is about, and not only for the way to pay."""
    return "which " in view and bool(_WHICH.search(view))


def also_asks(view: str) -> bool:
    """Return whether a sentence asks for a yes and also for a detail."""
    return bool(_BESIDE.search(view))


def then_looks(view: str) -> bool:
    """Return whether a sentence announces a look-up."""
    return bool(_THEN_LOOKS.search(view))


def goes_either_way(view: str) -> bool:
    """Return whether a sentence only asks how to go on, after a question: `Let me know how you'd like to proceed!`"""
    return _GOES_ON.match(view) is not None


def opens(view: str) -> bool:
    """Return whether a sentence asks the user how to go on."""
    return ("how " in view or "what " in view) and bool(_HOW.search(view)) and not requests.wanted(view)
