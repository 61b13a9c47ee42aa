"""What a plain yes to a message would tell the agent: one change, or something else than a change."""

from itertools import pairwise

from env_server.reading.acts import Act
from env_server.reading.line import Line
from env_server.reading.sentences import proposals
from env_server.reading.sentences.consent import asked, choices, later, lookups, other_questions, requests
from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.changes import DEED

_PAYMENT = frozenset({"payment", "payments"})
_ASKING = frozenset({"do", "shall", "should", "would", "can", "confirm"})
_NAMED = compiled(
    r"^(?:(?:so|okay|then|and)[, ]+)?(?:(?:shall|should|may|can) (?:i|we)|(?:do you want|would you like) (?:me|us) to) "
    rf"(?:now |then |also |go ahead and )*{DEED} (?:\S+ ){{2,40}}?\S+\?$"
)
"""A question for a yes to a change that it names itself."""

_DONE = frozenset({Act.CLAIM, Act.TRANSFER})


def describes(line: Line) -> bool:
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


def settle(found: list[Line]) -> None:
    """Treat an offer that does not say what changes, or to what, or about which the agent will ask again, as a question
    for a choice rather than for a yes. So is one whose yes would begin a look-up or a transfer.
    """
    if any(line.consent for line in found):
        _hand_on(found)
        _invite(found)
        _choose(found)
    asking = [line for line in found if line.consent]
    if not asking:
        return
    exact = max((at for at, line in enumerate(found) if line.consent and _exact(line)), default=-1)
    if not (_left_open(found, exact) or _ends_elsewhere(found, exact)):
        asking = [line for line in asking if proposals.loose(line.piece.view, line.words)]
        if any(describes(line) and not proposals.retells(line.piece.view) for line in found):
            return
    for line in asking:
        line.ask()


def _hand_on(found: list[Line]) -> None:
    """Let a request for a yes that names no change belong to the question for a look-up or a transfer before it."""
    elsewhere = transfer = False
    for line in found:
        view = line.piece.view
        if _looks(line) or (not line.consent and other_questions.alternatives(view)):
            elsewhere, transfer = True, False
            if line.consent:
                line.ask()
        elif line.offers:
            elsewhere = transfer = True
        elif elsewhere and line.consent and not (line.changes or line.named):
            line.offer() if transfer else line.ask()
        elif elsewhere and (line.consent or view.endswith("?") or (describes(line) and proposals.valued(view))):
            elsewhere = False


def _invite(found: list[Line]) -> None:
    """Treat `Let me know if you'd like me to adjust it` beside a report as an invitation."""
    if any(line.firm and Act.CLAIM in line.acts for line in found):
        for line in found:
            if line.consent and "yes" not in line.words and other_questions.invites(line.piece.view):
                line.ask()


def _choose(found: list[Line]) -> None:
    """Treat the entries of a list of what the user may want, such as one under `If you'd like me to:`, as a choice."""
    menu: list[Line] = []
    heads = False
    for line in [*found, None]:
        if line and line.piece.entry:
            if heads:
                menu.append(line)
            continue
        if len(menu) > 1:
            for entry in menu:
                if entry.consent:
                    entry.ask()
        menu, heads = [], bool(line and choices.heads(line.piece.view))


def _looks(line: Line) -> bool:
    """Return whether a line asks for a yes to a look-up."""
    return lookups.asked(line.piece.view) or lookups.demanded(line.piece.view)


def _left_open(found: list[Line], exact: int) -> bool:
    """Return whether the message leaves open what would be done, or announces that it will ask again. `exact` is the
    place of the last question for a yes that says all itself, or -1.
    """
    last = max(at for at, line in enumerate(found) if line.consent)
    told = any(line.consent and line.changes and "yes" in line.words for line in found)
    planned = exact >= 0 or any(_plans(before, line) for before, line in pairwise([found[0], *found]))
    return (
        any(
            (
                _postpones(line, exact=exact >= 0, before=at < exact, told=told)
                and not (_of_another(found, at) or (planned and choices.of_next_wish(line.piece.view)))
            )
            or later.asks_again(line.piece.view, asked_after=at < last, exact=planned)
            for at, line in enumerate(found)
        )
        or _goes_elsewhere(found)
        or (
            exact < 0
            and (_asks_for_things(found) or any(_searches(line.piece.view, planned=planned) for line in found[last:]))
        )
    )


def _searches(view: str, *, planned: bool) -> bool:
    """Return whether a sentence says that a search will follow. Beside a question for a yes to one change it is not
    meant if it names another wish.
    """
    return lookups.follows(view) and not (planned and choices.of_next_wish(view))


def _of_another(found: list[Line], at: int) -> bool:
    """Return whether a line asks which of the means of payment or of the reasons before it (`Which one?`), or which
    thing another wish is about, some lines after a request for the word yes.
    """
    view = found[at].piece.view
    if choices.refers_back(view):
        return at > 0 and proposals.reasoned(found[at - 1].piece.view)
    asked_before = any(line.consent and requests.explicit(line.piece.view) for line in found[: max(0, at - 2)])
    return asked_before and view.startswith("which ") and choices.asks_which(view)


def _ends_elsewhere(found: list[Line], exact: int) -> bool:
    """Return whether the yes of the message is one to a look-up or a transfer: its last question or request for one.
    An `exact` question stands beside a mere question for either.
    """
    for before, line in zip([None, *found[:-1]][::-1], found[::-1], strict=True):
        view = line.piece.view
        if line.consent:
            return False
        if lookups.demanded(view) and not choices.aside(view):
            return True
        if choices.of_next_wish(view) and not line.offers:
            continue
        if exact < 0 and (lookups.asked(view) or (line.offers and view.endswith("?"))):
            return not (choices.aside(view) or (before is not None and before.piece.view.startswith("if ")))
    return False


def _goes_elsewhere(found: list[Line]) -> bool:
    """Return whether a question for another change follows directly after one for a yes: `Or exchange it?`"""
    return any(before.consent and choices.or_else(line.piece.view) for before, line in pairwise(found))


def _asks_for_things(found: list[Line]) -> bool:
    """Return whether a list under a request has an entry that names a thing without its value."""
    lead = ""
    for line in found:
        if not line.piece.entry:
            lead = line.piece.view if line.leads else ""
        elif lead and choices.names_only(lead, line.piece.view):
            return True
    return False


def _plans(plan: Line, line: Line) -> bool:
    """Return whether a line is a question for a yes to a change that it names (`Shall I cancel the order with the
    lamp?`), or a plain one to the change that the line before it describes: `I'd cancel order #W1. Shall I go ahead?`
    """
    if line.consent and _NAMED.match(line.piece.view):
        return not (
            line.piece.entry or proposals.loose(line.piece.view, line.words) or later.asks_again(line.piece.view)
        )
    if not (line.consent and plan.changes and asked.bare(line.words)) or plan.consent or plan.piece.entry:
        return False
    view = plan.piece.view
    return proposals.announces(view) and describes(plan) and not (line.piece.entry or later.asks_again(view))


def _exact(line: Line) -> bool:
    """Return whether a question or request for a yes says itself what to do, and to which record or at which price."""
    view = line.piece.view
    asked = view.endswith("?") and not (line.piece.entry and line.words.isdisjoint(_ASKING))
    asks = asked or "yes" in line.words
    fixed = (
        proposals.changes(line.words - _PAYMENT) and proposals.valued(view) and not proposals.loose(view, line.words)
    )
    return asks and fixed and not later.asks_again(view)


def _postpones(line: Line, *, exact: bool, before: bool, told: bool) -> bool:
    """Return whether a line leaves open what would be done. Beside an `exact` question for a yes, `Let me know how to
    proceed` does not, and neither does a question for the size or the date that stands `before` it.
    """
    view = line.piece.view
    if choices.aside(view):
        return False
    if other_questions.opens(view) and not ((exact or told) and other_questions.goes_either_way(view)):
        return True
    if other_questions.chooses(view) or choices.by_choice(view, line.words):
        return True
    if not exact and (choices.asks_which(view) or (not line.consent and other_questions.either(view))):
        return True
    return not before and (proposals.undecided(view) or (line.piece.entry and choices.open_entry(view)))
