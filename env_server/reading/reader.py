"""The reader: it determines the acts of a message, sentence by sentence."""

from itertools import pairwise, takewhile

from env_server.reading import doubts, report_context
from env_server.reading.acts import Act, Reading
from env_server.reading.line import SEEKS, WEIGHTY, Line, line_of
from env_server.reading.opinion.triples import strange
from env_server.reading.sentences import (
    checks,
    choices,
    facts,
    handover,
    limits,
    proposals,
    questions,
    refusals,
    steps,
    wanted,
)
from env_server.reading.sentences import consent as consents
from env_server.reading.sentences.order import disordered, slips
from env_server.reading.sentences.patterns import words_of
from env_server.reading.words.envelope import opened
from env_server.reading.words.text import LONGEST, Piece, pieces, quotations

_ONWARD = frozenset({Act.CLAIM, Act.ASK, Act.IDENTIFY, Act.TELL, Act.PROPOSE, Act.INSTRUCT})
_DONE = frozenset({Act.CLAIM, Act.TRANSFER})
_STRANGE = 0.35
"""The share of unknown triples of words above which the weighty lines of a message are a string of phrases."""


def read(message: str) -> Reading:
    """Return the analysis of one message of the agent. Any text is allowed. A message of more than 8,000 characters is
    not read (`unread`).
    """
    message = opened(message)
    too_long = len(message) > LONGEST
    found = [] if too_long else [line_of(piece) for piece in pieces(message)]
    text = "\n".join(line.piece.text for line in found)
    _ordered(message, found)
    _lists(found)
    report_context.settle(found)
    _settle(found)
    _offers(found)
    handed = _handed(found)
    described = _described(found)
    _invited(found, described=described)
    _warned(found, described=described)
    _helped(found)
    _greeted(found)
    _told(found)
    acts: set[Act] = {act for line in found for act in line.acts if act not in (Act.CLAIM, Act.PROPOSE)}
    if any(Act.CLAIM in line.acts and line.firm for line in found):
        acts.add(Act.CLAIM)
    if described:
        acts.add(Act.PROPOSE)
    opposed, supposed = doubts.settle(message, found, acts)
    consent = any(line.consent for line in found)
    sentences = tuple(line.sentence() for line in found)
    return Reading(
        text=text,
        sentences=sentences,
        acts=frozenset(acts),
        opposed=opposed,
        supposed=supposed,
        consent=consent,
        vague=consent and Act.PROPOSE not in acts,
        waits=any(line.waits for line in found),
        lost=any(line.lost for line in found),
        offers_transfer=any(line.offers for line in found),
        hands_over=handed,
        quotes=not consent and any(_quotes(line.piece) for line in found),
        unread=too_long or (not (acts or opposed or supposed) and any(line.words for line in found)),
    )


def _quotes(piece: Piece) -> bool:
    """Return whether a quotation in a piece, or the piece as a quotation, asks for a yes."""
    if not (piece.quoted or '""' in piece.view):
        return False
    return any(consents.asks_for_yes(text, words_of(text)) for text in quotations(piece))


def _ordered(message: str, found: list[Line]) -> None:
    """Remove the acts of lines with an impossible word order: the weighty lines, or all lines if the
    message has many.
    """
    heavy = [line for line in found if line.consent or line.acts & WEIGHTY]
    mixed = heavy and (
        disordered(message, [line.piece.view for line in found])
        or strange((line.piece.view for line in heavy), share=_STRANGE, least=5)
    )
    for line in found if mixed else [line for line in heavy if slips(line.piece.view)]:
        line.forget()


def _describes(line: Line) -> bool:
    """Return whether a line by itself describes the change that a yes would confirm."""
    view = line.piece.view
    if line.consent:
        named = (
            line.changes or line.named or proposals.slot(view) or (proposals.valued(view) and proposals.describes(view))
        )
        return named and not proposals.loose(view, line.words)
    done = line.firm and line.acts & _DONE
    if done or view.endswith("?") or proposals.loose(view, line.words) or proposals.depends(view):
        return False
    valued = proposals.valued(view)
    return ((line.changes or valued) and proposals.describes(view)) or (
        valued and Act.REFUSE not in line.acts and proposals.acts(line.words)
    )


def _described(found: list[Line]) -> bool:
    """Return whether the message asks for a yes and describes the change; add PROPOSE to the lines that do either."""
    if not any(line.consent for line in found):
        return False
    reported = any(line.firm and Act.CLAIM in line.acts for line in found)
    open_to_yes = [line for line in found if line.consent or not (reported and Act.CLAIM in line.acts)]
    if not (any(map(_describes, open_to_yes)) or sum(line.piece.entry for line in found) > 1 or _follows(found)):
        _pointless(found)
        return False
    for line in found:
        if line.consent or (line.changes and proposals.describes(line.piece.view) and _open(line)):
            line.acts.add(Act.PROPOSE)
    return True


def _open(line: Line) -> bool:
    """Return whether a line may propose a change: it refuses nothing, or it also says what the agent will do."""
    return Act.REFUSE not in line.acts or proposals.announces(line.piece.view)


def _invited(found: list[Line], *, described: bool) -> None:
    """Add ASK to invitations in a message without a proposal, and to questions about a device in one without steps."""
    stepped = any(line.steps for line in found)
    for line in found:
        if (line.probes and not stepped) or (line.invites and not described):
            line.acts.add(Act.ASK)


def _told(found: list[Line]) -> None:
    """Add TELL to lines with figures, except for those of a list in a report."""
    claimed = any(Act.CLAIM in line.acts for line in found)
    for line in found:
        view = line.piece.view
        if line.value and (facts.amounts(view) or not (claimed and (line.piece.entry or facts.promises(view)))):
            line.acts.add(Act.TELL)


def _helped(found: list[Line]) -> None:
    """Remove CLOSE from offers of help in a message that asks for the result of a step: the agent has not finished."""
    if any(line.steps and steps.reports(line.piece.view, line.words) for line in found) and not any(
        line.acts & {Act.CLAIM, Act.REFUSE} for line in found
    ):
        for line in found:
            if questions.helps(line.piece.view):
                line.acts.discard(Act.CLOSE)


def _greeted(found: list[Line]) -> None:
    """Remove CLOSE from thanks in a message that asks for something or how to help: they are no goodbye."""
    if any(line.acts & SEEKS or questions.greets(line.piece.view) for line in found):
        for line in found:
            if line.piece.view.startswith("thank"):
                line.acts.discard(Act.CLOSE)


def _leads_to(before: Line, view: str) -> bool:
    """Return whether a yes to the question `view` agrees to the figures or the free time of the line before it."""
    if checks.right(view) and checks.states(before.piece.view):
        return False
    return before.value or proposals.slot(before.piece.view)


def _follows(found: list[Line]) -> bool:
    """Return whether a question for a yes follows figures, a free time or a recap: `It's $6 a month. Shall I?`"""
    return (
        any(
            line.consent and _leads_to(before, line.piece.view) and not before.piece.view.endswith("?")
            for before, line in pairwise(found)
        )
        or any(
            line.consent and proposals.slot(before.piece.view) and proposals.remarks(between.piece.view, between.words)
            for before, between, line in zip(found, found[1:], found[2:], strict=False)
        )
        or any(proposals.recaps(line.piece.view) for line in found)
    )


def _pointless(found: list[Line]) -> None:
    """Treat a question for a yes that names something as a question about it, in a message that describes no change."""
    for line in found:
        if line.consent and not consents.bare(line.words):
            line.ask()


def _offers(found: list[Line]) -> None:
    """Treat an offer that does not say what changes, or to what, or about which the agent will ask again, as a question
    for a choice rather than for a yes.
    """
    asking = [line for line in found if line.consent]
    if not asking:
        return
    exact = max((at for at, line in enumerate(found) if line.consent and _exact(line)), default=-1)
    postponed = any(_postpones(line, exact=exact >= 0, before=at < exact) for at, line in enumerate(found))
    if not (postponed or _of_either(found)):
        asking = [line for line in asking if proposals.loose(line.piece.view, line.words)]
        if any(_describes(line) and not proposals.retells(line.piece.view) for line in found):
            return
    for line in asking:
        line.ask()


def _exact(line: Line) -> bool:
    """Return whether a question for a yes says itself what to do, and to which record or at which price."""
    view = line.piece.view
    return view.endswith("?") and line.changes and proposals.valued(view) and not proposals.loose(view, line.words)


def _postpones(line: Line, *, exact: bool, before: bool) -> bool:
    """Return whether a line leaves open what would be done. Beside an `exact` question for a yes, `Let me know how to
    proceed` does not, and neither does a question for the size or the date that stands `before` it.
    """
    view = line.piece.view
    if consents.opens(view) and not (exact and consents.goes_either_way(view)):
        return True
    return consents.asks_again(view) or consents.chooses(view) or (not before and proposals.undecided(view))


def _of_either(found: list[Line]) -> bool:
    """Return whether a yes would leave open which of two changes it is for: `I can cancel it or change it. Shall I?`"""
    asked = False
    for before, line in pairwise(found):
        asked |= before.consent
        if asked and not line.piece.entry and choices.says_which(line.piece.view, before.piece.view):
            return True
    return any(choices.either_way(line.piece.view) and not line.consent for line in found) and not any(
        (line.consent and not consents.bare(line.words))
        or (_describes(line) and proposals.announces(line.piece.view) and not choices.either_way(line.piece.view))
        for line in found
    )


def _warned(found: list[Line], *, described: bool) -> None:
    """Remove REFUSE from warnings about the time after a step, if the message goes on to the step or to anything else,
    from a rule that is the reason of what it asks a yes for, from a means of payment that is ruled out beside the
    question for another, and from a general rule before the user is known. What the
    agent cannot undo itself is a warning beside a proposal (`described`) alone: an offer of something else leaves it a
    refusal.
    """
    refusing = [line for line in found if Act.REFUSE in line.acts]
    asks = bool(refusing) and any(line.consent for line in found)
    identifies = bool(refusing) and any(Act.IDENTIFY in line.acts for line in found)
    which = bool(refusing) and any(Act.ASK in line.acts and limits.asks_which(line.piece.view) for line in found)
    for line in refusing:
        onward = asks or any(o.acts & (_ONWARD if o.firm else _ONWARD - _DONE) or o.waits for o in found)
        early = identifies and refusals.general(line.piece.view)
        warned = line.warning and (described or (onward and (which or not limits.irreversible(line.piece.view))))
        planned = described or proposals.valued(line.piece.view)
        reason = asks and (limits.explains(line.piece.view) or (planned and limits.comes_first(line.piece.view)))
        if early or warned or reason or (which and limits.of_means(line.piece.view)):
            line.acts.discard(Act.REFUSE)


def _leads_nowhere(line: Line, *, after_plan: bool) -> bool:
    """Return whether a line offers a look-up or a call back, or is an entry in a list of requested details. A call back
    after a plan belongs to the plan: `I'd cancel it. We'll email you the receipt. Shall I?`
    """
    view = line.piece.view
    requested = line.piece.entry and not line.acts.isdisjoint(SEEKS) and not proposals.valued(view)
    return requested or proposals.looks(view) or (proposals.gets_back(view, line.words) and not after_plan)


def _checked(before: Line, view: str) -> bool:
    """Return whether a sentence asks whether the one before is right, which states the user's data or the present."""
    if not checks.right(view):
        return False
    if checks.assumes(before.piece.view):
        return True
    stated = Act.TELL in before.acts or before.value
    return (stated and proposals.stands(before.piece.view)) or (
        checks.reads_back(before.piece.view, changes=before.changes) and not proposals.describes(before.piece.view)
    )


def _settle(found: list[Line]) -> None:
    """Relate a question for a yes to the line before, and drop it if the change is still undefined."""
    goes_on = _goes_on(found)
    for earlier, before, line in zip([None, None, *found], [None, *found], found, strict=False):
        plan = earlier is not None and not earlier.consent and _describes(earlier)
        if line.consent and questions.of_transfer(line.piece.view):
            line.offer()
        elif line.consent and before and not (line.changes or line.named):
            if (before.hands and not goes_on) or questions.of_transfer(before.piece.view):
                line.offer()
            elif _leads_nowhere(before, after_plan=plan) and not proposals.slot(line.piece.view):
                line.ask()
            elif _checked(before, line.piece.view):
                line.check(before)
        if line.consent and before and proposals.unsettled(before.piece.view, after_plan=plan):
            line.ask()
        if before and before.consent and checks.right(before.piece.view) and consents.then_looks(line.piece.view):
            before.ask()
        if before and before.consent and proposals.goes_on(line.piece.view) and proposals.undefined(line.piece.view):
            before.ask()
    if any(Act.ASK in line.acts for line in found):
        for line in found:
            if line.consent and consents.only_once(line.piece.view, line.words):
                line.consent = False


def _goes_on(found: list[Line]) -> bool:
    """Return whether a message with a question for a yes describes a change in a sentence that is no hand-over and no
    refusal. Then the question is about the change.
    """
    return any(line.consent for line in found) and any(
        _describes(line) and not (line.hands or Act.REFUSE in line.acts or questions.of_transfer(line.piece.view))
        for line in found
    )


def _handed(found: list[Line]) -> bool:
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


def _opens_list(found: list[Line], at: int) -> None:
    """Treat `Please confirm:` above a list of things without their values as a request for them."""
    line = found[at]
    entries = list(takewhile(lambda one: one.piece.entry, found[at + 1 :])) if wanted.checks(line.piece.view) else []
    if entries and all(wanted.left_open(one.piece.view) for one in entries):
        line.consent, line.asked, line.leads = False, "", True


def _goes_on_asking(found: list[Line], at: int) -> bool:
    """Return whether a line is a heading within a list of requested things: its entries name things without values."""
    line = found[at]
    if line.asked or line.consent or not (line.piece.first and wanted.subheads(line.piece.view)):
        return False
    entries = list(takewhile(lambda one: one.piece.entry, found[at + 1 :]))
    return bool(entries) and all(wanted.left_open(one.piece.view) for one in entries)


def _lists(found: list[Line]) -> None:
    """Apply the request of a leading line to the entries of its list, and resolve `that` to the line before."""
    lead: Line | None = None
    before: Line | None = None
    asking = [line for line in found if line.piece.entry and line.piece.view.endswith("?")]
    one_yes = sum(line.consent for line in asking) == 1 and any(_describes(line) for line in found if not line.consent)
    several = len(asking) > 1 and not one_yes
    for at, line in enumerate(found):
        _opens_list(found, at)
        entry = line.piece.entry or (lead is not None and line.piece.first and questions.labelled(line.piece.view))
        if not entry and lead and lead.asked is not None and _goes_on_asking(found, at):
            line.acts.discard(Act.TELL)
        elif line.leads and not entry:
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
            line.acts -= {Act.TELL, Act.CLOSE}
            line.value = False
        if before and before.asked is None and not line.consent and line.asked and questions.refers(line.asked):
            line.refer(before)
        before = line
