"""`env_assertions`: each assertion on the final state holds. A function of the domain checks it."""

from collections.abc import Mapping
from typing import Any

from env_server.domains.kit import Component, Task
from env_server.rewards.component import ComponentScore, Line, RewardComponent, called
from env_server.rewards.score_inputs import ScoreInputs


def _part(task: Task, inputs: ScoreInputs) -> ComponentScore:
    pairs = zip(task.env_assertions, inputs.holds, strict=True)
    failed = [assertion.model_dump(mode="json") for assertion, holds in pairs if not holds]
    return {"value": float(not failed), "failed": failed}


def _explain(part: Mapping[str, Any]) -> list[Line]:
    failed = [
        ("should hold: " if assertion.get("expected", True) else "should not hold: ", called(assertion))
        for assertion in part.get("failed", ())
    ]
    return failed or [("as in the reference solution", "")]


def _counted(task: Task) -> bool:
    return bool(task.env_assertions)


def _refused(task: Task) -> str | None:
    return None if task.env_assertions else "the basis names env_assertions, and an inline task has none"


COMPONENT = RewardComponent(
    Component.ENV_ASSERTIONS,
    order=40,
    part=_part,
    explain=_explain,
    title="what must hold at the end",
    counted=_counted,
    refused=_refused,
)
