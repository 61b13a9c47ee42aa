"""`nl_assertions`: the judge decides for each statement about the conversation whether it is met, all in one answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from env_server.domains.kit import Component, Task
from env_server.rewards.component import ComponentScore, Line, RewardComponent, judged
from env_server.rewards.judge.inquiry import Form, Inquiry, Unfit, listed, messages
from env_server.rewards.score_inputs import ScoreInputs

_TASK = """You are given statements about the agent's conduct or about what came of the conversation. Decide for each of
them, by its index and exactly once, whether it is met. It is met if the record shows it; what an agent only claims to
have done is not shown, and where the record leaves it open it is not met. A statement that something must not happen
is met if it did not. Give the reason first, in one short sentence that names what in the record it rests on."""

_EXAMPLE = {"answers": [{"index": 0, "reason": "...", "met": True}, {"index": 1, "reason": "...", "met": False}]}


class Finding(Form):
    """What the judge says of one statement."""

    index: int
    reason: str
    met: bool


class Findings(Form):
    """What the judge says of all."""

    answers: list[Finding]


def _inquiry(task: Task, record: str) -> Inquiry:
    """Return the question whether the assertions of `task` are met."""
    statements = listed([{"index": i, "statement": text} for i, text in enumerate(task.assertions)])
    subject = f"<statements>\n{statements}\n</statements>"
    asked = messages(_TASK, _EXAMPLE, subject, record)
    return Inquiry(Component.NL_ASSERTIONS, Findings, asked, partial(_value, task.assertions))


def _value(assertions: Sequence[str], found: Findings) -> tuple[float, dict[str, Any]]:
    """Return 1 if all are met, as in the public benchmark, else 0; and the single findings."""
    _refuse_unless_each_once(Counter(answer.index for answer in found.answers), len(assertions))
    answers = sorted(found.answers, key=lambda answer: answer.index)
    said = [{"assertion": assertions[a.index], "met": a.met, "reason": a.reason} for a in answers]
    return float(all(a.met for a in answers)), {"answers": said}


def _refuse_unless_each_once(given: Counter[int], number: int) -> None:
    faults = {
        "is missing": [i for i in range(number) if i not in given],
        "is answered more than once": [i for i, times in given.items() if times > 1],
        "is no index of a statement": [i for i in given if not 0 <= i < number],
    }
    told = [f"{', '.join(map(str, indices[:50]))} {fault}" for fault, indices in faults.items() if indices]
    if told:
        raise Unfit(f"Each index from 0 to {number - 1} must be answered exactly once", "; ".join(told))


def _part(task: Task, inputs: ScoreInputs) -> ComponentScore:
    return judged(Component.NL_ASSERTIONS, inputs) if task.assertions else {"value": 1.0, "missing": []}


def _explain(part: Mapping[str, Any]) -> list[Line]:
    answers = [
        ("met: " if answer.get("met") else "not met: ", f"{answer.get('assertion')}\n  {answer.get('reason')}")
        for answer in part.get("answers", ())
    ]
    return answers or [("the task has no statements", "")]


def _counted(task: Task) -> bool:
    return bool(task.assertions)


def _refused(task: Task) -> str | None:
    return None if task.assertions else "the basis names nl_assertions, and the task has no assertions"


COMPONENT = RewardComponent(
    Component.NL_ASSERTIONS,
    order=50,
    part=_part,
    explain=_explain,
    title="statements about the conversation",
    counted=_counted,
    by_default=_counted,
    refused=_refused,
    inquiry=_inquiry,
)
