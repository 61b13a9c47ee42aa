"""The reader: it determines the acts of a message, sentence by sentence."""

import re
from functools import lru_cache
from itertools import pairwise

from env_server.reading.acts import Act, Reading, Sentence
from env_server.reading.sentences import consent as consents
from env_server.reading.sentences import facts, handover, proposals, questions, refusals, scope, steps
from env_server.reading.sentences.brief_reports import announces, assures, parts
from env_server.reading.sentences.order import disordered, slips
from env_server.reading.sentences.patterns import words_of
from env_server.reading.sentences.success_claims import appointed, claims, pointed, readied
from env_server.reading.words.envelope import opened
from env_server.reading.words.text import LONGEST, Piece, pieces, quotations

_WEIGHTY = frozenset({Act.CLAIM, Act.REFUSE, Act.TRANSFER})
_ONWARD = frozenset({Act.CLAIM, Act.ASK, Act.IDENTIFY, Act.TELL, Act.PROPOSE, Act.INSTRUCT})
_DONE = frozenset({Act.CLAIM, Act.TRANSFER})
_JOINTS = re.compile(r"[,;:()!?.-] |\b(?:and|but|so|because|since|as|then|while|although|or|if|unless|which|that)\b")
_SHORT = 200
"""The maximum length in characters of a sentence whose analysis is cached."""

_SEEKS = frozenset({Act.ASK, Act.IDENTIFY})
_NO_FACTS = frozenset({Act.ASK, Act.IDENTIFY, Act.TRANSFER})


def read(message: str) -> Reading:
    """Return the analysis of one message of the agent. Any text is allowed. A message of more than 8,000 characters is
    not read (`unread`).
    """
    message = opened(message)
    too_long = len(message) > LONGEST
    found = [] if too_long else [_line(piece) for piece in pieces(message)]
    text = "\n".join(line.piece.text for line in found)
    _ordered(message, found)
    _lists(found)
    _planned(found)
    _readied(found)
    _appointed(found)
    _pointed(found)
    _settle(found)
    _offers(found)
    handed = _handed(found)
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
        waits=any(line.waits for line in found),
        lost=any(line.lost for line in found),
        offers_transfer=any(line.offers for line in found),
        hands_over=handed,
        quotes=not consent and any(_quotes(line.piece) for line in found),
        unread=too_long or (not acts and any(line.words for line in found)),
    )


class _Line:
    """One sentence under analysis.

    Its attributes, beside those of a `Sentence` or a `Reading`:

    - `asked`: the requested thing, in the sentence's words
    - `changes`, `named`: whether it names a change, or something to proceed with
    - `value`: whether it has figures that may come from a look-up
    - `steps`, `probes`: whether it asks for a step on a device, or about the device's display
    - `invites`: whether it invites the user to ask for something
    - `offers`: whether it offers a transfer
    - `hands`: whether it says that a transfer is the next step
    - `pointed`: whether its report points at something that need not be the change: `It's in.`
    - `warning`: whether its refusal is a warning if the message goes on to the step
    - `leads`: whether it introduces a list
    """

    __slots__ = (
        *("acts", "asked", "changes", "consent", "firm", "hands", "invites", "leads", "lost", "named", "offers"),
        *("piece", "pointed", "probes", "steps", "value", "waits", "warning", "words"),
    )

    def __init__(self, piece: Piece) -> None:
        view = "" if piece.quoted else piece.view
        words = words_of(view)
        self.piece, self.words = piece, words
        self.acts: set[Act] = set()
        self.firm = True
        self.warning = self.probes = self.steps = self.invites = self.hands = self.pointed = False
        self.consent = self.offers = self.changes = self.named = self.value = self.lost = self.waits = False
        self.leads = view.endswith(":") or "following" in words
        self.asked: str | None = None
        if words:
            self._read(view, words)

    def copy(self) -> "_Line":
        """Return a copy of the line for use in another message."""
        line = object.__new__(_Line)
        line.piece, line.words, line.asked = self.piece, self.words, self.asked
        line.acts = self.acts.copy()
        line.firm, line.leads, line.changes, line.named = self.firm, self.leads, self.changes, self.named
        line.consent, line.offers, line.hands = self.consent, self.offers, self.hands
        line.invites, line.lost, line.pointed, line.probes = self.invites, self.lost, self.pointed, self.probes
        line.steps, line.value, line.waits, line.warning = self.steps, self.value, self.waits, self.warning
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
            self.pointed = pointed(view, words, entry=self.piece.entry)
        if refusals.refuses(view, words, entry=self.piece.entry):
            self.acts.add(Act.REFUSE)
            self.warning = refusals.warns(view)
        self.lost = refusals.lost(view, words)
        if handover.transfers(view, words):
            self.acts.add(Act.TRANSFER)
        self.hands = Act.TRANSFER in self.acts or handover.promises(view, words) or handover.follows(view)
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
        self.waits = handover.waits(view, words)
        self.value = not (self.acts or self.consent or self.lost) and facts.values(view, entry=self.piece.entry)

    def _contradicts(self, view: str) -> bool:
        """Return whether the line has too many acts for one sentence, as a string of phrases has."""
        weighty = len(self.acts & _WEIGHTY) + self.consent
        both = Act.CLAIM in self.acts and (self.consent or Act.REFUSE in self.acts)
        return weighty > 2 or (both and not _JOINTS.search(view))

    def forget(self) -> None:
        """Remove all acts: treat the line as words without meaning."""
        self.acts.clear()
        self.consent = self.offers = self.changes = self.named = self.value = self.lost = self.hands = False
        self.asked = None

    def _asks(self, view: str, words: frozenset[str]) -> None:
        self.asked = questions.requested(view, words, entry=self.piece.entry)
        if questions.choice(view) or (self.consent and consents.also_asks(view)):
            self.acts.add(Act.ASK)
        elif self.asked is not None and not self.consent and Act.CLOSE not in self.acts and self._seeks(view):
            self.seek(self.asked, words)

    def _seeks(self, view: str) -> bool:
        """Return whether a request asks for words rather than for an action."""
        return Act.INSTRUCT not in self.acts or (view.endswith("?") and not steps.reports(view, self.words))

    def seek(self, part: str, words: frozenset[str]) -> None:
        """Add the act for the requested thing."""
        if questions.on_device(part):
            self.probes = "?" in part
            self.acts.add(Act.INSTRUCT)
            return
        if questions.who(part, words):
            self.acts.add(Act.IDENTIFY)
        if questions.what(part, words):
            self.acts.add(Act.ASK)

    def refer(self, before: "_Line") -> None:
        """Add the act for a request with `that`: it refers to the line before, or to the identifying values named
        there.
        """
        if questions.who(before.piece.view, before.words):
            self.acts.add(Act.IDENTIFY)
        else:
            self.seek(before.piece.view, before.words)

    def ask(self) -> None:
        """Treat the line as a question rather than as a question for a yes."""
        self.consent = False
        self.acts.add(Act.ASK)

    def offer(self) -> None:
        """Treat the line as an offer of a transfer."""
        self.offers = True
        self.ask()

    def sentence(self) -> Sentence:
        """Return the sentence with the acts found so far, and whether a proposal in it is firm."""
        firm = self.firm and not self.piece.quoted
        if firm and Act.PROPOSE in self.acts:
            firm = not scope.conditional(self.piece.view)
        acts = frozenset(self.acts)
        return Sentence(self.piece.text, acts, self.consent, firm, self.piece.entry, self.piece.quoted, self.pointed)


def _quotes(piece: Piece) -> bool:
    """Return whether a quotation in a piece, or the piece as a quotation, asks for a yes."""
    if not (piece.quoted or '""' in piece.view):
        return False
    return any(consents.asks_for_yes(text, words_of(text)) for text in quotations(piece))


def _line(piece: Piece) -> _Line:
    """Return the analysis of a single sentence. Short ones are cached, since agents repeat them often."""
    return _known(piece).copy() if len(piece.text) <= _SHORT else _Line(piece)


@lru_cache(maxsize=4096)
def _known(piece: Piece) -> _Line:
    return _Line(piece)


def _ordered(message: str, found: list[_Line]) -> None:
    """Remove the acts of lines with an impossible word order: the weighty lines, or all lines if the
    message has many.
    """
    heavy = [line for line in found if line.consent or line.acts & _WEIGHTY]
    mixed = heavy and disordered(message, [line.piece.view for line in found])
    for line in found if mixed else [line for line in heavy if slips(line.piece.view)]:
        line.forget()


def _describes(line: _Line) -> bool:
    """Return whether a line by itself describes the change that a yes would confirm."""
    view = line.piece.view
    if line.consent:
        named = line.changes or line.named or (proposals.valued(view) and proposals.describes(view))
        return named and not proposals.loose(view, line.words)
    if (
        (line.firm and line.acts & _DONE)
        or view.endswith("?")
        or proposals.loose(view, line.words)
        or proposals.depends(view)
    ):
        return False
    valued = proposals.valued(view)
    return ((line.changes or valued) and proposals.describes(view)) or (
        valued and Act.REFUSE not in line.acts and proposals.acts(line.words)
    )


def _described(found: list[_Line]) -> bool:
    """Return whether the message asks for a yes and describes the change; add PROPOSE to the lines that do either."""
    if not any(line.consent for line in found):
        return False
    if not (any(map(_describes, found)) or sum(line.piece.entry for line in found) > 1 or _follows(found)):
        _pointless(found)
        return False
    for line in found:
        if line.consent or (line.changes and proposals.describes(line.piece.view) and _open(line)):
            line.acts.add(Act.PROPOSE)
    return True


def _open(line: _Line) -> bool:
    """Return whether a line may propose a change: it refuses nothing, or it also says what the agent will do."""
    return Act.REFUSE not in line.acts or proposals.announces(line.piece.view)


def _invited(found: list[_Line], *, described: bool) -> None:
    """Add ASK to invitations in a message without a proposal, and to questions about a device in one without steps."""
    stepped = any(line.steps for line in found)
    for line in found:
        if (line.probes and not stepped) or (line.invites and not described):
            line.acts.add(Act.ASK)


def _told(found: list[_Line]) -> None:
    """Add TELL to lines with figures, except for those of a list in a report."""
    claimed = any(Act.CLAIM in line.acts for line in found)
    for line in found:
        view = line.piece.view
        if line.value and (facts.amounts(view) or not (claimed and (line.piece.entry or facts.promises(view)))):
            line.acts.add(Act.TELL)


def _helped(found: list[_Line]) -> None:
    """Remove CLOSE from offers of help in a message that asks for the result of a step: the agent has not finished."""
    if any(line.steps and steps.reports(line.piece.view, line.words) for line in found) and not any(
        line.acts & {Act.CLAIM, Act.REFUSE} for line in found
    ):
        for line in found:
            if questions.helps(line.piece.view):
                line.acts.discard(Act.CLOSE)


def _greeted(found: list[_Line]) -> None:
    """Remove CLOSE from thanks in a message with `How can I help?`: they are no goodbye."""
    if any(questions.greets(line.piece.view) for line in found):
        for line in found:
            if line.piece.view.startswith("thank"):
                line.acts.discard(Act.CLOSE)


def _follows(found: list[_Line]) -> bool:
    """Return whether a bare question for a yes follows a statement with figures: `That makes 3 GB for $6. Shall I?`"""
    return any(
        line.consent and before.value and not before.piece.view.endswith("?") for before, line in pairwise(found)
    )


def _pointless(found: list[_Line]) -> None:
    """Treat a question for a yes that names something as a question about it, in a message that describes no change."""
    for line in found:
        if line.consent and not consents.bare(line.words):
            line.ask()


def _offers(found: list[_Line]) -> None:
    """Treat an offer that does not say what changes, or to what, as a question for a choice rather than for a yes.

    The same holds for an offer about which the agent will ask again.
    """
    asking = [line for line in found if line.consent]
    if not asking:
        return
    postponed = any(consents.opens(line.piece.view) or consents.asks_again(line.piece.view) for line in found)
    if not postponed:
        asking = [line for line in asking if proposals.loose(line.piece.view, line.words)]
        if any(_describes(line) and not proposals.retells(line.piece.view) for line in found):
            return
    for line in asking:
        line.ask()


def _warned(found: list[_Line]) -> None:
    """Remove REFUSE from warnings about the time after a step, if the message goes on to the step or to anything else,
    and from a rule that is the reason of what it asks a yes for.
    """
    refusing = [line for line in found if Act.REFUSE in line.acts]
    asks = bool(refusing) and any(line.consent for line in found)
    for line in refusing:
        onward = asks or any(o.acts & (_ONWARD if o.firm else _ONWARD - _DONE) or o.waits for o in found)
        if (line.warning and onward) or (asks and _rules(line.piece.view)):
            line.acts.discard(Act.REFUSE)


def _rules(view: str) -> bool:
    """Return whether a sentence gives the reason of a proposal, or what the proposal leaves as it is."""
    return refusals.follows(view) or refusals.stays(view)


def _settle(found: list[_Line]) -> None:
    """Relate a question for a yes to the line before, and drop it if the change is still undefined."""
    goes_on = _goes_on(found)
    for before, line in zip([None, *found], found, strict=False):
        if line.consent and questions.of_transfer(line.piece.view):
            line.offer()
        elif line.consent and before and not (line.changes or line.named):
            if (before.hands and not goes_on) or questions.of_transfer(before.piece.view):
                line.offer()
            elif proposals.looks(before.piece.view) or (
                Act.TELL in before.acts and consents.checks(line.piece.view) and proposals.stands(before.piece.view)
            ):
                line.ask()
        if line.consent and before and proposals.assumes(before.piece.view):
            line.ask()
        if before and before.consent and consents.checks(before.piece.view) and consents.then_looks(line.piece.view):
            before.ask()
        if before and before.consent and proposals.goes_on(line.piece.view) and proposals.undefined(line.piece.view):
            before.ask()
    if any(Act.ASK in line.acts for line in found):
        for line in found:
            if line.consent and consents.only_once(line.piece.view, line.words):
                line.consent = False


def _goes_on(found: list[_Line]) -> bool:
    """Return whether a message with a question for a yes describes a change in a sentence that is no hand-over and no
    refusal. Then the question is about the change.
    """
    return any(line.consent for line in found) and any(
        _describes(line) and not (line.hands or Act.REFUSE in line.acts or questions.of_transfer(line.piece.view))
        for line in found
    )


def _handed(found: list[_Line]) -> bool:
    """Return whether the message says that it hands the user over. What it asks then is a question about the transfer
    or, if it asks for anything else, for further wishes. A message that asks for a yes to a change hands nobody over.
    """
    if not any(line.hands for line in found) or _goes_on(found):
        return False
    for line in found:
        if line.consent and consents.bare(line.words):
            line.offer()
        elif handover.precedes(line.piece.view) and questions.other_wishes(line.piece.view, line.words):
            line.consent = False
            line.acts.discard(Act.ASK)
            line.acts.add(Act.CLOSE)
    return True


def _readied(found: list[_Line]) -> None:
    """Make a sentence that all is ready doubtful, in a message that asks for a detail, says goodbye or hands over, and
    reports nothing else: "We're good to go. Which line is it?", "You're welcome. You're all set!"
    """
    reports = [line for line in found if Act.CLAIM in line.acts and line.firm]
    ready = [line for line in reports if readied(line.piece.view, line.words, entry=line.piece.entry)]
    if (
        ready
        and len(ready) == len(reports)
        and any(line.acts & _SEEKS or line.hands or parts(line.piece.view) for line in found)
    ):
        for line in ready:
            line.firm = False


def _appointed(found: list[_Line]) -> None:
    """Make `You're booked for Friday.` doubtful in a message that asks for something, since it may be a record, and a
    report in one that promises a reminder and asks nothing.
    """
    asks = any(line.consent or line.acts & _SEEKS for line in found)
    fresh = not asks and any(assures(line.piece.view) for line in found)
    for line in found if asks or fresh else []:
        if Act.CLAIM in line.acts and appointed(line.piece.view, line.words, entry=line.piece.entry):
            line.firm = fresh


def _pointed(found: list[_Line]) -> None:
    """Remove the claim of `That's entered.` and the like in a message that asks for a detail, or says that the agent is
    about to act: it is about what the user has given, or about what was agreed.
    """
    pointing = [line for line in found if Act.CLAIM in line.acts and line.pointed]
    if pointing and any(line.acts & _SEEKS or line.waits or announces(line.piece.view) for line in found):
        for line in pointing:
            line.acts.discard(Act.CLAIM)


_HAS_HAPPENED = re.compile(r"\b(?:been|i've|we've|i have|we have|was|were)\b|^i \w+ed\b")


def _planned(found: list[_Line]) -> None:
    """Remove the claims of the steps of a plan for which a later line asks for a yes: `1. The order is cancelled.`"""
    planned: list[_Line] = []
    plan = False
    for line in found:
        view = line.piece.view
        plan = plan if line.piece.entry else line.leads and Act.CLAIM not in line.acts and not proposals.recounts(view)
        if plan and line.piece.entry and not _HAS_HAPPENED.search(view):
            planned.append(line)
        elif line.consent and not line.piece.entry:
            for step in planned:
                step.acts.discard(Act.CLAIM)


def _lists(found: list[_Line]) -> None:
    """Apply the request of a leading line to the entries of its list, and resolve `that` to the line before."""
    lead: _Line | None = None
    before: _Line | None = None
    asking = [line for line in found if line.piece.entry and line.piece.view.endswith("?")]
    one_yes = sum(line.consent for line in asking) == 1 and any(_describes(line) for line in found if not line.consent)
    several = len(asking) > 1 and not one_yes
    for line in found:
        entry = line.piece.entry or (lead is not None and line.piece.first and questions.labelled(line.piece.view))
        if line.leads and not entry:
            lead = line
        elif not entry:
            lead = None
        elif several and (line.consent or (lead and lead.consent)):  # a list of questions needs more than one yes
            for one in (line, lead):
                if one and one.consent:
                    one.ask()
        elif lead and lead.asked is not None and not lead.consent and not line.steps:
            line.consent = False
            line.seek(line.piece.view, line.words | lead.words)
            line.acts.discard(Act.TELL)
            line.value = False
        if before and before.asked is None and not line.consent and line.asked and questions.refers(line.asked):
            line.refer(before)
        before = line
