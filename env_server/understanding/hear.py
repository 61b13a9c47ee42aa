"""The meaning of one message for the wishes of a user."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from env_server.domains.kit import Request, Value, Want, WantedChange
from env_server.reading import Act, Reading, Sentence, Words, read
from env_server.reading.sentences.refusals import restricts
from env_server.reading.sentences.scope import conditional, negated
from env_server.understanding.ear import ChangePlace, Ear
from env_server.understanding.proposal_scope import proposes, set_apart, set_aside
from env_server.understanding.reported_actions import Deed, deeds
from env_server.understanding.reported_payments import Payment, moves_money, payments
from env_server.understanding.topics import marked, other_report, strange, verbs

_PLANS = re.compile(
    r"^(?:so|then|here is what (?:would|will) happen|okay|ok|right|understood|to confirm|just to confirm)?\W*"
    r"(?:\w+ ){0,8}?(?:i will|i'll|i'd|i would|i am going to|i'm going to|we will|we'll)\b(?! not| never| be unable)"
)
"""The main clause of a sentence about a future action of the agent."""

_PERFECT = re.compile(r"\b(?:has|have|'ve|'s) (?:(?:now|just|also|\w+ly) )*been (?:(?:now|just|\w+ly) )*(\w+)")
"""A completed action, with its verb."""

_FORBIDS = re.compile(
    r"(?:\b(?:not|never|no longer|cannot)|n't) (?:\w+ )?(?:allow|permit|support|let|accept|enable)(?:s|ed)?\b"
)
"""The negation in a rule. Its verb ("allow") does not belong to a wish to allow something."""

_IN_GENERAL = re.compile(
    r" (?:your|the|all|both) (?:\w+ )?(?:requests?|changes?|updates?|account|profile|records?|file|orders?"
    r"|reservations?|bookings?|appointments?|lines?|plans?)"
    r" (?:has|have|is|are|was|were) (?:(?:now|also|all|been|\w+ly) )*"
    r"(?:updated|changed|modified|adjusted|processed|completed|made|handled|submitted) "
    r"(?:$|as (?:follows|requested|asked|agreed|wished|you \w+) |(?:successfully|now|in|with) )"
)
"""A report that does not say which change was done, such as the heading of a list."""
_ASKS_ITSELF = re.compile(
    r"\b(?:(?:shall|should|may|can) i|(?:like|want) me to) (?!(?:also |now |then )?(?:go|proceed|continue|do)\b)"
    r"(?!.*\b(?:both|all|everything|each)\b)\w+ "
)
"""A question for a yes that names what it is about."""

_OUT = frozenset({Act.REFUSE, Act.CLAIM, Act.CLOSE, Act.TRANSFER, Act.IDENTIFY})


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """The part of a proposal that concerns one change that the user wants."""

    place: ChangePlace
    missing: tuple[str, ...] = ()
    """The topics that it does not name."""

    wrong: tuple[str, ...] = ()
    """The topics for which it names a value that the user knows to be wrong."""

    @property
    def right(self) -> bool:
        """Whether the user agrees to it."""
        return not self.missing and not self.wrong


@dataclass(frozen=True, slots=True)
class Heard:
    """The meaning of a message for a script's wishes."""

    reading: Reading
    words: Words
    offers: tuple[ProposedChange, ...] = ()
    unasked: bool = False
    """Whether it proposes a change that the user did not ask for."""

    vague: bool = False
    """Whether it asks for a yes without saying to which change."""

    claims: tuple[ChangePlace, ...] = ()
    """The changes that it reports as made."""

    doubtful: tuple[ChangePlace, ...] = ()
    """The changes that it may report as made; the user asks about them."""

    unsure: tuple[ChangePlace, ...] = ()
    """The changes of the current wish, if it reports something as made that is no wish by its words, and the user has
    agreed to nothing; the user asks about them.
    """

    refusals: tuple[int, ...] = ()
    """The wishes that it refuses."""

    torn: tuple[int, ...] = ()
    """The wishes that it both refuses and proposes to grant with the right values. It counts as neither."""

    told: tuple[tuple[int, int], ...] = ()
    """The values told that users wait for: (wish, index in its `wants`)."""

    denied: tuple[ChangePlace, ...] = ()
    """The changes that its refusals name."""

    deeds: tuple[Deed, ...] = ()
    """The actions that it reports as done, whether or not the user wished for them."""

    payments: tuple[Payment, ...] = ()
    """The money that it says was moved."""

    @property
    def understood(self) -> bool:
        """Whether it was read, or still had a meaning for a wish."""
        return not self.reading.unread or bool(self.offers or self.claims or self.refusals or self.told)


def hear(ear: Ear, reading: Reading) -> Heard:
    """Return the meaning of `reading` for the open wishes."""
    words = Words(reading.text)
    refusals = _refusals(ear, reading)
    offers, unasked, vague = _offers(ear, reading, refusals)
    claims, doubtful, unsure = _claims(ear, reading, refusals)
    both = {offer.place for offer in offers if offer.right} & set(claims)
    if both:  # reported as done and proposed at once: it counts as neither
        offers = tuple(offer for offer in offers if offer.place not in both)
        claims, vague = tuple(place for place in claims if place not in both), not offers
    told = _told(ear, reading)
    torn = _torn(ear, reading)
    if torn:
        offers = tuple(offer for offer in offers if offer.place.wish not in torn)
    denied = _denied(ear, reading, refusals)
    done, paid = deeds(ear.script, reading), payments(reading)
    return Heard(
        *(reading, words, offers, unasked, vague, claims, doubtful, unsure, refusals, torn, told, denied, done, paid)
    )


def about(change: WantedChange, flat: str) -> bool:
    """Return whether flat words name the action of `change`."""
    return verbs(change.verbs).search(flat) is not None


def names_wish(request: Request, words: Words) -> bool:
    """Return whether `words` name a wish: its action, or one of its values."""
    if any(about(change, words.flat) for change in request.changes):
        return True
    return any(words.names(value.says) for value in request.values.values())


def _offers(ear: Ear, reading: Reading, refusals: Sequence[int]) -> tuple[tuple[ProposedChange, ...], bool, bool]:
    if not reading.consent and Act.PROPOSE not in reading.acts:
        return (), False, reading.quotes
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
    if any(offer.right for offer in found):  # other changes named in passing are no proposals of their own
        found = [offer for offer in found if offer.right or _meant(ear, offer)]
        found, unclear = _told_apart(ear, found, words)
        if unclear:
            return tuple(found), False, not found
    # a bare question for a yes: its content stands in the sentences beside it, or is missing
    if Act.PROPOSE not in reading.acts:
        found = [offer for offer in found if offer.right]
    if found or reading.vague or Act.PROPOSE not in reading.acts or set(refusals) & set(ear.open):
        return tuple(found), False, not found
    # an agent that asks for details has not proposed anything yet
    near, asks = _near(ear, Words(reading.text)), Act.ASK in reading.acts
    return (), not near and not asks, near and not asks


def _proposes(change: WantedChange, scope: Sequence[Sentence]) -> bool:
    """Return whether any sentence names the action of `change` and proposes it."""
    return any(about(change, Words(s.text).flat) and proposes(s.text, marked(change.verbs)) for s in scope)


def _scope(reading: Reading) -> list[Sentence]:
    """Return the sentences that may hold the content of a proposal, without quotations and hypothetical cases."""
    asks = any(s.consent and _ASKS_ITSELF.search(s.text) for s in reading.sentences)
    return [
        s
        for s in reading.sentences
        if (not s.acts & (_OUT if s.firm else _OUT - {Act.CLAIM}) or Act.PROPOSE in s.acts or _to_come(s))
        and not s.quoted
        and not set_apart(s.text, asks_itself=asks)
    ]


def _torn(ear: Ear, reading: Reading) -> tuple[int, ...]:
    """Return the wishes that a message refuses and proposes with the right values at once."""
    if not (reading.consent and Act.REFUSE in reading.acts):
        return ()
    scope = _scope(reading)
    refusing = [s for s in reading.doing(Act.REFUSE) if _refuses(s) and not restricts(s.text)]
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
    """Return whether a sentence refuses something outside of its reason ("I will cancel it because it is late")."""
    return Act.PROPOSE not in sentence.acts or Act.REFUSE in read(sentence.text.partition(" because ")[0]).acts


def _told_apart(ear: Ear, found: list[ProposedChange], words: Words) -> tuple[list[ProposedChange], bool]:
    """Drop proposals that fit one wish only because they fit another wish.

    Return the remaining proposals, and whether the words fit two wishes equally.
    """
    right = [offer for offer in found if offer.right]
    rivals = {
        offer: [o for o in right if o.place.wish != offer.place.wish and not _sets_apart(ear, offer, o, words)]
        for offer in right
    }
    unclear = any(offer in rivals[other] for offer in right for other in rivals[offer])
    return [offer for offer in found if not rivals.get(offer)], unclear


def _sets_apart(ear: Ear, offer: ProposedChange, other: ProposedChange, words: Words) -> bool:
    """Return whether `words` name something of an offer's wish that the other offer's wish does not have."""
    rest = verbs(_change(ear, other.place).verbs)
    if any(not rest.match(found[0]) for found in verbs(_change(ear, offer.place).verbs).finditer(words.flat)):
        return True
    theirs = {form for value in ear.values(other.place.wish).values() for form in value.says}
    own = {form for value in ear.values(offer.place.wish).values() for form in value.says}
    return any(words.name(form) for form in own - theirs)


def _change(ear: Ear, place: ChangePlace) -> WantedChange:
    return ear.script.requests[place.wish].changes[place.change]


def _to_come(sentence: Sentence) -> bool:
    """Return whether the main clause of a sentence is about a future action of the agent."""
    return _PLANS.match(sentence.text) is not None


def _near(ear: Ear, words: Words) -> bool:
    """Return whether `words` name a value of an open wish. Then the user asks for an exact proposal."""
    return any(words.names(value.says) for w in ear.open for value in ear.values(w).values())


def _meant(ear: Ear, offer: ProposedChange) -> bool:
    """Return whether a proposal that is not right yet concerns this change rather than another one that is right."""
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
            if Act.CLAIM in sentence.acts and Act.PROPOSE not in sentence.acts:
                continue  # what may have been done says no value of what is proposed
            if Words(sentence.text).name(other) and not set_aside(other, value, sentence.text, texts):
                return True
    return False


def _belongs(ear: Ear, other: str) -> bool:
    """Return whether the user has named a value themselves, in this wish or another."""
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
) -> tuple[tuple[ChangePlace, ...], tuple[ChangePlace, ...], tuple[ChangePlace, ...]]:
    """Return the changes that are reported as made: the firm reports, the doubtful ones, and those of the current wish
    where a firm report names no wish and the user has agreed to nothing.

    The report of a refused wish is the reason of the refusal and does not count.
    """
    firm: dict[ChangePlace, None] = {}
    doubtful: dict[ChangePlace, None] = {}
    unsure: dict[ChangePlace, None] = {}
    for sentence in reading.sentences:
        if Act.CLAIM in sentence.acts and Act.REFUSE not in sentence.acts and not _to_come(sentence):
            found = firm if sentence.firm else doubtful
            claimed = [p for p in _claimed(ear, Words(sentence.text)) if p.wish not in refusals]
            if ear.agreed and moves_money(sentence):  # the refund of an agreed change reports no other change
                claimed = [p for p in claimed if p in ear.agreed or _named(ear, p, Words(sentence.text))]
            if Act.REFUSE in sentence.acts:  # "I cannot do that: two bags are booked" reports no other change
                claimed = [p for p in claimed if p in ear.agreed]
            if sentence.firm and not claimed and not refusals:
                unsure |= dict.fromkeys(_focused(ear, sentence))
            found |= dict.fromkeys(claimed)
        elif not sentence.acts & _OUT and not _to_come(sentence):
            firm |= dict.fromkeys(p for p in _made(ear, sentence) if p.wish not in refusals)
    return tuple(firm), tuple(p for p in doubtful if p not in firm), tuple(p for p in unsure if p not in firm)


def _focused(ear: Ear, sentence: Sentence) -> list[ChangePlace]:
    """Return the changes of the current wish for a report of nothing that the user wishes for or has agreed to."""
    if ear.agreed or other_report(Words(sentence.text).flat) or _claimed(ear, Words(sentence.text)):
        return []
    return [ChangePlace(ear.focus, c) for c in range(len(ear.script.requests[ear.focus].changes))]


def _made(ear: Ear, sentence: Sentence) -> list[ChangePlace]:
    """Return the agreed changes that a sentence reports as made, in the verbs of the changes."""
    found = []
    for place in ear.agreed if sentence.firm and "been" in sentence.text and not sentence.text.endswith("?") else ():
        beginnings = ear.script.requests[place.wish].changes[place.change].verbs
        at = next((m.start() for m in _PERFECT.finditer(sentence.text) if m[1].startswith(beginnings)), None)
        before = sentence.text[:at]
        if at is not None and place.wish in ear.open and not (conditional(before) or negated(before)):
            found.append(place)
    return found


def _claimed(ear: Ear, words: Words) -> list[ChangePlace]:
    """Return the changes that a sentence reports as made.

    These are the changes it names, else the changes agreed to.
    """
    requests = ear.script.requests
    places = [ChangePlace(w, c) for w in range(len(requests)) for c in range(len(requests[w].changes))]
    named = [p for p in places if about(requests[p.wish].changes[p.change], words.flat)]
    agreed = [p for p in places if p in ear.agreed and p.wish in ear.open]
    in_general = _IN_GENERAL.search(words.flat) if agreed else None
    if in_general and not any(_named(ear, p, Words(words.flat.replace(in_general[0], " "))) for p in named):
        return agreed  # "Your requests have been processed" does not name a payment request
    if len(named) > 1:
        closer = [p for p in named if any(words.names(v.says) for v in ear.values(p.wish).values())]
        named = closer or named
        agreed = [p for p in named if p in ear.agreed and p.wish in ear.open]
        named = agreed or [p for p in named if p.wish in ear.open] or _most_named(ear, named, words)
    going = [p for p in places if p in ear.agreed and p.wish in ear.open]
    if named and not set(named) & set(going):
        named = _by_values(ear, going, named, words) or named
    if named or other_report(words.flat):  # "The flight has been cancelled" does not report that the bags were added
        return named
    return going or [p for p in places if p in ear.agreed]


def _by_values(ear: Ear, going: Sequence[ChangePlace], named: Sequence[ChangePlace], words: Words) -> list[ChangePlace]:
    """Return the agreed changes that a report names by their values, where its verbs belong to other wishes.

    Where these are closed, what is named by values of its own is reported beside them. `put` is a verb of many wishes:
    in "I've put the bags on it" the values decide.
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
    """Return the changes of which words name the most values, such as the exchange whose difference was charged."""
    most = max(_count(ear, p, words) for p in named)
    return [p for p in named if _count(ear, p, words) == most]


def _count(ear: Ear, place: ChangePlace, words: Words) -> int:
    """Return how many values of a change words name."""
    return sum(words.names(value.says) for value in ear.values(place.wish).values())


def _named(ear: Ear, place: ChangePlace, words: Words) -> bool:
    """Return whether words name any value that the user knows of a change, beside its action."""
    return any(words.names(value.says) for value in ear.values(place.wish).values())


def _refusals(ear: Ear, reading: Reading) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for sentence in reading.doing(Act.REFUSE):
        if Act.PROPOSE in sentence.acts or (reading.consent and _to_come(sentence)):
            continue  # it states a future action; a negation in it belongs to the wish's own words
        words = Words(_FORBIDS.sub(" ", sentence.text))
        requests = ear.script.requests
        limited = restricts(sentence.text)
        named = [w for w in range(len(requests)) if any(about(change, words.flat) for change in requests[w].changes)]
        if len(named) > 1:  # a wish that depends on the refusal of another wish is not refused together with it
            named = [w for w in named if not (requests[w].instead and w - 1 in ear.open)] or named
        if len(named) > 1:
            named = [w for w in named if any(words.names(v.says) for v in ear.values(w).values())] or named
        if len(named) > 1 and ear.focus in named:
            named = [ear.focus]
        found |= dict.fromkeys(
            w for w in named or [ear.focus] if w in ear.open and not (limited and _grants(ear, reading, w))
        )
    return tuple(found)


def _grants(ear: Ear, reading: Reading, w: int) -> bool:
    """Return whether a message proposes a change of a wish with the right values: what limits it, the user accepts."""
    scope = _scope(reading)
    words = Words("\n".join(s.text for s in scope))
    return reading.consent and any(
        _proposes(change, scope) and _offer(ear, ChangePlace(w, c), change, scope, words).right
        for c, change in enumerate(ear.script.requests[w].changes)
    )


def _denied(ear: Ear, reading: Reading, refusals: Sequence[int]) -> tuple[ChangePlace, ...]:
    """Return the changes of the refused wishes that the refusing sentences name."""
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
    """Return the sentences that may tell a value, each with its predecessor, which may name the thing."""
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
