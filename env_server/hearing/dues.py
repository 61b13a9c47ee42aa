"""Which of the things that a task has to have told stand in a message."""

from dataclasses import dataclass

from env_server.domains.kit import Due, Task
from env_server.hearing.hear import Heard, about, names_wish
from env_server.reading import Act, Sentence, Words
from env_server.reading.said import MOST_NUMBERS

_FACTS = frozenset({Act.CLAIM, Act.REFUSE})
"""What a sentence may do that is no firm statement and names a fact of the records all the same."""


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

    amounts: frozenset[str] = frozenset()
    """The amounts that the message names."""


def shown(task: Task, heard: Heard) -> Shown:
    """What a message, as it was `heard`, shows of the dues of `task`."""
    stated = [s for s in heard.reading.sentences if not s.text.endswith("?") and not s.consent]
    plain = [s for s in stated if s.firm]
    # "It was booked on May 3" may be a report of the agent's own doing, and is a fact of the records as well.
    said = Words("\n".join(s.text for s in stated if s.firm or s.acts & _FACTS))
    refused, because = list[int](), list[int]()
    told, untold = list[int](), list[int]()
    dump = len(heard.words.numbers) > MOST_NUMBERS
    for i, due in enumerate(task.dues):
        if due.kind == "tell":
            beside = [d.value for d in task.dues if d.value is not None and d.value != due.value]
            found = None if dump else _value(due, plain, beside)
            if found is not None:
                (told if found else untold).append(i)
            continue
        if _announced(task, due, heard):
            refused.append(i)
        if due.because is not None and said.names(due.because.says) and not _guessed(due, plain):
            because.append(i)
    amounts = frozenset(str(n) for n in heard.words.numbers)
    return Shown(tuple(refused), tuple(because), tuple(told), tuple(untold), amounts)


def _announced(task: Task, due: Due, heard: Heard) -> bool:
    """Whether the message refuses the due's wish, naming it, or says why people have to settle it."""
    if due.kind == "transfer":
        acts = heard.reading.acts
        return bool(acts & {Act.TRANSFER, Act.REFUSE, Act.TELL}) or heard.reading.offers_transfer
    if Act.REFUSE not in heard.reading.acts:
        return False
    request = task.user.requests[due.wish] if task.user is not None else None
    if heard.words.names(due.about):
        return True
    return request is not None and (
        names_wish(request, heard.words) or any(about(change, heard.words.flat) for change in request.changes)
    )


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

    A sentence that tells a value of `beside`, which are other dues', tells no other in the place of this.
    """
    assert due.value is not None  # a tell has a value
    found, before = None, ""
    exact = "." in due.value and due.value.replace(".", "").isdecimal()
    for sentence in plain:
        words = Words(sentence.text)
        if words.names(due.about) or Words(before).names(due.about):
            if words.name(due.value):
                found = True
            elif exact and found is None and words.names(due.about) and _amounts(words):
                found = None if any(map(words.name, beside)) else False
        if not sentence.entry:
            before = sentence.text
    return found


def _amounts(words: Words) -> bool:
    """Whether the words hold an amount of money to the cent."""
    return any("." in str(number) for number in words.numbers)
