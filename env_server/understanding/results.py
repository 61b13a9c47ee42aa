"""States that a change leaves behind: "Roaming is off for line L1" is a report once the user has agreed to that.

Without the user's yes, the same words would only describe a record.
"""

import re
from collections.abc import Mapping

from env_server.domains.kit import Value, WantedChange
from env_server.reading import Act, Sentence, Words
from env_server.reading.sentences.scope import conditional, negated
from env_server.understanding.topics import marked
from env_server.vocabulary import forms

_NO_REPORT = frozenset({Act.PROPOSE, Act.REFUSE, Act.ASK, Act.IDENTIFY, Act.INSTRUCT})
"""Acts of sentences that describe no result."""

_NOW = r"(?:(?:now|all|already|again|also|officially|just|\w+ly) )*"
_IS = rf"(?:\b(?:is|are)|'s|'re) {_NOW}"
"""The verb `is` in the present, with adverbs. The state follows it."""

_OPEN = re.compile(
    r"\b(?:will|would|shall|should|could|can|cannot|may|might|must|once|until|yet|still|currently|right now|at present"
    r"|at the moment|before|when|if|unless|pending|waiting|was|were|no|not|never|nothing|none|hardly|usually|always"
    r"|only|within|normally)\b|'ll\b|'d\b|n't\b"
)
"""Words of a sentence that describes no new state: it is about the past, the future, a condition, a rule or a negation.
"""

_ON = re.compile(
    rf"{_IS}(?:on|active|live|enabled|back (?:on|in service|in use)|running|lifted)\b(?! (?:hold|the|your|an?|my)\b)"
)
_OFF = re.compile(rf"{_IS}(?:off|inactive|disabled|deactivated|suspended|paused|on hold)\b")
"""The states of a service that was switched on or off: `roaming is on`, `the line is suspended`."""

_TURNS_ON = re.compile(r"(?:enabl|activat|resum|restor|reactivat|unsuspend|unblock)|.* on$")
_TURNS_OFF = re.compile(r"(?:disable|disabling|deactivat|suspend|pause|freeze)|.* off$")
"""The verbs of a change (`WantedChange.verbs`) that switches something on or off. They match from the beginning."""

_SAID_ON = re.compile(r"\b(?:turn|switch)\w* (?:\w+ ){0,2}?on\b")
_SAID_OFF = re.compile(r"\b(?:turn|switch)\w* (?:\w+ ){0,2}?off\b")
"""The same verbs in an agent's sentence: `turn it off`. `opposes` uses them."""

_NEW = re.compile(
    r"\bnow (?:holds?|has|have|shows?|reads?|goes|go|includes?|contains?|flies|fly|ships?|says?|stands)\b"
    r"|\b(?:from today|from now on|as of today)\b"
)
"""Words that say that a state is new: `now goes to`, `from today`."""

_IN_FORCE = re.compile(r"\b(?:in force|in effect|in place|on file|on order)\b")
"""Words that say that a state holds. They count only beside several values."""

_AT = re.compile(rf"{_IS}(?:on|in|with|under|at) ")
"""A place or a grade, after which its value stands: `the bags are on VALUE`."""

_FIRST_WORD = re.compile(r"^(?:all )?([a-z]+)(?: (?:and|then) [a-z]+)?(?=[:!.,]| -)")
"""The word that begins a sentence and stands before a mark: `Corrected: ...`, `Done and paid. ...`"""

_ALONE = re.compile(r"(?:all |that's |it's )?([a-z]+)[!.]*")
"""A sentence of one word: `Paid!`"""

_IRREGULAR = {"pay": "paid", "send": "sent", "put": "put", "set": "set"}
"""A verb of a change -> its participle, where that does not end with `ed`."""

_WITH_WHAT = re.compile(r" (?:to|with|by|from|onto) ")
"""Words that introduce a value of a change, such as its target. If the sentence has one, no value may be missing."""

_REST = re.compile(r"[,;.:(]| and | but ")
"""The end of the words that belong to `is on`."""


def states(change: WantedChange, values: Mapping[str, Value], sentence: Sentence) -> bool:
    """Return whether a sentence describes the state that `change`, to which the user has agreed, leaves behind.

    Such a sentence has one of these forms:

    - the verb alone: `Paid!`
    - for a change that switches a service: a value of the change, and the service as on or off
    - for another change: at least half of its values, and its verb as a state: `is paid`
    - for another change: all of its values, and words for a new state: `now goes to`, `is in force`
    """
    text = sentence.text
    if text.endswith("?") or sentence.consent or sentence.quoted or sentence.acts & _NO_REPORT or _OPEN.search(text):
        return False
    if alone := _ALONE.fullmatch(text):
        return _done(change, alone[1])
    topics = [topic for topic in change.names if topic in values]
    named = [topic for topic in topics if Words(text).names(values[topic].says)]
    if not named:
        return False
    ways = turns(change)
    if ways:
        return len(ways) == 1 and bool((_ON if "on" in ways else _OFF).search(text)) and _names_service(change, text)
    if 2 * len(named) >= len(topics) and _by_verb(change, text):
        return len(named) == len(topics) or not _WITH_WHAT.search(text)
    if len(named) < len(topics):
        return False
    return bool(_NEW.search(text) or (len(topics) > 1 and (_IN_FORCE.search(text) or _placed(values, topics, text))))


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


def _by_verb(change: WantedChange, text: str) -> bool:
    """Return whether a verb of the change stands in the text as a state: `is paid`, `are booked`, `Corrected: ...`."""
    first = _FIRST_WORD.match(text)
    if first and _done(change, first[1]):
        return True
    for found in re.finditer(rf"{_IS}([a-z]+)\b", text):
        before = text[: found.start()]
        if _done(change, found[1]) and not (conditional(before) or negated(before)):
            return True
    return False


def _done(change: WantedChange, word: str) -> bool:
    """Return whether a word is the participle of a verb of the change."""
    if word in {_IRREGULAR.get(verb, "") for verb in change.verbs}:
        return True
    return word.endswith("ed") and marked(change.verbs).match(word) is not None


def _placed(values: Mapping[str, Value], topics: list[str], text: str) -> bool:
    """Return whether a value stands after `is on` or the like."""
    return any(
        Words(_REST.split(text[found.end() :], maxsplit=1)[0]).names(values[topic].says)
        for found in _AT.finditer(text)
        for topic in topics
    )
