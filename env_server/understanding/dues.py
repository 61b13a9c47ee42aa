"""The dues of a task that a message shows.

A due is something that the agent has to say: a refusal, its reason, a transfer, or a value.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from env_server.domains.kit import Due, Request, Task
from env_server.reading import Act, Sentence, Words, read
from env_server.reading.words.said_values import MOST_NUMBERS
from env_server.understanding.hear import Heard
from env_server.understanding.topics import about, names_wish

_FACTS = frozenset({Act.CLAIM, Act.REFUSE})
"""Acts of a sentence that is no firm statement but still states a fact of the records."""

_SUPPOSED = re.compile(
    r"^(?:if|suppose|supposing|assuming|imagine|had|were|unless|in case)\b[^,]*(?:,|$)|\b(?:if|unless|in case"
    r"|whether)\b[^,;.]*"
)
"""A clause about a hypothetical case. It states nothing."""

_PIECES = re.compile(r",|;|/|\b(?:and|or)\b")
"""Separators between the items of an enumeration."""

MOST_PIECES = 12
"""The maximum number of separators (`_PIECES`) in a sentence that gives a reason. A sentence with more of them lists so
much that it may name the deciding fact by chance. After a long plan ("I cannot book A, B, ... and L, because ..."), of
at most as many separators again, the words after `because` are the reason.
"""

_BECAUSE = re.compile(r"\bbecause\b")

MOST_AMOUNTS = 12
"""The maximum count of distinct numbers in a sentence that tells a value or a reason. A sentence with more of them
lists records.
"""

MOST_CORRECTED = 2
"""The maximum count of numbers in a sentence that corrects a wrong number."""

_HANDS_OVER = re.compile(
    r"\b(?:transfer|escalat|connect(?:ing)? you|(?:hand|pass)(?:ing|ed)? (?:\w+ ){1,2}?(?:over|on|to)\b|human\b)"
)
"""Words for a handover of the user to people, in any sentence."""

LEAST_FRAME = 3
"""The minimum number of words that two sentences have to share, beside their numbers. With fewer, the second number
does not replace the first.
"""

_AMOUNT = re.compile(r"\$?(?:\d{1,3}+(?:,\d{3}(?!\d))++|\d++)(?:\.\d++)?+")
_RUN = re.compile(
    rf"(?<!\d)(?<!\d,){_AMOUNT.pattern}"
    rf"(?:(?:,{{0,3}} (?:or|and|/|-) (?:maybe |perhaps |else |even )?|,{{0,3}} ?/ ?|,{{1,3}} ?){_AMOUNT.pattern})+"
)
"""Consecutive amounts without words about any single one of them."""

_JOINTS = re.compile(r"[,;:] | - |\b(?:and|but|because|since|as|although|while)\b")
"""Boundaries between the clauses of a sentence."""

_OTHERWISE = frozenset({Act.CLAIM, Act.REFUSE, Act.PROPOSE})
"""Acts of a sentence whose amounts belong to an action. Such amounts do not take back a value that was told."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The dues of a task that one message shows, by their indices."""

    refused: tuple[int, ...] = ()
    """Dues whose wish the message names and refuses, or whose transfer it announces."""

    because: tuple[int, ...] = ()
    """Dues whose deciding fact is named, with no other fact in its place."""

    told: tuple[int, ...] = ()
    """Values told by a sentence that names the thing they belong to."""

    untold: tuple[int, ...] = ()
    """Values that were replaced: another value of the same kind was told for the same thing."""

    missed: tuple[int, ...] = ()
    """Values that are missing: other figures were told about the thing that they belong to."""

    corrected: tuple[int, ...] = ()
    """Values that stand in a sentence with few numbers, whatever it is about. After a wrong figure, such a sentence
    corrects it.
    """

    amounts: frozenset[str] = frozenset()
    """The amounts that the message names."""


def shown(task: Task, heard: Heard) -> Shown:
    """Return the dues of `task` that a message shows, given its interpretation `heard`."""
    stated = [s for s in heard.reading.sentences if not s.text.endswith("?") and not s.consent]
    # A report that the user would ask about ("it was booked on May 3") still states a fact of the records.
    plain = [s for s in stated if (s.firm or Act.CLAIM in s.acts) and Act.PROPOSE not in s.acts]
    facts = (_SUPPOSED.sub(" ", s.text) for s in stated if s.firm or s.acts & _FACTS)
    said = Words("\n".join(map(_reason, facts)))
    refused, because = list[int](), list[int]()
    told, untold, missed, corrected = list[int](), list[int](), list[int](), list[int]()
    dump = len(heard.words.numbers) > MOST_NUMBERS
    for i, due in enumerate(task.dues):
        if due.kind == "tell":
            beside = [d.value for d in task.dues if d.value is not None and d.value != due.value]
            found = None if dump else _value(due, plain, beside)
            if found or (found is False and not _of_another(due, heard)):
                (told if found else untold).append(i)
            if not found and not dump and _misses(due, plain):
                missed.append(i)
            if not dump and _corrects(due, plain):
                corrected.append(i)
            continue
        if _announced(task, due, heard):
            refused.append(i)
        if due.because is not None and said.names(due.because.says) and not _guessed(due, plain):
            because.append(i)
    amounts = frozenset(str(n) for n in heard.words.numbers)
    return Shown(tuple(refused), tuple(because), tuple(told), tuple(untold), tuple(missed), tuple(corrected), amounts)


def _of_another(due: Due, heard: Heard) -> bool:
    """Return whether the message proposes or reports changes of other wishes only. The refund of a second order takes
    back no difference that was told for the first.
    """
    wishes = {place.wish for place in heard.claims} | {offer.place.wish for offer in heard.offers}
    return bool(wishes) and due.wish not in wishes


def _announced(task: Task, due: Due, heard: Heard) -> bool:
    """Return whether the message names and refuses the due's wish; for a transfer, whether it refuses or hands over."""
    if due.kind == "transfer":
        if heard.reading.acts & {Act.TRANSFER, Act.REFUSE} or heard.reading.offers_transfer or heard.reading.hands_over:
            return True
        return any(_HANDS_OVER.search(s.text) for s in heard.reading.sentences if not s.text.endswith("?"))
    granted = any(offer.right and offer.place.wish == due.wish for offer in heard.offers)
    if Act.REFUSE not in heard.reading.acts or due.wish in heard.torn or granted:
        return False
    request = task.user.requests[due.wish] if task.user is not None else None
    if request is not None and _contradicted(due, request, heard):
        return False
    if heard.words.names(due.about):
        return True
    return request is not None and (
        names_wish(request, heard.words) or any(about(change, heard.words.flat) for change in request.changes)
    )


def _contradicted(due: Due, request: Request, heard: Heard) -> bool:
    """Return whether the message reports a refused change as done. A report that names the deciding fact is the reason
    of the refusal and does not count.
    """
    return any(
        _reports(request, clause, due)
        for sentence in heard.reading.doing(Act.CLAIM)
        if sentence.firm
        for clause in (_JOINTS.split(sentence.text) if Act.REFUSE in sentence.acts else [sentence.text])
    )


def _reports(request: Request, clause: str, due: Due) -> bool:
    """Return whether a clause reports a change of the wish as made and names one of its values."""
    words = Words(clause)
    if (due.because and words.names(due.because.says)) or Act.CLAIM not in read(clause).acts:
        return False
    for change in request.changes:
        values = [request.values[topic] for topic in change.names if topic in request.values]
        if about(change, words.flat) and any(words.names(value.says) for value in values):
            return True
    return False


def _reason(text: str) -> str:
    """Return the part of a sentence that may give a reason: nothing if it enumerates so many items that it contains the
    deciding fact by chance.
    """
    if len(Words(text).numbers) > MOST_AMOUNTS:
        return ""
    whole = len(_PIECES.findall(text))
    if whole <= MOST_PIECES:
        return text
    reasons = _BECAUSE.split(text)[1:]
    if len(reasons) == 1 and whole <= 2 * MOST_PIECES and len(_PIECES.findall(reasons[0])) <= MOST_PIECES:
        return reasons[0]
    return ""


def _guessed(due: Due, plain: list[Sentence]) -> bool:
    """Return whether a sentence gives a wrong fact as the reason, or names several wrong facts."""
    if due.because is None or not due.because.others:
        return False
    for sentence in plain:
        words = Words(sentence.text)
        others = [other for other in due.because.others if words.name(other)]
        if others and not words.names(due.because.says) and Act.REFUSE in sentence.acts:
            return True
        if len(others) > 1:
            return True
    return False


def _value(due: Due, plain: list[Sentence], beside: list[str]) -> bool | None:
    """Return True if the due's value is told, False if another value is told in its place, and None otherwise.

    `beside` holds the values of other dues. A sentence that tells one of them does not count as another value for this
    due. If the same words come again with another number, the last number counts.
    """
    assert due.value is not None  # a due of kind "tell" has a value
    found, before, telling = None, "", ""
    exact = "." in due.value and due.value.replace(".", "").isdecimal()
    known = set(map(_number, beside))
    for sentence in plain:
        words = Words(sentence.text)
        if words.names(due.about) or Words(before).names(due.about):
            if words.name(due.value) and len(words.numbers) <= MOST_AMOUNTS:
                if not _one_of_many(due.value, sentence.text, beside):
                    found, telling = True, sentence.text
            elif found:
                found = not (words.numbers - known and _same_again(telling, sentence.text))
            elif exact and found is None and not sentence.acts & _OTHERWISE and _another(due, sentence.text, beside):
                found = False
        if not sentence.entry:
            before = sentence.text
    return found


def _one_of_many(value: str, text: str, beside: list[str]) -> bool:
    """Return whether a sentence enumerates amounts including `value`, or offers it as one of two."""
    for run in _RUN.finditer(text):
        numbers = Words(run[0]).numbers
        others = numbers - set(map(_number, beside))
        if Words(run[0]).name(value) and len(others) > (1 if " or " in run[0] else 2):
            return True
    return False


def _number(value: str) -> Decimal | None:
    return Decimal(value) if value.replace(".", "", 1).isdecimal() else None


def _same_again(first: str, second: str) -> bool:
    """Return whether two sentences say the same about two amounts, apart from words that one of them adds."""
    one, two = sorted((Words(_AMOUNT.sub(" ", text)).flat for text in (first, second)), key=len)
    return len(one.split()) >= LEAST_FRAME and one in two


def _misses(due: Due, plain: list[Sentence]) -> bool:
    """Return whether a sentence tells figures about the due's thing without the value."""
    return any(
        words.numbers and words.names(due.about) and not words.name(due.value or "")
        for words in (Words(sentence.text) for sentence in plain)
    )


def _corrects(due: Due, plain: list[Sentence]) -> bool:
    """Return whether a sentence names the value and at most one further number, and offers no alternatives (`or`)."""
    return any(
        words.name(due.value or "") and len(words.numbers) <= MOST_CORRECTED
        for words in (Words(sentence.text) for sentence in plain)
        if " or " not in words.flat
    )


def _another(due: Due, text: str, beside: list[str]) -> bool:
    """Return whether a sentence states another amount for the due's thing, and none of `beside`."""
    forms = tuple(form for form in due.about if isinstance(form, str))
    told = {Decimal((match[1] or match[2]).replace(",", "")) for match in _amount_of(forms).finditer(text)}
    known = {Decimal(value) for value in (due.value, *beside) if value and value.replace(".", "").isdecimal()}
    return bool(told) and not told & known


@lru_cache(maxsize=256)
def _amount_of(forms: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for an amount to the cent stated for one of `forms`: "the fee is $5.00", "$5.00 left"."""
    thing = "(?:" + "|".join(re.escape(form.lower()) for form in forms) + ")"
    amount = r"\$?(\d[\d,]*\.\d+)"
    return re.compile(
        rf"\b{thing}\w*(?: [a-z'#]+){{0,6}}?(?:(?: is| are| was| were| comes? to| came to| holds?| has| totals?"
        r"| stands at"
        rf"| amounts? to| makes?| would be| will be| costs?)(?: [a-z]+){{0,3}}?|:) {amount}"
        rf"|{amount}(?: (?:of|in|is|are|your|the|as|a|usd|gb)){{0,3}} {thing}\b"
    )
