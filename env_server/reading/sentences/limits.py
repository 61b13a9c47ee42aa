"""Limits: sentences that refuse what is beyond them, unless a proposal with the right values stands beside them; parts
of sentences that only resemble a refusal; and sentences that explain a proposal.
"""

import re

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import Rules, compiled

_THESE = (
    r"(?:it|this|that|them|these|those|you|your(?! (?:phone|device|screen)\b)|{bookable}|{things}|{rates}|orders?"
    r"|items?|bookings?|reservations?|appointments?|visits?|trips?|plans?|lines?|accounts?|fees?|charges?|costs?"
    r"|balance|shipping|changes?"
    r"|refunds?|returns?|exchanges?|cancel+ations?|codes?)"
)
"""What a wish may be about. A remark about anything else, like the weather, refuses nothing."""

_LIMITS = Rules(
    (
        "can't cannot not unable",
        r"\b(?:can't|cannot|can not|not able to|unable to) (?:tell|advise|say|recommend|judge|assess"
        r"|know|suggest|speak to|comment on|answer)\b[^.]{0,60}\b(?:safe|dos(?:e|age)"
        r"|medic\w+|diagnos\w+|stop taking|serious|normal for you|symptoms?|treatments?|treat|remed(?:y|ies)|red flags?"
        r"|bleeding|caus(?:e|es|ing)|prescri\w+)\b"
        r"|\b(?:can't|cannot|can not|not able to|unable to) (?:\w+ )?(?:tell|advise|say|recommend|judge|answer"
        r"|interpret"
        r"|assess)\b[^.]{1,120}\b(?:clinical|medical|{carers}|provider|pharmacist)\b",
    ),
    (
        "nothing",
        r"\b(?:there's|there is|have|has|see|find|found|got) nothing (?:else |more )?(?:open|available|free|sooner"
        r"|earlier"
        r"|(?:left|before|after|on|for)(?! (?:to (?:do|worry|pay|lose)|you to do|now\b)))\b",
    ),
    (
        "once",
        r"\bonly (?:be \w+ )?once\b[^.]{0,30}\b(?:and|but) (?:yours|this|that|it|your \w+)(?: one)? (?:was|has|is)\b",
    ),
    (
        "isn't aren't not no",
        r"\bthere (?:isn't|aren't|is not|are not) (?:one|any) (?:after|before|on|for|at|that|with|under|below"
        r"|between)\b",
    ),
    (
        "neither",
        r"\bneither (?:of (?:the|these|those|them)|\w+)\b[^.?]{0,60}\b(?:has|have|is|are|can|meets?|fits?|works?"
        r"|offers?|qualif\w+)\b",
    ),
    ("only", r"\bonly (?:comes?|sold|made|offered) in\b"),
    ("nothing", r"\bnothing(?:'s| is) (?:\w+ )?(?:open|available|free)\b"),
    (
        "none",
        r"\bnone of (?:the|these|those|our) (?!(?:\w+ )?(?:orders|reservations|accounts|bookings|records|numbers))"
        r"(?:[\w-]+ ){0,2}?(?:[\w-]+s|them) (?:\w+ )?(?:have|has|are (?!from|in your)|is|meets?|match(?:es)?|fits?"
        r"|comes?"
        r"|works?|qualif\w+|allows?|offers?)\b",
    ),
    (
        "longer",
        r"\b(?:i|we|they) (?:\w+ )?no longer (?:stock|sell|carry|offer|make|accept|take|have|rent|provide|serve"
        r"|allow)\b",
    ),
    (
        "until",
        r"\b(?:earliest|first|next|soonest) [\w ]{0,30}?(?:isn't|is not|not) (?:\w+ )?until\b",
    ),
    (
        "look seem appear",
        r"\b(?:doesn't|does not|don't|do not) (?:look|seem|appear)(?: like)?(?: that)? (?:i|we|they|he|she|dr\.? \w+"
        r"|there)(?:'s| have| has| is| are) (?:\w+ )?(?:anything|any (?:openings|slots|times|{bookable}|availability)"
        r"|openings"
        r"|availability|anyone|space|room)\b(?!.*\b(?:under|your name|listed|on file)\b)",
    ),
    (
        "can't cannot not",
        r"\b[a-z]+s (?:under|over|without|below|younger than|with (?:no|an?)) [^.?!,]{1,24}? (?:can't|cannot|can not"
        r"|may not"
        r"|are not allowed to|aren't allowed to) (?!find|see|tell|be sure)\w+",
    ),
    (
        "wish",
        r"\bi (?:really |do )?wish (?:that )?(?:i|we) (?:could|had|was able|were able|was allowed|were allowed)\b"
        r"[^.?!]{0,80}?\bbut\b",
    ),
    (
        "only",
        r"\b(?:my|our|the|this) (?:\w+ )?(?:system|tools?|software|screen|records) (?:\w+ )?only (?:lets?|permits?"
        r"|supports?"
        r"|accepts?|looks? up|searches|handles?)\b",
    ),
    (
        "policy policies",
        r"\bpolic(?:y|ies) (?:\w+ )?requires? [^.?!]{0,50}\b(?:original|same) (?:payment|method|form|card|account)\b",
    ),
    (
        "full closed booked taken gone",
        r"\b(?:today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:this|that"
        r"|the) (?:whole )?(?:morning"
        r"|afternoon|evening|day|week|weekend|month))(?: \([^)]{1,20}\))?(?:'s| is| are) (?:\w+ )?(?:full|closed"
        r"|booked (?:up|out|solid)|all taken|gone)\b",
    ),
    (
        "not",
        r"\b(?:i'm|i am|we're|we are) not (?:\w+ )?(?:finding|seeing|getting|showing) (?:(?:any|an?|much|anything) )?"
        r"(?:[\w-]+ ){0,3}?(?:slots?|openings?|availability|appointments|times|{bookable}|stock|open|available)\b"
        r"(?!.*\b(?:under|for your|with (?:your|that|this)|in your|on your|listed|matching)\b)",
    ),
    ("fall", r"\b(?:doesn't|does not|don't|do not) fall (?:under|within|into)\b"),
    (
        "can't cannot not",
        r"\b(?:an?|the|this|that|these|those|such|any|another|our|your|basic|gift) (?:[\w'-]+ ){1,4}?"
        r"(?:can't|cannot|can not) (?:\w+ )??(?:(?:pay|cover|settle)\b|(?:take|carry|hold|combine|move|change|cancel"
        r"|book|exchange|return|serve|deliver|apply|stand|stay|stack|replace|refund|count|ship|transfer|accept|allow"
        r"|extend|approve|order|add|remove|keep|split|share|leave|include)"
        rf" (?:[\w'-]+ ){{0,3}}?{_THESE}\b)",
    ),
    (
        "say says",
        r"\b(?:rules?|polic(?:y|ies)|terms) (?:\w+ )?says? no(?=[.,;:!]|$| to (?:it|this|that|your)\b)",
    ),
    (
        "allowed able permitted",
        r"\bmore than (?:i'm|i am|we're|we are) (?:\w+ )?(?:allowed|able|permitted)"
        r"(?: to (?:do|give|offer|grant|pay|add|refund|credit|approve|issue|change|book))?\b(?! to\b)",
    ),
    (
        "down",
        r"\b(?:i|we)(?:'ll| will| do)? (?:\w+ )?(?:must|have to|need to) turn (?:it|this|that|these|those|them|you"
        r"|(?:this|that|the|your) (?:\w+ )?(?:one|request|wish|claim|refund|return|exchange|change"
        r"|cancel+ation)) down\b",
    ),
    (
        "room",
        r"\b(?:don't|doesn't|do not|does not) leave (?:\w+ ){0,2}room for (?:(?:an?|any|such an?|the) )?(?:\w+ )?"
        rf"{_THESE}\b",
    ),
    ("table", rf"\b(?!it\b){_THESE}(?:'s| is| are) (?:now |sadly )?(?:no longer|not) on the table\b"),
    (
        "only",
        r"\b(?:can|may) (?:go|(?:be )?(?:refund|return|exchange|change|cancel|modif|move|replace|credit|issue"
        r"|transfer)\w*|be (?:sent|paid|made|given|put|booked)) only (?:to|for|within|with|if|when|before|after)\b",
    ),
    (
        "only",
        r"\bonly (?:(?:an?|my|our|your|his|her|their|human) [\w ]{2,30}|people|humans?|staff|colleagues?|specialists?)"
        r" (?:may|can|is allowed to|are allowed to) (?:\w+ )?(?:change|cancel|settle|decide|approve|do|make|grant|allow"
        r"|move|refund|renew|sign|order|authori[sz]e|waive|handle|arrange|lift|sort|fix|extend|issue|prescribe)\b",
    ),
    (
        "not individual single separate",
        r", (?:and |but )?not (?:just |only |to )?(?:individual|single|separate|particular|specific|partial|parts? of"
        r"|some of)\b"
        r"(?=.{0,200}[.!]$|$)",
    ),
    (
        "nothing",
        rf"\bnothing (?:(?:about|on|in|of|with) (?:(?:the|this|that|your|our) (?:\w+ )?)?{_THESE} )?can"
        r" (?:still |now )?be (?!lost|wrong|forgotten|broken|better|easier|eaten|seen|heard)\w+"
        rf"|\bnothing (?:more |else |further )?to be done about (?:(?:the|this|that|your|our) (?:\w+ )?)?{_THESE}\b",
    ),
)
"""Refusals that are mere limits beside a proposal with the right values: `a certificate can't pay for bags`, `a refund
can go only to your card`.
"""


_ATTENDS = (
    r"(?:make it|come|attend|join|fly|travel|go|wait|be (?:there|here|coming|around|home|in|with us|\w+ing)"
    r"|use (?:it|them"
    r"|that)|keep (?:it|the (?:visit|appointment)))\b"
)
_NO_REFUSAL = compiled(
    # how somebody feels, hears or recovers
    r"\b(?:won't|will not|can't|cannot|doesn't|does not|don't|not) (?:\w+ )??(?:be|get|feel"
    r"|become) (?:any )?(?:better|worse|easier"
    r"|hurt|sick)\b",
    r"\b(?:can't|cannot|can not) be too \w+",
    r"\b(?:won't|will not) be able to (?:respond|reply|answer|get back|call|see it|read it"
    r"|look)\b(?: \w+){0,3}? (?:until"
    r"|till|before)\b",
    r"\bfe(?:el|els|eling|lt) (?:so |like it's |almost )?impossible\b",
    r"\b(?:won't|will not) be (?:in|back|here|there|around|open|home|reachable) (?:until|till|before)\b",
    r"\b(?:no|nothing|not) (?:\w+ ){0,3}?preventing\b",
    # advice: what the customer should not let happen
    r"(?:^|[,;:.-] |\b(?:but|and|so|please|just|also) )(?:don't|do not|never) let\b(?! (?:you|us|me|customers"
    r"|members)\b)",
    # what the agent is not to the customer
    r"\b(?:can't|cannot|can not) (?:\w+ )?(?:replace (?:\w+ )??(?:human|friends?|friendship|family|people|company"
    r"|therap\w+)"
    r"|(?:take|make) (?:away )?(?:the|your|that) (?:pain|worry|stress|frustration|grief|fear)|undo (?:what|the past)"
    r"|change (?:what happened|the past|how you feel)|imagine)\b",
    # a look-up in the customer's own list
    r"\byour (?:\w+ ){0,2}?(?:reservations|orders|bookings|account|profile|records?|history|appointments|trips)"
    r",? (?:and|but) (?:i )?(?:don't|do not|didn't|did not|can't|couldn't) (?:\w+ )?(?:see|find) "
    r"(?:(?!\bso\b)[^.,;:])*",
    # the user's choice among what a rule allows
    r"^(?:since|as|because) \w+s (?:can|may) only be [^,]{1,60}, you can (?:choose|pick|select|exchange|return|decide)",
    r"\b(?:can't|cannot|won't|will not) be (?:charged|billed) (?:twice|again|extra|more)\b",
    r"\b(?:understand|hear|mentioned|said|say) (?:that )?you (?:can't|cannot|couldn't|can not)\b",
    # a preface on how the agent works
    r"\b(?:can't|cannot|can not|not able to|unable to) (?:provide|share"
    r"|give)(?: you)? (?:with )?(?:any )?(?:information, knowledge"
    r"|subjective)\b",
    # an amount that stays
    r"(?:[$\u20ac\u00a3]\d[\d.,]*|\bfees?|\bcharges?|\bcosts?)\b(?: [\w'-]+){0,3},? (?:and|but|with)?"
    r" ?(?:there's |there is )?no way (?:a)?round (?:it|that|this)(?: one)?(?:,? i'm afraid)?",
    # what the customer does not do
    r"\b(?:you (?:won't|will not|aren't going to)|won't you) be (?!getting|receiving)\w+ing\b",
    rf"\b(?:sorry|hear|reason|why|pity|shame|sad|understand|see|know)(?: to hear)?(?: that)? (?:(?:your|the) )?[\w'-]+ "
    rf"(?:can't|cannot|won't|will not|couldn't|could not) {_ATTENDS}",
    # regret for something else than a refusal
    r"\b(?:i'm|i am) afraid(?= (?:that )?(?:there(?: are|'s|'re| is) (?:two|three|several|more than (?:one|two)|a few)"
    r" (?:\w+ )?(?:{bookable}|{things}|{clients}|orders|items|bookings|reservations|appointments|visits"
    r"|trips|plans|lines|accounts|of (?:them|those|these))\b"
    r"|i (?:\w+ )?(?:don't know|do not know|have no (?:idea|clue|opinion)|can't (?:say|tell) (?:how|what|when|where|why"
    r"|who|whether|if)|(?:need (?:your|the|a|an|to (?:know|ask|have))|(?:have to|must) ask)"
    r"(?!.{0,60}\b(?:accept|understand|bear|patience|stays?|remains?|leave|live with|instead|else)\b)"
    r"|didn't (?:catch|get|quite|understand)|missed|misread|forgot)))",
    # what stays as it is
    r"\b(?:won't|will not|wouldn't|would not) (?:be )?(?:affect(?:ed)?|harm(?:ed)?|disturb(?:ed)?)\b",
    r"\b(?:won't|will not|wouldn't|would not) be (?:touched|altered|interrupted) by (?:it|this|that|the)\b",
    r"\b(?:else|others?|rest|remaining)(?: [\w'-]+){0,2} (?:won't|will not|wouldn't"
    r"|would not) (?:be )?(?:change"
    r"|move|cancel|delete|remove|lose|modif|updat|replace|touch|alter|interrupt)\w*",
)
"""Parts of a sentence that resemble a refusal and refuse nothing."""

_LIMIT = compiled(r"\bthe (?:\w+ )?(?:maximum|limit|most)\b")
_HENCE = compiled(r"\b(?:so|which|leav\w+|meaning)\b")
_BARS = compiled(r"\b(?:not|no|only|never|none|nothing|cannot|reached|exceed\w*|over|above)\b|n't")
_ROOM = compiled(r"\b(?:can|could|may|possible|fits?|left|room|remains?|free|available|more)\b")


def limit(view: str, words: frozenset[str]) -> re.Match[str] | None:
    """Return what only limits a change, unless somebody is said to have said so, or it is a question or condition."""
    found = None if view.endswith("?") else _LIMITS.search(view, words)
    if found is None or scope.recorded(view[: found.start()]) or scope.hypothetical(view[: found.start()]):
        return None
    return found


def without_lookalikes(view: str) -> str:
    """Return a sentence without the parts that resemble a refusal and refuse nothing."""
    view = _NO_REFUSAL.sub(" ", view)
    limit = _LIMIT.search(view)
    if limit is None:
        return view
    barred = max((found.end() for found in _BARS.finditer(view, limit.end())), default=limit.end())
    hence = _HENCE.search(view, barred)
    room = hence and _ROOM.search(view, hence.end())
    return view[: limit.start()] + view[room.end() :] if room else view


SORRY = compiled(
    r"\bsorry\b|\bapologi[sz]e\b|unfortunately|i'm afraid|\bi(?:'m| am) (?:unable|not able)"
    r"|(?<!^)\bi can(?:'t|not)|^i can(?:'t|not)(?! (?:undo|reverse|revert) (?:it|this|that)\b)"
)
"""Regret, or the agent's own words for what it cannot do. `I cannot undo it` only warns."""

_IRREVERSIBLE = compiled(
    r"^i can(?:'t|not) (?:undo|reverse|revert)\b|\btaken back (?:with|by) (?:an?|one)\b",
)
_MEANS = compiled(
    r"^(?:(?:so|and|but|sadly|unfortunately),? )?(?:an?|the|your|any) (?:[\w-]+ )??(?:certificate|voucher"
    r"|credit|card|points?)s? (?:won't|can't|cannot|will not|can not) (?:do|work|be (?:used|accepted|applied|taken))\b"
    r"(?: (?:for|here|on|with)\b[^.;]{0,40})?(?:,? i'm afraid| though| sadly)?[.!]?$"
)
_WHICH = compiled(r"\b(?:which|what|whose|how)\b")

_STAYS = compiled(
    r"\b(?:won't|will not|wouldn't|would not) be (?:touched|altered|interrupted)\b"
    r"|\bdefault(?: [\w'-]+){0,2} (?:won't|will not|wouldn't|would not) (?:be )?(?:change|move|delete|remove|lose|modif"
    r"|updat|replace)\w*",
)
"""What stays as it is beside a proposal. Alone it may refuse: `your address won't be altered`."""

_COSTS = compiled(
    r"(?:[$\u20ac\u00a3] ?\d[\d,.]*|\b(?:fee|charge|cost|price|extra)\b)[^.;?!$]{0,40}\b(?:as|since|because) "
    r"(?!(?:i|we)\b)",
)
"""An amount with its reason: `Cost: $45, as basic economy does not include free bags`."""

_DENIED = compiled(r"\b(?:not|cannot|no|never|unable|nor)\b|n't\b")

_SO_IT_WOULD = compiled(
    r"\bonly\b[^.?!]{0,200}\bso (?:the|that|it|this|they|those|these|your|you|both|\w+\.? \w+) (?:\S+ ){0,3}?"
    r"(?:would|will|has to|have to)\b(?! (?:not|no|never)\b)"
)
"""A rule, and what a proposal does for its sake: `a cart can only hold one restaurant, so that would be emptied`."""

_SO_FIRST = compiled(
    r"(?:\bso,? (?:first,? (?:i|we)\b|(?:i|we)(?:'ll|'d| will| would)? first\b)"
    r"|^(?:since|because|as) [^,]{1,100}, (?:first,? (?:i|we)\b|(?:i|we)(?:'ll|'d| will| would) first\b))"
)
"""A rule, and what is done before the change for its sake: `a default cannot be removed, so first I make ...`"""


def irreversible(view: str) -> bool:
    """Return whether a sentence says that the agent cannot undo something: what it would do, or what the user wants."""
    return bool(_IRREVERSIBLE.match(view))


def comes_first(view: str) -> bool:
    """Return whether a sentence gives a rule as the reason of what is done before the change."""
    return "first" in view and bool(_SO_FIRST.search(view))


def of_means(view: str) -> bool:
    """Return whether a sentence only rules out a means of payment: `A certificate won't do for this.`"""
    return bool(_MEANS.match(view))


def asks_which(view: str) -> bool:
    """Return whether a question asks for a thing rather than for a yes."""
    return view.endswith("?") and bool(_WHICH.search(view))


def explains(view: str) -> bool:
    """Return whether a sentence gives a rule as the reason of a proposal, or says what the proposal leaves as it is."""
    costs = _COSTS.search(view)
    return (
        ("only" in view and bool(_SO_IT_WOULD.search(view)))
        or (costs is not None and not _DENIED.search(view, 0, costs.end()))
        or (bool(_STAYS.search(view)) and not SORRY.search(view))
    )
