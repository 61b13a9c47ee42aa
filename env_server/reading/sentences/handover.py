"""Transfers to people, and requests for patience."""

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import Rules

_PEOPLE = (
    r"(?:human|agent|(?<!in )person|people|representative|rep|specialist|colleague|team|supervisor|manager|someone"
    r"|advisor|associate|department|staff|nurse|operator|one of them|to one)s?\b"
)
_CUES = (
    "human agent agents person people representative representatives rep specialist specialists colleague team "
    "supervisor managers manager someone colleagues teams supervisors advisor advisors associate associates department "
    "departments staff nurse nurses operator operators reps persons them one"
)
_TRANSFER = Rules(
    (
        _CUES,
        r"\b(?:i am|i'm|i will|i'll|we are|we're|we'll|let me|while i|i|will be|you're|you are|you will|you'll) "
        r"(?:now |be |been |being |just |also |going to |have to |need to |getting |go ahead and |proceed to "
        r"|proceed with )*(?:get(?:ting)? (?:you|this) (?:over )?to"
        r"|transfer(?:red|ring)?|connect(?:ed|ing)?|hand(?:ed|ing)?|pass(?:ing|ed)?|put(?:ting)?|escalat(?:ed?|ing)"
        rf"|forward(?:ing|ed)?)\b.{{0,40}}?\b{_PEOPLE}"
        r"|\b(?:been|being|i've|i have) (?:now |being |just |been )*(?:transferred|connected|handed|escalated|passed)\b"
        rf".{{0,30}}\b{_PEOPLE}"
        r"|(?<!recommend )(?<!suggest )"
        r"\b(?:transferring|connecting|handing|passing|putting|escalating) (?:you|this|your (?:case|call|chat"
        r"|request))\b"
        rf".{{0,40}}?\b{_PEOPLE}|(?:^|, )transfer(?:ring)?(?: \w+){{0,4}} to (?:a )?(?:human|live|agent)"
        r"|\ba (?:human|live|real) (?:agent|person|representative) will (?:be with|take over|assist|join"
        r"|contact|help)\b|\b(?:specialist|representative|colleague|supervisor|someone|team member) will be with you\b"
        r"|\bwhile i get (?:you )?an? (?:human|live|real)\b",
    ),
    (
        "transferring transferred handing transfer hand put",
        r"\b(?:i am|i'm|we're|we are) (?:now |just )*(?:transferring|handing) (?:you|this chat) (?:over )?(?:now"
        r"|right away|at once)\b"
        r"|\byou(?:'re| are|'ve| have| will)(?: now| just)? (?:be |been |being )(?:now )?transferred(?=$|[.!,]| now\b)"
        r"|^transferring (?:you )?now\b|^transferring you(?=$|[.!,])"
        r"|\b(?<!then )(?:i'll|i will|let me) (?:now |just )*(?:transfer|hand|put) you (?:over|through)(?: to them)?"
        r"(?: now| right away| at once)?(?=$|[.!])",
    ),
    (
        "transfer",
        r"\b(?:i'll|i will|i am|i'm|i have|i've|let me) (?:now |just )*initiat(?:e|ed|ing) (?:a|the|your"
        r"|this) transfer\b"
        r"|\b(?:the|your) transfer to an? (?:human|live|person)\b.{0,20}\b(?:is (?:now )?(?:under way|in progress"
        r"|being)|has been"
        r" (?:initiated|started|requested))\b",
    ),
    ("while", r"\bwhile i (?:transfer|connect) (?:you|your|this)\b"),
)
_WAITS = Rules(
    ("moment second minute sec mo", r"\b(?:one|a|just a) (?:moment|second|minute|sec|mo)\b"),
    (
        "hold wait stand bear give hang",
        r"\bhold on\b|\bplease (?:wait|hold|stand by)\b|\bbear with\b|\bgive me a\b|\bhang on\b",
    ),
    (
        "look check retrieve find search pull verify review get see locate calculate gather fetch looking "
        "checking retrieving "
        "searching pulling reviewing verifying investigate",
        r"\b(?:i'll|i will|let me|i'm going to|i am going to|allow me to|i'm|i am) "
        r"(?:now |just |first |quickly |also |go ahead and |take a moment to |then )*(?:look|check|retrieve"
        r"|find|search|pull"
        r"|verify|review|get|see|locate|calculate|gather|fetch|looking|checking|retrieving|searching|pulling|reviewing"
        r"|verifying|investigate)\b",
    ),
)


def transfers(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence says that the agent transfers the user to a person, now."""
    found = _TRANSFER.search(view, words)
    if not found or "?" in view:
        return False
    before = view[: found.start()]
    return not (scope.conditional(before) or scope.negated(before))


def waits(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks for a moment's patience, or announces a look-up."""
    return "?" not in view and _WAITS.found(view, words)
