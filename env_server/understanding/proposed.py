"""The content of a proposal: the sentences that may hold it, and what it names of one change that the user wants."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from env_server.domains.kit import WantedChange
from env_server.reading import Act, Reading, Sentence, Words
from env_server.reading.sentences.patterns import words_of
from env_server.reading.sentences.proposals import acts, plans
from env_server.understanding.contradictions import contradicted, doubled, replaced
from env_server.understanding.ear import ChangePlace, Ear
from env_server.understanding.proposal_scope import denies, own_words, set_apart

_ASKS_ITSELF = re.compile(
    r"\b(?:(?:shall|should|may|can) i|(?:like|want) me to) (?!(?:also |now |then )?(?:go|proceed|continue|do)\b)"
    r"(?!.{0,200}\b(?:both|all|everything|each)\b)\w+ "
)
"""A question for a yes that names what it is about."""


_SPEAKS = re.compile(r"\b(?:i|we|you|i'll|i'd|shall|yes)\b|\?")
"""Words that occur in a quoted sentence of somebody, but not in a quoted value."""


_PLANS = re.compile(
    r"^(?:so|then|here is what (?:would|will) happen|okay|ok|right|understood|to confirm|just to confirm)?\W*"
    r"(?:\w+ ){0,8}?(?:i will|i'll|i'd|i would|i am going to|i'm going to|we will|we'll)\b(?! not| never| be unable)"
)
"""The main clause of a sentence about a future action of the agent."""


OUT = frozenset({Act.REFUSE, Act.CLAIM, Act.CLOSE, Act.TRANSFER, Act.IDENTIFY})
"""Acts of sentences that do not belong to a proposal."""


_AHEAD = re.compile(
    r"(?:\b(?:will|would)|'ll|'d) (?:then |now |instead |also )*"
    r"(?:become|go (?:to|onto|into)|ship to|come (?:to|out of)|fly (?:in|on|from|under)|read\b"
    r"|take (?:that|it|the amount)|(?:fly|travel) instead\b"
    r"|be (?:shipped|sent|delivered|billed|charged|listed|entered|put|placed|moved|set)\b"
    r"|have [^,;.:]{1,60} (?:shipped|sent|delivered|billed|charged|listed|entered|put|placed|moved|set)\b)"
)
"""An announcement of a result, in words that fit any kind of change: `will become`, `will be shipped`."""


UNSURE = re.compile(
    r"\b(?:doubt|wish|hope|think|afraid|nobody|no one|nothing|never|ever|only|if|unless|whether|wrong|foolish)\b"
)
"""Words that make an announcement uncertain, or deny it."""


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


def announces(sentence: Sentence) -> bool:
    """Return whether a sentence announces a result in the agent's own words."""
    text = own_words(sentence.text)
    asked = sentence.text.endswith("?")
    return bool(_AHEAD.search(text)) and not (asked or denies(text) or UNSURE.search(text))


def scope_of(reading: Reading) -> list[Sentence]:
    """Return the sentences that may hold the content of a proposal, without quotations and hypothetical cases."""
    asks = any(s.consent and _ASKS_ITSELF.search(s.text) for s in reading.sentences)
    shown = _shown(reading)
    return [
        s
        for s in reading.sentences
        if (not s.acts & (OUT if s.firm else OUT - {Act.CLAIM}) or Act.PROPOSE in s.acts or to_come(s))
        and (not s.quoted or s in shown)
        and not set_apart(s.text, asks_itself=asks)
        and not _offers_a_choice(s)
    ]


def _offers_a_choice(sentence: Sentence) -> bool:
    """Return whether a sentence asks which of several values the user wants, and for no yes."""
    return (
        " or " in sentence.text
        and sentence.text.endswith("?")
        and Act.ASK in sentence.acts
        and not sentence.consent
        and Act.PROPOSE not in sentence.acts
    )


def _shown(reading: Reading) -> list[Sentence]:
    """Return the lines of a block quote that show a value of the agent's own sentence before it: `to this address:`."""
    found: list[Sentence] = []
    leads = False
    for sentence in reading.sentences:
        leads = (
            leads if sentence.quoted else sentence.text.endswith(":") and (plans(sentence.text) or announces(sentence))
        )
        if sentence.quoted and leads and not (_SPEAKS.search(sentence.text) or acts(words_of(sentence.text))):
            found.append(sentence)
    return found


def to_come(sentence: Sentence) -> bool:
    """Return whether the main clause of a sentence is about a future action of the agent."""
    return _PLANS.match(sentence.text) is not None


def offer_of(
    ear: Ear, place: ChangePlace, change: WantedChange, scope: Sequence[Sentence], words: Words
) -> ProposedChange:
    """Return the proposal of a change, with the topics whose values `words` lack or `scope` contradicts."""
    values = ear.values(place.wish)
    missing = tuple(t for t in change.names if t in values and not words.names(values[t].says))
    wrong = tuple(
        t
        for t, value in values.items()
        if (value.others and contradicted(ear, value, scope, words))
        or replaced(ear, place, t, scope, missing=t in missing)
        or (t not in missing and doubled(ear, value, scope))
    )
    return ProposedChange(place, missing, wrong)
