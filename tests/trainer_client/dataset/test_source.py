"""Reading tau-bench-style tasks in the forms in which they are found."""

import json
from pathlib import Path
from typing import Any

import pytest

from trainer_client.dataset import DataError
from trainer_client.dataset.source import read_file, read_tasks
from trainer_client.skyrl.own_task import DEEPEST, LARGEST, SourceCall, SourceTask, inline, tau1, tau2, truth

WANTED = SourceTask(0, "retail", "Cancel it.", (SourceCall("cancel", {"id": "#1", "why": "late"}),), ("5", "7.5"))
ARGUMENTS = {"id": "#1", "why": "late"}
ACTION = {"name": "cancel", "arguments": ARGUMENTS}
TASK = {"instruction": "Cancel it.", "actions": [ACTION], "outputs": ["5", "7.5"], "domain": "retail", "user_id": "u"}


def nested(levels: int) -> Any:
    """Objects inside one another."""
    found: dict[str, Any] = {}
    for _ in range(levels - 1):
        found = {"in": found}
    return found


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"actions": json.dumps([ACTION]), "outputs": json.dumps(["5", "7.5"])},
        {"actions": [json.dumps(ACTION)]},
        {"actions": [{"name": "cancel", "kwargs": ARGUMENTS}]},
        {"actions": [{"name": "cancel", "arguments": json.dumps(ARGUMENTS)}]},
        {"actions": [{"name": "cancel", "kwargs": json.dumps(ARGUMENTS), "requestor": "assistant"}]},
        {"actions": [{"name": "cancel", "arguments": None, "kwargs": ARGUMENTS}]},
        {"actions": [{"name": "cancel", "arguments": "null", "kwargs": ARGUMENTS}]},
        {"outputs": [5, 7.5]},
        {"outputs": ["5", "7.5", "", None]},
    ],
)
def test_nested_values_are_read_in_every_form(changes: dict[str, Any]) -> None:
    """Lists and objects, their JSON text, `kwargs` for `arguments`, and numbers for text all give the same task."""
    assert read_tasks([{**TASK, **changes}]) == ([WANTED], [])
    assert read_tasks([json.dumps({**TASK, **changes})]) == ([WANTED], [])


@pytest.mark.parametrize(
    ("outputs", "read"),
    [
        (None, ()),
        ("null", ()),
        ("", ()),
        ("five", ("five",)),
        ("5", ("5",)),
        (5, ("5",)),
        ("54.00", ("54.00",)),
        ('["54.00"]', ("54.00",)),
        ('{"id": 1e3}', ('{"id": 1e3}',)),
    ],
)
def test_one_output_needs_no_list(outputs: Any, read: tuple[str, ...]) -> None:
    """A single value is a list of one, and text stays as it is unless it is a list's."""
    (task,), _ = read_tasks([{**TASK, "outputs": outputs}])
    assert task.outputs == read


def test_a_task_may_have_a_limit_of_turns() -> None:
    """A limit of turns is read with the task; most tasks have none."""
    tasks, _ = read_tasks([TASK, {**TASK, "max_turns": 12}, {**TASK, "max_turns": None}])
    assert [t.max_turns for t in tasks] == [None, 12, None]


def test_a_task_without_domain_takes_the_default() -> None:
    """The domain in the file goes first; without it and a default the task is dropped."""
    bare = {k: v for k, v in TASK.items() if k != "domain"}
    tasks, unreadable = read_tasks([TASK, bare], "airline")
    assert ([t.domain for t in tasks], unreadable) == (["retail", "airline"], [])
    assert [u.why for u in read_tasks([bare])[1]] == ["it names no domain"]


@pytest.mark.parametrize(
    ("task", "why"),
    [
        (7, "no object"),
        ("{", "Expecting property name"),
        ({**TASK, "instruction": " "}, "no instruction"),
        ({**TASK, "actions": {"name": "cancel"}}, "no list"),
        ({**TASK, "actions": [{"arguments": {}}]}, "names no tool"),
        ({**TASK, "actions": [{"name": "cancel", "arguments": [1]}]}, "no object"),
        ({**TASK, "actions": [{"name": "cancel", "requestor": "judge"}]}, "neither agent nor user"),
        ({**TASK, "actions": [{"name": "cancel", "arguments": {"n": float("nan")}}]}, "not JSON compliant"),
        ({**TASK, "actions": [{"name": "cancel", "arguments": nested(DEEPEST + 1)}]}, "more than 64 levels deep"),
        ({**TASK, "actions": [{"name": "cancel", "arguments": nested(900)}]}, "more than 64 levels deep"),
        ({**TASK, "max_turns": 0}, "max_turns: expected a whole number from 1 to 1000, found 0"),
        ({**TASK, "max_turns": "many"}, "max_turns: expected a whole number from 1 to 1000"),
        ({**TASK, "instruction": "half \ud800"}, "surrogates not allowed"),
        ({**TASK, "instruction": "x" * LARGEST}, "a server takes"),
    ],
)
def test_what_is_no_task_is_dropped_alone(task: Any, why: str) -> None:
    """The reason names what is wrong, and the tasks beside it are read."""
    tasks, (unreadable,) = read_tasks([TASK, task, TASK])
    assert [t.position for t in tasks] == [0, 2]
    assert unreadable.position == 1
    assert why in unreadable.why


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ("cancel it", "it is text, but no JSON: Expecting value, column 1"),
        ({**TASK, "actions": [ACTION, {"name": "cancel", "kwargs": "{id: 1}"}]}, "`kwargs` of its action 1 is text"),
        ({**TASK, "actions": [ACTION, "cancel"]}, "its action 1 is text, but no JSON"),
        ({"domain": "retail", "user_scenario": {}}, "tau2-bench's form, whose tasks the pack tau2 has; wanted is"),
        ({"domain": "retail", "actions": []}, "it has no instruction; wanted is an object with `domain`"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(task: Any, why: str) -> None:
    """The reason names the part that cannot be read, and the form of a task."""
    assert why in read_tasks([task])[1][0].why


def test_a_line_that_is_no_json_is_told_with_file_and_number(tmp_path: Path) -> None:
    """The number is that of the line in the file, with empty lines, whatever separators the texts contain."""
    path = tmp_path / "tasks.jsonl"
    whole = json.dumps({**TASK, "instruction": "a\u2028b"}, ensure_ascii=False)
    path.write_text(f'{whole}\n\n{{"domain": retail}}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"tasks\.jsonl, line 3, is no JSON: Expecting value, column 12"):
        read_file(path)


def test_a_file_is_an_object_a_list_or_lines(tmp_path: Path) -> None:
    """The three forms hold the same tasks."""
    path, lines = tmp_path / "tasks.json", tmp_path / "tasks.jsonl"
    lines.write_text(f"{json.dumps(TASK)}\n\n{json.dumps(TASK)}\n")
    for whole in ({"tasks": [TASK, TASK]}, {"tasks": json.dumps([TASK, TASK])}, [TASK, TASK]):
        path.write_text(json.dumps(whole))
        assert read_file(path) == read_file(lines) == [TASK, TASK]


def test_a_line_ends_where_a_file_says_so(tmp_path: Path) -> None:
    """A text may contain other characters that end lines; a file may begin with the mark of UTF-8."""
    text = json.dumps({**TASK, "instruction": "one\u2028two\x85three"}, ensure_ascii=False)
    path = tmp_path / "tasks.jsonl"
    for form in (f"{text}\n{text}\n", f"{text}\r\n{text}", f"\ufeff{text}\n{text}"):
        path.write_bytes(form.encode())
        assert read_file(path) == [json.loads(text)] * 2
    whole = tmp_path / "tasks.json"
    whole.write_text(f"\ufeff[{text}]", encoding="utf-8")
    assert read_file(whole) == [json.loads(text)]


@pytest.mark.parametrize(
    ("text", "says"), [("{", "no JSON"), ("{}", "no key 'tasks'"), ("7", "no list"), ("[" * 99_999, "no JSON")]
)
def test_a_file_that_is_none_is_said(tmp_path: Path, text: str, says: str) -> None:
    """The error about an unusable file is one line."""
    path = tmp_path / "tasks.json"
    path.write_text(text)
    with pytest.raises(DataError, match=says):
        read_file(path)
    with pytest.raises(DataError, match="No such file"):
        read_file(tmp_path / "other.json")


def test_what_is_written_are_lists() -> None:
    """Calls and outputs are lists, and arguments JSON text, because no table can type them; each pack has its form."""
    written = {"requestor": "agent", "name": "cancel", "arguments": '{"id":"#1","why":"late"}'}
    assert truth(WANTED) == {"actions": [written], "outputs": ["5", "7.5"]}
    assert inline(WANTED)["gold"]["outputs"] == tau1(WANTED)["outputs"] == ["5", "7.5"]
    assert tau2(WANTED)["evaluation_criteria"]["actions"] == [{**ACTION, "requestor": "assistant"}]
