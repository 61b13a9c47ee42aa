"""Questions and requests for a choice: which of several changes, records or things a yes would be about is open."""

import re

from env_server.reading.sentences.patterns import Rules, compiled
from env_server.reading.words.changes import DEED, DOING_SO

_PAID = (
    r"(?:payments?|refunds?|cards?|methods?|reasons?|ways?|account|certificates?|address(?:es)?|contact|e-?mail|phone)"
)
_OTHERS = r"(?:of your (?:cards?|payment)|way|day of birth)"
_PAYING = compiled(
    r"\byour (?:questions?|problem|issue|request|concern)\b|\babout\?",
    rf"\b{_PAID}\b|\bto (?:use|charge|pay)\b|\bpaid\b|\bthink\b|\byour (?:name|zip|postal|date of birth)\b",
)
_THING = (
    r"(?:{bookable}|{things}|class|items?|item ids?|products?|options?|variants?|versions?|models?|sizes?"
    r"|colou?rs?|dates?(?! of birth)|times?|days?|slots?|plans?|replacements?|itinerar(?:y|ies)|destination|spec\w*"
    r"|returns?|outbound|appointments?|ones?)"
)
_EXAMPLE = re.compile(
    r" ?\((?:(?:e\.g|i\.e|for example|for instance|such as|like|options|choose|from|see|one of|ids?\b|yyyy|total)"
    r"[^()]{0,200}|[^():]{1,60}(?: or |/)[^():]{1,60}|s)\)"
)
"""An example or the alternatives in parentheses: `Preferred flight (e.g., HAT088)`."""

_OPEN_ENTRY = compiled(
    r"^(?!.*\b(?:which one\.?$|questions?\b|problems?\b|issues?\b|wrong\b|about\b))"
    r"(?:please )?(?:(?:confirm|specify|choose|select|pick|provide|enter|reply with|state"
    r"|tell me|list|share|the|your|for [^,:?]{1,60},)[: ]+){0,3}"
    r"(?:(?:preferred|desired|exact|specific|chosen|which|what|replacement) "
    rf"(?!(?:\w+ )?{_PAID}\b)(?:[\w'-]+ ){{0,4}}?|new (?!(?:\w+ )?{_PAID}\b)(?:[\w'-]+ ){{0,4}}?){_THING}"
    r"(?: (?:ids?|numbers?|codes?))?(?:$|[.;?!]$| (?:for|to(?! use\b| charge\b)|you|of|from|on|in|would|do|should"
    r"|and)\b[^:\d]*$)",
    rf"^(?!(?:\w+ ){{0,2}}?{_PAID}\b)(?:[\w'/-]+ ){{1,4}}?(?:choice|preferences?|selection)"
    r"(?:$|[.;?]$|: [^:]{1,60} or | and whether\b)",
    r"^(?:please )?(?:(?:confirm|specify|choose|select|provide|enter|share|the|your|which) ){0,3}"
    r"(?:(?:specific|exact|correct|full) )?(?:order|reservation|booking|appointment|current item|item) "
    r"(?:id|number|code|reference)s?(?:$|[.;?!]$| (?:for|to|you|of|from|on|in|and)\b[^:\d]*$)",
)
"""An entry of a list that asks for the record or the new thing, without a value of its own."""

_BARE_ENTRY = compiled(
    r"^(?:(?:the|your) )?(?:(?:departure|return|outbound|inbound|arrival|travel|new|preferred|desired|replacement|exact"
    r"|specific|target|and|or)[ /]){0,4}(?:dates?|times?|sizes?|colou?rs?|models?|variants?|versions?|options?|class"
    r"|routes?|{bookable}|item|destination|number of [a-z ]{1,20})(?:/\w+)?(?: (?:numbers?|ids?|class|variant))?"
    r"(?: (?:that )?you(?:'d| would)? (?:want|like|prefer|need)[a-z ]{0,20}| of your choice| for [a-z ]{1,40})?[.,;?]?$"
)
"""An entry that only names a thing: `Departure date`, `Size you want`."""

_REQUESTS = compiled(
    r"\b(?:confirm|provide|reply with|respond with|tell me|let me know|need|specify|share|send|choose|select|give me)\b"
)
_WHICH = compiled(
    rf"^(?:please )?(?:choose|select|pick) (?:one|an option|from|between)\b(?!.*\b{_PAID}\b)[^.?!]{{0,80}}:$",
    rf"^(?:please )?(?:list|name) (?:the|all|any|every) (?:\w+ ){{0,2}}?{_THING}\b(?!.*\d)",
    rf"\bdo you have (?:an?|any) (?:\w+ )?(?:preference|preferred|particular|specific)\b(?![^?]{{0,120}}\b{_PAID}\b)",
    rf"^(?:(?:so|and|also|first|then|now|okay|great)[, ]+)*which (?!(?:\w+ )?{_PAID}\b)(?:[\w'-]+ ){{0,4}}?{_THING}"
    r"(?: (?:first|then|now|is it|works?(?: best)?(?: for you)?|instead|for you|and why))?\?",
    rf"\bwhich(?! (?:\w+ )?{_PAID}\b)(?![^?]{{0,80}}\bto (?:use|charge|pay)\b)(?: (?!{_PAID}\b)[\w'-]+){{0,7}}?"
    r" (?:would|do|should|shall|did|can) (?:you|i|we) (?:\w+ )?"
    rf"(?:like|want|prefer|wish|choose|{DEED})\b",
    r"\bwhat (?:specific |other |exact |kind of |type of )?(?:changes?|modifications?|updates?) (?:(?:would|do) you"
    r"|you(?:'d|'re| would| are| want))\b",
    r"\bwhat (?:would|do) you (?:like|want|prefer) (?:me )?to (?:change|exchange|modify|update|book|return|switch"
    r"|swap|replace)\b",
)
_ASKED = compiled(
    r"^(?:[^:?]{1,30}: )?(?:(?:so|and|also|first|then|now|okay|great|next|finally)[, ]+)*"
    rf"(?:which (?!(?:one )?(?:fits|applies|describes|is it)\b)(?!(?:[\w'-]+ ){{0,3}}?(?:was|were|had|did)\b)"
    rf"(?!{_OTHERS}\b)"
    rf"|(?:what|how many) (?:other |specific |new |exact |kind of |type of )?(?:[\w/-]+ ){{0,2}}?"
    rf"(?:{_THING}|{{details}})\b)"
    r"[^?]{0,200}\?$",
    rf"\bwhat (?:new|exact|specific) (?:[\w/-]+ ){{0,2}}?{_THING}\b[^?]{{0,80}}\?$",
)
"""A question for what the change is to be, whatever its verb: `Which order is this for?`"""

_REFERS = compiled(
    r"^which (?:(?:one|of (?:these|those|them|the two)) ?)?(?:is it|applies|fits(?: best)?|works(?: best)?"
    r"|(?:would|do) you (?:prefer|like|want)(?: to use)?|should i use)?\?$"
)

_WHICH_CUES = ("which", "what", "how many", "prefer", "list ", "name ")
_NO_YES_OR_NO = r"(?!:? (?:with )?['\"]*yes['\"]* or ['\"]*no\b)"
_BY_CHOICE = Rules(
    (
        "choice choices preference preferences selection selections pick picks choose select specify name which",
        r"\b(?:reply|respond|answer|yes)(?: me)?(?: with| and)? your "
        rf"(?!{_PAID})(?:\w+ )?(?:choices?|preferences?|selections?|picks?)\b(?![^?]{{0,160}}\b{_PAID}\b)"
        r"(?!:? ['\"(]*yes['\"]*(?: or |/)['\"]*no\b)"
        r"|\b(?:yes|confirm\w*)[\"')]*,? ?(?:\+|and|plus|with|then|&) (?:please )?(?:also )?(?:(?:pick|choose|select"
        r"|specify|name|which|say which) (?:the |your |an? |one )?(?:[\w'-]+ ){0,2}?(?<!payment )(?<!card )"
        rf"{_THING}\b|(?:the |your )?(?:[\w'-]+ ){{0,2}}?(?:choices?|preferences?|selections?)\b)"
        rf"(?! (?:of )?(?![+&]|and )[^?]{{0,160}}\b{_PAID}\b)(?![^?]{{0,160}}: )(?! (?:ids? )?#?\w*\d)"
        rf"|\b(?:pick|choose|select) (?:an?|one|your)\b(?! (?:\w+ )?{_PAID}\b)[^.?!]{{0,80}}"
        rf"(?:\band|&|\+|,? then) (?:reply|confirm|say|respond|answer)\b{_NO_YES_OR_NO}"
        r"|\byour (?:choice|selection|option|pick) \(?(?:of |from )?(?:options? )?(?:\d|[a-d](?:-|/|,| or )[b-e]\b)"
        rf"|\b(?:specify|choose|select|pick)(?: one)?,? and (?:confirm|say|reply)\b{_NO_YES_OR_NO}",
    ),
    (
        "any either",
        r"(?<!before )\b(?:proceed|go ahead|continue|start)(?:ing)? with (?:any|either)(?: of\b| one\b| eligible\b"
        r"|(?= ?[.?!,(]))|\byes to any\b"
        r"|\bfor any (?:\w+ )?(?:you(?:'d| would)? (?:like|want|wish)|of (?:them|these|those))\b",
    ),
    (
        "e example such like",
        rf"(?<! as )(?<!before )\b(?:{DEED}|{DOING_SO}|proceed with|go ahead with) (?:an?|one|some|one of)\b"
        r"(?: (?!(?:payments?|cards?|methods?|certificates?|credit|gift|{people})\b)[\w'-]+){0,4}"
        r" ?\((?:e\.g|for example|such as|like)\b"
        r"(?![^?]{0,160}\bbefore\b)",
    ),
)
_NEXT_WISH = compiled(
    r"\b(?:after (?:this|that|it)|afterwards|(?:any|some)thing else"
    r"|once (?:this|that|it)(?:'s| is) (?:done|complete\w*|sorted))\b",
    r"^(?!.*\binstead\b).*\b(?:which (?:of your )?(?:other |remaining )?(?:requests?|wish(?:es)?|tasks?|questions?)\b"
    r"|(?:in|on|for|with|about|to) (?:your|the) (?:other|second|remaining) (?!ones?\b)\w)",
    r"\b(?:which|what)\b[^.?!]{0,60}\b(?:tackle|look (?:at|into)|take (?:up|care of)|turn to|handle|work on|discuss)\b"
    r"[^.?!]{0,60}\bnext\b",
)
"""Another wish, or what comes after the change."""

_OR_ELSE = compiled(
    r"^(?:or|alternatively),? "
    r"(?!.*\b(?:keep|leave|not|n't|stay|wait|hold off|no|anything|edit|tweak|didn't|don't|questions?|time|stop|pause"
    r"|(?:change|adjust|correct) (?:something|any|it\?|this|these|the details)|cancel this request)\b)"
    rf"(?:(?:would|do|shall|should|are|perhaps|maybe)\b.*\b(?:{DEED}|instead|another|different|other|something else"
    r"|alternatives?)\b(?! (?:options|details|information)\b)"
    rf"|(?:another|other|something|alternatives|a different|{DEED})\b).*\?$"
)
_ASIDE = compiled(
    r"^(?:(?:please )?note:? )?(?:alternatively|otherwise|or|if (?:you(?:'d| would)? (?:rather|prefer)|not|this isn't"
    r"|that isn't|none"
    r"|you (?:want|need|like) (?:a different|another|something else)|you(?:'d| would) like (?:a different|another"
    r"|something else)))\b"
)
_OTHER_ANSWER = ("or ", "or, ", "otherwise", "alternatively")
"""The beginning of a question beside one for a yes, which leaves it to the user which of both to answer."""

_LEAD = compiled(
    r"^(?:[\w,' ]{0,60}[, ])?(?:would you like|do you want|would you prefer|shall i|should i|if you"
    r"(?:'d| would)? (?:like|want|prefer))(?: me)?(?: to)?: ?$",
    r"\b(?:confirm|answer|clarify) (?:the following|these|a few)(?: \w+)? (?:details?|questions?|points?|things?"
    r"|preferences?|information|info)\b[^.]{0,40}[:?]$",
)


def asks_which(view: str) -> bool:
    """Return whether a sentence asks which of several things or changes it should be."""
    if not (any(word in view for word in _WHICH_CUES) or view.endswith(":")):
        return False
    view = _EXAMPLE.sub("", view) if "(" in view else view
    if _WHICH.search(view):
        return True
    return view.endswith("?") and _ASKED.search(view) is not None and not _PAYING.search(view)


def refers_back(view: str) -> bool:
    """Return whether a question for a choice names no thing and refers to what stands before it: `Which one?`"""
    return view.startswith("which ") and _REFERS.match(view) is not None


def of_next_wish(view: str) -> bool:
    """Return whether a sentence is about what comes after the change: `Which one would you like to tackle next?`"""
    return _NEXT_WISH.search(view) is not None


def by_choice(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks for a choice besides the yes: `Reply YES with your choice`."""
    return _BY_CHOICE.found(view, words)


def open_entry(view: str) -> bool:
    """Return whether an entry of a list asks for the record or for what is new, without a value of its own."""
    return not view.endswith(":") and _OPEN_ENTRY.match(_EXAMPLE.sub("", view) if "(" in view else view) is not None


def names_only(lead: str, entry: str) -> bool:
    """Return whether an entry under a request names a thing to be told: `Please confirm:`, `- Departure date`."""
    return _REQUESTS.search(lead) is not None and (
        _BARE_ENTRY.match(_EXAMPLE.sub("", entry) if "(" in entry else entry) is not None
    )


def unsettled(entry: str) -> bool:
    """Return whether an entry of a list asks for a choice between two things, or for what is new."""
    if _PAYING.search(entry):
        return False
    return " or " in entry or entry.startswith(("which ", "what ", "how many ")) or open_entry(entry)


def or_else(view: str) -> bool:
    """Return whether a question goes on from one before it with another change: `Or exchange it?`"""
    return view.startswith(("or ", "alternatively")) and _OR_ELSE.match(view) is not None


def aside(view: str) -> bool:
    """Return whether a sentence names another way as an aside: `If you'd rather have a different size, ...`."""
    return _ASIDE.match(view) is not None and not (view.startswith(_OTHER_ANSWER) and asks_which(view))


def heads(view: str) -> bool:
    """Return whether a sentence heads a list of what the user may want: `Would you like to:`."""
    return view.endswith((":", "?")) and _LEAD.search(view) is not None
