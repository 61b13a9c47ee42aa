"""Reports of changes in the context of their message: whether other lines make them doubtful, certain or none."""

import re
from collections.abc import Sequence
from itertools import pairwise

from env_server.reading.acts import Act
from env_server.reading.line import SEEKS, Line
from env_server.reading.sentences import proposals, scope
from env_server.reading.sentences.reports.brief_reports import (
    CLEAR,
    announces,
    answers_no,
    assures,
    dates_visit,
    joins,
    parts,
)
from env_server.reading.sentences.reports.success_claims import appointed, claims, confirmed, readied
from env_server.reading.words.changes import VERB

# A line asks the user, rather than telling them what to ask somebody else: `Could you share your zip code?`
_OF_USER = re.compile(r"\?$|\b(?:please|me|us|i need|i'll need|we need|we'll need|i'd need|could you|can you|share)\b")
# The agent answers thanks or a goodbye.
_REPLIES = re.compile(r"\b(?:welcome|my pleasure|bye|goodbye|any ?time)\b|\b(?:thanks|thank you) for \w+ing\b")
_NO = re.compile(r"no(?:pe)?[.!]*")
_OKAY = re.compile(r"^(?:okay|ok|alright|all right)\b[ ,]")
# The agent announces a change: `I'll cancel it now.`
_WILL_CHANGE = re.compile(
    r"\b(?:i'll|i will|i'm going to|i am going to|let me) (?:(?:now|just|then|also|go|ahead|and|quickly) )*+"
    rf"(?!(?:send|note|record|forward|order)\b){VERB}\b"
)
# A line leads a list of what the agent has done: `Here's what I've completed:`
_COMPLETED = re.compile(
    r"\bwhat (?:i|we)(?:'ve| have)? (?:just |now |already )?(?:completed|done|did|changed|updated|processed|finished)\b"
    r"[^:]{0,40}:$|\b(?:changes|updates|actions) (?:i(?:'ve| have)? )?(?:made|taken|completed"
    r"|performed)\b(?! (?:on|in|since|at|by) )[^:]{0,40}:$"
)
_DID = re.compile(rf"(?:successfully )?(?!noted\b|recorded\b|escalated\b){CLEAR} [\w#$]")
# The agent asks whether its last words are right.
_CHECKS = re.compile(
    r"\b(?:is (?:that|this|it)|did i get (?:that|it)|do i have (?:that|it)) (?:right|correct)\b[^?]{0,20}\?"
    r"|\b(?:does|do) (?:that|this|it) (?:look|sound) (?:right|correct|good)\b[^?]{0,20}\?"
)
# The agent reports that it has corrected what the user told.
_CORRECTS = re.compile(
    r"\b(?:updated|corrected|changed|adjusted|fixed|switched) (?:that|it|the (?:spelling|dates?|times?|name"
    r"|number|email))\b"
)
# A line leads a list of records: `You have two orders:`
_RECORDS = re.compile(
    r"\b(?:you(?: currently)? have|i(?: can)? see|i(?:'ve| have)? (?:found|located)|there are) [^:]{0,80}?"
    r"\b(?:orders|reservations|bookings|appointments|lines|bills|trips|rentals)\b"
)
_KEYED = re.compile(r"\d|:")
"""What tells one record from another: a code, a date or a label."""

_OWN = re.compile(r"\b(?:i|we|i've|we've|now|just|successfully|done)\b")
_STATE = re.compile(r"[^:.]{2,40}: (?:now )?([a-z ]{4,20})[.!]*")
_OLD_STATES = frozenset(
    ("delivered", "pending", "shipped", "active", "suspended", "open", "unpaid", "overdue", "in transit", "upcoming")
)
_MONEY = re.compile(
    r"(?:the|your|an?) [^;:!?]{0,40}?\b(?:refund|amount|total|money|balance|funds)\b[^;:!?]{0,40}? been "
)
_NOW = re.compile(r"\b(?:now|just)\b")


def settle(found: Sequence[Line]) -> None:
    """Settle which sentences of a message report a change, and which of them are firm."""
    if any(line.piece.entry for line in found):
        _completed(found)
    if not any(Act.CLAIM in line.acts for line in found):
        return
    _planned(found)
    _readied(found)
    _appointed(found)
    _pointed(found)
    _confirmed(found)
    _checked(found)
    _recorded(found)
    _in_states(found)
    _after_old_news(found)


def _reports(line: Line) -> bool:
    return Act.CLAIM in line.acts and line.firm


def _asks_user(line: Line) -> bool:
    """Return whether a line asks the user for something. `Just tell her how you feel.` does not."""
    return line.consent or bool(line.acts & SEEKS and _OF_USER.search(line.piece.view))


def _completed(found: Sequence[Line]) -> None:
    """Add the claims of a list of what the agent has done: `Here's what I've completed: - Cancelled order #W1`."""
    if any(line.consent or (line.piece.view.endswith("?") and line.acts & SEEKS) for line in found):
        return
    listed = False
    for line in found:
        if not line.piece.entry:
            listed = bool(_COMPLETED.search(line.piece.view))
        elif (
            listed
            and not line.acts
            and (_DID.match(line.piece.view) or claims(line.piece.view, line.words, entry=False)[1])
        ):
            line.acts.add(Act.CLAIM)
            line.firm = True


def _readied(found: Sequence[Line]) -> None:
    """Make a sentence that all is ready doubtful, in a message that reports nothing else and asks for a yes or a
    detail, says goodbye or hands over, or where it answers a question: "We're good to go. Which line is it?", "You're
    welcome. You're all set!", "No, you're all set." A message that tells the day of a visit has news.
    """
    reports = [line for line in found if _reports(line)]
    ready = [line for line in reports if readied(line.piece.view, line.words, entry=line.piece.entry)]
    if not ready or len(ready) < len(reports):
        return
    views = [line.piece.view for line in found]
    asks = any(line.consent or line.acts & SEEKS for line in found)
    others = any(line.hands or joins(line.piece.view) for line in found)
    replies = others or any(map(_asks_user, found)) or any(map(_REPLIES.search, views))
    if not replies and any(map(dates_visit, views)) and any(map(assures, views)):
        return
    parting = asks or others or any(map(parts, views))
    for before, line in zip([None, *found], found, strict=False):
        if line in ready and (parting or answers_no(line.piece.view) or (before and _NO.fullmatch(before.piece.view))):
            line.firm = False


def _appointed(found: Sequence[Line]) -> None:
    """Make `You're booked for Friday.` doubtful in a message that asks for something, since it may be a record, and a
    report in one that promises a reminder and asks nothing, or that begins with it: `Okay, you're booked for Friday.`
    """
    asks = any(map(_asks_user, found))
    assured = any(assures(line.piece.view) for line in found)
    goes_on = any(line.waits or announces(line.piece.view) for line in found)
    for at, line in enumerate(found):
        if Act.CLAIM in line.acts and appointed(line.piece.view, line.words, entry=line.piece.entry):
            told = at == 0 and not goes_on and bool(_OKAY.match(line.piece.view))
            if asks or assured or told:
                line.firm = not asks


def _pointed(found: Sequence[Line]) -> None:
    """Remove the claim of `That's entered.` and the like in a message that asks for a detail, or says that the agent is
    about to act: it is about what the user has given, or about what was agreed.
    """
    pointing = [line for line in found if Act.CLAIM in line.acts and line.pointed]
    if pointing and any(line.acts & SEEKS or line.waits or announces(line.piece.view) for line in found):
        for line in pointing:
            line.acts.discard(Act.CLAIM)


def _confirmed(found: Sequence[Line]) -> None:
    """Make `Confirmed!` doubtful in a message that announces a change or asks for something: `Confirmed! I'll cancel it
    now.`, `That's confirmed. What's your name?`
    """
    if any(_asks_user(line) or _WILL_CHANGE.search(line.piece.view) for line in found):
        reports = [line for line in found if Act.CLAIM in line.acts]
        only = [line for line in reports if confirmed(line.piece.view, line.words, entry=line.piece.entry)]
        for line in only if len(only) == len(reports) else []:
            line.firm = False


def _checked(found: Sequence[Line]) -> None:
    """Make corrections doubtful whose words the agent then checks: `I've changed that to Friday. Is that right?`"""
    if any(_CHECKS.search(line.piece.view) for line in found):
        for line in found:
            if Act.CLAIM in line.acts and _CORRECTS.search(line.piece.view):
                line.firm = False


def _recorded(found: Sequence[Line]) -> None:
    """Make the entries of a list of records doubtful: `You have two orders: 1. W1: it has been cancelled.`"""
    records = False
    for line in found:
        if not line.piece.entry:
            records = bool(line.piece.view.endswith(":") and _RECORDS.search(line.piece.view))
        elif records and Act.CLAIM in line.acts and _KEYED.search(line.piece.view) and not _OWN.search(line.piece.view):
            line.firm = False


def _in_states(found: Sequence[Line]) -> None:
    """Make bare states doubtful beside one that the agent has not brought about: `W1: delivered. W2: cancelled.`"""
    states = [(line, match[1]) for line in found if (match := _STATE.fullmatch(line.piece.view))]
    if any(state in _OLD_STATES for _, state in states):
        for line, _ in states:
            line.firm = line.firm and Act.CLAIM not in line.acts


def _after_old_news(found: Sequence[Line]) -> None:
    """Make the report of money doubtful that follows `It has already been cancelled.`: it is as old as that."""
    for before, line in pairwise(found):
        view = line.piece.view
        if (
            (Act.CLAIM in before.acts and not before.firm and " already been " in before.piece.view)
            and _reports(line)
            and _MONEY.match(view)
            and not _NOW.search(view)
        ):
            line.firm = False


def _planned(found: Sequence[Line]) -> None:
    """Remove the claims of the steps of a plan for which a later line asks for a yes: `1. The order is cancelled.`"""
    planned: list[Line] = []
    plan = False
    for line in found:
        view = line.piece.view
        plan = plan if line.piece.entry else line.leads and Act.CLAIM not in line.acts and not proposals.recounts(view)
        if plan and line.piece.entry and not scope.happened(view):
            planned.append(line)
        elif line.consent and not line.piece.entry:
            for step in planned:
                step.acts.discard(Act.CLAIM)
