"""States that a change leaves behind: "Roaming is off for line L1" is a report once the user has agreed to that.

Without the user's yes, the same words would only describe a record.
"""

import re
from collections.abc import Iterator, Mapping

from env_server.domains.kit import Value, WantedChange
from env_server.reading import Act, Sentence, Words
from env_server.reading.sentences.scope import conditional, negated, recorded
from env_server.understanding.topics import marked
from env_server.vocabulary import forms

_NO_REPORT = frozenset({Act.PROPOSE, Act.REFUSE, Act.ASK, Act.IDENTIFY, Act.INSTRUCT})
"""Acts of sentences that describe no result."""

_NOW = r"(?:(?:now|all|also|officially|just|again|\w+ly) )*"
_IS = rf"(?:\b(?:is|are)|'s|'re) {_NOW}"
"""The verb `is` in the present, with adverbs. The state follows it."""

_OPEN = re.compile(
    r"\b(?:once(?! more)|until|yet|still|currently|right now|at present|at the moment|before|when|if|unless|whether"
    r"|in front of (?:me|us)|pending|waiting for|awaiting"
    r"|hardly|usually|always|only|within|normally|already|ha[ds]n't|haven't)\b"
)
"""Words of a sentence that describes no new state: it is about a condition, a rule, or how things have been."""

_NOT_SO = re.compile(
    r"\b(?:will|would|shall|should|could|can|cannot|may|might|must|no|not|never|nothing|none)\b|'ll\b|'d\b|n't\b"
)
"""Words of a clause about the future, or of a negation. Its values are no part of a state."""

_ASIDE = re.compile(
    r"\([^()]*\)|\b(?:at|for|with) no (?:extra |additional |further )?(?:charge|cost|fee)s?\b"
    r"|\bno (?:extra )?(?:charge|cost)s?\b"
)
"""Words in parentheses, and `at no charge`, which deny nothing."""

_CLAUSE = re.compile(r"[,;:.!?] | - | and | but | so ")
"""Boundaries between clauses."""

_ON = re.compile(
    rf"{_IS}(?:on(?=$|[^\w ]| (?:for|now|again|on|in|at|from|as|and|with|too)\b)"
    r"|active|live|enabled|(?:back|up)(?: (?:and running|on|up|in service|in use))?|running"
    r"|working|lifted)\b(?! (?:hold|the|your|an?|my|to)\b)"
)
_OFF = re.compile(rf"{_IS}(?:off|inactive|disabled|deactivated|suspended|paused|on hold)\b")
"""The states of a service that was switched on or off: `roaming is on`, `the line is suspended`."""

_TURNS_ON = re.compile(r"^(?:(?:enabl|activat|resum|restor|reactivat|unsuspend|unblock)|.* on$)")
_TURNS_OFF = re.compile(r"^(?:(?:disable|disabling|deactivat|suspend|pause|freeze)|(?!call).* off$)")
"""The verbs of a change (`WantedChange.verbs`) that switches something on or off. They match from the beginning."""

_SAID_ON = re.compile(r"\b(?:turn|switch)\w* (?:\w+ ){0,2}?on\b")
_SAID_OFF = re.compile(r"\b(?:turn|switch)\w* (?:\w+ ){0,2}?off\b")
"""The same verbs in an agent's sentence: `turn it off`. `opposes` uses them."""

_NEW = re.compile(
    r"\bnow (?:holds?|has|have|shows?|reads?|goes|go|includes?|contains?|flies|fly|ships?|says?|stands)\b"
    r"|\b(?:from today|from now on|as of today)\b"
    r"|(?:\b(?:is|are|has|have|holds?|goes|go)|'s|'re) (?:(?! and | but )(?:[^,;:.!?]|\.(?=\d))){1,80}? now"
    r"(?=$|[,;:.!)]| and | - | for | at | with )"
    rf"|\b(?:your|the) new (?:\w+ ){{1,3}}?{_IS}(?:on file|in force|in effect|in place|in your)\b"
)
"""Words that say that a state is new: `now goes to`, `has three bags now`, `from today`."""

_HENCEFORTH = re.compile(r"(?<!\bi)(?<!\bwe) will now (?!be\b)[a-z]+|\bshows? [^,;.!?]{1,60} from now on\b")
"""Words for a new state that could also announce it, unless the message ends the agent's work: `will now go to`."""

_BY_NOW = re.compile(
    r"(?<!\bright)(?<!\bfor)(?<!\bby)(?<!\buntil) (?:now|again|once more|from now on|from today|as of (?:now|today))"
    r"(?=$|[,;:.!)]| - | (?:and|for|at|on|in|with|from)\b)"
)
_THERE = re.compile(
    rf"{_IS}(?:waiting|ready|saved|stored|sitting|there)\b(?! to\b)"
    r"|\b(?:has|have|'s) (?:now |just )?(?:reached|arrived|landed|gone|come through)\b"
    r"|\bjust (?:went|arrived|landed)\b"
)
_FIND = re.compile(
    r"\byou(?:'ll| will| can)(?: now)? (?:find|see) "
    r"(?!.{0,200}\b(?:soon|shortly|later|tomorrow|within|in (?:an?|\d+)|by)\b)"
    r"[^,;.!?]{1,80} (?:in|on) your "
)
_PLACED = re.compile(rf"^(?:\w+, )*(?:it|that|they){_IS}(?:[a-z]+ed )?(?:in|on|under|part of) your (?!way\b)[a-z]")
"""Words that tell the end of a change only where the message ends the agent's work: `works again`, `has arrived`,
`you'll find it in your profile`, `it's in your profile`.
"""

_IN_FORCE = re.compile(rf"{_IS}(?:in force|in effect|in place|on file|on order|(?:in|on|part of) your (?!way\b)\w+)\b")
"""Words that say that a state holds. They count only beside several values, or at the end of the agent's work."""

_AT = re.compile(rf"{_IS}(?:on|in|with|under|at) ")
"""A place or a grade, after which its value stands: `the bags are on VALUE`."""

_FIRST_WORD = re.compile(r"^(?:all )?([a-z]+)(?: (?:and|then) [a-z]+)?(?=[:!.,]| -)")
"""The word that begins a sentence and stands before a mark: `Corrected: ...`, `Done and paid. ...`"""

_POINTS = re.compile(
    rf"^(?:(?:now|so|well|and|there|right|great|perfect|okay|there you go),? ){{0,6}}"
    rf"(?:all |(?:it|that|this|everything){_IS})?([a-z]+)(?: and [a-z]+)?"
    r"(?: for you| now| too| as well| in full){0,4}(?:, [a-z]+(?: [a-z]+)?)?(?:[!.]*$|: | - )"
)
"""A verb that points at what was agreed: `Paid!`, `It's ordered, Ann: ...`"""

_PLANS = re.compile(r"\bgoing to\b|\b(?:i|we)(?:'d|'ll| would| will| shall| can)\b")
_WAS = re.compile(r"\b(?:was|were)\b")

_PAST = re.compile(
    r"\b(?:was|were) (?:(?:now|just|also|all|\w+ly) )*([a-z]+)\b"
    r"(?! (?:on|in|at|since|by|before|after|last|earlier|twice|when|because|due|during|\w+ (?:ago|times))\b)"
)
"""A completed action without a time: `was changed`."""

_STATE = re.compile(rf"{_IS}([a-z]+(?: (?:off|up|out|back))?)\b(?: and ([a-z]+)\b)?")
_ADDS = ("add", "include", "including")
_ADDED = re.compile(rf"{_IS}(?:on|in)(?=$|[,.;:!)]| and | now | - )")
_UNDER = re.compile(rf"{_IS}on ([a-z]+)\b")
"""A participle, `is on` for what is added, and a noun in words such as `is on order`."""

_IRREGULAR = {"pay": "paid", "send": "sent", "put": "put", "set": "set"}
"""A verb of a change -> its participle, where that does not end with `ed`."""

_REGULAR = re.compile(r"[a-z]*ed\b")
_WITH_WHAT = re.compile(r" (?:to|with|by|from|onto) ")
"""Words that introduce a value of a change, such as its target. An unknown value after them is another one."""

_REST = re.compile(r"[,;.:(]| and | but ")
"""The end of the words that belong to `is on`."""

ANY_CHANGE = frozenset({"payment"})
"""Topics whose values occur in changes of any kind, and do not tell one from another."""


def describes(sentence: Sentence) -> bool:
    """Return whether a sentence may describe a new state: it asks for nothing, and names no condition and no rule."""
    if sentence.text.endswith("?") or sentence.consent or sentence.quoted or sentence.acts & _NO_REPORT:
        return False
    return _OPEN.search(sentence.text) is None


def states(change: WantedChange, values: Mapping[str, Value], words: Words, *, entry: bool, last: bool) -> bool:
    """Return whether a sentence that `describes` a state has the one that `change`, to which the user has agreed,
    leaves behind.

    Such a sentence has one of these forms:

    - the verb alone, or with a pronoun: `Paid!`, `It's ordered, Ann.`
    - for a change that switches a service: a value of the change, and the service as on or off
    - for another change: at least half of its values, and its verb as a state: `is paid`, `was paid`
    - for another change: all of its values, and words for a new state: `now goes to`, `is in force`

    `entry`: the sentence is an entry of a list. `last`: the message ends the agent's work, and the user waits for no
    other change. Then fewer values are enough.
    """
    whole = _ASIDE.sub(" ", words.text)
    text = _factual(whole)
    points = None if entry or _PLANS.search(whole) else _POINTS.match(text)
    if (points and done(change, points[1])) or (last and any(_so(text, _PLACED))):
        return True
    topics = [topic for topic in change.names if topic in values]
    if last and topics and _foretold(whole) and all(words.names(values[topic].says) for topic in topics):
        return True
    words = words if text == words.text else Words(text)
    named = [topic for topic in topics if words.names(values[topic].says)]
    if topics and not ({*named} - ANY_CHANGE or len(named) == len(topics)):
        return False
    ways = turns(change)
    if ways:
        on = "on" in ways
        held = [clause for _, clause in _so(text, _ON if on else _OFF)]
        held += [clause for _, clause in _so(text, _BY_NOW)] if last and on and not _OFF.search(text) else []
        return len(ways) == 1 and any(_names_service(change, clause) for clause in held)
    most = 2 * len(named) >= len(topics)
    clause = _by_verb(change, text, last=last) if topics and (last or most) else None
    if clause is not None:
        known = tuple(form for topic in named for form in values[topic].says)
        rest = (_REST.split(clause[found.end() :], maxsplit=1)[0] for found in _WITH_WHAT.finditer(clause))
        return len(named) == len(topics) or all(Words(part).names(known) for part in rest)
    if topics and len(named) == len(topics):
        if any(_so(text, _NEW)) or (last and (any(_so(text, _BY_NOW)) or any(_so(text, _THERE)))):
            return True
        return (last or len(topics) > 1) and (any(_so(text, _IN_FORCE)) or _placed(values, topics, text))
    if not last or any(words.name(other) for topic in topics for other in values[topic].others):
        return False
    return _placed(values, _own_topics(change, values), text) or (most and any(_so(text, _BY_NOW)))


def _own_topics(change: WantedChange, values: Mapping[str, Value]) -> list[str]:
    """Return the topics of a change whose values tell it from changes of other kinds."""
    return [topic for topic in change.names if topic in values and topic not in ANY_CHANGE]


def _foretold(text: str) -> bool:
    """Return whether a text tells a new state in words about the future: `will now go to`, `you'll find it in your`."""
    return (_HENCEFORTH.search(text) or _FIND.search(text)) is not None


def _factual(text: str) -> str:
    """Return a sentence without its clauses about the future, and without negated ones."""
    if not _NOT_SO.search(text):
        return text
    parts: list[str] = []
    start = 0
    for joint in _CLAUSE.finditer(text):
        parts += [text[start : joint.start()], joint[0]]
        start = joint.end()
    return "".join(part for part in (*parts, text[start:]) if not _NOT_SO.search(part))


def _so(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield what a pattern finds in clauses that state it as a fact of the present, with these clauses."""
    for found in pattern.finditer(text):
        before, clause = text[: found.start()], _clause(text, found)
        if not (_WAS.search(clause) or conditional(before) or recorded(before)):
            yield found, clause


def _clause(text: str, found: re.Match[str]) -> str:
    """Return the clause, or the clauses, in which a match stands."""
    start = max((joint.end() for joint in _CLAUSE.finditer(text, 0, found.start() + 1)), default=0)
    end = _CLAUSE.search(text, found.end())
    return text[start : end.start() if end else len(text)]


def turns(change: WantedChange) -> frozenset[str]:
    """Return the ways in which a change switches something: `on`, `off`, both or none."""
    ways = {"on": _TURNS_ON, "off": _TURNS_OFF}
    return frozenset(way for way, verbs in ways.items() if any(verbs.match(verb) for verb in change.verbs))


def _names_service(change: WantedChange, text: str) -> bool:
    """Return whether a text names the service that is in the change's verbs; True if they name none.

    `The line is active` does not say that its roaming is on.
    """
    services = {word for verb in change.verbs for word in verb.split()} & {*forms("services")}
    return not services or any(service in text for service in services)


def opposes(change: WantedChange, text: str) -> bool:
    """Return whether a text speaks of switching something on where the change switches it off, or the other way."""
    on, off = _SAID_ON.search(text) is not None, _SAID_OFF.search(text) is not None
    return on != off and turns(change) == {"off" if on else "on"}


def _by_verb(change: WantedChange, text: str, *, last: bool) -> str | None:
    """Return the clause in which a verb of the change stands as a state, or as a completed action: `is paid`, `is on
    order`, `was changed`, `Corrected: ...`; for what is added, also `is on` if it is the `last` change.
    """
    first = _FIRST_WORD.match(text)
    if first and done(change, first[1]):
        return text
    for found, clause in _so(text, _STATE):
        if any(done(change, verb) for verb in found.groups() if verb):
            return clause
    for found, clause in _so(text, _UNDER):
        if found[1] in change.verbs:
            return clause
    if last and any(verb.startswith(_ADDS) for verb in change.verbs):
        for _, clause in _so(text, _ADDED):
            return clause
    for found in _PAST.finditer(text):
        before = text[: found.start()]
        if done(change, found[1]) and not (negated(before) or recorded(before)):
            return _clause(text, found)
    return None


def done(change: WantedChange, word: str) -> str | None:
    """Return the verb of the change of which a word is the participle; None if there is none."""
    for verb in change.verbs:
        if _IRREGULAR.get(verb) == word or (_REGULAR.match(word) and marked((verb,)).match(word)):
            return verb
    return None


def _placed(values: Mapping[str, Value], topics: list[str], text: str) -> bool:
    """Return whether a value stands after `is on` or the like."""
    return any(
        Words(_REST.split(text[found.end() :], maxsplit=1)[0]).names(values[topic].says)
        for found, _ in _so(text, _AT)
        for topic in topics
    )
