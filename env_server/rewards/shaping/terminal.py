"""The terms of the last turn: the marks that rules give to the answer, and the judge's term."""

import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Final, NamedTuple

from agent_env_schemas import ShapingWeights
from env_server.domains.kit import Task
from env_server.domains.kit.sample import AnswerRules
from env_server.reading.words.said_values import said
from env_server.rewards.components import needs_judge
from env_server.rewards.score import Score

TOLERANCE: Final = 0.005
"""The largest relative error of a stated number."""


class AnswerMarks(NamedTuple):
    """The marks of an answer, each from 0 to 1."""

    coverage: float
    grounding: float
    length: float


def marks(rules: AnswerRules, facts: Mapping[str, Any], answer: str) -> AnswerMarks:
    """Return the marks of an answer. A mark that the rules do not ask for is 1.

    `must_include` names values, or words that stand in the answer themselves; `grounded_from` names values alone.
    """
    words = len(answer.split())
    in_range = rules.words is None or rules.words[0] <= words <= rules.words[1]
    coverage = [_states(answer, facts.get(name, name)) for name in rules.must_include]
    grounding = [_states(answer, facts.get(name)) for name in rules.grounded_from]
    return AnswerMarks(_share(coverage), _share(grounding), float(in_range))


def answer_terms(
    weights: ShapingWeights, task: Task, facts: Mapping[str, Any], answer: str, *, success: bool
) -> dict[str, float]:
    """Return the terms of the last turn that need no judge; none for a task without a sample."""
    if task.sample is None:
        return {}
    found = marks(task.sample.answer, facts, answer)
    inner = weights.coverage * found.coverage + weights.grounding * found.grounding + weights.length * found.length
    called = success or task.sample.must_call is None
    terms = {"heuristic": weights.heuristic * inner}
    terms["success" if called else "no_success"] = weights.success if called else weights.no_success
    return {name: term for name, term in terms.items() if term}


def judge_term(weights: ShapingWeights, task: Task, score: Score) -> tuple[dict[str, float], bool]:
    """Return the judge's term, and whether it is missing although the task has something for a judge."""
    judged: list[Any] = [score.breakdown.get(name, {}).get("value") for name in task.basis if needs_judge(name, task)]
    if not judged or not weights.judge:
        return {}, False
    if None in judged:
        return {}, True
    term = weights.judge * float(prod(map(float, judged)))
    return ({"judge": term} if term else {}), False


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 1.0


def _states(answer: str, value: Any) -> bool:
    """Return whether an answer states a value: a number, a text, or all values of a list.

    A number may be rounded, by at most half a percent.
    """
    match value:
        case None | bool():
            return False
        case int() | float():
            return any(said(_notations(value), answer))
        case str():
            return bool(value.strip()) and _stands(_plain(value), _plain(answer))
        case dict():
            return bool(value) and all(_states(answer, inner) for inner in value.values())
        case list():
            return bool(value) and all(_states(answer, inner) for inner in value)
    return False


def _notations(value: float) -> list[str]:
    rounded = (f"{value:.{digits}f}" for digits in range(1, 5))
    return [f"{value}", *(text for text in rounded if abs(float(text) - value) <= TOLERANCE * abs(value))]


def _stands(words: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
