"""`actions`: each gold call was made."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from env_server.domains.kit import Component, Dialect, GoldCall, Task
from env_server.rewards.component import ComponentScore, Line, RewardComponent, called, lines_or_fine
from env_server.rewards.score_inputs import MadeCall, ScoreInputs


def match_call(
    gold: Sequence[GoldCall],
    name: str,
    arguments: Mapping[str, Any],
    dialect: Dialect,
    already: Collection[int] = (),
    requestor: str = "agent",
) -> list[int]:
    """Return the indices of the gold calls that this executed, error-free call newly matches.

    A call matches at most one gold call: same name and equal values for all of gold's arguments (or for those named in
    its `compare`). Under a dialect with `called_arguments_match` the rule of the public benchmark holds: only the
    passed arguments count, the call may come from either side, and one call may match several gold calls.
    """
    loose = dialect.called_arguments_match
    found = [
        i
        for i, call in enumerate(gold)
        if i not in already
        and call.name == name
        and (loose or call.requestor == requestor)
        and _same(call, arguments, loose)
    ]
    return found if loose else found[:1]


def _same(call: GoldCall, arguments: Mapping[str, Any], loose: bool) -> bool:
    if call.compare is not None:
        names: Collection[str] = call.compare
    else:
        names = arguments.keys() if loose else call.arguments.keys()
    absent = object()
    return all(arguments.get(n, absent) == call.arguments.get(n, absent) for n in names)


def _on_call(task: Task, dialect: Dialect, call: MadeCall, already: Collection[int]) -> list[int]:
    return match_call(task.gold.actions, call.name, call.arguments, dialect, already, call.requestor)


def _part(task: Task, inputs: ScoreInputs) -> ComponentScore:
    made = inputs.found.get(Component.ACTIONS, ())
    absent = [call.model_dump(mode="json") for i, call in enumerate(task.gold.actions) if i not in made]
    return {"value": float(not absent), "missing": absent}


def _explain(part: Mapping[str, Any]) -> list[Line]:
    return lines_or_fine("missing: ", [called(call) for call in part.get("missing", ())])


def _counted(task: Task) -> bool:
    return bool(task.gold.actions)


COMPONENT = RewardComponent(
    Component.ACTIONS,
    order=30,
    part=_part,
    explain=_explain,
    title="calls of the solution",
    counted=_counted,
    on_call=_on_call,
)
