"""Reports of changes in the context of their message: whether other lines make them doubtful, certain or none."""

import re
from collections.abc import Sequence
from itertools import pairwise

from env_server.reading.acts import Act
from env_server.reading.line import SEEKS, Line
from env_server.reading.sentences import proposals, scope
from env_server.reading.sentences.patterns import compiled
from env_server.reading.sentences.reports.brief_reports import (
    CLEAR,
    announces,
    answers_no,
    assures,
    dates_visit,
    glad,
    joins,
    only_requested,
    parts,
)
from env_server.reading.sentences.reports.success_claims import appointed, claims, confirmed, readied, recalled
from env_server.reading.words.changes import DOING, VERB

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
# The agent is at it: `Proceeding with the update now.`
_DOES_NOW = re.compile(
    rf"^(?:(?:okay|ok|great|perfect|now|so|i'm|i am|we're)[, ]+)*(?:proceeding|moving|{DOING})\b[^;:?]{{0,80}}?"
    r"(?:\b(?:now|right away|shortly|momentarily)\b[^;:?]{0,20}|\.\.)[.!]*$|^(?:now )?proceeding (?:to|with)\b"
)
# A line leads a list of what the agent has done: `Here's what I've completed:`
_COMPLETED = re.compile(
    r"\bwhat (?:i|we)(?:'ve| have)? (?:just |now |already )?(?:completed|done|did|changed|updated|processed|finished)\b"
    r"[^:]{0,40}:$|\b(?:changes|updates|actions) (?:i(?:'ve| have)? )?(?:made|taken|completed"
    r"|performed)\b(?! (?:on|in|since|at|by) )[^:]{0,40}:$"
    r"|\b(?:one|two|three|four|all|both|\d) (?:out )?of (?:the |your |them )?(?:(?!steps|checks|tests)\w+ ){0,2}(?:is"
    r"|are|were) (?:now )?(?:done"
    r"|finished|completed?|through)\b[^:]{0,20}:$"
    r"|\b(?:requests?|wish(?:es)?|changes|updates) (?:has|have) (?:now |all |both )*been (?:carried out|completed|made"
    r"|done|processed|applied)\b[^:]{0,30}:$"
    r"|\bsaid yes to (?:all|both|each|everything)\b[^:]{0,20}:$"
)
_YES_TO = re.compile(r"\bsaid yes to \w+\b[^:]{0,20}:$")
_DID = re.compile(rf"(?:successfully )?(?!noted\b|recorded\b|escalated\b){CLEAR} [\w#$]")
# The result of a wish in a list: `Address of #W1 - updated to 5 Oak St`.
_RESULT = re.compile(
    r"(?: - |: )(?:now |successfully |already )?(?:updated|changed|switched|moved|corrected|increased|upgraded|rebooked"
    r"|rescheduled|swapped|extended) (?:to|from|for) (?!be\b)"
)
_PLANS = re.compile(
    r"\b(?:will|would|i'll|i'd|we'll|shall|if|once|example|preview|how|plan|next|history|log|records?|options?|choice"
    r"|choose|prefer|alternatives?|which|you(?: have|'ve|'d)? (?:asked|want|like|request|mention|need)\w*"
    r"|your (?:wish(?:es)?|requests?)(?! (?:is|are|has|have)\b)|understood|understand|proposed|proposal|to confirm)\b"
)
_CHOICES = re.compile(r"\b(?:options?|prefer|choose|choice|alternatives?|which (?:one|of)|would you like)\b")
_OLDER = compiled(
    r"\b(?:20\d\d|on (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d)|ago|by|once|if|will|would|or)\b"
    r"|^(?:gate|status|price|departure|arrival|option|schedule|delivery|(?:the |your )?(?:{bookable}|{rates}))\b"
)
_HEADER = re.compile(
    r"(?=.{0,90}\b(?:wish|request|change|action|task|step|what|item)(?:e?s)?\b)(?:[\w# .-]{1,30}, ){1,4}"
    r"(?:results?|outcome)"
)
_ROW = re.compile(
    rf"^(?!.*\b(?:verif|identi|search|look|check|find|test|restart|reset))[^?]*?, (?:successfully |now )?(?:{CLEAR}"
    r"|success)(?=$|[,:;(.]| - | - \w)"
)
# A line leads what is to be done: `To do for #W1:`
_TO_DO = re.compile(
    r"^(?:still )?(?:to[- ]do(?: list)?|next steps|how [a-z ]{3,40} works?|what happens next)(?: for [^:]{1,40})?:?$"
)
_FEW = 10
"""The maximum number of words of a phrase in a list, plus one."""

_HOW = re.compile(r"how (?:an? )?[a-z]+ works?\b")
_CODE = re.compile(r"\d")
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|been|will)\b|'(?:s|re|ve)\b")
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
_STATE_FIRST = re.compile(
    r"(?:currently |still )?([a-z ]{4,20}): (?:[a-z]+ ){0,2}#?(?=\w{0,12}[a-z1-9])\w{0,12}\d\w{0,12}"
    r"(?: \([^()]{0,80}\))?"
    r"(?:(?:, and|,| and) (?:[a-z]+ )?#?\w{0,12}\d\w{0,12}(?: \([^()]{0,80}\))?){0,9}[.!]*"
)
_OLD_STATES = frozenset(
    (
        "delivered",
        "pending",
        "shipped",
        "active",
        "suspended",
        "open",
        "unpaid",
        "overdue",
        "in transit",
        "upcoming",
        "flown",
        "past",
    )
)
_MONEY = re.compile(
    r"(?:the|your|an?) [^;:!?]{0,40}?\b(?:refund|amount|total|money|balance|funds)\b[^;:!?]{0,40}? been "
)
_NOW = re.compile(r"\b(?:now|just)\b")
_ALL_OF_THEM = re.compile(r"\b(?:your|the) (?:[\w-]+ ){0,2}[\w-]+s are(?: now)? all\b")

_ANSWERS_SUM = compiled(
    r"(?:yes|yep|correct|right|exactly|that's right)[,.!]* (?:that's |it's )?confirmed\b[^.;!?]{0,60}"
    r"\b(?:total|price|balance|{rates}|difference|cost)(?: amount| difference)? (?:is|comes to|was)(?: now)? \$"
)
_OUTCOME = re.compile(r"(?:expected |the |final |new )?(?:result|outcome|effect)s?(?: after [^:]{1,40})?: ")
_REVISES = re.compile(
    r"(?:[\w']+[,.!] )?(?:i|we)(?:'ve| have)? (?:now |just |also )?(?:updated|adjusted|revised|corrected|changed"
    r"|switched) (?:the|your|my|this|that) (?:proposal|draft|quote|preview|proposed [\w-]+)"
)
_DRAFT = re.compile(r"\b(?:this|the|my|updated|revised) (?:draft|proposal|quote|preview)\b")
_EDITS = re.compile(r"\b(?:removed|added|updated|corrected|adjusted|revised|replaced|dropped|included|taken out)\b")
_BEEN = re.compile(r"\b(?:has|have|is|are|was|were|been)\b")
_ANOTHER = re.compile(r"\b(?:also|too|as well|another|other|else|next|then)\b")
"""A question for a yes may be about another change than the one that was reported."""


def settle(found: Sequence[Line]) -> None:
    """Settle which sentences of a message report a change, and which of them are firm."""
    if any(line.piece.entry for line in found):
        _completed(found)
    if not any(Act.CLAIM in line.acts for line in found):
        return
    _planned(found)
    _to_do(found)
    _readied(found)
    _appointed(found)
    _pointed(found)
    _confirmed(found)
    _requested(found)
    _recalled(found)
    _drafted(found)
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
    """Add the claims of a list of what the agent has done: `Here's what I've completed: - Cancelled order #W1`, and of
    entries with the result of a wish: `Address of #W1 - updated to 5 Oak St`.
    """
    if any(line.consent or (line.piece.view.endswith("?") and line.acts & SEEKS) for line in found):
        return
    listed = tabled = False
    for line in found:
        view = line.piece.view
        if not line.piece.entry:
            listed, tabled = view.endswith(":") and bool(_COMPLETED.search(view)), False
            listed = listed and not (_YES_TO.search(view) and any(announces(one.piece.view) for one in found))
        elif _HEADER.fullmatch(view):
            tabled = True
        elif line.acts <= {Act.TELL} and (
            (listed and (_DID.match(view) or claims(view, line.words, entry=False)[1]))
            or (tabled and _ROW.search(view))
            or (_RESULT.search(view) and not _OLDER.search(view) and not _leads_to_plan(found, line))
        ):
            line.acts.add(Act.CLAIM)
            line.firm = True


def _leads_to_plan(found: Sequence[Line], entry: Line) -> bool:
    """Return whether an entry belongs to a plan, a record, a list of wishes or a choice, by the lines around it."""
    before = found[: next(at for at, line in enumerate(found) if line is entry)]
    return any(not line.piece.entry and _PLANS.search(line.piece.view) for line in before) or any(
        not line.piece.entry and _CHOICES.search(line.piece.view) for line in found
    )


def _to_do(found: Sequence[Line]) -> None:
    """Make the phrases below `To do:` doubtful: `Exchange filed`. They are entries or, in a message that asks for a
    yes and below `How a return works:`, lines.
    """
    asks = any(line.consent for line in found)
    listed = general = False
    for line in found:
        view = line.piece.view
        phrase = len(line.words) < _FEW and not _OWN.search(view) and not _FINITE.search(view)
        lined = line.piece.entry or (line.piece.first and (asks or (general and not _CODE.search(view))))
        if _TO_DO.search(view):
            listed, general = True, bool(_HOW.match(view))
        else:
            listed = listed and phrase and lined
        if listed and Act.CLAIM in line.acts:
            line.firm = False


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
    now.`, `That's confirmed. What's your name?`, and where it answers a question for a sum: `Yes, confirmed - the total
    is $20.`
    """
    reports = [line for line in found if Act.CLAIM in line.acts]
    if not all(confirmed(line.piece.view, line.words, entry=line.piece.entry) for line in reports):
        return
    answers = any(_ANSWERS_SUM.match(line.piece.view) for line in found)
    if answers or any(
        _asks_user(line) or _WILL_CHANGE.search(line.piece.view) or _DOES_NOW.search(line.piece.view) for line in found
    ):
        for line in reports:
            line.firm = False


def _requested(found: Sequence[Line]) -> None:
    """Make `Address change requested.` doubtful in a message that asks for something: it repeats a wish."""
    asks = any(map(_asks_user, found))
    for line in found if asks else []:
        if Act.CLAIM in line.acts and only_requested(line.piece.view):
            line.firm = False


def _recalled(found: Sequence[Line]) -> None:
    """Make `Glad we got that sorted out` doubtful and, after a reply to thanks, `Your trips are all updated`: they
    recall what was reported before. `Your trip is updated` may be news.
    """
    replies = parts(found[0].piece.view)
    for line in found:
        view = line.piece.view
        recalls = Act.CLAIM in line.acts and (glad(view) or (replies and _ALL_OF_THEM.search(view)))
        if recalls and recalled(view, line.words, entry=line.piece.entry):
            line.firm = False


def _drafted(found: Sequence[Line]) -> None:
    """Make doubtful what a draft or a plan holds, in a message that asks for a yes: `This draft has only the lamp. The
    bottle has been removed.`, `Result: order cancelled.`, `I've changed the proposal.`
    """
    asking = [line for line in found if line.consent]
    if not asking:
        return
    another = any(_ANOTHER.search(line.piece.view) for line in asking)
    coded = any(_CODE.search(line.piece.view) for line in asking)
    for before, line in zip([None, *found], found, strict=False):
        if Act.CLAIM not in line.acts:
            continue
        view = line.piece.view
        edited = before and _DRAFT.search(before.piece.view) and _EDITS.search(view)
        drafted = edited or (not coded and _OUTCOME.match(view) and not _BEEN.search(view))
        if (drafted and not another and not _OWN.search(view)) or _REVISES.match(view):
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
    states += [(line, match[1]) for line in found if (match := _STATE_FIRST.fullmatch(line.piece.view))]
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
