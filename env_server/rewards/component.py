"""The parts of a reward component: its name, when it applies, its value, its judge, and its words for people."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from env_server.domains.kit import Dialect, Task
from env_server.rewards.judge.inquiry import Inquiry
from env_server.rewards.score_inputs import MadeCall, ScoreInputs

ComponentScore = dict[str, Any]
"""A component's part of the breakdown: its `value` from 0 to 1 (None: a judge has to say it), and the faults."""

Line = tuple[str, str]
"""A label and words, for a screen; either may be empty."""


def always(_task: Task) -> bool:
    """Return True."""
    return True


def never(_task: Task) -> bool:
    """Return False."""
    return False


def allowed(_task: Task) -> None:
    """Return no reason against the component."""


@dataclass(frozen=True, slots=True)
class RewardComponent:
    """One component of the reward. The module that holds it is its only place."""

    name: str
    order: int
    """Its position among the components, in a breakdown and in the basis of a task that names none."""

    part: Callable[[Task, ScoreInputs], ComponentScore]
    """Return its part of the breakdown."""

    explain: Callable[[Mapping[str, Any]], Sequence[Line]]
    """Return why a part of the breakdown with a value has this value, for people."""

    title: str = ""
    """The subject of the component, in a few words for people."""

    counted: Callable[[Task], bool] = always
    """Return whether the task has something that this component looks at. Without it the value is 1."""

    by_default: Callable[[Task], bool] = never
    """Return whether the component counts in an inline task that names no basis."""

    refused: Callable[[Task], str | None] = allowed
    """Return why an inline task cannot name this component in its basis, or None."""

    inquiry: Callable[[Task, str], Inquiry] | None = None
    """Return the question to a judge about the task and the record of its conversation. None if no judge is needed."""

    on_call: Callable[[Task, Dialect, MadeCall, Collection[int]], list[int]] | None = None
    """Return the indices that a call newly finds, beside those found before. `ScoreInputs.found` has all of them."""

    on_message: Callable[[Task, Dialect, str, Collection[int]], list[int]] | None = None
    """Return the indices that a message of the agent newly finds, in the same way."""

    of_conduct: bool = False
    """Whether it is computed from the record of conduct, wherever there is one, instead of being named in a basis."""

    def needs_judge(self, task: Task) -> bool:
        """Return whether only a judge can say its value for `task`."""
        return self.inquiry is not None and self.counted(task)


def judged(name: str, inputs: ScoreInputs) -> ComponentScore:
    """Return the part of a component that a judge decides: the verdict, or no value without one."""
    verdict = inputs.verdicts.get(name)
    return {"value": None} if verdict is None else {"value": verdict.value, **verdict.details}


def lines_or_fine(label: str, wrong: Sequence[str], fine: str = "as in the reference solution") -> list[Line]:
    """Return the faults, line by line after a label; `fine` if there is none."""
    return [(label if i == 0 else "", words) for i, words in enumerate(wrong)] or [(fine, "")]


def called(call: Mapping[str, Any]) -> str:
    """Return a call in the form in which a person types it."""
    arguments = ", ".join(f"{name}={json.dumps(value)}" for name, value in call.get("arguments", {}).items())
    return f"{call.get('name')}({arguments})"
