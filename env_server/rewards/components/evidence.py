"""`evidence`: results of look-ups have shown every fact that the answer needs, before the answer.

Any honest way to them counts: the calls are not compared with gold's.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from env_server.domains.kit import Component, Dialect, ShownFact, Task
from env_server.providers.spec import ServerTool
from env_server.rewards.component import ComponentScore, Line, RewardComponent, lines_or_fine
from env_server.rewards.score_inputs import MadeCall, ScoreInputs
from env_server.tools import CallOutcome

_NUMBER: Final = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")


def newly_shown(facts: Sequence[ShownFact], outcome: CallOutcome, already: Collection[int] = ()) -> list[int]:
    """Return the indices of `facts` whose values are all in the result of a call, without those in `already`.

    Only a result without an error counts, and only one of a tool that shows facts of the world. The output of the
    sandbox does not count, because the agent's own code prints it. What the call itself said, such as the words of a
    search that the result repeats, is no evidence either. A single word may be the call's own (the ticker that was
    looked up) if the result shows the rest.
    """
    tool = outcome.tool
    if outcome.fault is not None or not isinstance(tool, ServerTool) or not tool.shows:
        return []
    left = [i for i in range(len(facts)) if i not in already]
    shown = _Shown(outcome) if left else None
    return [i for i in left if shown is not None and shown.fact(facts[i])]


def values_in(facts: Sequence[ShownFact], arguments: Mapping[str, Any]) -> list[int]:
    """Return the values of `facts` that are in the arguments of a call, as indices in the list of all values."""
    said = _plain(" ".join(map(str, _leaves(arguments))))
    return [i for i, value in enumerate(value for fact in facts for value in fact.shows) if _plain(value) in said]


def made_of(facts: Sequence[ShownFact], values: Collection[int]) -> list[int]:
    """Return the indices of `facts` all of whose values are among `values`, which are indices as in `values_in`."""
    found, end = list[int](), 0
    for i, fact in enumerate(facts):
        begin, end = end, end + len(fact.shows)
        if all(place in values for place in range(begin, end)):
            found.append(i)
    return found


class _Shown:
    """A result without what its call said. The structure counts if there is one, else the text."""

    def __init__(self, outcome: CallOutcome) -> None:
        """Read the result of a call."""
        result = [outcome.text] if outcome.structured is None else outcome.structured
        said = _leaves(outcome.arguments)
        self._said = sorted({_plain(each) for each in said if isinstance(each, str)} - {""}, key=len, reverse=True)
        self._given = {float(each) for each in said if not isinstance(each, str)}
        self._leaves = _leaves(result)
        self._repeated = {_plain(each) for each in _values(result) if isinstance(each, str)} & set(self._said)

    def fact(self, fact: ShownFact) -> bool:
        """Return whether the result shows all values of a fact, and at least one that the call did not name."""
        found = [value for value in fact.shows if self._has(value)]
        named = [value for value in fact.shows if value not in found]
        return bool(found) and all(self._names(_plain(value)) for value in named)

    def _has(self, value: str) -> bool:
        """Return whether the result shows `value`: a number with at least its decimals, or a phrase."""
        if not _NUMBER.fullmatch(value):
            return self._has_phrase(_plain(value))
        wanted = float(value.replace(",", ""))
        decimals = len(value.partition(".")[2])
        return any(round(number, decimals) == wanted for number in self._numbers)

    def _has_phrase(self, phrase: str) -> bool:
        echoes = [said for said in self._said if phrase in said]
        return any(phrase in _without(text, echoes) for text in self._texts)

    def _names(self, phrase: str) -> bool:
        """Return whether the call said `phrase` and the result repeats it, such as the ticker that was looked up."""
        if " " not in phrase and phrase in self._repeated:
            return True
        texts = (_plain(leaf) for leaf in self._leaves if isinstance(leaf, str))
        return phrase in self._said and any(phrase in text for text in texts)

    @cached_property
    def _texts(self) -> list[str]:
        """The texts of the result, without the fields at its top that repeat an argument."""
        texts = (_plain(leaf) for leaf in self._leaves if isinstance(leaf, str))
        return [text for text in texts if text not in self._repeated]

    @cached_property
    def _numbers(self) -> frozenset[float]:
        echoes = [said for said in self._said if any(map(str.isdigit, said))]
        texts = (_without(text, echoes) for text in self._texts)
        in_texts = (float(found.replace(",", "")) for text in texts for found in _NUMBER.findall(text))
        return (
            frozenset((*in_texts, *(float(leaf) for leaf in self._leaves if not isinstance(leaf, str)))) - self._given
        )


def _leaves(value: Any) -> list[str | float]:
    """Return the texts and numbers in a JSON value."""
    found: list[str | float] = []
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, (str, int, float)):
            if not isinstance(each, bool):
                found.append(each)
        else:
            left.extend(_values(each))
    return found


def _values(value: Any) -> Iterable[Any]:
    if isinstance(value, (list, tuple)):
        return value
    return value.values() if isinstance(value, Mapping) else ()


def _without(text: str, echoes: Iterable[str]) -> str:
    """Return a text without the words that its call said."""
    for said in echoes:
        text = text.replace(said, " ")
    return text


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _on_call(task: Task, _dialect: Dialect, call: MadeCall, already: Collection[int]) -> list[int]:
    return [] if call.shown is None else newly_shown(task.evidence, call.shown, {*already, *call.own})


def _part(task: Task, inputs: ScoreInputs) -> ComponentScore:
    shown = inputs.found.get(Component.EVIDENCE, ())
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
    title="facts looked up",
    counted=_counted,
    by_default=_counted,
    refused=_refused,
    on_call=_on_call,
)
