"""`answer`: the submitted answer is the right one."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from env_server.domains.kit import Answer, Component, SubmittedAnswer, Task
from env_server.rewards.component import ComponentScore, Line, RewardComponent, lines_or_fine
from env_server.rewards.score_inputs import ScoreInputs

_FORMATS: Final = ("%Y-%m-%d", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%B %d %Y", "%b %d %Y", "%Y/%m/%d")
_ROUNDING: Final = 1e-9


def answer_fault(right: Answer, submitted: SubmittedAnswer | None) -> str | None:
    """Return None if `submitted` is the right answer, else what is wrong with it, in a few words."""
    if submitted is None:
        return "no answer was submitted"
    given, missing = submitted["answer"], submitted["missing"]
    if right.value is None:
        if given is not None:
            return "it cannot be known, but an answer was given"
        named = _plain(missing or "")
        return None if any(_plain(word) in named for word in right.missing) else "another fact is missing"
    if given is None:
        return "it can be known"
    return None if _same(right, given) else f"submitted: {given!r}"


def _same(right: Answer, given: Any) -> bool:
    match right.kind:
        case "number":
            return _is_number(given) and _close(float(given), float(str(right.value)), right.tolerance)
        case "date":
            return isinstance(given, str) and _day(given) == _day(str(right.value))
        case "list":
            assert isinstance(right.value, tuple)
            return isinstance(given, (list, tuple)) and list(map(_name, given)) == list(map(_name, right.value))
        case "text":
            return isinstance(given, str) and _name(given) in set(map(_name, (str(right.value), *right.also)))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _close(given: float, right: float, tolerance: float) -> bool:
    return abs(given - right) <= tolerance * abs(right) + _ROUNDING * max(1.0, abs(right))


def _day(text: str) -> date | None:
    for form in _FORMATS:
        try:
            return datetime.strptime(text.strip(), form).date()
        except ValueError:
            continue
    return None


def _name(text: Any) -> str:
    """Return a name or ticker in the form in which spellings are compared."""
    return _plain(str(text)).strip(".,;:'\"()$#@ ")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _part(_task: Task, inputs: ScoreInputs) -> ComponentScore:
    wrong = inputs.wrong_answer
    return {"value": 1.0} if wrong is None else {"value": 0.0, "wrong": wrong}


def _explain(part: Mapping[str, Any]) -> list[Line]:
    return lines_or_fine("", [part["wrong"]] if "wrong" in part else [], "the answer is right")


def _counted(task: Task) -> bool:
    return task.answer is not None


def _refused(task: Task) -> str | None:
    return None if _counted(task) else "the basis names answer, and the task has no answer"


COMPONENT = RewardComponent(
    Component.ANSWER,
    order=15,
    part=_part,
    explain=_explain,
    title="the submitted answer",
    counted=_counted,
    by_default=_counted,
    refused=_refused,
)
