"""`success`: a call of the tool that has to be called, or of any tool of that server, has succeeded."""

from collections.abc import Collection, Mapping
from typing import Any

from env_server.domains.kit import Component, Dialect, Task
from env_server.rewards.component import ComponentScore, Line, RewardComponent
from env_server.rewards.sample_progress import is_named
from env_server.rewards.score_inputs import MadeCall, ScoreInputs


def _must_call(task: Task) -> str | None:
    return None if task.sample is None else task.sample.must_call


def _on_call(task: Task, _dialect: Dialect, call: MadeCall, already: Collection[int]) -> list[int]:
    name = _must_call(task)
    if already or name is None or call.outcome is None:
        return []
    return [0] if is_named(name, call.outcome.tool) else []


def _part(task: Task, inputs: ScoreInputs) -> ComponentScore:
    name = _must_call(task)
    missing = [] if name is None or inputs.found.get(Component.SUCCESS) else [name]
    return {"value": float(not missing), "missing": missing}


def _explain(part: Mapping[str, Any]) -> list[Line]:
    missing = part.get("missing")
    return [("not called: ", missing[0])] if missing else [("the right tool was called", "")]


def _counted(task: Task) -> bool:
    return _must_call(task) is not None


def _refused(task: Task) -> str | None:
    return None if _counted(task) else "the task does not say which tool has to be called"


COMPONENT = RewardComponent(
    Component.SUCCESS,
    order=28,
    part=_part,
    explain=_explain,
    title="the required call",
    counted=_counted,
    refused=_refused,
    on_call=_on_call,
)
