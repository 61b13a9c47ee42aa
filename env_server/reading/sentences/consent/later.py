"""Announcements that the agent will ask later: what it asks now needs no yes yet."""

from env_server.reading.sentences.patterns import compiled

_AGENT = r"\b(?:i|we)(?:'ll| will| can| could|'d| would| shall)(?! like\b)"
_YES = (
    r"(?:confirmation|approval|consent|permission|authori[sz]ation|agreement|go-ahead|sign-off|yes|ok|okay|review)"
    r"\b(?! (?:code|number|e-?mail|page|id)\b)"
)
_YOUR = r"(?:(?:you|your|an?|the) )?(?:(?!after\b|upon\b|once\b)[\w/-]+ ){0,3}?"
_SHOWS = (
    r"(?:list|outline|summari[sz]e|present|provide|share|show|prepare|propose|explain|detail|quote|calculate|recap"
    r"|walk|send|draft|confirm|give|lay out|put together|come back|get back|review|verify|check|look|find|search)"
)
_ASKS_ANYHOW = compiled(
    r"\bso (?:that )?(?:i|we) can\b.{1,120}\bfor (?:your )?(?:\w+ )?(?:confirmation|approval|review)\b",
    r"\b(?:i|we)(?:'ll| will) (?:then |also )?ask (?:you )?(?:again )?(?:for|to)\b.{1,60}\b(?<!after )(?:confirm\w*"
    r"|approv\w+"
    r"|consent)\b",
    r"\b(?:yes|confirm\w*|proceed)\b[^.?!]{0,60} (?:once|after|when) (?:i|we)(?:'ve| have)? (?:summari[sz]ed?"
    r"|list(?:ed)?|outlined?|calculated?|checked|check|verify|verified|find|found|search(?:ed)?|present(?:ed)?"
    r"|shared?|show(?:n)?)\b",
    r"\b(?:after|once|before) (?:listing|summari[sz]ing|showing|presenting|outlining|sharing)\b[^.?!]{1,80}? for"
    r" (?:your |a |the )?(?:final|explicit|last) (?:yes|confirmation|approval|ok)\b",
    r"\b(?:i|we) (?:first |still |will |'ll )?need to [^.?!]{0,160}?\b(?:check|calculate|look|search|find|retrieve)\b"
    r"[^.?!]{1,200}?,? and (?:then )?(?:get|obtain|ask for|request|receive|have) your (?:\w+ )?(?:confirmation"
    r"|approval|consent|go-ahead)\b",
    r"\bi(?:'ll| will) (?:then |first )?(?:explain|summari[sz]e|prepare|list|outline|show|walk)\b"
    r".*\b(?<!on your )(?<!with your )(?<!per your )(?:approval|confirmation|consent|permission|yes|go-ahead)\b",
    r"\b(?:once|after|when) (?:i|we)(?:'ve| have)? (?:list(?:ed)?|present(?:ed)?|summari[sz]ed?|show(?:n)?"
    r"|shared?)\b[^.?!]{1,60}"
    r" (?:reply|say|confirm|answer)\b",
    r"\b(?:yes|proceed)\b[^.?!]{0,80}\(i(?:'ll| will) [^().?!]{0,30}?(?:calculate|list|check|search|find"
    r"|look)\b[^().?!]{0,60}"
    r" (?:first|then)\b",
    r"\bi(?:'ll| will) then (?:calculate|check|search|look|find)\b[^.?!]{1,80}? and (?:confirm|ask|check with you)\b"
    r"[^.?!]{0,30} before\b",
)
_ASKS = compiled(
    rf"{_AGENT} (?!(?:\w+ )?(?:wait|hold|await|need|look|watch|be)\b)[^.?!]{{1,200}}?(?<!wait)(?<!waiting)(?<!hold)"
    r"(?<!need) for your (?:(?!after\b)[\w/-]+ ){0,2}?(?:confirmation|approval|review|consent|go-ahead|sign-off)\b"
    r"(?! (?:code|number|e-?mail|page|id)\b)",
    rf"{_AGENT} [^.?!]{{0,200}}?(?<!please )\b{_SHOWS} [^.?!]{{1,160}}? (?:for|to get|to obtain) {_YOUR}{_YES}",
    rf"{_AGENT} (?:[^.?!]{{1,200}}? (?:and|then|before|also) |[^.?!]{{1,200}}?, )?"
    rf"(?:ask(?: you)? for|get|request|seek|obtain|ask) {_YOUR}{_YES}",
    rf"{_AGENT} [^.?!]{{0,200}}?(?<!please )\b(?:confirm|review|verify|go over|share|double-check|check|run|discuss)"
    r" (?:\S+ ){0,8}?(?:with|past|by) you\b",
    rf"{_AGENT} [^.?!]{{0,200}}?\b(?:look|check|search|find|tell you|show you|list|outline)\b[^.?!]{{0,160}}?"
    r" (?:only|then) [^.?!]{1,60}? (?:after|once|when|if) you(?:'ve)? (?:say|said|confirm\w*|approve\w*|agree\w*)\b",
    rf"{_AGENT} [^.?!]{{0,200}}?(?<!please )\b(?:show|send|present) (?:it|this|that|them|everything|the \w+(?: \w+)?)"
    r" to you (?:to|for|before)\b",
    rf"{_AGENT} [^.?!]{{0,200}}?(?<!please )\b(?:list|share|show|outline|confirm|provide|present|summari[sz]e)"
    r" (?:\S+ ){1,8}?(?:and confirm |for (?:\w+ )?confirmation )?before (?:proceeding|(?:i|we) (?:proceed|go ahead)"
    r"|any (?:change|update)|(?:making|submitting|applying|booking|updating|finali[sz]ing|processing|placing|doing"
    r"|cancel+ing|changing|modifying|confirming|executing)\b)",
)
"""The agent's own plan to show what it found and to ask then: `I'll list the details and get your confirmation`."""

_GIVEN = compiled(
    r"^(?:[\w ]{0,30}, )?(?:once|when|after|as soon as) (?:i have|i've (?:got|found|located|received|checked)|i get"
    r"|i receive|i know|i find|we have|you (?:provide|share|send|specify|tell|let me know|choose|select|pick|give"
    r"|decide|do|reply with|have (?:provided|shared|chosen|selected|decided)|'ve (?:provided|shared|chosen|selected"
    r"|decided)))\b(?! (?:a |an |the |your |explicit |clear )*(?:yes|confirmation|approval|consent|go-ahead|ok|okay"
    r"|permission|reason|payment|card|method)\b)"
)
_FIRST = compiled(
    rf"{_AGENT} [^.?!]{{0,200}}?(?<!please )\b(?:list|outline|propose|explain|search|look|find|locate|retrieve|pull"
    r"|fetch|calculate|summari[sz]e|present|walk|guide|show|quote|compare"
    r"|review|identify|confirm (?:everything|all|details|the (?:\w+ )?(?:summary|details|total|price|cost"
    r"|availability|eligibility)"
    r"|availability|eligibility))\b"
)
"""What comes before the change once the details are known: `Once I have that, I can search for flights.`"""

_UPON = compiled(rf"{_AGENT} [^.?!]{{1,160}}? (?:with|upon|on|after|for|pending) your (?:\w+ )?{_YES}")
"""What waits for a further yes: `Once you pick one, I'll process it upon your confirmation.`"""

_BEFORE = compiled(
    r"^(?!.*\b(?:other|second|next|another|after (?:this|that)|afterwards)\b)(?:then |so |and )?(?:i|we)(?:'ll| will)\b"
    rf".*\byour (?:\w+ ){{0,2}}?{_YES}.*\bbefore (?:\w+ing\b|(?:i|we) |any (?:change|update))"
)
"""A further yes, before the change: `I'll list the total and get your approval before booking`."""

_EXAMPLE = compiled(r" ?\((?:e\.g|for example)[^()]{0,200}\)")
_LEADS = compiled(r"\b(?:once|when|after|as soon as|then|next|if)\b")
_SEARCHES = compiled(
    r"\b(?:say|reply|answer|respond|confirm|yes)\b[^.?!]{0,40}\b(?:to|i) (?:proceed with|start|begin|run|continue with)"
    r" (?:the|a|my|this|that) (?:\w+ )?(?:search|look-?up|checks?)\b"
)


def asks_again(view: str, *, asked_after: bool = False, exact: bool = False) -> bool:
    """Return whether a sentence says that the agent will ask later, or will first look for what the change is to be.

    A list that it introduces is shown now. Beside an `exact` question for a yes it is about something else, unless it
    says so after the question: `I'll get your approval before booking`. So is one before a question for a yes
    (`asked_after`), unless it names what has to come first.
    """
    if "(e" in view:
        view = _EXAMPLE.sub("", view)
    if "search" in view and _SEARCHES.search(view):
        return True
    if _ASKS_ANYHOW.search(view):
        return not (exact and asked_after) or _LEADS.search(view) is not None
    if view.endswith(":"):
        return False
    if exact:
        return not asked_after and _BEFORE.search(view) is not None and _ASKS.search(view) is not None
    if _ASKS.search(view):
        return not asked_after or _LEADS.search(view) is not None
    return _GIVEN.match(view) is not None and bool(_FIRST.search(view) or _UPON.search(view))
