"""One sentence of a message under analysis: its acts by its own words, before the other sentences are known."""

import re
from functools import lru_cache

from env_server.reading.acts import Act, Sentence
from env_server.reading.opinion.marks import marks_of
from env_server.reading.sentences import checks, facts, handover, proposals, questions, refusals, scope, steps, wanted
from env_server.reading.sentences import consent as consents
from env_server.reading.sentences.patterns import words_of
from env_server.reading.sentences.reports.success_claims import claims, pointed
from env_server.reading.words.text import Piece

WEIGHTY = frozenset({Act.CLAIM, Act.REFUSE, Act.TRANSFER})
"""Acts that a sentence rarely has together."""

SEEKS = frozenset({Act.ASK, Act.IDENTIFY})
"""Acts that ask the user for words."""

_NO_FACTS = frozenset({Act.ASK, Act.IDENTIFY, Act.TRANSFER})
_JOINTS = re.compile(r"[,;:()!?.-] |\b(?:and|but|so|because|since|as|then|while|although|or|if|unless|which|that)\b")
_SHORT = 200
"""The maximum length in characters of a sentence whose analysis is cached."""


class Line:
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
    - `marks`: its marks for the second opinion
    """

    def __init__(self, piece: Piece) -> None:
        view = "" if piece.quoted else piece.view
        words = words_of(view)
        self.piece, self.words, self.marks = piece, words, marks_of(piece)
        self.acts: set[Act] = set()
        self.firm = True
        self.warning = self.probes = self.steps = self.invites = self.hands = self.pointed = False
        self.consent = self.offers = self.changes = self.named = self.value = self.lost = self.waits = False
        self.leads = view.endswith(":") or "following" in words
        self.asked: str | None = None
        if words:
            self._read(view, words)

    def copy(self) -> "Line":
        """Return a copy of the line for use in another message."""
        line = object.__new__(Line)
        vars(line).update(vars(self))
        line.acts = self.acts.copy()
        return line

    def _read(self, view: str, words: frozenset[str]) -> None:
        self.changes = proposals.changes(words - {"correct"} if checks.right(view) else words)
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
        self.lost = facts.lost(view, words)
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
        weighty = len(self.acts & WEIGHTY) + self.consent
        both = Act.CLAIM in self.acts and (self.consent or Act.REFUSE in self.acts)
        return weighty > 2 or (both and not _JOINTS.search(view))

    def forget(self) -> None:
        """Remove all acts: treat the line as words without meaning."""
        self.acts.clear()
        self.marks = frozenset()
        self.consent = self.offers = self.changes = self.named = self.value = self.lost = self.hands = False
        self.asked = None

    def _asks(self, view: str, words: frozenset[str]) -> None:
        self.asked = questions.requested(view, words, entry=self.piece.entry)
        if not self.piece.entry and wanted.heads(view, words):
            self.asked, self.leads = self.asked or "", True
        elif self.asked is not None and wanted.announces(view, words):
            self.leads = True
        elif self.asked is None:
            self.asked = wanted.inline(view)
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

    def refer(self, before: "Line") -> None:
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

    def check(self, before: "Line") -> None:
        """Treat the line as a question whether the line before is right."""
        self.ask()
        if questions.who(before.piece.view, before.words):
            self.acts.add(Act.IDENTIFY)

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


def line_of(piece: Piece) -> Line:
    """Return the analysis of a single sentence. Short ones are cached, since agents repeat them often."""
    return _known(piece).copy() if len(piece.text) <= _SHORT else Line(piece)


@lru_cache(maxsize=4096)
def _known(piece: Piece) -> Line:
    return Line(piece)
