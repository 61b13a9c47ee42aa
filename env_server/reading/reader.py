"""Reads what a message does, sentence by sentence."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from env_server.reading.acts import Act
from env_server.reading.sentences import consent as consents
from env_server.reading.sentences import facts, handover, proposals, questions, refusals, scope, steps
from env_server.reading.sentences.claims import claims
from env_server.reading.sentences.order import disordered, slips
from env_server.reading.sentences.patterns import WORD
from env_server.reading.words.text import LONGEST, Piece, pieces

_WEIGHTY = frozenset({Act.CLAIM, Act.REFUSE, Act.TRANSFER})
_ONWARD = frozenset({Act.CLAIM, Act.ASK, Act.IDENTIFY, Act.TELL, Act.PROPOSE, Act.INSTRUCT})
_DONE = frozenset({Act.CLAIM, Act.TRANSFER})
_JOINTS = re.compile(r"[,;:()!?.-] |\b(?:and|but|so|because|since|as|then|while|although|or|if|unless|which|that)\b")
_SHORT = 200
"""The longest sentence, in characters, that is kept once read."""

_NO_FACTS = frozenset({Act.ASK, Act.IDENTIFY, Act.TRANSFER})


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence or list entry, and what it does."""

    text: str
    """Lower case, Markdown and typographic marks removed, spaces single; list entries keep no marker."""

    acts: frozenset[Act]
    """What it does; PROPOSE where it describes a change to come or asks for consent to one."""

    consent: bool
    """Whether it asks for a yes to something that is to be done."""

    firm: bool
    """False where it is hedged: conditional, quoted, negated, or about what a record shows."""

    entry: bool
    """Whether it is an entry of a list."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message does, as far as the rules can tell."""

    text: str
    """All sentences, joined by newlines."""

    sentences: tuple[Sentence, ...]

    acts: frozenset[Act]
    """What the whole message does; empty where it does none of it."""

    consent: bool
    """Whether any sentence asks for a yes."""

    vague: bool
    """Whether it asks for a yes and describes nothing."""

    waits: bool
    """Whether it asks for a moment's patience, or says what it will look up next."""

    lost: bool
    """Whether it says that the user or their account was not found."""

    offers_transfer: bool
    """Whether it asks whether to transfer the user."""

    unread: bool
    """Whether there were words, and no act was found in them."""

    def doing(self, act: Act) -> list[Sentence]:
        """Return the sentences that do one thing."""
        return [sentence for sentence in self.sentences if act in sentence.acts]


def read(message: str) -> Reading:
    """Read one message of the agent; any text will do. Of one with more than 8,000 characters nothing is read."""
    too_long = len(message) > LONGEST
    found = [] if too_long else [_line(piece) for piece in pieces(message)]
    text = "\n".join(line.piece.text for line in found)
    _ordered(message, found)
    _lists(found)
    _settle(found)
    _offers(found)
    described = _described(found)
    _invited(found, described=described)
    _warned(found)
    _helped(found)
    _greeted(found)
    _told(found)
    consent = any(line.consent for line in found)
    acts: set[Act] = {act for line in found for act in line.acts if act not in (Act.CLAIM, Act.PROPOSE)}
    if any(Act.CLAIM in line.acts and line.firm for line in found):
        acts.add(Act.CLAIM)
    if described:
        acts.add(Act.PROPOSE)
    sentences = tuple(line.sentence() for line in found)
    return Reading(
        text=text,
        sentences=sentences,
        acts=frozenset(acts),
        consent=consent,
        vague=consent and not described,
        waits=any(handover.waits(line.piece.view, line.words) for line in found),
        lost=any(line.lost for line in found),
        offers_transfer=any(line.offers for line in found),
        unread=too_long or (not acts and any(line.words for line in found)),
    )


class _Line:
    """One sentence while it is being read."""

    __slots__ = (
        *("acts", "asked", "changes", "consent", "firm", "invites", "leads", "lost", "named", "offers", "piece"),
        *("probes", "steps", "value", "warning", "words"),
    )

    def __init__(self, piece: Piece) -> None:
        view = "" if piece.quoted else piece.view
        words = frozenset(WORD.findall(view))
        self.piece, self.words = piece, words
        self.acts: set[Act] = set()
        self.firm = True
        self.warning = self.probes = self.steps = self.invites = False
        self.consent = self.offers = self.changes = self.named = self.value = self.lost = False
        self.leads = view.endswith(":") or "following" in words
        self.asked: str | None = None
        if words:
            self._read(view, words)

    def copy(self) -> "_Line":
        """Return the same line, to be read on in another message."""
        line = object.__new__(_Line)
        for name in _Line.__slots__:
            setattr(line, name, getattr(self, name))
        line.acts = set(self.acts)
        return line

    def _read(self, view: str, words: frozenset[str]) -> None:
        self.changes = proposals.changes(words - {"correct"} if consents.checks(view) else words)
        self.named = proposals.names(view)
        self.consent = consents.asks_for_yes(view, words)
        self.offers = questions.offers_transfer(view, words)
        claim, firm = claims(view, words, entry=self.piece.entry)
        if claim:
            self.acts.add(Act.CLAIM)
            self.firm = firm
        if refusals.refuses(view, words, entry=self.piece.entry):
            self.acts.add(Act.REFUSE)
            self.warning = refusals.warns(view)
        self.lost = refusals.lost(view, words)
        if handover.transfers(view, words):
            self.acts.add(Act.TRANSFER)
        device = steps.instructs(view, words)
        if not self.consent and questions.more(view, words) and not (device and steps.reports(view, words)):
            self.acts.add(Act.CLOSE)
        elif device and not self.consent:
            self.acts.add(Act.INSTRUCT)
            self.steps = True
        self._asks(view, words)
        self.invites = Act.CLOSE not in self.acts and questions.invites(view)
        if self.offers and Act.TRANSFER not in self.acts:
            self.acts.add(Act.ASK)
        based = Act.REFUSE not in self.acts or facts.reasons(view, words)
        if claim and firm:
            if facts.amounts(view):
                self.acts.add(Act.TELL)
        elif based and self.acts.isdisjoint(_NO_FACTS) and facts.tells(view, words):
            self.acts.add(Act.TELL)
        if self._contradicts(view):
            self.forget()
        self.value = not (self.acts or self.consent or self.lost) and facts.values(view, entry=self.piece.entry)

    def _contradicts(self, view: str) -> bool:
        """Whether it does too much at once for one sentence, as a string of phrases does."""
        weighty = len(self.acts & _WEIGHTY) + self.consent
        both = Act.CLAIM in self.acts and (self.consent or Act.REFUSE in self.acts)
        return weighty > 2 or (both and not _JOINTS.search(view))

    def forget(self) -> None:
        """Take it for words that say nothing."""
        self.acts.clear()
        self.consent = self.offers = self.changes = self.named = self.value = self.lost = False
        self.asked = None

    def _asks(self, view: str, words: frozenset[str]) -> None:
        self.asked = questions.requested(view, words, entry=self.piece.entry)
        if questions.choice(view) or (self.consent and consents.also_asks(view)):
            self.acts.add(Act.ASK)
        elif self.asked is not None and not self.consent and Act.CLOSE not in self.acts and self._seeks(view):
            self.seek(self.asked, words)

    def _seeks(self, view: str) -> bool:
        """Whether a request for something is one for words, and not for something to be done."""
        return Act.INSTRUCT not in self.acts or (view.endswith("?") and not steps.reports(view, self.words))

    def seek(self, part: str, words: frozenset[str]) -> None:
        """Note what is asked for."""
        if questions.on_device(part):
            self.probes = "?" in part
            self.acts.add(Act.INSTRUCT)
            return
        if questions.who(part, words):
            self.acts.add(Act.IDENTIFY)
        if questions.what(part, words):
            self.acts.add(Act.ASK)

    def refer(self, before: "_Line") -> None:
        """Note what is asked for by `that`: what was named before, and of that what identifies the user."""
        if questions.who(before.piece.view, before.words):
            self.acts.add(Act.IDENTIFY)
        else:
            self.seek(before.piece.view, before.words)

    def ask(self) -> None:
        """Take it for a question, rather than for a wish for a yes."""
        self.consent = False
        self.acts.add(Act.ASK)

    def offer(self) -> None:
        """Take it for an offer of a transfer."""
        self.offers = True
        self.ask()

    def sentence(self) -> Sentence:
        """Return what was read."""
        firm = (
            self.firm
            and not self.piece.quoted
            and not (self.acts & {Act.PROPOSE} and scope.conditional(self.piece.view))
        )
        return Sentence(self.piece.text, frozenset(self.acts), self.consent, firm, self.piece.entry)


def _line(piece: Piece) -> _Line:
    """What a sentence says for itself; agents say many short ones again and again."""
    return _known(piece).copy() if len(piece.text) <= _SHORT else _Line(piece)


@lru_cache(maxsize=4096)
def _known(piece: Piece) -> _Line:
    return _Line(piece)


def _ordered(message: str, found: list[_Line]) -> None:
    """Words in an impossible order say nothing, in a sentence of weight as in a message that is full of them."""
    heavy = [line for line in found if line.consent or line.acts & _WEIGHTY]
    if heavy and disordered(message, [line.piece.view for line in found]):
        heavy = found
    else:
        heavy = [line for line in heavy if slips(line.piece.view)]
    for line in heavy:
        line.forget()


def _describes(line: _Line) -> bool:
    """Whether a line describes, for itself, what a yes would be to."""
    view = line.piece.view
    if line.consent:
        named = line.changes or line.named or (proposals.valued(view) and proposals.describes(view))
        return named and not proposals.loose(view, line.words)
    if line.acts & _DONE or view.endswith("?") or proposals.loose(view, line.words):
        return False
    valued = proposals.valued(view)
    return ((line.changes or valued) and proposals.describes(view)) or (valued and proposals.acts(line.words))


def _described(found: list[_Line]) -> bool:
    """Whether a yes is asked for and what it would be to is described; marks the lines that do either."""
    if not any(line.consent for line in found):
        return False
    if not (any(map(_describes, found)) or sum(line.piece.entry for line in found) > 1 or _follows(found)):
        _pointless(found)
        return False
    for line in found:
        if line.consent or (line.changes and proposals.describes(line.piece.view)):
            line.acts.add(Act.PROPOSE)
    return True


def _invited(found: list[_Line], *, described: bool) -> None:
    """What is left to the user is a question, and so is what a device shows where no step is asked for."""
    stepped = any(line.steps for line in found)
    for line in found:
        if (line.probes and not stepped) or (line.invites and not described):
            line.acts.add(Act.ASK)


def _told(found: list[_Line]) -> None:
    """Figures tell what was looked up, but for those of a list in a report."""
    claimed = any(Act.CLAIM in line.acts for line in found)
    for line in found:
        view = line.piece.view
        if line.value and (facts.amounts(view) or not (claimed and (line.piece.entry or facts.promises(view)))):
            line.acts.add(Act.TELL)


def _helped(found: list[_Line]) -> None:
    """Who asks what came of a step offers help with that step, and has not finished."""
    if any(line.steps and steps.reports(line.piece.view, line.words) for line in found) and not any(
        line.acts & {Act.CLAIM, Act.REFUSE} for line in found
    ):
        for line in found:
            if questions.helps(line.piece.view):
                line.acts.discard(Act.CLOSE)


def _greeted(found: list[_Line]) -> None:
    """Thanks for a call, before `How can I help?`, are no goodbye."""
    if any(questions.greets(line.piece.view) for line in found):
        for line in found:
            if line.piece.view.startswith("thank"):
                line.acts.discard(Act.CLOSE)


def _follows(found: list[_Line]) -> bool:
    """Whether a bare question for a yes follows on a statement of figures: `That makes 3 GB for $6. Shall I?`"""
    return any(
        line.consent and before.value and not before.piece.view.endswith("?") for before, line in pairwise(found)
    )


def _pointless(found: list[_Line]) -> None:
    """Where nothing is described, a question for a yes that names something asks about that."""
    for line in found:
        if line.consent and not consents.bare(line.words):
            line.ask()


def _offers(found: list[_Line]) -> None:
    """An offer that leaves open what is to be changed, or to what, asks for a choice and for no yes."""
    asking = [line for line in found if line.consent]
    if not asking:
        return
    if not any(consents.opens(line.piece.view) for line in found):
        asking = [line for line in asking if proposals.loose(line.piece.view, line.words)]
        if any(map(_describes, found)):
            return
    for line in asking:
        line.ask()


def _warned(found: list[_Line]) -> None:
    """What is impossible after a step is no refusal where the message goes on to the step, or to anything else."""
    warnings = [line for line in found if line.warning]
    if warnings and any(
        line.consent
        or line.acts & (_ONWARD if line.firm else _ONWARD - _DONE)
        or handover.waits(line.piece.view, line.words)
        for line in found
    ):
        for line in warnings:
            line.acts.discard(Act.REFUSE)


def _settle(found: list[_Line]) -> None:
    """A yes is to what was said just before, and to nothing where the change is still to be defined."""
    for before, line in zip([None, *found], found, strict=False):
        if line.consent and questions.of_transfer(line.piece.view):
            line.offer()
        elif line.consent and before and not (line.changes or line.named):
            if questions.of_transfer(before.piece.view):
                line.offer()
            elif proposals.looks(before.piece.view) or (
                Act.TELL in before.acts and consents.checks(line.piece.view) and proposals.stands(before.piece.view)
            ):
                line.ask()
        if before and before.consent and proposals.goes_on(line.piece.view) and proposals.undefined(line.piece.view):
            before.ask()
    if any(Act.ASK in line.acts for line in found):
        for line in found:
            if line.consent and consents.only_once(line.piece.view, line.words):
                line.consent = False


def _lists(found: list[_Line]) -> None:
    """Entries ask for what the line that leads them asks for, and `that` stands for what was named before."""
    lead: _Line | None = None
    before: _Line | None = None
    several = sum(line.piece.entry and line.piece.view.endswith("?") for line in found) > 1
    for line in found:
        if line.leads and not line.piece.entry:
            lead = line
        elif not line.piece.entry:
            lead = None
        elif several and (line.consent or (lead and lead.consent)):  # a list of questions wants more than one yes
            for asking in (line, lead):
                if asking and asking.consent:
                    asking.ask()
        elif lead and lead.asked is not None and not lead.consent and not line.steps:
            line.consent = False
            line.seek(line.piece.view, line.words | lead.words)
            line.acts.discard(Act.TELL)
            line.value = False
        if before and before.asked is None and not line.consent and line.asked and questions.refers(line.asked):
            line.refer(before)
        before = line
