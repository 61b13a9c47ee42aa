"""`evidence`: results of look-ups have shown every fact that the answer needs, before the answer.

Any honest route counts: it is not compared which calls were made.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from env_server.domains.kit import Component, Dialect, ShownFact, Task
from env_server.providers.spec import ServerTool
from env_server.rewards.component import Line, Part, RewardComponent, lines_or_fine
from env_server.rewards.evidence import Evidence, MadeCall
from env_server.tools import CallOutcome

_NUMBER: Final = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
_PLAIN_NUMBER: Final = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")


def newly_shown(facts: Sequence[ShownFact], outcome: CallOutcome, already: Collection[int] = ()) -> list[int]:
    """Return the indices of `facts` whose values all stand in the result of a call, without those in `already`.

    Only a result without an error counts, and only one of a tool that shows facts of the world: what the sandbox
    prints is the agent's own.
    """
    tool = outcome.tool
    if outcome.fault is not None or not isinstance(tool, ServerTool) or not tool.shows:
        return []
    shown = _Shown(outcome.text, outcome.structured)
    return [i for i, fact in enumerate(facts) if i not in already and all(map(shown.has, fact.shows))]


@dataclass
class _Shown:
    """A result. The text is what the agent reads; the structure is the same result for programs."""

    text: str
    structured: Any

    def has(self, value: str) -> bool:
        """Return whether the result shows `value`: a number with at least its decimals, or a phrase."""
        if not _PLAIN_NUMBER.fullmatch(value):
            return _plain(value) in self._words
        wanted = float(value)
        decimals = len(value.partition(".")[2])
        return any(round(number, decimals) == wanted for number in self._numbers)

    @cached_property
    def _words(self) -> str:
        structure = "" if self.structured is None else json.dumps(self.structured, ensure_ascii=False)
        return _plain(f"{self.text}\n{structure}")

    @cached_property
    def _numbers(self) -> frozenset[float]:
        in_text = (float(found.replace(",", "")) for found in _NUMBER.findall(self.text))
        return frozenset((*in_text, *_numbers_in(self.structured)))


def _numbers_in(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _numbers_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _numbers_in(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _on_call(task: Task, _dialect: Dialect, call: MadeCall, already: Collection[int]) -> list[int]:
    return [] if call.outcome is None else newly_shown(task.evidence, call.outcome, already)


def _part(task: Task, evidence: Evidence) -> Part:
    shown = evidence.found.get(Component.EVIDENCE, ())
    missing = [list(fact.shows) for i, fact in enumerate(task.evidence) if i not in shown]
    return {"value": float(not missing), "missing": missing}


def _explain(part: Mapping[str, Any]) -> list[Line]:
    return lines_or_fine("not looked up: ", [", ".join(fact) for fact in part.get("missing", ())], "all was looked up")


def _counted(task: Task) -> bool:
    return bool(task.evidence)


def _refused(task: Task) -> str | None:
    return None if _counted(task) else "the basis names evidence, and the task has no evidence"


COMPONENT = RewardComponent(
    Component.EVIDENCE,
    order=25,
    part=_part,
    explain=_explain,
    counted=_counted,
    by_default=_counted,
    refused=_refused,
    on_call=_on_call,
)
