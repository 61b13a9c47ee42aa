"""Which of the things that a task has to have told stand in a message."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from env_server.domains.kit import Due, Request, Task
from env_server.hearing.hear import Heard, about, names_wish
from env_server.reading import Act, Sentence, Words, read
from env_server.reading.words.said import MOST_NUMBERS

_FACTS = frozenset({Act.CLAIM, Act.REFUSE})
"""What a sentence may do that is no firm statement and names a fact of the records all the same."""

_SUPPOSED = re.compile(
    r"^(?:if|suppose|supposing|assuming|imagine|had|were|unless|in case)\b[^,]*(?:,|$)|\b(?:if|unless|in case"
    r"|whether)\b[^,;.]*"
)
"""A clause about what may be, which states nothing."""

_PIECES = re.compile(r",|;|/|\b(?:and|or)\b")
"""What divides the items of an enumeration."""

MOST_PIECES = 12
"""Items in one sentence beyond which it enumerates reasons rather than gives one."""

MOST_AMOUNTS = 12
"""Distinct numbers in one sentence beyond which it recites rather than tells a value or a reason."""

MOST_CORRECTED = 2
"""Numbers in a sentence that corrects one."""

_HANDS_OVER = re.compile(
    r"\b(?:transfer|escalat|connect(?:ing)? you|(?:hand|pass)(?:ing|ed)? (?:\w+ ){1,2}?(?:over|on|to)\b|human\b)"
)
"""Words for handing a user over to people, in whatever sentence."""

LEAST_FRAME = 3
"""Words beside a number from which on another number with the same words takes its place."""

_AMOUNT = re.compile(r"\$?\d[\d,]*(?:\.\d+)?")
_RUN = re.compile(
    rf"{_AMOUNT.pattern}(?:(?:,? (?:or|and|/|-) (?:maybe |perhaps |else |even )?|, ?| ?/ ?){_AMOUNT.pattern})+"
)
"""Amounts in a row with nothing said of any one of them."""

_JOINTS = re.compile(r"[,;:] | - |\b(?:and|but|because|since|as|although|while)\b")
"""Where one clause of a sentence ends and another begins."""

_OTHERWISE = frozenset({Act.CLAIM, Act.REFUSE, Act.PROPOSE})
"""What a sentence may do whose amounts belong to something that is done, and take back none that was told."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What one message shows of a task's dues, by their places."""

    refused: tuple[int, ...] = ()
    """Dues whose wish is named and refused, or whose transfer is announced."""

    because: tuple[int, ...] = ()
    """Dues whose deciding fact is named, and no other in its place."""

    told: tuple[int, ...] = ()
    """Values told in a sentence that says what they are values of."""

    untold: tuple[int, ...] = ()
    """Values in whose place another value of the kind was told of the same thing."""

    missed: tuple[int, ...] = ()
    """Values of whose thing other figures were told, and not they."""

    corrected: tuple[int, ...] = ()
    """Values that stand in a short sentence, whatever it is about: one that follows on a wrong figure corrects it."""

    amounts: frozenset[str] = frozenset()
    """The amounts that the message names."""


def shown(task: Task, heard: Heard) -> Shown:
    """What a message, as it was `heard`, shows of the dues of `task`."""
    stated = [s for s in heard.reading.sentences if not s.text.endswith("?") and not s.consent]
    # A report that the user would ask about ("it was booked on May 3") is a statement of the records all the same.
    plain = [s for s in stated if (s.firm or Act.CLAIM in s.acts) and Act.PROPOSE not in s.acts]
    facts = (_SUPPOSED.sub(" ", s.text) for s in stated if s.firm or s.acts & _FACTS)
    said = Words("\n".join(text for text in facts if not _recites(text)))
    refused, because = list[int](), list[int]()
    told, untold, missed, corrected = list[int](), list[int](), list[int](), list[int]()
    dump = len(heard.words.numbers) > MOST_NUMBERS
    for i, due in enumerate(task.dues):
        if due.kind == "tell":
            beside = [d.value for d in task.dues if d.value is not None and d.value != due.value]
            found = None if dump else _value(due, plain, beside)
            if found is not None:
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


def _announced(task: Task, due: Due, heard: Heard) -> bool:
    """Whether the message refuses the due's wish, naming it, or says why people have to settle it."""
    if due.kind == "transfer":
        if heard.reading.acts & {Act.TRANSFER, Act.REFUSE} or heard.reading.offers_transfer:
            return True
        return any(_HANDS_OVER.search(s.text) for s in heard.reading.sentences if not s.text.endswith("?"))
    if Act.REFUSE not in heard.reading.acts or due.wish in heard.torn:
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
    """Whether the message reports as done what it refuses; a report that names the deciding fact is the reason."""
    return any(
        _reports(request, clause, due)
        for sentence in heard.reading.doing(Act.CLAIM)
        if sentence.firm
        for clause in (_JOINTS.split(sentence.text) if Act.REFUSE in sentence.acts else [sentence.text])
    )


def _reports(request: Request, clause: str, due: Due) -> bool:
    """Whether a clause says that a change of the wish is made, naming what it is about."""
    words = Words(clause)
    if (due.because and words.names(due.because.says)) or Act.CLAIM not in read(clause).acts:
        return False
    for change in request.changes:
        values = [request.values[topic] for topic in change.names if topic in request.values]
        if about(change, words.flat) and any(words.names(value.says) for value in values):
            return True
    return False


def _recites(text: str) -> bool:
    """Whether a sentence enumerates so much that whatever decides stands in it by chance."""
    return len(_PIECES.findall(text)) > MOST_PIECES or len(Words(text).numbers) > MOST_AMOUNTS


def _guessed(due: Due, plain: list[Sentence]) -> bool:
    """Whether the message gives a fact that is not so as the reason."""
    if due.because is None or not due.because.others:
        return False
    for sentence in plain:
        words = Words(sentence.text)
        others = [other for other in due.because.others if words.name(other)]
        if others and not words.names(due.because.says) and Act.REFUSE in sentence.acts and len(others) > 0:
            return True
        if len(others) > 1:
            return True
    return False


def _value(due: Due, plain: list[Sentence], beside: list[str]) -> bool | None:
    """Whether the due's value is told (True), or another in its place (False); None where neither is.

    A sentence that tells a value of `beside`, which are other dues', tells no other in the place of this. Where the
    same is said again with another number, the last of them stands.
    """
    assert due.value is not None  # a tell has a value
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
    """Whether a sentence enumerates amounts of which `value` is one, or offers it as one of two."""
    for run in _RUN.finditer(text):
        numbers = Words(run[0]).numbers
        others = numbers - set(map(_number, beside))
        if Words(run[0]).name(value) and len(others) > (1 if " or " in run[0] else 2):
            return True
    return False


def _number(value: str) -> Decimal | None:
    return Decimal(value) if value.replace(".", "", 1).isdecimal() else None


def _same_again(first: str, second: str) -> bool:
    """Whether two sentences say the same of two amounts, apart from what one of them adds."""
    one, two = sorted((Words(_AMOUNT.sub(" ", text)).flat for text in (first, second)), key=len)
    return len(one.split()) >= LEAST_FRAME and one in two


def _misses(due: Due, plain: list[Sentence]) -> bool:
    """Whether a sentence tells figures of the due's thing, and not the value."""
    return any(
        words.numbers and words.names(due.about) and not words.name(due.value or "")
        for words in (Words(sentence.text) for sentence in plain)
    )


def _corrects(due: Due, plain: list[Sentence]) -> bool:
    """Whether a sentence names the value, and at most the wrong one beside it."""
    return any(
        words.name(due.value or "") and len(words.numbers) <= MOST_CORRECTED
        for words in (Words(sentence.text) for sentence in plain)
        if " or " not in words.flat
    )


def _another(due: Due, text: str, beside: list[str]) -> bool:
    """Whether a sentence states another amount as that of the due's thing, and none of `beside`."""
    forms = tuple(form for form in due.about if isinstance(form, str))
    told = {Decimal((match[1] or match[2]).replace(",", "")) for match in _amount_of(forms).finditer(text)}
    known = {Decimal(value) for value in (due.value, *beside) if value and value.replace(".", "").isdecimal()}
    return bool(told) and not told & known


@lru_cache(maxsize=256)
def _amount_of(forms: tuple[str, ...]) -> re.Pattern[str]:
    """Finds an amount to the cent that is said to be that of any of `forms`: "the fee is $5.00", "$5.00 left"."""
    thing = "(?:" + "|".join(re.escape(form.lower()) for form in forms) + ")"
    amount = r"\$?(\d[\d,]*\.\d+)"
    return re.compile(
        rf"\b{thing}\w*(?: [a-z'#]+){{0,6}}?(?:(?: is| are| was| were| comes? to| came to| holds?| has| totals?"
        r"| stands at"
        rf"| amounts? to| makes?| would be| will be| costs?)(?: [a-z]+){{0,3}}?|:) {amount}"
        rf"|{amount}(?: (?:of|in|is|are|your|the|as|a|usd|gb)){{0,3}} {thing}\b"
    )
