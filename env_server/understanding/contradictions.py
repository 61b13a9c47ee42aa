"""Values in a proposal that contradict those of a wish: others of the same kind, in their place or beside them."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from env_server.domains.kit import Value, WantedChange
from env_server.reading import Act, Sentence, Words
from env_server.understanding.ear import ChangePlace, Ear
from env_server.understanding.proposal_scope import own_words, set_aside, texts_of
from env_server.understanding.topics import marked

_EARLIER = r"\b(?:first|original|initial|earlier|old|previous) (?:payment|charge)\b(?! method)"
"""An earlier payment. `_FIRST_PAYMENT` uses it."""

_BACK = r"\b(?:refund\w*|go(?:es)? back|back)\b"
_FIRST_PAYMENT = re.compile(
    rf"{_BACK}[^;.?]{{0,60}}{_EARLIER}[^;.?]{{0,60}}"
    rf"|(?:{_EARLIER}|\bpaid (?:first|before|originally)\b)[^;.?]{{0,60}}{_BACK}[^;.?]{{0,60}}"
)
"""The refund of an earlier payment. A payment method in these words is not the one that the agent proposes."""

_CODE = r"#[a-z]{0,4}\d[a-z0-9]{2,20}"
_BESIDE = re.compile(
    rf"(?<![\w#])({_CODE})(?=(?:,? (?:and|&|plus|or|i\.e\.,?|that is,?|as well as) |, | ?\((?=[^()]{{1,40}}\)))"
    rf"(?:i\.e\.,? )?(?:(?:the|your|my|also) )?(?:(?:order|id|number|no\.|code|reference) )?({_CODE})(?!\w)"
    r"(?! (?:stays?|remains?|keeps?|is|are|was|were|will|would|can|cannot|could|has|have|had|does|doesn't|won't)\b))"
)
"""Two codes with nothing but a joint in between: `order #W1182 (#W1183)`, `orders #W1182 and #W1183`."""

_ANY_CODE = re.compile(r"(?<![\w#$.-])(?:#[a-z]{0,4}\d|(?=[a-z]{0,20}\d)(?=\d{0,20}[a-z]))[a-z\d]{3,20}\b")
"""A code with a `#`, or of letters and digits."""

_PREFIXED = re.compile(r"#[a-z]{0,4}\d+|[a-z]{0,2}\d{3,}")
_IN_PARTS = re.compile(r"[a-z]+\d{2,}|\d+[a-z]+|\d{1,2}h\d{1,2}m?")
"""A code of letters and then figures, or the reverse, as flight numbers, times and amounts are: `hat204`, `400usd`."""

_UNMISTAKABLE = re.compile(r"#.*|[a-z]{1,2}\d{5,}")
"""A code that can only be an id of a record, wherever it stands."""

_LETTER, _DIGIT = re.compile(r"[a-z]"), re.compile(r"\d")
_NEAR = 80
"""The maximum number of characters from the verb or the name of a record to its code."""

_NAMES_IT = r"(?: (?:number|no\.?|id|code|reference|ref\.?|is))*:? \(?$"
_REACH_OF_VERB = r"[a-z]*(?: (?:it|up|off|the|your|my|order|line|reservation|booking|number|id))* $"
_BRIEF = 2
"""The maximum number of words of a list entry that only names a thing: `Order #W1`."""

_POINTS = re.compile(r"(?<!of )\b(?:these|those|them|both|all|following)\b(?!.*#)|^[^#]*:$")
"""A proposal of all things on a list, which names none of them itself."""


def contradicted(ear: Ear, value: Value, scope: Sequence[Sentence], words: Words) -> bool:
    """Return whether `scope` proposes a value that the user knows to be wrong, and does not set it aside."""
    texts = [sentence.text for sentence in scope]
    for other in value.others:
        if not words.name(other) or _belongs(ear, other):
            continue
        for sentence in scope:
            if Act.CLAIM in sentence.acts and Act.PROPOSE not in sentence.acts:
                continue  # a report, even a doubtful one, names no value of the proposal
            text = _FIRST_PAYMENT.sub(" ", sentence.text)
            if Words(text).name(other) and not set_aside(other, value, text, texts):
                return True
    return False


def kind(code: str) -> str:
    """Return what codes of one kind share: their letters, and the number of digits; of mixed ones where they have
    letters and digits if they have each in one part, else only their length.
    """
    if _PREFIXED.fullmatch(code):
        return _DIGIT.sub("0", code)
    return _DIGIT.sub("0", _LETTER.sub("a", code)) if _IN_PARTS.fullmatch(code) else f"{len(code)} characters"


def of_kind(value: Value, text: str) -> bool:
    """Return whether a lower-case text names a code of the kind of a value's own."""
    kinds = {kind(code) for own in texts_of(value) for code in _ANY_CODE.findall(own)}
    return not kinds.isdisjoint(map(kind, _ANY_CODE.findall(text)))


def replaced(ear: Ear, place: ChangePlace, topic: str, scope: Sequence[Sentence], *, missing: bool) -> bool:
    """Return whether a sentence that proposes names, in the place of a value's code, one of the same kind that the user
    does not know. It has to be the only one: if the value is not `missing` elsewhere, the code has to follow the verb.
    """
    value, change = ear.values(place.wish)[topic], ear.change(place)
    own = {code for text in texts_of(value) for code in _ANY_CODE.findall(text)}
    if not own:
        return False
    kinds, texts = set(map(kind, own)), [sentence.text for sentence in scope]
    proposing = [own_words(sentence.text) for sentence in scope if Act.PROPOSE in sentence.acts]
    if not missing and any(not own.isdisjoint(_ANY_CODE.findall(text)) for text in proposing):
        return False
    after, named = _after(change.verbs), _named(tuple(_nouns(change, topic, own)))
    return any(
        kind(found[0]) in kinds
        and bool(
            (
                missing
                and (
                    _UNMISTAKABLE.fullmatch(found[0])
                    or named.search(text, max(0, found.start() - _NEAR), found.start())
                )
            )
            or after.search(text, max(0, found.start() - _NEAR), found.start())
        )
        and not (_belongs(ear, found[0]) or set_aside(found[0], value, text, texts))
        for text in proposing
        for found in _ANY_CODE.finditer(text)
    )


@lru_cache(maxsize=4_096)
def _after(verbs: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of the text up to a code that follows any of `verbs`."""
    return re.compile(f"{marked(verbs).pattern}{_REACH_OF_VERB}")


@lru_cache(maxsize=4_096)
def _named(nouns: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of the text up to a code that follows any of `nouns`."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, nouns))})s?{_NAMES_IT}")


def _nouns(change: WantedChange, topic: str, own: Collection[str]) -> Iterator[str]:
    """Yield the nouns of the things that have a code of the user: `reservation`."""
    yield topic.replace("_", " ").lower()
    words = change.plan.lower().split()
    yield from (noun for noun, code in pairwise(words) if code.strip(".,") in own and noun.isalpha())


def doubled(ear: Ear, value: Value, scope: Sequence[Sentence]) -> bool:
    """Return whether a sentence that proposes names a code that the user does not know, right beside one of a value: `I
    will cancel order #W1182 (#W1183)`; or whether a list does that all of which the sentence proposes.
    """
    texts = [s.text for s in scope if Act.PROPOSE in s.acts]
    if any(_POINTS.search(text) for text in texts):
        texts.append(" and ".join(s.text for s in scope if s.entry and len(s.text.split()) <= _BRIEF))
    return any(not _belongs(ear, code) for text in texts for code in _named_beside(value, text))


def _belongs(ear: Ear, other: str) -> bool:
    """Return whether the user has named a value themselves, in this wish or another."""
    said = other.lower()
    for w in range(len(ear.script.requests)):
        if any(said in text for value in ear.values(w).values() for text in texts_of(value)):
            return True
    return False


def _named_beside(value: Value, text: str) -> Iterator[str]:
    """Yield the codes that a sentence names right before or after one of a value, of the same kind as that one: with a
    `#`, and the same letters and number of figures.
    """
    if text.count("#") < 2:
        return
    own = frozenset(texts_of(value))
    for pair in _BESIDE.findall(text):
        for code, other in (pair, pair[::-1]):
            if code in own and other not in own and kind(code) == kind(other):
                yield other
