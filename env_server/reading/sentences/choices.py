"""Sentences beside a question for a yes that leave open which of several changes the yes would be for."""

from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.changes import DEED

_SAYS_WHICH = compiled(
    r"^(?:(?:so|just|please|and) )*(?:let me know|tell me|say|specify|choose|confirm) which (?:(?:one|of (?:these|them"
    r"|those|the two)) )?you(?:'d| would)? (?:like|prefer|want|choose|mean)[.!]?$"
)
"""A request to choose that names no thing: `Let me know which you'd like.`"""

_BESIDES = compiled(
    r"\b(?:pay|paid|payments?|cards?|visa|paypal|refunds?|methods?|reasons?|next|afterwards|(?:any|some)thing else)\b"
)
"""Words about the way to pay, the reason, or another wish: what is to be chosen may be one of these."""

_PAYS = r"(?:charge|credit|refund|bill|pay|debit|use)\b"
_EITHER_WAY = compiled(
    rf"^(?:[\w']+, )?(?:i|we)(?:'d| can| could| may|'ll| will| would)(?: be able to)? (?:also |now |then )?"
    rf"(?:either (?:also )?{DEED}\b[^.?!]{{1,160}}?,? or|(?!{_PAYS}){DEED}\b(?: (?!or\b)[^ ,.?!;:]+){{1,8}},? or) "
    rf"(?:to |i (?:can|could|will) |else |simply |also |just )*(?!(?:keep|leave)\b){DEED} "
    r"(?:the|your|it|this|that|them|both|an?|another|for|to|#?\w*\d)\b"
)


def either_way(view: str) -> bool:
    """Return whether a statement offers one of two changes: `I can cancel the order or change its address.`"""
    return " or " in view and not view.endswith("?") and _EITHER_WAY.match(view) is not None


def says_which(view: str, before: str) -> bool:
    """Return whether a sentence asks the user to choose, and names no thing, and the sentence `before` it names nothing
    but the change to choose from.
    """
    return "which " in view and _SAYS_WHICH.match(view) is not None and _BESIDES.search(before) is None
