"""The changes wanted by the user that a message reports as made."""

import re
from collections.abc import Collection, Sequence

from env_server.domains.kit import WantedChange
from env_server.reading import Act, Reading, Sentence, Words
from env_server.reading.sentences.reports.brief_reports import only_agreed
from env_server.reading.sentences.scope import conditional, negated
from env_server.understanding.ear import ChangePlace, Ear
from env_server.understanding.proposed import OUT, to_come
from env_server.understanding.reported_payments import moves_money
from env_server.understanding.results import ANY_CHANGE, describes, done, states
from env_server.understanding.topics import about, other_report

_PERFECT = re.compile(r"\b(?:has|have|'ve|'s) (?:(?:now|just|also|\w+ly) )*been (?:(?:now|just|\w+ly) )*(\w+)")
"""A completed action, with its verb."""


_ACTED = re.compile(
    r"\b(?:been|was|were|i've|we've|i have|we have)\b|\b(?:i|we) \w+ed\b"
    r"|\b(?:has|have) (?:(?:now|just|also) )*(?:gone|\w+ed)\b"
)
"""A completed action, by the agent or without the one who did it."""

_HELD = re.compile(r"(?:\b(?:is|are)|'s|'re) ((?:(?:now|all|just|also|\w+ly) )*)(\w+(?: (?:off|up|out|back))?)\b")
"""A state, with its adverbs and its verb: `is now cancelled`."""

_OTHERS = OUT - {Act.CLAIM}
"""Acts of sentences that describe no result."""

_SEVERAL = 2
"""The number of values by which a report without a wish's verb is recognised as one about that wish."""

_IN_GENERAL = re.compile(
    r" (?:your|the|all|both) (?:\w+ )?(?:requests?|changes?|updates?|account|profile|records?|file|orders?"
    r"|reservations?|bookings?|appointments?|lines?|plans?)"
    r" (?:has|have|is|are|was|were) (?:(?:now|also|all|been|\w+ly) )*"
    r"(?:updated|changed|modified|adjusted|processed|completed|made|handled|submitted) "
    r"(?:$|as (?:follows|requested|asked|agreed|wished|you \w+) |(?:successfully|now|in|with) )"
)
"""A report that does not say which change was done, such as the heading of a list."""


def reports_in(
    ear: Ear, reading: Reading, refusals: Sequence[int], asked: Collection[ChangePlace] = ()
) -> tuple[tuple[ChangePlace, ...], tuple[ChangePlace, ...], tuple[ChangePlace, ...]]:
    """Return the changes that are reported as made: the firm reports, the doubtful ones, and those of the current wish
    where a firm report names no wish and the user has agreed to nothing.

    The report of a refused wish is the reason of the refusal and does not count. A sentence without a completed action
    (`the bill is issued`) reports none of the changes for which the message asks for a yes (`asked`).
    """
    firm: dict[ChangePlace, None] = {}
    doubtful: dict[ChangePlace, None] = {}
    unsure: dict[ChangePlace, None] = {}
    waiting = [place for place in ear.agreed if place.wish in ear.open]
    closes = Act.CLOSE in reading.acts and not reading.consent
    last = len(waiting) == 1 and closes
    for sentence in reading.sentences:
        if to_come(sentence) or (sentence.points and Act.CLAIM not in sentence.acts):
            continue
        words = Words(sentence.text)
        left = (
            _left_behind(ear, waiting, sentence, words, last=last) if not (sentence.entry and reading.consent) else []
        )
        if Act.CLAIM in sentence.acts and Act.REFUSE not in sentence.acts:
            found = firm if sentence.firm else doubtful
            claimed = [p for p in _claimed(ear, words) if p.wish not in refusals]
            if other := _elsewhere(ear, claimed, words):
                unsure |= dict.fromkeys(other)
                continue
            if ear.agreed and moves_money(sentence):  # the refund of an agreed change reports no other change
                claimed = [p for p in claimed if p in ear.agreed or _named(ear, p, words)]
            if sentence.firm and not claimed and not refusals and not reading.consent:
                unsure |= dict.fromkeys(_focused(ear, words))
            claimed = [p for p in claimed if p not in asked or _acted(ear.change(p), sentence, reading)]
            if sentence.points and not closes:
                doubtful |= dict.fromkeys(p for p in [*claimed, *left] if not _is_told(ear, p, sentence, words))
                claimed, left = ([p for p in some if _is_told(ear, p, sentence, words)] for some in (claimed, left))
            found |= dict.fromkeys(claimed)
        elif not sentence.acts & OUT:
            left += _made(ear, sentence)
        firm |= dict.fromkeys(p for p in left if p.wish not in refusals and p not in asked)
    if Act.CLAIM in reading.supposed and not firm:
        doubtful |= dict.fromkeys(waiting)
    return tuple(firm), tuple(p for p in doubtful if p not in firm), tuple(p for p in unsure if p not in firm)


def _acted(change: WantedChange, sentence: Sentence, reading: Reading) -> bool:
    """Return whether a report tells a completed action even beside a question for a yes to the same change: it is in
    the past or perfect, or a verb of the change is a state that holds `now`, or that stands in the proposal, too.
    """
    if _ACTED.search(sentence.text):
        return True
    proposing = [s.text for s in reading.sentences if s is not sentence and (s.consent or Act.PROPOSE in s.acts)]
    for adverbs, verb in _HELD.findall(sentence.text):
        verb_of = done(change, verb)
        if verb_of and ("now" in adverbs or any(f" {verb_of}" in f" {text}" for text in proposing)):
            return True
    return False


def _is_told(ear: Ear, place: ChangePlace, sentence: Sentence, words: Words) -> bool:
    """Return whether a report by a pronoun is about a change for certain: it names a value of it, and does not only
    say that it is agreed.
    """
    return _own_values(ear, place, words) > 0 and not only_agreed(sentence.text)


def _focused(ear: Ear, words: Words) -> list[ChangePlace]:
    """Return the changes of the current wish, if the user has agreed to nothing and the report names no wish, no value
    of another one, and no other action. Otherwise return nothing.
    """
    if ear.agreed or other_report(words.flat) or _claimed(ear, words):
        return []
    named = {w for w in range(len(ear.script.requests)) if _own_values(ear, ChangePlace(w, 0), words)}
    if named and ear.focus not in named:
        return []
    return [ChangePlace(ear.focus, c) for c in range(len(ear.script.requests[ear.focus].changes))]


def _made(ear: Ear, sentence: Sentence) -> list[ChangePlace]:
    """Return the agreed changes that a sentence reports as made, in the verbs of the changes."""
    found = []
    for place in ear.agreed if sentence.firm and "been" in sentence.text and not sentence.text.endswith("?") else ():
        beginnings = ear.change(place).verbs
        at = next((m.start() for m in _PERFECT.finditer(sentence.text) if m[1].startswith(beginnings)), None)
        before = sentence.text[:at]
        if at is not None and place.wish in ear.open and not (conditional(before) or negated(before)):
            found.append(place)
    return found


def _left_behind(
    ear: Ear, waiting: Sequence[ChangePlace], sentence: Sentence, words: Words, *, last: bool
) -> list[ChangePlace]:
    """Return the changes, of those for which the user is `waiting`, whose result a sentence describes."""
    if not waiting or sentence.acts & _OTHERS or not describes(sentence):
        return []
    return [p for p in waiting if states(ear.change(p), ear.values(p.wish), words, entry=sentence.entry, last=last)]


def _claimed(ear: Ear, words: Words) -> list[ChangePlace]:
    """Return the changes that a sentence reports as made.

    These are the changes it names, else the changes agreed to.
    """
    requests = ear.script.requests
    places = [ChangePlace(w, c) for w in range(len(requests)) for c in range(len(requests[w].changes))]
    named = [p for p in places if about(requests[p.wish].changes[p.change], words.flat)]
    agreed = [p for p in places if p in ear.agreed and p.wish in ear.open]
    unvoiced = [p for p in named if _named(ear, p, words)] if agreed else named
    named = [p for p in named if p.wish in ear.voiced] or unvoiced
    in_general = _IN_GENERAL.search(words.flat) if agreed else None
    if in_general and not any(_named(ear, p, Words(words.flat.replace(in_general[0], " "))) for p in named):
        return agreed  # "Your requests have been processed" does not name a payment request
    if len(named) > 1:
        closer = [p for p in named if _own_values(ear, p, words)] or [p for p in named if _named(ear, p, words)]
        named = closer or named
        agreed = [p for p in named if p in ear.agreed and p.wish in ear.open]
        going = [p for p in named if p.wish in ear.open]
        named = agreed or going or [p for p in named if p in ear.agreed] or _most_named(ear, named, words)
    going = [p for p in places if p in ear.agreed and p.wish in ear.open]
    if named and not set(named) & set(going):
        named = _by_values(ear, going, named, words) or named
    if named and not set(named) & set(ear.agreed):  # a repeated report of a closed wish names more of that
        most = max(_own_values(ear, p, words) for p in named)
        named = [p for p in places if p in ear.agreed and _own_values(ear, p, words) > most] or named
    if named or other_report(words.flat):  # "The flight has been cancelled" does not report that the bags were added
        return named
    going = [p for p in going if _own_values(ear, p, words)] or going
    return going or [p for p in places if p in ear.agreed]


def _elsewhere(ear: Ear, claimed: Sequence[ChangePlace], words: Words) -> list[ChangePlace]:
    """Return the changes of another wish, if a report that seems to be about `claimed` names nothing of these, and
    several values of that wish: "The suitcases are done: three bags on the trip from LAX to DTW".
    """
    if not claimed or any(about(ear.change(p), words.flat) or _own_values(ear, p, words) for p in claimed):
        return []
    others = [ChangePlace(w, c) for w in ear.voiced for c in range(len(ear.script.requests[w].changes))]
    return [p for p in others if p not in claimed and _own_values(ear, p, words) >= _SEVERAL]


def _own_values(ear: Ear, place: ChangePlace, words: Words) -> int:
    """Return how many values of a change's wish `words` name, without those that occur in changes of any kind."""
    return sum(words.names(v.says) for topic, v in ear.values(place.wish).items() if topic not in ANY_CHANGE)


def _by_values(ear: Ear, going: Sequence[ChangePlace], named: Sequence[ChangePlace], words: Words) -> list[ChangePlace]:
    """Return the changes that a report names by their values. Its verbs belong to the `named` changes, not to those
    that the user has agreed to and waits for (`going`).

    If the wishes of `named` are all closed, return `named` and each change of `going` that the report names by a value
    of its own. If one of them is open, the values decide only for `put`, which is a verb of many wishes: "I've put the
    bags on it".
    """
    if not any(p.wish in ear.open for p in named):
        known = [value.says for p in named for value in ear.values(p.wish).values()]
        own = [p for p in going if any(words.names(v.says) for v in ear.values(p.wish).values() if v.says not in known)]
        return [*named, *own]
    if " put " not in words.flat:
        return []
    most = max(_count(ear, p, words) for p in named)
    return [p for p in going if _count(ear, p, words) > most]


def _most_named(ear: Ear, named: Sequence[ChangePlace], words: Words) -> list[ChangePlace]:
    """Return the changes of which `words` name the most values."""
    most = max(_count(ear, p, words) for p in named)
    return [p for p in named if _count(ear, p, words) == most]


def _count(ear: Ear, place: ChangePlace, words: Words) -> int:
    """Return how many values of a change's wish `words` name."""
    return sum(words.names(value.says) for value in ear.values(place.wish).values())


def _named(ear: Ear, place: ChangePlace, words: Words) -> bool:
    """Return whether `words` name any value of a change's wish."""
    return any(words.names(value.says) for value in ear.values(place.wish).values())
