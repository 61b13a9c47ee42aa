"""Limits: sentences that refuse what is beyond them, unless a proposal with the right values stands beside them."""

import re

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import Rules

_THESE = (
    r"(?:it|this|that|them|these|those|you|your(?! (?:phone|device|screen)\b)|{bookable}|{things}|{rates}|orders?"
    r"|items?|bookings?|reservations?|appointments?|visits?|trips?|plans?|lines?|accounts?|fees?|charges?|costs?|balance|shipping|changes?"
    r"|refunds?|returns?|exchanges?|cancel+ations?|codes?)"
)
"""What a wish may be about. A remark about anything else, like the weather, refuses nothing."""

_LIMITS = Rules(
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
        "nothing",
        rf"\bnothing (?:(?:about|on|in|of|with) (?:(?:the|this|that|your|our) (?:\w+ )?)?{_THESE} )?can"
        r" (?:still |now )?be (?!lost|wrong|forgotten|broken|better|easier|eaten|seen|heard)\w+"
        rf"|\bnothing (?:more |else |further )?to be done about (?:(?:the|this|that|your|our) (?:\w+ )?)?{_THESE}\b",
    ),
)
"""Refusals that are mere limits beside a proposal with the right values: `a certificate can't pay for bags`, `a refund
can go only to your card`.
"""


def limit(view: str, words: frozenset[str]) -> re.Match[str] | None:
    """Return what only limits a change, unless somebody is said to have said so, or it is a question or condition."""
    found = None if view.endswith("?") else _LIMITS.search(view, words)
    if found is None or scope.recorded(view[: found.start()]) or scope.hypothetical(view[: found.start()]):
        return None
    return found
