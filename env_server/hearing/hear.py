"""What one message means for the wishes of a user."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from env_server.domains.kit import Request, UserScript, Value, Want, WantedChange
from env_server.hearing.deeds import Deed, deeds
from env_server.hearing.meant import proposes, set_aside, supposed
from env_server.hearing.topics import marked, other_report, strange, verbs
from env_server.reading import Act, Reading, Sentence, Words, read
from env_server.reading.sentences.scope import conditional, negated

_PLANS = re.compile(
    r"^(?:so|then|here is what (?:would|will) happen|okay|ok|right|understood|to confirm|just to confirm)?\W*"
    r"(?:\w+ ){0,8}?(?:i will|i'll|i'd|i would|i am going to|i'm going to|we will|we'll)\b(?! not| never| be unable)"
)
"""The main clause of a sentence about what the agent is going to do."""

_PERFECT = re.compile(r"\b(?:has|have|'ve|'s) (?:(?:now|just|also|\w+ly) )*been (?:(?:now|just|\w+ly) )*(\w+)")
"""Something that has been done, and the verb."""

_FORBIDS = re.compile(
    r"(?:\b(?:not|never|no longer|cannot)|n't) (?:\w+ )?(?:allow|permit|support|let|accept|enable)(?:s|ed)?\b"
)
"""How a rule says no: its verb is no wish's to allow something."""

_IN_GENERAL = re.compile(
    r" (?:your|the|all|both) (?:\w+ )?(?:requests?|changes?|updates?|account|profile|records?|file|orders?"
    r"|reservations?|bookings?|appointments?|lines?|plans?)"
    r" (?:has|have|is|are|was|were) (?:(?:now|also|all|been|\w+ly) )*"
    r"(?:updated|changed|modified|adjusted|processed|completed|made|handled|submitted) "
    r"(?:$|as (?:follows|requested|asked|agreed|wished|you \w+) |(?:successfully|now|in|with) )"
)
"""A report that does not say what was done, as one that leads a list does."""
_OUT = frozenset({Act.REFUSE, Act.CLAIM, Act.CLOSE, Act.TRANSFER, Act.IDENTIFY})


class ChangePlace(NamedTuple):
    """One change of one wish: their places in the script."""

    wish: int
    change: int


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """A proposal, as far as it is about one change that the user wants."""

    place: ChangePlace
    missing: tuple[str, ...] = ()
    """The topics that it does not name."""

    wrong: tuple[str, ...] = ()
    """The topics of which it names a value that the user knows to be another."""

    @property
    def right(self) -> bool:
        """Whether the user agrees."""
        return not self.missing and not self.wrong


@dataclass(frozen=True, slots=True)
class Heard:
    """What a message means for a script's wishes."""

    reading: Reading
    words: Words
    offers: tuple[ProposedChange, ...] = ()
    unasked: bool = False
    """Whether it proposes something that the user did not ask for."""

    vague: bool = False
    """Whether it asks for a yes and does not say to what."""

    claims: tuple[ChangePlace, ...] = ()
    """The changes that it says are made."""

    doubtful: tuple[ChangePlace, ...] = ()
    """The changes of which it may have said so; the user asks."""

    refusals: tuple[int, ...] = ()
    """The wishes that it refuses."""

    torn: tuple[int, ...] = ()
    """The wishes that it refuses and proposes to grant at once, as the user wants them; it does neither."""

    told: tuple[tuple[int, int], ...] = ()
    """What it tells of what users wait for: (wish, place among its `wants`)."""

    denied: tuple[ChangePlace, ...] = ()
    """The changes that its refusals name."""

    deeds: tuple[Deed, ...] = ()
    """What it says was done, wished for or not."""

    @property
    def understood(self) -> bool:
        """Whether it was read, or meant something for a wish all the same."""
        return not self.reading.unread or bool(self.offers or self.claims or self.refusals or self.told)


@dataclass(frozen=True, slots=True)
class Ear:
    """What decides how a message is heard, beside its words."""

    script: UserScript
    focus: int
    """The wish that is being talked about."""

    open: Collection[int]
    """The wishes that are neither granted nor given up."""

    revised: Collection[int] = field(default_factory=frozenset)
    """The wishes about which the user has changed their mind."""

    agreed: Collection[ChangePlace] = field(default_factory=frozenset)
    """The changes that the user has agreed to."""

    def values(self, wish: int) -> dict[str, Value]:
        """What the user knows of a wish now."""
        return self.script.requests[wish].known(revised=wish in self.revised)


def hear(ear: Ear, reading: Reading) -> Heard:
    """What `reading` means for the wishes that are open."""
    words = Words(reading.text)
    refusals = _refusals(ear, reading)
    offers, unasked, vague = _offers(ear, reading, refusals)
    claims, doubtful = _claims(ear, reading, refusals)
    both = {offer.place for offer in offers if offer.right} & set(claims)
    if both:  # done, and still to be done: it is neither
        offers = tuple(offer for offer in offers if offer.place not in both)
        claims, vague = tuple(place for place in claims if place not in both), not offers
    told = _told(ear, reading)
    torn = _torn(ear, reading)
    if torn:
        offers = tuple(offer for offer in offers if offer.place.wish not in torn)
    denied = _denied(ear, reading, refusals)
    done = deeds(ear.script, reading)
    return Heard(reading, words, offers, unasked, vague, claims, doubtful, refusals, torn, told, denied, done)


def about(change: WantedChange, flat: str) -> bool:
    """Whether flat words name what `change` does."""
    return verbs(change.verbs).search(flat) is not None


def names_wish(request: Request, words: Words) -> bool:
    """Whether `words` name a wish: what is to be done, or a value that only this wish is about."""
    if any(about(change, words.flat) for change in request.changes):
        return True
    return any(words.names(value.says) for value in request.values.values())


def _offers(ear: Ear, reading: Reading, refusals: Sequence[int]) -> tuple[tuple[ProposedChange, ...], bool, bool]:
    if not reading.consent and Act.PROPOSE not in reading.acts:
        return (), False, False
    scope = _scope(reading)
    words = Words("\n".join(s.text for s in scope))
    found = [
        _offer(ear, ChangePlace(w, c), change, scope, words)
        for w in sorted(ear.open)
        if w not in refusals
        for c, change in enumerate(ear.script.requests[w].changes)
        if _proposes(change, scope)
    ]
    proposing = Words("\n".join(s.text for s in scope if Act.PROPOSE in s.acts))
    known = tuple(v for request in ear.script.requests for change in request.changes for v in change.verbs)
    if strange(proposing.flat, known):
        return (), True, False
    if any(offer.right for offer in found):  # what else was named in passing is no proposal of its own
        found = [offer for offer in found if offer.right or _meant(ear, offer)]
        found, unclear = _told_apart(ear, found, words)
        if unclear:
            return tuple(found), False, not found
    if Act.PROPOSE not in reading.acts:  # a bare question for a yes: what it is about stands beside it, or nowhere
        found = [offer for offer in found if offer.right]
    if found or reading.vague or Act.PROPOSE not in reading.acts or set(refusals) & set(ear.open):
        return tuple(found), False, not found
    near, asks = _near(ear, words), Act.ASK in reading.acts  # who asks for details has not proposed anything yet
    return (), not near and not asks, near and not asks


def _proposes(change: WantedChange, scope: Sequence[Sentence]) -> bool:
    """Whether any sentence names what `change` does, and means it."""
    return any(about(change, Words(s.text).flat) and proposes(s.text, marked(change.verbs)) for s in scope)


def _scope(reading: Reading) -> list[Sentence]:
    """The sentences that may say what a yes would be to; a case that is only supposed is none."""
    return [
        s
        for s in reading.sentences
        if (not s.acts & _OUT or Act.PROPOSE in s.acts or _to_come(s)) and not supposed(s.text)
    ]


def _torn(ear: Ear, reading: Reading) -> tuple[int, ...]:
    """The wishes that a message refuses and rightly proposes at once."""
    if not (reading.consent and Act.REFUSE in reading.acts):
        return ()
    scope = _scope(reading)
    refusing = [s for s in reading.doing(Act.REFUSE) if _refuses(s)]
    words, refused = (Words("\n".join(s.text for s in part)) for part in (scope, refusing))
    return tuple(
        w
        for w in sorted(ear.open)
        for c, change in enumerate(ear.script.requests[w].changes)
        if about(change, refused.flat)
        and about(change, words.flat)
        and _offer(ear, ChangePlace(w, c), change, scope, words).right
    )


def _refuses(sentence: Sentence) -> bool:
    """Whether a sentence refuses something outside of the reason it gives ("I will cancel it because it is late")."""
    return Act.PROPOSE not in sentence.acts or Act.REFUSE in read(sentence.text.partition(" because ")[0]).acts


def _told_apart(ear: Ear, found: list[ProposedChange], words: Words) -> tuple[list[ProposedChange], bool]:
    """Leave out what a proposal fits only because it fits another wish; whether nothing says which of two is meant."""
    right = [offer for offer in found if offer.right]
    rivals = {
        offer: [o for o in right if o.place.wish != offer.place.wish and not _sets_apart(ear, offer, o, words)]
        for offer in right
    }
    unclear = any(offer in rivals[other] for offer in right for other in rivals[offer])
    return [offer for offer in found if not rivals.get(offer)], unclear


def _sets_apart(ear: Ear, offer: ProposedChange, other: ProposedChange, words: Words) -> bool:
    """Whether `words` name something of an offer's wish that the other offer's wish does not have."""
    rest = verbs(_change(ear, other.place).verbs)
    if any(not rest.match(found[0]) for found in verbs(_change(ear, offer.place).verbs).finditer(words.flat)):
        return True
    theirs = {form for value in ear.values(other.place.wish).values() for form in value.says}
    own = {form for value in ear.values(offer.place.wish).values() for form in value.says}
    return any(words.name(form) for form in own - theirs)


def _change(ear: Ear, place: ChangePlace) -> WantedChange:
    return ear.script.requests[place.wish].changes[place.change]


def _to_come(sentence: Sentence) -> bool:
    """Whether the main clause of a sentence is about what the agent is going to do."""
    return _PLANS.match(sentence.text) is not None


def _near(ear: Ear, words: Words) -> bool:
    """Whether `words` name a value of an open wish: then the user asks what exactly is meant."""
    return any(words.names(value.says) for w in ear.open for value in ear.values(w).values())


def _meant(ear: Ear, offer: ProposedChange) -> bool:
    """Whether a proposal that is not right yet is about this change and not about another that is."""
    values, change = ear.values(offer.place.wish), ear.script.requests[offer.place.wish].changes[offer.place.change]
    own = [t for t in change.names if t in values and t not in offer.missing]
    return bool(own) and offer.place.wish == ear.focus


def _offer(
    ear: Ear, place: ChangePlace, change: WantedChange, scope: Sequence[Sentence], words: Words
) -> ProposedChange:
    values = ear.values(place.wish)
    missing = tuple(t for t in change.names if t in values and not words.names(values[t].says))
    wrong = tuple(t for t, value in values.items() if value.others and _contradicted(ear, value, scope, words))
    return ProposedChange(place, missing, wrong)


def _contradicted(ear: Ear, value: Value, scope: Sequence[Sentence], words: Words) -> bool:
    texts = [sentence.text for sentence in scope]
    for other in value.others:
        if not words.name(other) or _belongs(ear, other):
            continue
        for sentence in scope:
            if Words(sentence.text).name(other) and not set_aside(other, value, sentence.text, texts):
                return True
    return False


def _belongs(ear: Ear, other: str) -> bool:
    """Whether a value is one that the user has named themselves, in this wish or another."""
    said = other.lower()
    for w in range(len(ear.script.requests)):
        for value in ear.values(w).values():
            for form in value.says:
                texts = (form,) if isinstance(form, str) else form
                if any(said in text.lower() for text in texts):
                    return True
    return False


def _claims(
    ear: Ear, reading: Reading, refusals: Sequence[int]
) -> tuple[tuple[ChangePlace, ...], tuple[ChangePlace, ...]]:
    """The changes that are said to be made, firmly and not; what a refusal says of its own wish is its reason."""
    firm: dict[ChangePlace, None] = {}
    doubtful: dict[ChangePlace, None] = {}
    for sentence in reading.sentences:
        if Act.CLAIM in sentence.acts and Act.REFUSE not in sentence.acts and not _to_come(sentence):
            found = firm if sentence.firm else doubtful
            claimed = [p for p in _claimed(ear, Words(sentence.text)) if p.wish not in refusals]
            if Act.REFUSE in sentence.acts:  # "I cannot do that: two bags are booked" is no report of something else
                claimed = [p for p in claimed if p in ear.agreed]
            found |= dict.fromkeys(claimed)
        elif not sentence.acts & _OUT and not _to_come(sentence):
            firm |= dict.fromkeys(p for p in _made(ear, sentence) if p.wish not in refusals)
    return tuple(firm), tuple(place for place in doubtful if place not in firm)


def _made(ear: Ear, sentence: Sentence) -> list[ChangePlace]:
    """The changes agreed to of which a sentence says, in their own verbs, that they have been made."""
    found = []
    for place in ear.agreed if sentence.firm and "been" in sentence.text and not sentence.text.endswith("?") else ():
        beginnings = ear.script.requests[place.wish].changes[place.change].verbs
        at = next((m.start() for m in _PERFECT.finditer(sentence.text) if m[1].startswith(beginnings)), None)
        before = sentence.text[:at]
        if at is not None and place.wish in ear.open and not (conditional(before) or negated(before)):
            found.append(place)
    return found


def _claimed(ear: Ear, words: Words) -> list[ChangePlace]:
    """The changes that a sentence says are made: those it names, else those agreed to, else the wish at hand."""
    requests = ear.script.requests
    places = [ChangePlace(w, c) for w in range(len(requests)) for c in range(len(requests[w].changes))]
    named = [p for p in places if about(requests[p.wish].changes[p.change], words.flat)]
    agreed = [p for p in places if p in ear.agreed and p.wish in ear.open]
    in_general = _IN_GENERAL.search(words.flat) if agreed else None
    if in_general and not any(_named(ear, p, Words(words.flat.replace(in_general[0], " "))) for p in named):
        return agreed  # "Your requests have been processed" names no request for a payment
    if len(named) > 1:
        closer = [p for p in named if any(words.names(v.says) for v in ear.values(p.wish).values())]
        named = closer or named
        agreed = [p for p in named if p in ear.agreed and p.wish in ear.open]
        named = agreed or [p for p in named if p.wish in ear.open] or named
    if named or other_report(words.flat):  # "The flight has been cancelled" is no report of the bags to be added
        return named
    going = [p for p in places if p in ear.agreed and p.wish in ear.open]
    return going or [p for p in places if p in ear.agreed] or [p for p in places if p.wish == ear.focus]


def _named(ear: Ear, place: ChangePlace, words: Words) -> bool:
    """Whether words name anything that the user knows of a change, beside what is done."""
    return any(words.names(value.says) for value in ear.values(place.wish).values())


def _refusals(ear: Ear, reading: Reading) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for sentence in reading.doing(Act.REFUSE):
        if Act.PROPOSE in sentence.acts or (reading.consent and _to_come(sentence)):
            continue  # it says what is to be done; a no in it belongs to the wish's own words
        words = Words(_FORBIDS.sub(" ", sentence.text))
        requests = ear.script.requests
        named = [w for w in range(len(requests)) if any(about(change, words.flat) for change in requests[w].changes)]
        if len(named) > 1:  # what is wanted only if another wish is refused is not refused with it
            named = [w for w in named if not (requests[w].instead and w - 1 in ear.open)] or named
        if len(named) > 1:
            named = [w for w in named if any(words.names(v.says) for v in ear.values(w).values())] or named
        if len(named) > 1 and ear.focus in named:
            named = [ear.focus]
        found |= dict.fromkeys(w for w in named or [ear.focus] if w in ear.open)
    return tuple(found)


def _denied(ear: Ear, reading: Reading, refusals: Sequence[int]) -> tuple[ChangePlace, ...]:
    """The changes of the wishes refused that the refusing sentences name."""
    if not refusals:
        return ()
    words = Words("\n".join(_FORBIDS.sub(" ", s.text) for s in reading.doing(Act.REFUSE) if _refuses(s)))
    return tuple(
        ChangePlace(w, c)
        for w in refusals
        for c, change in enumerate(ear.script.requests[w].changes)
        if about(change, words.flat)
    )


def _told(ear: Ear, reading: Reading) -> tuple[tuple[int, int], ...]:
    found = []
    for w in sorted(ear.open):
        for i, want in enumerate(ear.script.requests[w].wants):
            if any(_tells(want, sentence, before) for sentence, before in _telling(reading)):
                found.append((w, i))
    return tuple(found)


def _telling(reading: Reading) -> list[tuple[Sentence, str]]:
    """The sentences that may tell a value, each with the one before it, which may say what it is a value of."""
    found, before = [], ""
    for sentence in reading.sentences:
        if not sentence.text.endswith("?") and not sentence.consent and Act.PROPOSE not in sentence.acts:
            found.append((sentence, before))
        if not sentence.entry:
            before = sentence.text
    return found


def _tells(want: Want, sentence: Sentence, before: str) -> bool:
    words = Words(sentence.text)
    if want.kind == "number" and not words.numbers:
        return False
    if want.kind == "date" and not words.days:
        return False
    if want.kind == "time" and not words.times:
        return False
    if want.kind == "text" and Act.REFUSE in sentence.acts:
        return False
    return words.names(want.of) or Words(before).names(want.of)
