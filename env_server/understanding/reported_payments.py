"""Money that an agent says was refunded, credited, given, waived or charged."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from env_server.reading import Act, Reading, Sentence, Words
from env_server.reading.sentences.scope import conditional, negated, recorded, without_object
from env_server.understanding.proposal_scope import supposed
from env_server.vocabulary import either


class PaymentKind(StrEnum):
    """The way in which money moves."""

    BACK = "back"
    """A refund or a credit."""

    VOUCHER = "voucher"
    """A voucher, a certificate or a gift card."""

    GIFT = "gift"
    """A compensation, or a credit as an apology."""

    DISCOUNT = "discount"
    """A lower price."""

    WAIVER = "waiver"
    """A fee that is not charged."""

    CHARGE = "charge"
    """Money that the user pays."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One movement of money that a sentence states."""

    kind: PaymentKind
    words: str
    """The words by which it was found."""

    amounts: tuple[str, ...]
    own: bool
    """Whether the agent says that it did it itself."""

    over: bool
    """Whether the clause has `been`, `was` or `were`: `has been refunded`."""

    future: bool = False
    """Whether it is still to come."""

    bare: bool = False
    """Whether its verb has no subject, as in `$5 refunded to your card`. Beside a question for a yes it is a plan."""

    record: bool = False
    """Whether the sentence quotes a record, or dates a payment that is not the agent's own: `it was refunded on May 2`.
    """


_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_SPELLED = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety|hundred)"
)
_UNIT = r"(?:dollars?|usd|bucks|euros?)"
"""The units of an amount without a sign of currency."""

_SUM = re.compile(
    rf"(?:(?:us)?[$\u20ac\u00a3] ?{_NUMBER}|(?<!\d)(?<!\d,){_NUMBER} ?{_UNIT}\b|\b(?:{_SPELLED}[ -]){{1,6}}{_UNIT}\b"
    r"|(?<!\d)(?<!\d,)\d[\d,]*\.\d\d\b(?! ?(?:gb|mb|mi|miles|kg)\b))"
)
_UNITS = ("$", "\u20ac", "\u00a3", "dollar", "usd", "bucks", "euro")
_CENTS = re.compile(r"\.\d\d(?!\d)")
"""A text has one of `_UNITS`, or cents, if it has a sum."""

_BARE = re.compile(rf" (?:you |of |for |worth |back )?(?:an? )?({_NUMBER})(?![\w%-])(?! (?:to|-) \d)")
"""A number right after a verb or a noun of money: "refunded 999", "a credit of 200"."""

_THING = (
    r"(?:refunds?|reimbursements?|repayments?|credits?(?! (?:card|limit|history)s?\b)|money back|(?P<voucher>vouchers?"
    r"|certificates?|gift ?cards?|coupons?)|(?P<gift>bonus(?:es)?|goodwill|compensation|cash ?back|pay-?outs?)"
    r"|(?P<discount>discounts?|rebates?|price reductions?))"
    r"(?! (?:requests?|policy|polic\w+|method|option|balance|codes?)\b)"
)
"""A noun for money that the user gets. Its group, if any, is the kind of the payment."""

_VERB = re.compile(
    r"\b(?:(?P<back>refunded|credited|reimbursed|repaid)|(?P<gift>compensated)|(?P<discount>discounted)"
    r"|(?P<waiver>waived)|(?P<charge>charged|billed|debited|deducted))\b"
    r"(?! (?:items?|orders?|amounts?|sums?|ones?|purchases?)\b)"
)
"""A verb of money. Its group is the kind of the payment. `The refunded amount` has no such verb."""

_NEW = re.compile(
    rf"\b(?:an?|another|one)(?: [$\w.,-]+){{0,3}}? (?:voucher|certificate|gift ?card|coupon)"
    rf"|(?:{_SUM.pattern})(?: \w+)?"
    r" (?:voucher|certificate|gift ?card|coupon)"
)
"""A new voucher, to which a refund goes."""

_GAVE = (
    r"(?:issued|granted|added|applied|given|gave|sent|deposited|put|arranged|processed|provided|included|approved"
    r"|secured|placed|posted|offered|transferred|returned|initiated|threw in|thrown in|awarded|loaded|attached|created"
    r"|submitted|made|completed|started|filed|set up|got|authori[sz]ed|extended|credited|emailed|mailed|booked|logged"
    r"|registered|tacked on|slipped in|triggered|released|scheduled)"
)
"""Verbs for giving money."""

_WORDS = r"(?: (?!to |on |onto |into |from |with |for |by |using |and |but |so )[$\w.,'%#-]+){0,6}?"
"""The words between a verb and its object."""

_GIVEN = re.compile(rf"\b{_GAVE}(?: for)?(?: you)?{_WORDS} {_THING}")
"""`issued you a $5 credit`"""

_RECEIVED = re.compile(
    rf"(?:\b{_THING}(?: (?!(?:and|but) (?:the |your )?\$)[$\w.,'%#-]+){{0,10}}?"
    r"(?: (?:has|have)(?: now| just| also| already)* been|'s been| is| are| was"
    r"| were| will be| will| (?:is|are) being)(?: now| just| also| already| \w+ly)*"
    rf" (?:{_GAVE}|refunded|reimbursed|on (?:its|the|their) way|coming|waiting|yours|in your|on your|active|available"
    r"|arrive|appear|reach|show up|follow|come)\b)"
)
"""`the refund has been issued`, `a credit is on its way`"""

_PROMISED = re.compile(
    r"\b(?:you(?:'ll| will| shall| are going to)(?: also| now| soon| shortly| then)* (?:receive|get|have|see|find)"
    r"|you(?:'re| are) (?:also )?(?:getting|receiving)|you(?:'ve| have)? (?:now |also )*(?:received|got|get|receive)"
    r"|you now(?: also)? have|you (?:can|should|may) (?:also )?(?:expect|see|receive)|expect|enjoy|please accept"
    rf"|there(?:'s| is)(?: now| also)*(?! only\b| no\b)"
    rf"|your (?:\w+ ){{1,3}}now (?:has|holds|includes|shows|carries))\b{_WORDS}"
    rf" (?:{_THING}|(?P<sum>{_SUM.pattern}) (?:back|off|extra)\b)"
)
"""`you will receive a $5 credit`, `there is a refund`"""

_PRESENT = re.compile(r"please accept|enjoy")
"""The beginning of a promise that is a gift rather than a refund."""

_WITH = re.compile(
    rf"\b(?:with|plus|along with|together with|including|and)(?: an?| the| your| another)? (?:extra |"
    rf"additional |\w+ )?(?:{_SUM.pattern})(?: (?!are |is |was |were |from |of |off |on |by )\w+){{0,2}}?"
    rf" {_THING}\b(?! (?:is|are|was|were)\b)"
)
"""A sum that is named beside something else: `along with a $5 credit`."""

_CODE = re.compile(r"#?[a-z]*\d\w{3,}\b(?!\.\d)")
_BESIDE = re.compile(r"(?:with|plus|along|together|including|and)\b")
"""The beginning of a match of `_WITH`."""

_SHORT = re.compile(
    rf"^(?:\W|\w+ ){{0,4}}?{_THING}(?: of {_SUM.pattern})? (?:issued|added|applied|sent|approved"
    r"|granted|credited|processed|completed)\b"
)
"""A report without an auxiliary verb: `Refund of $5 issued.`"""

_MOVED = re.compile(
    rf"\b(?:gave|given|sent|deposited|returned|added|transferred|paid|put|loaded|wired|posted)(?: you)?(?: back)?"
    rf"(?: an? (?:extra|additional))? (?:{_SUM.pattern})(?: (?:back|extra|more))?"
    r"(?: (?:in|into|on|onto|to) (?:your|the) (?:\w+ ){0,2}?(?:account|card|wallet|balance|profile|credits?|paypal)\b"
    r"|(?= (?:as|for (?:your|the) "
    r"(?:trouble|inconvenience|patience))))"
    rf"|\b(?:gave|given|sent|paid|wired) you (?:{_SUM.pattern})"
    rf"|(?:{_SUM.pattern})(?: (?:has|have) (?:\w+ )?been| was| were| is| are| will be)(?: \w+ly| now| also)?"
    r" (?:added|deposited|returned|sent|put|transferred|paid|wired|loaded|on (?:its|the) way)(?: back)?"
    r"(?: (?:in|into|on|onto|to) (?:you\b"
    r"|your (?:\w+ ){0,2}?(?:account|card|wallet|balance|profile|credits?|paypal)\b))"
)
"""A sum that goes to the user, without a noun of money: `sent $5 to your account`."""

_OF_VOUCHER = re.compile(r"\b(?:certificates?|vouchers?|coupons?|gift ?cards?) (?:of|for|over|worth) .?$")
"""The words before the amount of a certificate: `a travel certificate of $90 has been added to your profile`."""

_OFF = re.compile(rf"\b(?:took|taken|knocked)(?: an?(?: extra)?)? (?:{_SUM.pattern}) off\b")
"""`took $5 off`"""

_RATES = either("rates")
_LOWERED = re.compile(
    r"\b(?:reduced|lowered|cut|decreased) (?:your|the) (?:\w+ )?"
    rf"(?:bills?|prices?|{_RATES}|rates?|fees?|charges?|balance)"
    rf"(?: (?:by|to) {_SUM.pattern})"
    rf"|\b(?:bill|price|{_RATES}|rate|fee|charge)(?: (?:will be|is now|is))? {_SUM.pattern} (?:lower|less|cheaper)\b"
)
"""A lower price: `reduced your bill by $5`."""

_LABEL = re.compile(rf"(?:^\W*|[.:;,-] )(?:your |total |full )*{_THING}(?: amount)?(?: issued)?: ?{_SUM.pattern}")
"""An entry of a list of results: `Refund: $5`."""

_LIFTED = re.compile(
    r"\b(?:removed|dropped|reversed|forgiven|forgave|written off|wrote off|erased|lifted|scrapped|eliminated|refunded)"
    r" (?:the|your|any|all|that|this|every)(?: [\w-]+){0,3}? (?:fees?|surcharges?|penalt(?:y|ies)|late charges?)\b"
    r"|\b(?:fees?|surcharges?|penalt(?:y|ies))(?: (?:has|have) (?:\w+ )?been| (?:is|are)(?: now)?) (?:removed|dropped"
    r"|reversed|forgiven|written off|erased|lifted|scrapped|eliminated)\b"
)
"""A fee that is not charged: `removed the late fee`."""

_APOLOGY = re.compile(
    r"\b(?:inconvenience|apolog\w+|gestures?|courtesy|goodwill|as a (?:gift|thank)|as compensation|your (?:trouble"
    r"|patience|loyalty)|on the house|on us|bonus|extra|additional)\b"
)
"""Words that make a refund or a credit a gift."""

_AUX = re.compile(
    r"\b(?P<own>(?:i|we)(?:'ve|'d)?)\b|\b(?:been|is|are|was|were|be|being|you(?:'ve|'ll|'re| will| have| are))\b"
    r"|\byou(?= (?:already |also |just |even )*(?:got|had|received)\b)"
)
"""The subject or the auxiliary verb before a verb of money. The last one decides whether the agent did it itself."""

_ABLE = re.compile(
    r"\b(?:(?:was|were|am|are|have been|'ve been) (?:also |even )?able|managed|decided|made sure) to (?:also )?"
    r"(refund|credit|reimburse|compensate|discount|waive|charge|bill|issue|grant|add|apply|give|send|deposit|arrange"
    r"|provide|include|secure|offer|get|remove|drop|reverse)\b"
)
"""A report with an infinitive: `I was able to refund`. It is read as `refunded`."""

_PAST_OF = {"give": "gave", "send": "sent", "get": "got", "drop": "dropped", "apply": "applied"}
_MODAL = re.compile(
    r"\b(?:would|could|should|might|may|must|can|cannot|can't|to|want|wants|wish|like|please|let me|i'll|i will|we'll"
    r"|we will|going to|not yet)(?: (?:be|get|have|have been|it|you|the|your|a|an|me))* $"
    r"|\b(?:can|could|may|might|would|will|'ll|'d)(?: still| now)? (?:do|offer|suggest|propose)(?: for you| here| now)*"
    r"(?: is| would be|:| -)(?: to)? $"
)
_RULE = re.compile(
    r"^\W*(?:(?:all|such|any|our|these|please note(?: that)?|note that|in general) )*(?:[\w-]+ )?"
    r"(?:refunds|credits|fees|vouchers|certificates|charges|discounts|compensations) (?:are|will|go|take|come)\b"
    r"|\b(?:usually|normally|typically|generally|always|in general|our policy|the policy|the rules?)\b"
)
"""A rule rather than an event."""

_ONLY = re.compile(r" (?:only|if|when|unless|where|whenever|whether)\b")
"""A condition right after the words of a payment."""

_FUTURE = re.compile(r"\b(?:will|'ll|shall|going to|expect|should|within|soon)\b")
_COMING = re.compile(
    r"\b(?:next|upcoming|following) (?:\w+ )?(?:bill|invoice|statement|month)\b|\b(?:each|every|per) month\b"
)
"""A charge that comes later, or again and again: `$5 each month, first charged on your next bill`."""

_OVER = re.compile(r"\b(?:been|was|were)\b")
"""See `Payment.over`."""

_PAST = re.compile(r"\b(?:already|once|twice|before|earlier|previously|last|ago|since|originally|history|by the)\b")
"""Words for an earlier payment. Without `I` or `we`, such a payment is the content of a record."""

_FEES = ("fee", "surcharge", "penalt", "charge")
_VERBS = (
    *("refunded", "credited", "reimbursed", "repaid", "compensated", "discounted", "waived"),
    *("charged", "billed", "debited", "deducted"),
)
_THINGS = (
    *("refund", "reimbursement", "repayment", "credit", "money back", "voucher", "certificate", "gift", "coupon"),
    *("bonus", "goodwill", "compensation", "cash", "pay", "discount", "rebate", "reduction"),
)
"""`_FEES`, `_VERBS` and `_THINGS` are roots without which `_LIFTED`, `_VERB` and the patterns with `_THING` find
nothing. A text is searched for the roots first, for speed.
"""

_REACH = 400
"""The number of characters that are read before and after a match."""

_ENDS = re.compile(
    r"[;:!?.](?= |$)(?! \$)|, (?!\d|\$|has |have |was )| but | because | since | while | - "
    r"|\band (?=(?:i|we|your|the|that|it|you|there|have|a|an)\b)"
)
"""The ends of a clause."""

_IN_GENERAL = re.compile(r"\b(?:is|are) (?:only|always|usually|normally|generally|never) \w+$")
"""A rule in the present passive: `compensation is only given`."""

_TO_HAVE = re.compile(
    r"\W*(?:\w{1,2}[.)] )?(?:(?:or|you can|you could) ){0,2}(?:have|get) (?:an?|the|your|one) [^,;:.?!]{1,60}$"
)
"""Words before a participle that name an option: `have a stored card charged`."""

_YOURS = re.compile(
    r"\byou(?:'ve| have| had)?(?: \w+)? (?:said|say|mention\w*|told|want\w*|ask\w*|claim\w*|think|believ\w*)"
)
"""Words of the user that the agent repeats."""


_PLAN = re.compile(
    r"^\W*(?:so,? |okay,? |ok,? )?(?:here(?:'s| is)|this is) what i(?:'d| would| will|'ll| have)? "
    r"(?:do|propose|suggest|in mind)\b[^:]*:$"
    r"|^\W*(?:the |my )?(?:proposed|planned|suggested) "
    r"(?:changes?|updates?|bookings?|orders?|exchanges?|returns?|payments?)\b[^.?!]{0,60}$"
)
"""The heading of a list that is a plan: `Here is what I have in mind:`, `Proposed change`."""


def payments(reading: Reading) -> tuple[Payment, ...]:
    """Return the movements of money that `reading` states, without proposals, questions and hypothetical cases."""
    planned = _planned(reading)
    return tuple(
        _as_listed(payment, sentence, reading)
        for sentence in reading.sentences
        if _states(sentence)
        for payment in _in(sentence.text, labels=Act.CLAIM in reading.acts and not reading.consent)
        if not _beside_nothing(payment, sentence)
        if not (reading.consent or (sentence in planned and payment.kind is PaymentKind.CHARGE))
        or payment.over
        or (payment.own and not (payment.bare and Act.CLAIM not in sentence.acts))
    )


def _beside_nothing(payment: Payment, sentence: Sentence) -> bool:
    """Return whether a sum beside something (`and $200 gift card`) stands in a sentence that reports nothing."""
    return Act.CLAIM not in sentence.acts and not payment.future and _BESIDE.match(payment.words) is not None


def _as_listed(payment: Payment, sentence: Sentence, reading: Reading) -> Payment:
    """Return the payment. It is not the agent's own if it stands in a list entry that begins with a code, in a message
    that reports nothing: `#W2 Hat, refunded: $5`.
    """
    listed = payment.bare and sentence.entry and Act.CLAIM not in reading.acts and _CODE.match(sentence.text)
    return replace(payment, own=False, bare=False) if listed else payment


def _planned(reading: Reading) -> list[Sentence]:
    """Return the entries of a plan in a message that ends with a question about it, such as which card to charge."""
    if reading.acts & {Act.CLAIM, Act.CLOSE, Act.IDENTIFY} or not reading.text.endswith("?"):
        return []
    found, plan = [], False
    for sentence in reading.sentences:
        plan = _PLAN.match(sentence.text) is not None or (plan and sentence.entry)
        found += [sentence] if plan and sentence.entry else []
    return found


def moves_money(sentence: Sentence) -> bool:
    """Return whether a sentence states that money was moved."""
    return _states(sentence) and bool(_in(sentence.text, labels=False))


def _states(sentence: Sentence) -> bool:
    """Return whether a sentence states something itself: it is no question, proposal, quotation or supposed case."""
    asks = sentence.consent or sentence.text.endswith("?") or Act.PROPOSE in sentence.acts
    return not asks and (sentence.firm or Act.CLAIM in sentence.acts) and not supposed(sentence.text)


@lru_cache(maxsize=512)
def _in(text: str, *, labels: bool) -> tuple[Payment, ...]:
    """Return the movements of money of one sentence. With `labels`, an entry such as "Refund: $5" is one."""
    found: dict[int, Payment] = {}
    if " to " in text:
        text = _ABLE.sub(lambda able: _past(able[1]), text)
    for kind, own, match in _matches(text, labels=labels):
        payment = _payment(text, kind, match, may_own=own)
        if payment is not None:
            found.setdefault(match.end(), payment)
    return tuple(found.values())


def _past(verb: str) -> str:
    """Return the past tense of a verb of `_ABLE`."""
    return _PAST_OF.get(verb) or (f"{verb}d" if verb.endswith("e") else f"{verb}ed")


def _matches(text: str, *, labels: bool) -> Iterator[tuple[PaymentKind, bool, re.Match[str]]]:
    """Yield each mention of money that moves: its kind, whether it may be the agent who moves it, and the match."""
    for found in _LIFTED.finditer(text) if _has(text, _FEES) else ():
        yield PaymentKind.WAIVER, True, found
    for found in _VERB.finditer(text) if _has(text, _VERBS) else ():
        new = found["back"] and _NEW.search(text, 0, found.start())
        yield PaymentKind.VOUCHER if new else _kind(found), True, found
    things = _has(text, _THINGS)
    sums = (_has(text, _UNITS) or _CENTS.search(text) is not None) and _SUM.search(text) is not None
    for found in _GIVEN.finditer(text) if things else ():
        yield _kind(found), True, found
    for pattern in (_RECEIVED, _PROMISED, _WITH, _SHORT) if things else (_PROMISED,) if sums else ():
        for found in pattern.finditer(text):
            kind = _kind(found)
            present = kind is PaymentKind.BACK and _PRESENT.match(found[0])
            yield PaymentKind.GIFT if present else kind, False, found
    for found in _LOWERED.finditer(text) if sums else ():
        yield PaymentKind.DISCOUNT, True, found
    for found in _LABEL.finditer(text) if labels and things else ():
        yield _kind(found), False, found
    for found in _MOVED.finditer(text) if sums else ():
        if not _OF_VOUCHER.search(text, 0, found.start() + 1):  # its certificate has been found above
            yield PaymentKind.BACK, True, found
    for found in _OFF.finditer(text) if sums else ():
        yield PaymentKind.DISCOUNT, True, found


def _has(text: str, roots: tuple[str, ...]) -> bool:
    """Return whether a text has one of the roots. Without them the slower patterns find nothing."""
    for root in roots:  # noqa: SIM110 - a loop is what makes this fast
        if root in text:
            return True
    return False


def _kind(found: re.Match[str]) -> PaymentKind:
    """Return the kind that the match has a group for; `BACK` if there is none."""
    groups = found.groupdict()
    return next((kind for kind in PaymentKind if groups.get(kind)), PaymentKind.BACK)


def _payment(text: str, kind: PaymentKind, match: re.Match[str], *, may_own: bool) -> Payment | None:
    """Return the payment at a match; None if it is denied, conditional, a rule, or in the user's own words.

    `may_own` says whether the pattern can describe an action of the agent.
    """
    low = max(0, match.start() - _REACH)
    text, start, end = text[low : match.end() + _REACH], match.start() - low, match.end() - low
    before = text[:start]
    told = f"{before}{match[0]}"
    if negated(f"{before} ") or negated(_head(match[0])) or without_object(text, end):
        return None
    if _RULE.search(text) or _ONLY.match(text, end):
        return None
    if conditional(told) or _MODAL.search(before) or _YOURS.search(before):
        return None
    if _IN_GENERAL.search(match[0]) or _TO_HAVE.match(before):
        return None
    clause = _clause(text, start, end)
    aux = list(_AUX.finditer(_head(told)))
    coming = kind is PaymentKind.CHARGE and bool(_COMING.search(clause)) and not _OVER.search(f"{clause} {match[0]}")
    own = may_own and (aux[-1]["own"] is not None if aux else not coming)
    if kind is PaymentKind.BACK and _APOLOGY.search(text):
        kind = PaymentKind.GIFT
    record = recorded(before) or (not own and (_PAST.search(text) is not None or bool(Words(text).days)))
    future = not own and not record and (coming or _FUTURE.search(clause) is not None)
    amounts = sorted(map(str, _amounts(clause, text[start : end + 20])))
    over = _OVER.search(f"{clause} {match[0]}") is not None
    bare = own and (not aux or before.endswith((", ", ", and ", ", all ")))  # `I send it to you, charged to PayPal`
    return Payment(kind, match[0], tuple(amounts), own, over, future, bare, record)


def _head(words: str) -> str:
    """Return the words before the last one, which is the verb or the thing itself."""
    return words.rpartition(" ")[0] + " "


def _clause(text: str, start: int, end: int) -> str:
    """Return the clause around a place in a text."""
    first = max((joint.end() for joint in _ENDS.finditer(text, 0, start)), default=0)
    last = _ENDS.search(text, end)
    return text[first : last.start() if last else len(text)]


def _amounts(clause: str, near: str) -> set[object]:
    """Return the amounts of money in a clause, and a bare number right after the verb or the noun of money."""
    found: set[object] = set()
    for total in _SUM.finditer(clause):
        found |= Words(total[0].replace("$ ", "$")).numbers
    if not found:
        for noun in re.finditer(rf"(?:{_VERB.pattern}|\b(?:refund|credit|voucher|certificate)\b)", near):
            bare = _BARE.match(near, noun.end())
            found |= Words(bare[1]).numbers if bare else set()
    return found
