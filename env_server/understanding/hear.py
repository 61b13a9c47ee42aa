"""The meaning of one message for the wishes of a user."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from env_server.domains.kit import Want
from env_server.reading import Act, Reading, Sentence, Words
from env_server.reading.sentences.refusals import restricts
from env_server.understanding.ear import ChangePlace, Ear
from env_server.understanding.offers import (
    by_values,
    grants,
    of_first_choice,
    offers_in,
    points_back,
    refuses_itself,
    strung,
    torn,
)
from env_server.understanding.proposed import ProposedChange, to_come
from env_server.understanding.reported_actions import Deed, deeds
from env_server.understanding.reported_payments import Payment, payments
from env_server.understanding.reports import reports_in
from env_server.understanding.topics import about

_FORBIDS = re.compile(
    r"(?:\b(?:not|never|no longer|cannot)|n't) (?:\w+ )?(?:allow|permit|support|let|accept|enable)(?:s|ed)?\b"
)
"""The negation in a rule. Its verb ("allow") does not belong to a wish to allow something."""


_AT_MOST = re.compile(r"\b(?:at most|up to|no more than|(?:limit|maximum) (?:is|of)) (\d+(?:\.\d+)?)\b")
"""A limit, with its figure."""

_NOT_ABLE = re.compile(r"\b(?:not|cannot|unable|impossible|never|refuse|sorry|unfortunately)\b|n't\b")
"""Words with which a limit is a refusal, whatever its figure."""

_AMOUNT = re.compile(r"\d+(?:\.\d+)?")
"""A form of a value that is a plain number."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The meaning of a message for a script's wishes."""

    reading: Reading
    words: Words
    offers: tuple[ProposedChange, ...] = ()
    unasked: bool = False
    """Whether it proposes a change that the user did not ask for, alone or beside the `offers`."""

    vague: bool = False
    """Whether it asks for a yes without saying to which change."""

    claims: tuple[ChangePlace, ...] = ()
    """The changes that it reports as made."""

    doubtful: tuple[ChangePlace, ...] = ()
    """The changes that it may report as made; the user asks about them."""

    unsure: tuple[ChangePlace, ...] = ()
    """The changes of the current wish, if the message reports a change, names no wish by its words, and the user has
    agreed to nothing. The user asks about them.
    """

    refusals: tuple[int, ...] = ()
    """The wishes that it refuses."""

    torn: tuple[int, ...] = ()
    """The wishes that it both refuses and proposes with the right values, or refuses in a string of phrases that
    contradict each other. The message counts as neither for them.
    """

    told: tuple[tuple[int, int], ...] = ()
    """The values that it tells and the user waits for: (wish, index in its `wants`)."""

    denied: tuple[ChangePlace, ...] = ()
    """The changes that its refusals name."""

    deeds: tuple[Deed, ...] = ()
    """The actions that it reports as done, whether or not the user wished for them."""

    payments: tuple[Payment, ...] = ()
    """The money that it says was moved."""

    guessed: tuple[ChangePlace, ...] = ()
    """The changes that it proposes with the right values, if it is in doubt whether it asks for a yes, or in words that
    do not tell which change it is.
    """

    valued: tuple[int, ...] = ()
    """The open wishes of which a `vague` message names the most values; empty if it names none, or is not vague."""

    @property
    def understood(self) -> bool:
        """Whether the message has a known act, or a meaning for a wish."""
        return not self.reading.unread or bool(self.offers or self.claims or self.refusals or self.told)


def hear(ear: Ear, reading: Reading) -> Heard:
    """Return the meaning of `reading` for the open wishes."""
    words = Words(reading.text)
    refusals = _refusals(ear, reading)
    mixed = refusals if strung(reading) else ()
    refusals = () if mixed else refusals
    offers, unasked, vague = offers_in(ear, _as_proposed(reading), refusals)
    guessed: tuple[ChangePlace, ...] = ()
    if Act.PROPOSE in reading.doubted:
        guessed = tuple(offer.place for offer in offers if offer.right)
        wrong = Act.PROPOSE in reading.opposed  # what the rules have found is corrected
        offers = tuple(offer for offer in offers if not offer.right) if wrong else ()
        unasked, vague = unasked and wrong, reading.consent and not (guessed or offers or unasked)
    elif reading.consent and not (offers or refusals):
        guessed = by_values(ear, reading)
        unasked, vague = unasked and not guessed, vague and not guessed
    asked = {o.place for o in offers if reading.consent and len(o.missing) < len(ear.change(o.place).names)}
    asked |= {*guessed} if reading.consent else set()
    claims, doubtful, unsure = reports_in(ear, reading, refusals, asked)
    both = ({offer.place for offer in offers if offer.right} | {*guessed}) & set(claims)
    if both:  # reported as done and proposed at once: it counts as neither
        claims = tuple(place for place in claims if place not in both)
        unseen = {place for place in both if ear.script.requests[place.wish].until is None}  # own tools tell the rest
        offers = tuple(offer for offer in offers if offer.place not in unseen)
        guessed = tuple(place for place in guessed if place not in unseen)
        vague = not (offers or guessed)
    told = _told(ear, reading)
    at_odds = tuple(dict.fromkeys([*torn(ear, reading), *mixed]))
    if at_odds:
        offers = tuple(offer for offer in offers if offer.place.wish not in at_odds)
    denied = _denied(ear, reading, refusals)
    done, paid = deeds(ear.script, reading), payments(reading)
    return Heard(
        *(reading, words, offers, unasked, vague, claims, doubtful, unsure, refusals, at_odds, told, denied),
        *(done, paid),
        guessed=guessed,
        valued=_valued(ear, words) if vague else (),
    )


def _as_proposed(reading: Reading) -> Reading:
    """Return the reading of a message as if it asked for a yes without a doubt, if it is in doubt whether it does."""
    if Act.PROPOSE in reading.opposed:
        return replace(reading, acts=reading.acts | {Act.PROPOSE}, vague=False)
    return replace(reading, consent=True) if Act.PROPOSE in reading.supposed else reading


def _valued(ear: Ear, words: Words) -> tuple[int, ...]:
    """Return the open wishes of which a message names the most values."""
    named = {w: sum(words.names(value.says) for value in ear.values(w).values()) for w in ear.open}
    most = max(named.values(), default=0)
    return tuple(w for w, count in named.items() if count == most and count > 0)


def _refusals(ear: Ear, reading: Reading) -> tuple[int, ...]:
    """Return the open wishes that the message refuses. A refusal that names no wish is about the current one."""
    found: dict[int, None] = {}
    if not reading.doing(Act.REFUSE):
        return ()
    granted = grants(ear, reading, ear.focus, whole=False) or _reported(ear, reading, ear.focus)
    granted = granted or (reading.consent and any(place.wish == ear.focus for place in by_values(ear, reading)))
    refused = " ".join(sentence.text for sentence in reading.doing(Act.REFUSE))
    for sentence in reading.doing(Act.REFUSE):
        if Act.PROPOSE in sentence.acts or (reading.consent and to_come(sentence)):
            continue  # it states a future action; a negation in it belongs to the wish's own words
        words = Words(_FORBIDS.sub(" ", sentence.text))
        requests = ear.script.requests
        limited = restricts(sentence.text)
        named = [w for w in ear.voiced if any(about(change, words.flat) for change in requests[w].changes)]
        if len(named) > 1:  # a wish that depends on the refusal of another wish is not refused together with it
            named = [w for w in named if not (requests[w].instead and w - 1 in ear.open)] or named
        if len(named) > 1:
            named = [w for w in named if any(words.names(v.says) for v in ear.values(w).values())] or named
        if len(named) > 1 and ear.focus in named:
            named = [ear.focus]
        found |= dict.fromkeys(
            w
            for w in named or ([] if granted and not points_back(sentence) else [ear.focus])
            if w in ear.open
            and not ((limited or of_first_choice(ear, w, refused)) and grants(ear, reading, w))
            and not _within(ear, w, sentence.text)
        )
    return tuple(found)


def _reported(ear: Ear, reading: Reading, w: int) -> bool:
    """Return whether a message reports a change of a wish by its action. Then what it cannot do is something else."""
    flat = [Words(s.text).flat for s in reading.doing(Act.CLAIM) if s.firm and Act.REFUSE not in s.acts]
    return any(about(change, words) for change in ear.script.requests[w].changes for words in flat)


def _within(ear: Ear, w: int, text: str) -> bool:
    """Return whether a sentence only states a limit that leaves room for an amount of a wish: `at most 3 GB`."""
    most = _AT_MOST.search(text)
    if most is None or _NOT_ABLE.search(text):
        return False
    texts = [form for v in ear.values(w).values() for form in v.says if isinstance(form, str)]
    amounts = [float(form) for form in texts if _AMOUNT.fullmatch(form)]
    return bool(amounts) and max(amounts) <= float(most[1])


def _denied(ear: Ear, reading: Reading, refusals: Sequence[int]) -> tuple[ChangePlace, ...]:
    """Return the changes of the refused wishes that the refusing sentences name."""
    if not refusals:
        return ()
    words = Words("\n".join(_FORBIDS.sub(" ", s.text) for s in reading.doing(Act.REFUSE) if refuses_itself(s)))
    return tuple(
        ChangePlace(w, c)
        for w in refusals
        for c, change in enumerate(ear.script.requests[w].changes)
        if about(change, words.flat)
    )


def _told(ear: Ear, reading: Reading) -> tuple[tuple[int, int], ...]:
    """Return the values of open wishes that the message tells: (wish, index in its `wants`)."""
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
    """Return whether a sentence has a value of the wanted kind, and it or the sentence `before` names the thing."""
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
