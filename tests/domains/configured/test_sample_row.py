"""Rows of a training set in a file of tasks."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_server.domains.configured.task_file import CheckedFile, TaskFileProblem, check_tasks, read_tasks
from env_server.domains.kit import Component, Task
from env_server.domains.pack import opening_of
from tests.domains.configured.rows import JUDGED, ROW, row


def checked(folder: Path, *rows: Any, as_list: bool = False) -> CheckedFile:
    """Check a file of these rows."""
    file = folder / "tasks.jsonl"
    lines = "".join(f"{json.dumps(one)}\n" for one in rows)
    file.write_text(json.dumps(rows) if as_list else lines, encoding="utf-8")
    return check_tasks(file, "mcp")


def read(folder: Path, one: dict[str, Any]) -> Task:
    """Read the task of one row without faults."""
    found = checked(folder, one)
    assert found.faults == ()
    return found.tasks[0]


def test_a_row_is_a_task(tmp_path: Path) -> None:
    """Fields of tasks hold what they can; the rest of the row is the task's sample."""
    task = read(tmp_path, ROW)
    assert (task.task_id, task.split, task.template, task.max_turns) == ("stock_1", "train", "simple", 5)
    assert (task.alone, task.basis, task.measured) == (True, (Component.SUCCESS,), None)
    assert task.instruction == "Get the price of ORCA and send it to me."
    sample = task.sample
    assert sample is not None
    assert sample.system == "You are a research assistant with tools."
    assert (sample.must_call, sample.max_tools, sample.max_servers) == ("yahoo_finance.get_stock_price", 3, 2)
    assert [(step.server, step.tool) for step in sample.plan] == [
        ("yahoo_finance", "get_stock_price"),
        ("slack", "send_slack_message"),
    ]
    assert sample.named == {1: ("price",)}
    assert (sample.answer.must_include, sample.answer.grounded_from) == (("price", "ORCA"), ("price", "change"))


def test_tasks_that_begin_otherwise_are_told_apart(tmp_path: Path) -> None:
    """Tools, servers, kind and unit of the answer, and a system message count; what only scores does not."""
    line: dict[str, Any] = {"instruction": "x", "answer": {"kind": "number", "value": 1, "unit": "USD"}}
    same = [line, {**line, "instruction": "y", "answer": {**line["answer"], "value": 2}, "limits": {"max_turns": 3}}]
    others = [
        {**line, "allow_list": ["a"]},
        {**line, "servers": ["a"]},
        {**line, "answer": {"kind": "date", "value": "2025-01-02"}},
    ]
    others += [{**line, "answer": {**line["answer"], "unit": "%"}}, ROW]
    found = [opening_of(task) for task in checked(tmp_path, *same, *others).tasks]
    assert found[0] == found[1]
    assert len(set(found)) == 1 + len(others)


def test_a_judges_rubric_counts(tmp_path: Path) -> None:
    """Weights and demands on the answer are the task's rubric; the row's own answer is not part of it."""
    task = read(tmp_path, row(spec={"judge_rubric": JUDGED}))
    assert task.basis == (Component.SUCCESS, Component.RUBRIC)
    assert task.rubric is not None
    assert task.rubric.points == ("price", "ORCA", "concise")
    assert (task.rubric.weights.coverage, task.rubric.weights.clarity) == (0.5, 1.0)
    assert task.sample is not None
    assert task.sample.answer.words == (2, 20)
    alone = read(tmp_path, row(spec={"judge_rubric": JUDGED, "success": None}))
    assert alone.basis == (Component.RUBRIC,)


def test_forms_of_a_file_and_a_prompt(tmp_path: Path) -> None:
    """JSON lines or a list, messages as a list or in an object, any complexity, and both kinds of tasks are read."""
    other = row(prompt={"messages": ROW["prompt"]}, extra_info=None, spec={"task_id": "b", "complexity": "odd one"})
    own = {"instruction": "x", "answer": {"kind": "text", "value": "y"}}
    for as_list in (False, True):
        found = checked(tmp_path, ROW, other, own, as_list=as_list)
        assert [task.task_id for task in found.tasks] == ["stock_1", "b", "task-3"]
        assert found.faults == ()
    assert found.tasks[0].instruction == found.tasks[1].instruction
    assert found.tasks[2].sample is None
    assert '"sample"' not in found.tasks[2].model_dump_json()


def test_an_analysis_may_stand_in_the_rubric(tmp_path: Path) -> None:
    """If a step has no analysis, that of the rubric is used, in either of its two forms."""
    bare = [{k: v for k, v in step.items() if k != "analysis_requirements"} for step in STEPS_OF]
    steps = [{"step": 1, "extract": ["price"]}, {"step": 2, "analysis_requirements": {"accept_if": ["ok"]}}]
    task = read(tmp_path, row(spec={"tool_sequence": bare, "analysis_rubric": {"steps": steps}}))
    assert task.sample is not None
    assert [(s.analysis.extract, s.analysis.accept_if) for s in task.sample.plan] == [(("price",), ()), ((), ("ok",))]


STEPS_OF = ROW["reward_spec"]["ground_truth"]["tool_sequence"]


def test_an_allow_list_names_tools(tmp_path: Path) -> None:
    """An entry has a server in front or not, as in the row."""
    limits = {"allow_list": ["fmp.quote", "news"]}
    assert read(tmp_path, row(spec={"limits": limits})).tools == ("fmp.quote", "news")
    assert read(tmp_path, row(spec={"max_turns": None})).max_turns == 6


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (row(prompt=[]), "prompt: no message of the user says what to do"),
        (row(prompt=[{"role": "robot", "content": "x"}]), "prompt.0.role: "),
        (row(env_class="OtherEnv"), "env_class: "),
        (row(spec={"success": None}), "nothing says what its reward is"),
        (row(spec={"task_id": "a b"}), "ground_truth.task_id: "),
        (row(spec={"max_turns": 0}), "ground_truth.max_turns: "),
        (row(spec={"successes": {}}), "ground_truth.successes: unknown key"),
        (row(spec={"limits": {"max_tool": 1}}), "limits.max_tool: unknown key"),
        (row(spec={"limits": {"max_tools": 0}}), "limits.max_tools: "),
        (row(spec={"limits": {"allow_list": []}}), "limits.allow_list: "),
        (row(spec={"tool_sequence": [{"step": 1, "server": "a"}]}), "tool_sequence.0.tool: "),
        (row(spec={"tool_sequence": [STEPS_OF[0], STEPS_OF[0]]}), "two steps have the same number"),
        (row(spec={"judge_rubric": {"weights": {"coverage": -1}}}), "judge_rubric.weights.coverage: "),
        (row(reward_spec=3), "reward_spec: "),
    ],
)
def test_a_faulty_row_is_named(wrong: dict[str, Any], problem: str, tmp_path: Path) -> None:
    """The server does not start with a faulty row, and the error has line and key."""
    found = checked(tmp_path, ROW, wrong)
    assert [(fault.line, fault.plays) for fault in found.faults] == [(2, False)]
    assert problem in found.faults[0].problem
    with pytest.raises(TaskFileProblem, match="line 2"):
        read_tasks(tmp_path / "tasks.jsonl", "mcp")


@pytest.mark.parametrize(
    ("field", "text", "problem"),
    [
        ("extract", "length(@)", "extract.0: 'length(@)' does more than step"),
        ("extract", "a[", "extract.0: 'a[' is no path"),
        ("compute", "think about it", "compute.0: 'think about it' is not `name = expression`"),
        ("compute", "x = open('f')", "compute.0: there is no function 'open'"),
        ("select", "x = (lambda: 1)()", "select.0: "),
        ("accept_if", "price >", "accept_if.0: 'price >' is no expression"),
        ("accept_if", "price ~= '('", "accept_if.0: '(' is no pattern"),
    ],
)
def test_an_expression_without_a_value_is_named(field: str, text: str, problem: str, tmp_path: Path) -> None:
    """An expression without a value is reported; the row is played all the same, as in its original environment."""
    step = {**STEPS_OF[0], "analysis_requirements": {field: [text]}}
    found = checked(tmp_path, row(spec={"tool_sequence": [step]}))
    assert [fault.plays for fault in found.faults] == [True]
    assert problem in found.faults[0].problem
    assert len(read_tasks(tmp_path / "tasks.jsonl", "mcp")) == 1


@pytest.mark.parametrize("text", ["${step2.price}", "${step3.x}", "${nobody}", "a ${nobody} b"])
def test_a_placeholder_that_nothing_fills_is_named(text: str, tmp_path: Path) -> None:
    """A placeholder that no earlier step, and no value of one, can fill is reported."""
    second = {**STEPS_OF[1], "params": {"text": ["${price}", {"deep": text}]}}
    (fault,) = checked(tmp_path, row(spec={"tool_sequence": [STEPS_OF[0], second]})).faults
    assert fault.plays
    assert "tool_sequence.1.params: no earlier step gives ${" in fault.problem


@pytest.mark.parametrize(
    ("analysis", "words"),
    [
        (
            {"compute": [f"m = ['{'a' * 700}' for a in l]", "n = [m for a in l]"]},
            "'n = [m for a in l]': its value has more",
        ),
        ({"compute": ["m = [0] * 99999", "n = len(str([m] * 9000))"]}, "it looks at or makes more than"),
        ({"accept_if": ["l ~= '(a+)+$'"]}, "accept_if.0: the pattern '(a+)+$' takes too long"),
        ({"compute": ["n = regex_extract_all('(a+)+$', first(l))"]}, "compute.0: the pattern '(a+)+$' takes too long"),
    ],
)
def test_expressions_over_their_bounds_are_remarked(tmp_path: Path, analysis: dict[str, Any], words: str) -> None:
    """Expressions are tried beforehand with lists of 100 texts; a row is played without values that are too large."""
    step = {**STEPS_OF[0], "analysis_requirements": {"extract": ["l"], **analysis}}
    faults = checked(tmp_path, row(spec={"tool_sequence": [step]})).faults
    assert all(fault.plays for fault in faults)
    assert any(words in fault.problem for fault in faults)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
PLACES = st.sampled_from(
    [(), ("reward_spec",), ("reward_spec", "ground_truth"), ("reward_spec", "ground_truth", "limits")]
)


@settings(max_examples=200, deadline=None)
@given(place=PLACES, name=st.sampled_from(sorted({*ROW, *ROW["reward_spec"]["ground_truth"], "x"})), value=JSON)
def test_any_change_is_a_task_or_a_fault(
    tmp_path_factory: pytest.TempPathFactory, place: tuple[str, ...], name: str, value: Any
) -> None:
    """Whatever a row holds, the file is checked to its end."""
    changed = row()
    target = changed
    for step in place:
        target = target[step]
    target[name] = value
    found = checked(tmp_path_factory.mktemp("rows"), changed, row(spec={"task_id": "good"}))
    assert found.tasks[-1].task_id == "good"
    assert all(fault.line == 1 for fault in found.faults)
    assert len(found.tasks) == 2 or found.faults
