"""Transfers to people, and requests for patience."""

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import Rules, compiled

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
        r"|\b(?:been|being|i've|i have) (?:now |being |just |been ){0,4}(?:transferred|connected|handed"
        rf"|escalated|passed)\b.{{0,30}}\b{_PEOPLE}"
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
_ADVERBS = r"(?:now |then |just |also |simply |gladly |happily |therefore |so |next |directly )*"
_SOON = r"(?=$|[.,;:!?)]| (?:now|then|for that|for this|right away|at once|(?:to|with) (?:them|{}))\b)"
_SOMEBODY = rf"(?!your\b)(?:[\w'-]+ ){{0,4}}?{_PEOPLE}"
_COLLEAGUE = r"(?:[\w'-]+ ){0,3}?(?:human|colleague|specialist|supervisor|manager|representative)s?\b"
_CASE = r"(?:you|your (?:case|call|chat)|the (?:case|matter))"
_PROMISE = Rules(
    (
        "hand handing handed pass passing passed put putting transfer transferring transferred connect connecting "
        "connected bring bringing "
        "get getting send sending forward forwarding escalate escalating refer referring move moving",
        rf"\b(?:(?:i|we)(?:'d|'ll|'m|'re| would| will| am| are| must| have to| need to)|let me"
        rf"|you(?:'d|'ll| would| will)) {_ADVERBS}(?:have to |need to |be |going to |like to |want to )*{_ADVERBS}"
        r"(?:(?:hand|pass|put|transfer|connect)(?:ing|ting)? you (?:straight |right |now |directly )*"
        r"(?:over|through|along|across|on(?= to\b| for\b|[.,;:!?]|$))\b(?! (?:the|this|that|my|these)\b)"
        r"|(?:get|send)(?:ting|ing)? you (?:straight |right |now |directly )*(?:over|through|along|across|on)"
        rf"{_SOON.format(_SOMEBODY)}"
        r"|(?:transferr?|connect)(?:ing)? you(?=$|[.,;:!?)]| (?:now|for|over|from|then|right away|at once)\b)"
        rf"|(?:get|bring)(?:ting|ing)? (?:in )?{_SOMEBODY} (?:in\b|to (?:take over|take it from"
        r"|(?:handle|settle|decide)(?=$|[.,;:!?)]| (?:it|this|that|your (?:case|request))\b)))"
        r"|(?:(?:hand|pass|put|transferr?|connect|get|send)(?:ing|ting)?|refer(?:ring)?) you (?:\w+ ){0,3}?(?:to|with) "
        rf"(?:them\b|{_SOMEBODY})"
        rf"|(?:(?:hand|pass|transferr?|send|forward|escalat)(?:ing|e)?|refer(?:ring)?) {_CASE}\b(?: \w+){{0,2}} to "
        rf"{_SOMEBODY}"
        r"|(?:hand(?:ing)?|escalat(?:e|ing)|pass(?:ing)?|refer(?:ring)?) "
        rf"(?:this|that|it|your (?:request|wish)|the request)\b(?: \w+){{0,2}} to {_COLLEAGUE}"
        r"|(?<=be )(?:handed|passed|put|transferred|connected)(?: over| on| through)? (?:to|with) "
        rf"{_SOMEBODY})",
    ),
)
_LATER = compiled(r"\b(?:once|after|as soon as|when|whenever|if|unless|until|in case)\b")
"""Words after the announcement of a transfer that make it depend on something."""

_FIRST = compiled(r"\b(?:first|then),? (?:i|we)\b")
"""An order of steps: the transfer is not the next of them."""

_BEFORE_IT = compiled(
    r"\bbefore (?:(?:i|we)(?:'d)? (?:(?:now |then )?(?:hand|pass|put|transfer|connect|get|send) you\b|do\b|go ahead\b)"
    r"|(?:that|then|handing|passing|transferring|connecting|you (?:go|are|leave))\b)|\b(?:first|beforehand)\b"
)
"""The time before a transfer: `before I hand you over`, `before I do`, `first`."""

_BEFORE_HANDING = compiled(
    r"\bbefore (?:(?:i|we)(?:'d)? (?:now |then )?(?:hand|pass|put|transfer|connect) you\b(?! down)"
    r"|(?:handing|passing|putting|transferring|connecting) you\b"
    r"|you(?:'re| are| get)? (?:handed|passed|put|transferred|connected)\b)"
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

_ON_ANSWER = compiled(
    r"\b(?:tell me|let me know|just say|say the word|give me (?:your|the)|send me)\b[^.;]{0,120}?,? (?:and|then)"
    r"(?= i(?:'ll| will| can)\b)"
)
_MENTIONS = compiled(
    r"\b(?:human|live|real) (?:agents?|persons?|colleagues?|representatives?)\b"
    r"|\btransfer(?:s|ring|red)?\b(?! (?:of|the)\b)|\bhand-?over\b"
)


def transfers(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence says that the agent transfers the user to a person, now."""
    found = _TRANSFER.search(view, words)
    if not found or "?" in view:
        return False
    before = view[: found.start()]
    return not (scope.conditional(before) or scope.negated(before))


def promises(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence says that the agent hands the user over to people, now or as the next step."""
    found = _PROMISE.search(view, words)
    if not found or "?" in view[found.start() :]:
        return False
    before = view[: found.start()].rpartition(", so ")[2]
    if scope.hypothetical(before) or scope.negated(before) or scope.recorded(before):
        return False
    return not (_LATER.search(view, found.end()) or _FIRST.search(view, 0, found.end()))


def precedes(view: str) -> bool:
    """Return whether a sentence that ends with a question speaks of the time before a transfer, which may be named
    elsewhere: `Anything else before I do?`
    """
    return bool(_BEFORE_IT.search(view))


def follows(view: str) -> bool:
    """Return whether a sentence says that a transfer is the next step: `Anything else before I hand you over?`"""
    return "before" in view and "?" in view and bool(_BEFORE_HANDING.search(view))


def waits(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks for a moment's patience, or announces a look-up. What follows an answer of the
    user does not: `Tell me who, and I'll get on with it.`
    """
    if "?" in view or not _WAITS.found(view, words):
        return False
    said = _ON_ANSWER.search(view)
    return said is None or _WAITS.found(view[: said.end()], words)


def mentions_people(text: str) -> bool:
    """Return whether a text that announces no transfer mentions one in any way: `-> human agent`, `Transfer: yes`."""
    return _MENTIONS.search(text) is not None
