"""The terms of the last turn; the constants of `mcp_tool_env` are written out."""

from typing import Any

import pytest

from env_server.domains.kit import AnswerRules, Task
from env_server.domains.kit.task import Component, Rubric
from env_server.rewards import Score
from env_server.rewards.shaping import AnswerMarks, answer_terms, judge_term, marks
from env_server.rewards.shaping.presets import PRESETS
from tests.rewards.samples import SAMPLE, TASK

MCP = PRESETS["mcp_tool_env"]
FACTS = {
    "price": 110.5,
    "change": 110.5 / 100 - 1,
    "double": 221.0,
    "names": ["Anna", "Bob"],
    "none": None,
    "yes": True,
    "odd": {},
}


def rules(**given: Any) -> AnswerRules:
    """Rules for an answer."""
    return AnswerRules(**given)


@pytest.mark.parametrize(
    ("given", "answer", "found"),
    [
        (rules(), "", AnswerMarks(1, 1, 1)),
        (rules(must_include=("price", "ORCA")), "orca is at $110.50", AnswerMarks(1, 1, 1)),
        (rules(must_include=("price", "ORCA")), "It is at 110.5", AnswerMarks(0.5, 1, 1)),
        (rules(must_include=("price",)), "It is at 1110.5", AnswerMarks(0, 1, 1)),
        (rules(grounded_from=("price", "double")), "From 110.5 to 300", AnswerMarks(1, 0.5, 1)),
        (rules(grounded_from=("names",)), "Anna and Bob", AnswerMarks(1, 1, 1)),
        (rules(grounded_from=("names",)), "Anna", AnswerMarks(1, 0, 1)),
        (rules(grounded_from=("none", "yes", "odd", "unknown")), "none yes odd unknown True {}", AnswerMarks(1, 0, 1)),
        (rules(must_include=("change",)), "by 0.105", AnswerMarks(1, 1, 1)),
        (rules(must_include=("change",)), "by 0.1", AnswerMarks(0, 1, 1)),
        (rules(words=(2, 3)), "one two three", AnswerMarks(1, 1, 1)),
        (rules(words=(2, 3)), "one", AnswerMarks(1, 1, 0)),
    ],
)
def test_marks_of_an_answer(given: AnswerRules, answer: str, found: AnswerMarks) -> None:
    """An answer gets marks for coverage, grounding and length; a number counts as a whole, not as part of another."""
    assert marks(given, FACTS, answer) == found


@pytest.mark.parametrize(
    ("answer", "success", "terms"),
    [
        # .4 * (.5 * 1 + .4 * 1 + .1 * 1) and .4 * (.5 * .5 + .4 * 0 + .1 * 0)
        ("A is at 110.5, twice 221", True, {"heuristic": 0.4, "success": 0.05}),
        ("A", False, {"heuristic": 0.1, "no_success": -0.1}),
        ("no idea at all", False, {"heuristic": 0.04, "no_success": -0.1}),
    ],
)
def test_terms_of_an_answer(answer: str, success: bool, terms: dict[str, float]) -> None:
    """The terms are 0.4 times the marks, and the weight of the call that has to be made."""
    assert answer_terms(MCP, TASK, FACTS, answer, success=success) == pytest.approx(terms)


def test_a_row_that_names_no_tool_succeeds() -> None:
    """If the row names no tool, no call is missing; a task without a row has none of these terms."""
    free = TASK.model_copy(update={"sample": SAMPLE.model_copy(update={"must_call": None})})
    assert answer_terms(MCP, free, FACTS, "x", success=False)["success"] == 0.05
    assert answer_terms(MCP, TASK.model_copy(update={"sample": None}), FACTS, "x", success=True) == {}


def score(**values: float | None) -> Score:
    """A score with these components."""
    return Score(1.0, True, {name: {"value": value} for name, value in values.items()})


BOTH = Task(
    task_id="t",
    domain="d",
    instruction="i",
    basis=(Component.SUCCESS, Component.RUBRIC, Component.NL_ASSERTIONS),
    rubric=Rubric(),
    assertions=("x",),
)


def test_the_judges_term() -> None:
    """The term is 0.6 times the judge's value; without a verdict it is left out, and the reply says so."""
    assert judge_term(MCP, BOTH, score(success=1.0, rubric=0.75, nl_assertions=1.0)) == ({"judge": 0.6 * 0.75}, False)
    assert judge_term(MCP, BOTH, score(success=1.0, rubric=0.0, nl_assertions=1.0)) == ({}, False)
    assert judge_term(MCP, BOTH, score(success=1.0, rubric=None, nl_assertions=1.0)) == ({}, True)
    assert judge_term(MCP, TASK, score(success=1.0)) == ({}, False)
    assert judge_term(PRESETS["first_tool"], BOTH, score(rubric=None)) == ({}, False)
