"""Whether a sentence says that a change has been made, by the agent, now."""

from env_server.reading import scope
from env_server.reading.lexis import words as listed
from env_server.reading.rules import Rules, compiled
from env_server.reading.words import CHANGED, NOUN, VERB, either

_DEED = (CHANGED - {"transferred"}) | {
    *("taken", "put", "given", "brought", "switched", "handled", "sorted", "done", "finished", "placed")
}
_DONE = either(list(_DEED))
_DEEDS = " ".join(_DEED)
_CUES = _DEED | frozenset(
    listed(
        "confirmed complete active live through effect care good successful success now successfully transferred able",
        "managed consider took gave set again called charged",
    )
)
_ADVERBS = (
    r"(?:(?:now|just|also|both|all|already|successfully|fully|officially|finally|today|gone|went|ahead|and|then|since"
    r"|immediately|each|formally|promptly|safely|correctly|properly|hereby|indeed|temporarily|permanently|manually"
    r"|again|instead|accordingly|to) )*+"
)
_OPENING = (
    r"(?:(?:ok|okay|great|perfect|all ?right|yes|good news|great news|thanks?|thank you|wonderful|excellent|right|there"
    r"|sure|no problem|of course|certainly|absolutely|fantastic|hi|hello|update|thank you for (?:confirming|your \w+)"
    r"|and|so|then|also|next|finally|awesome|brilliant|lovely|boom|yay|no \w+|not a problem|hey"
    r"|hooray)\b[^a-z0-9#$]+)*+"
)
_THINGS = (
    rf"(?:{NOUN}|line|address|flights?|seats?|tickets?|bags?|items?|insurance|roaming|data|bill|account"
    r"|profile|cart|records?"
    r"|visit|slot|cabin|autopay|tip|dose|delivery|pickup|name|password|membership|contract|plan|service"
    r"|e-?mail|phone number|#\w+|\([^)]{1,30}\)|(?=[a-z]*\d)[a-z0-9-]{4,14}|\$[\d,.]+)"
)
_DEVICES = "".join(rf"(?<!{word} )" for word in ("phone", "device", "signal", "wi-fi", "mode", "apn", "calling", "sim"))
# Each of these can only be the agent's own deed.
_FIRM = Rules(
    (
        _DEEDS + " took gave put charged called",
        rf"\b(?:i|we)(?:'ve| have|'d)? {_ADVERBS}(?:{_DONE}|charged|called off|took care of|gave|took|put)\b"
        r"(?! (?:a look|note|that|(?:you )?(?:a|the) (?:payment )?request"
        r"|(?:you )?an? (?:[\w-]+ ){0,2}?(?:code|link|reminder|text)\b))",
    ),
    (
        "able managed consider",
        rf"\b(?:i|we) (?:(?:was|were|have been|'ve been) (?:\w+ )?able to|managed to) {VERB}\b"
        r"|\bconsider it (?:done|cancelled|sorted|booked)\b",
    ),
    (
        "now all successfully officially both also fully hereby",
        r"\b(?:is|are|was|were|'s|'re) (?:(?:now|all|successfully|officially|both|also|fully|hereby) )++"
        rf"(?:{_DONE}|active|in effect|live|complete|set|good to go|back on|on (?:the|a|our)|open|in place"
        r"|through|signed up)\b",
    ),
    (
        "cancelled canceled done complete completed set good taken refunded sorted handled placed submitted "
        "effect updated "
        "finalised finalized booked rebooked scheduled rescheduled reserved",
        r"\b(?:is|are|'s|'re) (?:cancel+ed|done|complete|completed|all set|good to go|taken care of|refunded"
        r"|sorted|handled"
        r"|placed|submitted|in effect|updated|finali[sz]ed)(?:$|[.!,;:)]| - | for | with | and )"
        r"|\b(?:is|are|'s|'re) (?:re)?(?:booked|scheduled|reserved)(?:$|[.!,;)])",
    ),
    (
        "confirmed",
        r"\b(?:booking|reservation|appointment|order|payment|refund|exchange|cancel+ation|visit|slot|seats?|flight"
        r"|trip|change)s? [^,;]{0,60}?(?:is|are|'s|has been|have been) (?:now |all |both |successfully )*confirmed\b"
        r"|\byou(?:'re| are) (?:now |all )*confirmed (?:for|on|with)",
    ),
    (
        "now",
        rf"{_DEVICES}\b(?:is|are|'re|'s) now (?=(?:on|set|active|enabled|disabled|the|a|an|\d|\$|your"
        r"|in (?:the|your|economy|business|basic)|scheduled|going to|for|at|basic|under|with|open|restored"
        r"|back|reflected|free"
        r"|linked|part|off)\b)|\bnow (?:includes?|reads?|has|set to|stands? at)\b|\byou now have\b"
        r"|\b(?:address|e-?mail|plan|seat|name|total|tip|number|date|method|pharmacy|appointment|limit|balance|booking"
        r"|reservation|cart|time|slot|visit)(?: on (?:file|your account))? (?:is|are) now "
        r"(?!being|pending|in |under review|ready|available|eligible|unavailable|past|too|processing)\S",
    ),
    (
        "again once",
        r"\b(?:line|plan|service|account|subscription|membership|card|autopay|prescription)s? (?:\S+ )?(?:is|are) "
        r"(?:active|live|enabled|back|on|working|restored)(?: and \w+)? (?:again|once more)\b",
    ),
    (
        "transferred",
        r"\b(?:i|we)(?:'ve| have)? (?:\w+ )?transferred (?!you\b|this (?:chat|call|case)|the (?:chat|call|case))"
        r"|\b(?:prescriptions?|refills?|records?|balance|funds|amount|number|points|miles|credit|money)\b.{0,40}"
        r"\b(?:has|have) been (?:\w+ )?transferred\b",
    ),
    (
        "through effect live",
        r"\b(?:(?:cancel+ation|change|update|payment|refund|order|booking|exchange|return|request|it"
        r"|everything|that|all) "
        r"(?:has |have )?(?:just )?(?:went|gone|came) through\b|took effect\b|(?:has|have) taken effect\b"
        r"|(?:is|are) live\b)",
    ),
    (
        "success successful complete",
        rf"\b{NOUN} (?:request )?(?:was|is|has been|were) (?:now )?(?:a success|successful|complete)\b",
    ),
)
_DOUBTFUL = Rules(
    (
        "booked rebooked scheduled rescheduled reserved",
        r"\b(?:is|are|'s|'re) (?:re)?(?:booked|scheduled|reserved) (?:for|on|with)\b",
    )
)
_PERFECT = compiled(rf"\b(?:has|have|'ve|'s) {_ADVERBS}been {_ADVERBS}(?:{_DONE}|called off)\b")
_PAST = compiled(rf"\b(?:was|were) {_ADVERBS}{_DONE}\b")
_FINISHED = compiled(
    rf"^{_OPENING}(?:(?:it|that|this|everything|both|all|you|we|they|these)(?:'s|'re| is| are| has been| have been)?"
    r"(?: now| all)* )?(?:all )?(?:done|set|all set|completed|complete|good to go|taken care of|sorted|booked"
    r"|cancel+ed"
    r"|confirmed|success|finished|fixed|handled|rebooked|refunded|updated|changed)"
    r"(?: for you| now| too| as well| and dusted)*(?:$|[,.!:;)]| - | with | and )"
)
_NO_VERB = r"(?!(?:have|has|had|see|you|i|we|are|is|was|were|find|found|any|no|with|which|that) )"
_SHORT = compiled(
    rf"^{_OPENING}(?:(?:the|your|an?|my|both|this|new|full|partial|one) )*+(?:{_NO_VERB}[\w.#$'%-]+ ){{0,5}}?{_THINGS}"
    rf"(?: (?:request|process))? (?:now |successfully |all |both |already )*(?:{_DONE}|complete|confirmed|successful)"
    r"(?:$|[.!:;,)]| - | to | for | with | from | and | at )"
)
_STARTS = compiled(
    rf"^{_OPENING}(?:successfully |just )?(?!given|taken|done|set ){_DONE} (?:the|your|a|an|both|all|it|you|\$\d|#)"
)
_OTHERS = compiled(
    r" by (?:the|your|our|an?|another) (?:airline|carrier|system|restaurant|provider|pharmacy|clinic|doctor"
    r"|dasher|store"
    r"|merchant|bank|driver|previous|warehouse|seller|office)"
)
# "It was booked" is what a record shows; "it was updated", without a date, is what the agent did.
_OLD = compiled(
    r"\b(?:booked|created|placed|purchased|paid|made|ordered|opened|scheduled|cancel+ed|set|sent|processed"
    r"|declined|charged"
    r"|returned|halted|closed|suspended|stopped|locked|blocked|dropped|topped|noted|marked|reported|assigned|approved)$"
)
_DATED = compiled(
    r"\b(?:on|in|since|at|until) (?:the )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu"
    r"|fri|sat|sun|\d)"
    r"|\d{4}-\d\d|\b(?:ago|already|previously|originally|initially|once|earlier|yesterday|last|because|since"
    r"|when|which|who)\b"
)
# "It has been moved two times" counts what was done before.
_BEFORE = compiled(r" (?:already|(?:once|twice) (?:already|before|so far)|twice|\w+ times)\b")
_FRESH = compiled(r"\b(?:was|were) (?:\w+ )?(?:successfully|just|now)\b|\bsuccessfully\b")
_RELATIVE = compiled(r"\w (?:that|which|who) $")
_MODALS = tuple(
    f" {word} "
    for word in listed(
        "would could should might may must will can to cannot not",
    )
)
_ASKING = compiled(
    r"^(?:has|have|had|was|were|did|do|does|is|are|what|which|when|why|how|who|can|could|would|may|shall|should)\b"
)


def claims(view: str, words: frozenset[str], *, entry: bool) -> tuple[bool, bool]:
    """Whether a sentence says that a change has been made, and whether it says so firmly."""
    if words.isdisjoint(_CUES):
        return False, False
    doubtful = False
    for at, firm in _found(view, words, entry=entry):
        before = view[:at]
        if f" {before}".endswith(_MODALS) or scope.conditional(before) or scope.negated(before) or _asks(view, at):
            continue
        if (
            firm
            and not _RELATIVE.search(before)
            and not scope.recorded(before)
            and not _OTHERS.search(view, at)
            and "according to" not in view
        ):
            return True, True
        doubtful = True
    return doubtful, False


def _asks(view: str, at: int) -> bool:
    return view.endswith("?") and bool(_ASKING.match(view)) and "," not in view[:at]


def _found(view: str, words: frozenset[str], *, entry: bool) -> list[tuple[int, bool]]:
    """Where the sentence reports something as done, and whether it can only be the agent's own deed."""
    found = [(match.start(), True) for match in _FIRM.every(view, words)]
    if _FINISHED.match(view) or (not entry and _STARTS.match(view)):
        found.append((0, True))
    if not entry and (match := _SHORT.match(view)):
        found.append((match.end(), True))
    found += [(match.start(), False) for match in _DOUBTFUL.every(view, words)]
    if "been" in words:
        found += [
            (match.start(), " already " not in match[0] and not _BEFORE.match(view, match.end()))
            for match in _PERFECT.finditer(view)
        ]
    if "was" in words or "were" in words:
        found += _past(view, entry=entry)
    return found


def _past(view: str, *, entry: bool) -> list[tuple[int, bool]]:
    fresh = bool(_FRESH.search(view))
    undated = not entry and not _DATED.search(view)
    return [(match.start(), fresh or (undated and not _OLD.search(match[0]))) for match in _PAST.finditer(view)]
