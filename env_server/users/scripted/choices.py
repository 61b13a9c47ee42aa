"""Questions with two answers to choose from: `Should the courier wait outside, or at the door?`"""

import re
from collections.abc import Iterable

from env_server.domains.kit import Request, Value
from env_server.reading import Words
from env_server.reading.sentences.patterns import words_of
from env_server.reading.sentences.questions import on_device
from env_server.reading.words.changes import DEEDS
from env_server.understanding.contradictions import of_kind
from env_server.understanding.topics import about
from env_server.users.scripted.notes import significant

_OR = re.compile(
    r"(?P<one>[^,;:.?!]{1,100}),? or (?!not?\b|so\b|(?:any|some)thing\b|(?:any )?other\b)(?P<two>[^;:.?!]{1,100})\?"
)
_OPEN = re.compile(r"\b(?:which|what|whose|whom?|how|why|when|where)\b")
_ABOUT_FACTS = re.compile(
    r"(?:(?:and|so|but|also|then)\b[, ]*)*"
    r"(?:is|are|was|were|did|does|has|have|do you (?:know|have|see|remember|recall))\b"
)
"""The beginning of a question for a fact rather than for a preference."""

_FOR_A_YES = re.compile(
    r"(?:^yes|\b(?:go ahead|proceed|confirm|agree|do (?:it|that|this))(?: (?:with|to) (?:it|this|that))?(?: now)?)$"
)
"""An answer that is the agent's go-ahead: `Shall I proceed, or do you have other questions?` asks for a yes."""


def two(text: str) -> tuple[str, str] | None:
    """Return the two answers that a lower-case question names, or None if it names none or asks for words or a yes."""
    found = None if _OPEN.search(text) or on_device(text) else _OR.search(text)
    if found is None or any(_FOR_A_YES.search(answer.strip()) for answer in found.group("one", "two")):
        return None
    return found["one"], found["two"]


def chosen(request: Request, answers: tuple[str, str], details: Iterable[str]) -> list[str]:
    """Return those `details` of a wish that have words of only one of the answers; else those that the answers are
    about; if only one answer names the wish's action, the wish itself.
    """
    one, two_ = map(significant, answers)
    own = {topic: request.details[topic] for topic in details}
    words = {topic: significant(text) for topic, text in own.items()}
    fits = [own[t] for t, said in words.items() if bool(said & (one - two_)) != bool(said & (two_ - one))]
    near = [own[t] for t, said in words.items() if said & (one | two_) or _of_value(request.values.get(t), answers)]
    acts = [any(about(change, Words(answer).flat) for change in request.changes) for answer in answers]
    return fits or near or ([request.ask] if acts[0] != acts[1] else [])


def _of_value(value: Value | None, answers: tuple[str, str]) -> bool:
    """Return whether an answer is a form of a value, another value of its kind, or a code of the kind of its own."""
    if value is None:
        return False
    words = Words(" ".join(answers))
    return words.names(value.says) or words.names(value.others) or of_kind(value, " ".join(answers))


def of_changes(answers: tuple[str, str]) -> bool:
    """Return whether an answer names a change. A user who does not want it does not leave it to the agent."""
    return any(not DEEDS.isdisjoint(words_of(answer)) for answer in answers)


def of_facts(text: str) -> bool:
    """Return whether a lower-case question is for a fact, which the user may not know, rather than for a preference."""
    return _ABOUT_FACTS.match(text) is not None
