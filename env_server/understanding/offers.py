"""What a message proposes: the changes that it names, with the values that are missing or wrong."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from env_server.domains.kit import WantedChange
from env_server.reading import Act, Reading, Sentence, Words, read
from env_server.reading.sentences.patterns import words_of
from env_server.reading.sentences.proposals import acts
from env_server.reading.sentences.refusals import restricts
from env_server.reading.words.changes import DEEDS
from env_server.reading.words.lexis import words as listed
from env_server.understanding.additions import adds
from env_server.understanding.ear import ChangePlace, Ear
from env_server.understanding.proposal_scope import denies, own_words, proposes, texts_of
from env_server.understanding.proposed import OUT, UNSURE, ProposedChange, announces, offer_of, scope_of
from env_server.understanding.results import opposes
from env_server.understanding.topics import about, marked, strange, verbs

_PLAIN = re.compile(
    r"(?:\b(?:i|we)(?:'ll|'d| will| would|'m going to| am going to|'re going to| are going to)|\blet me"
    r"|\b(?:shall|should|may|can) (?:i|we))"
    r" (?:then |now |also |just |simply |be )*"
    r"(?:mak(?:e|ing)|put(?:ting)?|tak(?:e|ing)|set(?:ting)?|get(?:ting)?|bring(?:ing)?|go(?:ing)? (?:with|for)"
    r"|have|having)\b(?! it that\b)"
)
"""An announcement of the agent's own action by a plain verb, whose meaning is in its objects: `I'd make it three bags`.
It counts only if it has no words beside those of the wish and `COMMON`.
"""

COMMON = frozenset(
    listed(
        "a an the this that these those your you it its them both all each in on onto into to for at of with by as and",
        "plus per via using then now just also more extra additional altogether together new so ok okay alright right",
        "well yes sure i i'd i'll we we'd we'll will would shall should may can let me be make making put putting take",
        "taking set setting get getting bring bringing go going goes have having charge charging charged cost",
        "costs",
        "ending copy place number code name card dollars dollar cents usd fee total amount sum free half one",
        "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty",
        "ninety hundred today tomorrow cycle month bill next january february march april june july august september",
        "october november december jan feb mar apr jun jul aug sep sept oct nov dec am pm gb mb",
    )
)
"""Words that change nothing in a proposal or a summary: `I'd make it ... with your card ending in 1234`."""

_FINITE = re.compile(
    r"\b(?:i|we|you(?! ?[,)+&]| and\b)|he|she|they|there|am|is|are|was|were|been|will|would|can|could|cannot|may|might"
    r"|must|shall|should|do|does|did|has|have|had|no|not|never|nothing|none|without|unless|if|whether|either|or|already|only"
    r"|currently|old)\b|n't\b|'(?:ll|d|ve|re|m)\b"
)
"""Words of a full sentence, of a negation or of a choice. A sentence without them may sum up: `3 GB on L1`."""

_TO_BE = re.compile(
    r"\b(?:i|we)(?:'ll|'d|'m|'re| will| would| am| are| can)\b|\b(?:will|would|shall|should)\b|'ll\b|'d\b"
)
"""Words of a plan."""

_STATES = re.compile(
    r"\b(?:you|it|they|there|is|are|was|were|has|have|had|can|cannot|do|does|did)\b|n't\b|'(?:re|ve|s)\b"
)
"""Words of a statement about the present or the past."""

_LEAVES = re.compile(r"(?:\b(?:will|would|shall|should)|'ll|'d) (?:still|stay|remain|keep|leave)\b")
"""A plan that changes nothing."""

_LINKS = re.compile(r"\b(?:on|onto|to|into|for|from|with)\b")
"""Words that relate the values of a summary to each other."""

_ASKS = re.compile(
    r"(?: - |, )(?:is (?:that|this|it)|do you|would you|shall i|may i|ok|okay|fine|right)\b[^?]{0,200}\?$"
)
"""A question for a yes at the end of a sentence: `..., is that okay?`"""

_FIGURE = re.compile(r"(?<![\w$.,-])#?[\w-]*\d[\w-]*(?:\.\d+)?")
"""A figure or a code, and no amount of money."""

_RELATIVE = re.compile(r"\b(?:that|which|who) (?:is|are|was|were)(?:n't| not)\b[^,;.?]*")
"""A negation about one of the things in a sentence, up to the next mark: `the two bags that aren't free`."""


_WORD = re.compile(r"(?<![\w'])'*+[^\W\d_](?:[^\W\d_]|')*+(?!\w)")
"""A word without figures. The pattern never goes back, so that a long word takes linear time."""

_BUT_NOT = re.compile(
    r"\b(?:instead of|rather than|in place of|in lieu of|where you|you said|other than|except|unlike|near|away from"
    r"|far from|next to|close to)\b[^,;.?]*"
)
"""A value that the proposal excludes: `instead of the visa card`."""

_NEUTRAL = frozenset(
    listed(
        "set setting make making made process processing arrange arranging save saving record recording register",
        "registering submit submitting complete completing update updating change changing modify modifying adjust",
        "adjusting place placing charge charging",
    )
)
"""Words for changes that do not tell one change from another."""

_ANYWHERE = frozenset(
    listed(
        "that this these those with from your have help need want like please could would will should there them they",
        "what when where which some something other than then more most also been does just only because since",
    )
)
"""Words that a text about any wish may have."""

_LONG = 4
"""The minimum number of letters of a word that tells one wish from another."""

_FEWEST = 2
"""The minimum number of values by which a change is recognised in a proposal without the change's verb."""


def offers_in(ear: Ear, reading: Reading, refusals: Sequence[int]) -> tuple[tuple[ProposedChange, ...], bool, bool]:
    """Return the changes that a message proposes, whether it proposes one that the user did not ask for (alone, or
    beside those that are right), and whether it asks for a yes without saying to what.
    """
    if not reading.consent and Act.PROPOSE not in reading.acts:
        return (), False, reading.quotes
    scope = scope_of(reading)
    words = Words("\n".join(s.text for s in scope))
    found = [
        offer_of(ear, ChangePlace(w, c), change, scope, words)
        for w in sorted(ear.open)
        if w not in refusals
        for c, change in enumerate(ear.script.requests[w].changes)
        if _proposes(change, scope)
    ]
    proposing = Words("\n".join(s.text for s in scope if Act.PROPOSE in s.acts))
    known = tuple(v for request in ear.script.requests for change in request.changes for v in change.verbs)
    unasked = strange(proposing.flat, known)
    if unasked and not any(offer.right for offer in found):
        return (), True, False
    if reading.consent and not any(offer.right for offer in found) and Act.REFUSE not in reading.acts:
        found = _in_other_words(ear, scope, refusals) or found
    if any(offer.right for offer in found):  # other changes named in passing are no proposals of their own
        found = [offer for offer in found if offer.right or _meant(ear, offer)]
        found, unclear = _told_apart(ear, found, words)
        unasked = unasked or _adds(ear, found, scope)
        if unclear or unasked:
            return tuple(found), unasked, not found
    # a bare question for a yes: its content stands in the sentences beside it, or is missing
    if Act.PROPOSE not in reading.acts:
        found = [offer for offer in found if offer.right]
    if found or reading.vague or Act.PROPOSE not in reading.acts or set(refusals) & set(ear.open):
        return tuple(found), False, not found
    # an agent that asks for details has not proposed anything yet
    near, asks = _near(ear, Words(reading.text)), Act.ASK in reading.acts
    return (), not near and not asks, near and not asks


def _adds(ear: Ear, found: Sequence[ProposedChange], scope: Sequence[Sentence]) -> bool:
    """Return whether a message proposes a change beside those that are right."""
    places = [offer.place for offer in found if offer.right]
    own = frozenset().union(*(words_of_wish(ear, p.wish, ear.script.requests[p.wish].changes) for p in places))
    return adds(
        scope, [verb for p in places for verb in ear.change(p).verbs], own | COMMON - {"card", "name", "number"}
    )


def _in_other_words(ear: Ear, scope: Sequence[Sentence], refusals: Sequence[int]) -> list[ProposedChange]:
    """Return the proposal that announces all values of one change without a verb of a change: `the order would go to
    1 Main Street`, `I'd make it three bags`, `3 GB on line L1, for $9`. Return nothing if no change fits, or several.

    One value may stand in another statement of the message, if the announcement has no words and figures of its own.
    For a wish about which the user has changed their mind, the values and a question for a yes are enough: `So: $5 for
    B1, from your debit card. Do you confirm?`
    """
    results = [s for s in scope if announces(s)]
    stated = [s for s in scope if not (denies(s.text) or s.text.endswith("?"))]
    found = []
    for w in ear.voiced:
        for c, change in enumerate(ear.script.requests[w].changes if w in ear.open and w not in refusals else ()):
            values = ear.values(w)
            topics = [topic for topic in change.names if topic in values]
            if len(topics) < _FEWEST:
                continue
            own = words_of_wish(ear, w, [change])
            plain = [s for s in scope if _plainly(s, own)]
            plain = plain if any(_LINKS.search(s.text) or _PLAIN.search(s.text) for s in plain) else []
            ahead = [*results, *(s for s in plain if s not in results)]
            says = [values[topic].says for topic in topics]
            naming = [s for s in ahead if any(map(Words(s.text).names, says))]
            if any(acts(words_of(s.text) - _NEUTRAL - _also(change)) for s in naming if s not in plain):
                continue
            if any(_moves_from(form, s.text) for s in naming for forms in says for form in forms):
                continue
            told = _said(ahead, scope)
            if w in ear.revised:
                told = _said([s for s in scope if not denies(s.text)], scope)
            elif plain and not results and len(topics) - sum(map(told.names, says)) == 1 and _no_figures(plain, own):
                told = _said([*stated, *ahead], scope)
            offer = offer_of(ear, ChangePlace(w, c), change, scope, told)
            found += [offer] if offer.right else []
    return found if len(found) == 1 else []


def by_values(ear: Ear, reading: Reading) -> tuple[ChangePlace, ...]:
    """Return the change of which a message that asks for a yes names all values, in words that are not those of another
    change: `B1 comes off the books, as you asked. Happy with that?` Return nothing if several changes fit.
    """
    scope = [s for s in scope_of(reading) if not (denies(s.text) or UNSURE.search(s.text) or _checks_itself(s))]
    found = []
    for w in ear.voiced:
        for c, change in enumerate(ear.script.requests[w].changes if w in ear.open else ()):
            values = [value for topic, value in ear.values(w).items() if topic in change.names]
            naming = [s for s in scope if any(Words(s.text).names(value.says) for value in values)]
            others = any(acts(words_of(s.text) - _NEUTRAL - _also(change)) for s in naming)
            if len(values) < _FEWEST or others or not any(_may_announce(s.text) for s in naming):
                continue
            place = ChangePlace(w, c)
            found += [place] if offer_of(ear, place, change, scope, _said(scope, scope)).right else []
    return tuple(found) if len(found) == 1 else ()


def _may_announce(text: str) -> bool:
    """Return whether a sentence may announce an action: it has no verb of a statement, or speaks of what will be."""
    return not _LEAVES.search(text) and (_TO_BE.search(text) is not None or not _STATES.search(text))


def restates(ear: Ear, reading: Reading, place: ChangePlace) -> bool:
    """Return whether a message names a value of a change, and no action, code or figure but those of its wish, amounts
    of money aside. It need not name all values, nor ask for a yes.
    """
    change, values = ear.change(place), ear.values(place.wish)
    scope = [s for s in reading.sentences if not s.quoted]
    words = Words("\n".join(s.text for s in scope))
    named = any(words.names(value.says) for topic, value in values.items() if topic in change.names)
    if not named or Act.REFUSE in reading.acts or offer_of(ear, place, change, scope, words).wrong:
        return False
    others = any(acts(words_of(s.text) - _NEUTRAL - _also(change)) for s in scope)
    return not others and _no_figures(scope, words_of_wish(ear, place.wish, [change]))


def _checks_itself(sentence: Sentence) -> bool:
    """Return whether a sentence is a question for anything but a yes."""
    return sentence.text.endswith("?") and not sentence.consent


def words_of_wish(ear: Ear, w: int, changes: Sequence[WantedChange]) -> frozenset[str]:
    """Return the words of a wish: of the plans of `changes`, of what the user says about it, and of its values."""
    request = ear.script.requests[w]
    texts = [*(change.plan for change in changes), request.ask, *request.again, *request.details.values()]
    return words_and_figures(" ".join([*texts, *chain.from_iterable(map(texts_of, ear.values(w).values()))]).lower())


def of_first_choice(ear: Ear, w: int, refused: str) -> bool:
    """Return whether lower-case words of a refusal are about the wish whose place wish `w` has taken: they have one of
    its words that wish `w` lacks.
    """
    if not ear.second_choice(w):
        return False
    first, second = (words_of_wish(ear, n, ear.script.requests[n].changes) for n in (w - 1, w))
    return not {word for word in first - second - _ANYWHERE if len(word) >= _LONG}.isdisjoint(
        words_and_figures(refused)
    )


@lru_cache(maxsize=512)
def words_and_figures(text: str) -> frozenset[str]:
    """Return the words of a lower-case text, and its figures and codes."""
    return frozenset([*_WORD.findall(text), *_FIGURE.findall(text)])


def _plainly(sentence: Sentence, own: frozenset[str]) -> bool:
    """Return whether a sentence announces an action by a plain verb, or sums one up, in the words of the wish alone."""
    text = _RELATIVE.sub(" ", own_words(sentence.text))
    reports = Act.CLAIM in sentence.acts and Act.PROPOSE not in sentence.acts
    if (text.endswith("?") and not sentence.consent) or reports or denies(text) or UNSURE.search(text):
        return False
    plan = _PLAIN.search(text)
    linked = sentence.entry or _LINKS.search(text)
    if plan is None and (not linked or _FINITE.search(text) or sentence.acts & OUT or text.endswith("?")):
        return False
    text = _ASKS.sub("", text[plan.start() if plan else 0 :])
    left = {*_WORD.findall(_BUT_NOT.sub(" ", text))} - own - COMMON
    return left <= {"account"} if plan else not left


def _no_figures(sentences: Sequence[Sentence], own: frozenset[str]) -> bool:
    """Return whether sentences have no figures and codes but those of the wish and amounts of money."""
    return not {figure for s in sentences for figure in _FIGURE.findall(s.text)} - own


def _moves_from(form: str | tuple[str, ...], text: str) -> bool:
    """Return whether a sentence names a value only as the one before a change: `from VALUE to 1 Main Street`."""
    return isinstance(form, str) and bool(
        re.search(rf"\bfrom (?:\w+ ){{0,3}}?{re.escape(form.lower())}\b[^,;.?]{{0,30}}? (?:to|into|onto) ", text)
    )


def _said(sentences: Sequence[Sentence], scope: Sequence[Sentence]) -> Words:
    """Return the agent's own words of some sentences, without the values that they exclude, and the shown values."""
    own = [_RELATIVE.sub(" ", _BUT_NOT.sub(" ", own_words(s.text))) for s in sentences]
    return Words("\n".join([*own, *(s.text for s in scope if s.quoted)]))


def _also(change: WantedChange) -> frozenset[str]:
    """Return the words for changes that belong to the verbs of a change."""
    return frozenset(word for word in DEEDS if word.startswith(change.verbs))


def _proposes(change: WantedChange, scope: Sequence[Sentence]) -> bool:
    """Return whether any sentence names the action of `change` and proposes it."""
    return any(
        about(change, Words(s.text).flat) and proposes(s.text, marked(change.verbs)) and not opposes(change, s.text)
        for s in scope
    )


_CANNOT_DO_IT = re.compile(
    r"^(?:but |sorry,? |unfortunately,? )*(?:i|we) (?:can't|cannot|can not|won't|am unable to|am not able to) "
    r"do (?:that|this|it|so)\b(?! (?:for free|today|now|yet|until|without))"
)
"""A refusal of what was just proposed: `Shall I cancel it? I cannot do that.`"""


_BRIEF = 3
"""The maximum number of words of a report that names nothing: `All done.`"""


def torn(ear: Ear, reading: Reading) -> tuple[int, ...]:
    """Return the wishes that a message refuses and proposes with the right values at once."""
    if not (reading.consent and Act.REFUSE in reading.acts):
        return ()
    scope = scope_of(reading)
    refusing = [s for s in reading.doing(Act.REFUSE) if refuses_itself(s) and not restricts(s.text)]
    words, refused = (Words("\n".join(s.text for s in part)) for part in (scope, refusing))
    pointing = any(map(points_back, refusing))
    return tuple(
        w
        for w in sorted(ear.open)
        for c, change in enumerate(ear.script.requests[w].changes)
        if (pointing or (about(change, refused.flat) and not of_first_choice(ear, w, refused.flat)))
        and about(change, words.flat)
        and offer_of(ear, ChangePlace(w, c), change, scope, words).right
    )


def strung(reading: Reading) -> bool:
    """Return whether a message is a string of phrases that contradict each other: it asks for a yes to nothing that it
    names, reports a change and refuses one, and the report or the refusal names nothing either: `Shall I go ahead? All
    done. I can't do that.`
    """
    said = reading.acts | reading.doubted
    if not reading.vague or Act.PROPOSE in said or Act.REFUSE not in reading.acts or Act.CLAIM not in said:
        return False
    reports = [s for s in reading.doing(Act.CLAIM) if Act.REFUSE not in s.acts]
    if any(len(s.text.split()) <= _BRIEF for s in reports if s.firm or Act.CLAIM in reading.doubted):
        return True
    cannot = any(map(points_back, reading.doing(Act.REFUSE)))
    return cannot and any(s.firm for s in reports)


def refuses_itself(sentence: Sentence) -> bool:
    """Return whether a sentence refuses something outside of its reason.

    "I will cancel it because it cannot be moved" does not.
    """
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
    rest = verbs(ear.change(other.place).verbs)
    if any(not rest.match(found[0]) for found in verbs(ear.change(offer.place).verbs).finditer(words.flat)):
        return True
    theirs = {form for value in ear.values(other.place.wish).values() for form in value.says}
    own = {form for value in ear.values(offer.place.wish).values() for form in value.says}
    return any(words.name(form) for form in own - theirs)


def _near(ear: Ear, words: Words) -> bool:
    """Return whether `words` name a value of an open wish. Then the user asks for an exact proposal."""
    return any(words.names(value.says) for w in ear.open for value in ear.values(w).values())


def _meant(ear: Ear, offer: ProposedChange) -> bool:
    """Return whether a proposal that is not right yet concerns this change rather than another one that is right."""
    values, change = ear.values(offer.place.wish), ear.script.requests[offer.place.wish].changes[offer.place.change]
    own = [t for t in change.names if t in values and t not in offer.missing]
    return bool(own) and offer.place.wish == ear.focus


def grants(ear: Ear, reading: Reading, w: int, *, whole: bool = True) -> bool:
    """Return whether a message asks for a yes to a change of a wish, with the right values: with all of them, or, if
    not `whole`, with none that is wrong. The user accepts the limits that it states.
    """
    if not reading.consent:
        return False
    scope = scope_of(reading)
    words = Words("\n".join(s.text for s in scope))
    found = [
        offer_of(ear, ChangePlace(w, c), change, scope, words)
        for c, change in enumerate(ear.script.requests[w].changes)
        if _proposes(change, scope)
    ]
    return any(offer.right or not (whole or offer.wrong) for offer in found)


def points_back(sentence: Sentence) -> bool:
    """Return whether a sentence refuses what was just proposed: `I cannot do that.`"""
    return _CANNOT_DO_IT.search(sentence.text) is not None
