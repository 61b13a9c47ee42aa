"""`communicate`: each required value was said to the user."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from env_server.domains.kit import Component, Dialect, Task
from env_server.reading.words.said_values import said
from env_server.rewards.component import ComponentScore, Line, RewardComponent, lines_or_fine
from env_server.rewards.score_inputs import ScoreInputs


def newly_said(outputs: Sequence[str], message: str, dialect: Dialect, already: Collection[int] = ()) -> list[int]:
    """Return the indices of `outputs` that `message` says, without those in `already`.

    Under a dialect with `outputs_as_substrings` the rule of the public benchmarks holds: an output is said if it is a
    substring of the lower-cased message without its commas.
    """
    open_ones = [i for i in range(len(outputs)) if i not in already]
    if dialect.outputs_as_substrings:
        plain = message.lower().replace(",", "")
        return [i for i in open_ones if outputs[i].lower() in plain]
    found = said([outputs[i] for i in open_ones], message) if open_ones else ()
    return [i for i, heard in zip(open_ones, found, strict=True) if heard]


def _on_message(task: Task, dialect: Dialect, message: str, already: Collection[int]) -> list[int]:
    return newly_said(task.gold.outputs, message, dialect, already)


def _part(task: Task, inputs: ScoreInputs) -> ComponentScore:
    told = inputs.found.get(Component.COMMUNICATE, ())
    missing = [output for i, output in enumerate(task.gold.outputs) if i not in told]
    return {"value": float(not missing), "missing": missing}


def _explain(part: Mapping[str, Any]) -> list[Line]:
    return lines_or_fine("missing: ", [str(output) for output in part.get("missing", ())])


def _counted(task: Task) -> bool:
    return bool(task.gold.outputs)


COMPONENT = RewardComponent(
    Component.COMMUNICATE,
    order=20,
    part=_part,
    explain=_explain,
    title="values told to the user",
    counted=_counted,
    by_default=_counted,
    on_message=_on_message,
)
