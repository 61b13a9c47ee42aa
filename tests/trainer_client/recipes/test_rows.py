"""The rows of a job: how they are read, the errors about unreadable ones, and which of them are trained on."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from trainer_client.dataset import DataError
from trainer_client.recipes.grpo.dry_run.rows import unread
from trainer_client.recipes.grpo.rows.read import Row, RowsAway, chosen, elsewhere, grade_of, placed_rows
from trainer_client.recipes.grpo.settings import BadSettings
from trainer_client.skyrl.row import reset_options
from trainer_client.skyrl.shared_client import ServerSettings

SOUND: dict[str, Any] = {
    "data_source": "s",
    "prompt": [],
    "env_class": "agent_env",
    "extra_info": {"domain": "retail", "task_id": "7"},
}
ORIGINAL: dict[str, Any] = {
    "data_source": "tau_bench",
    "prompt": {"messages": [{"role": "system", "content": "Be kind."}]},
    "env_class": "tau_bench",
    "reward_spec": {"method": "tau_bench_reward", "ground_truth_actions": [{"name": "think", "arguments": {}}]},
    "extra_info": {"domain": "retail", "instruction": "Think."},
}


def read_rows(sources: list[str], fetched: Callable[[str], list[Any]] = elsewhere) -> list[Row]:
    """The rows of these files, without their places."""
    return [row for _, row in placed_rows(sources, fetched)]


def written(path: Path, *rows: Any) -> str:
    """A file with these rows."""
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def graded(*difficulties: Any) -> list[dict[str, Any]]:
    """Rows of these difficulties."""
    return [{**SOUND, "extra_info": {**SOUND["extra_info"], "difficulty": each}} for each in difficulties]


def info(**fields: Any) -> dict[str, Any]:
    """A row with these fields in place of the id of a task."""
    return {**SOUND, "extra_info": {"domain": "retail", "index": 0, **fields}}


def original(**fields: Any) -> dict[str, Any]:
    """A row of the original format with more fields."""
    return {**ORIGINAL, "extra_info": {**ORIGINAL["extra_info"], **fields}}


def grades(rows: list[dict[str, Any]], **wish: Any) -> list[int]:
    """The difficulties of the chosen rows."""
    return [grade_of(row) for row in chosen([("somewhere", row) for row in rows], ServerSettings(**wish))]


def test_a_row_may_hold_what_ends_lines_elsewhere(tmp_path: Path) -> None:
    """Only a line feed ends a row: a task's text may have U+2028 in it, unescaped."""
    task = json.dumps({"instruction": "one\u2028two\x85three"}, ensure_ascii=False)
    row = {**SOUND, "extra_info": {"domain": "retail", "task": task}}
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{json.dumps(row, ensure_ascii=False)}\n" * 2, encoding="utf-8")
    assert read_rows([str(path)]) == [row, row]


def test_rows_of_both_formats_stand_in_one_file(tmp_path: Path) -> None:
    """All rows are read into our format; a list in a .json file is read as lines are."""
    lines, whole = tmp_path / "rows.jsonl", tmp_path / "rows.json"
    whole.write_text(json.dumps([SOUND, ORIGINAL]), encoding="utf-8")
    first, second = read_rows([written(lines, SOUND, ORIGINAL)])
    assert first == SOUND
    assert (second["env_class"], second["prompt"]) == ("agent_env", [])
    assert second["extra_info"]["task"]["gold"]["actions"][0]["name"] == "think"
    assert read_rows([str(whole)]) == [first, second]


def test_a_table_of_different_calls(tmp_path: Path) -> None:
    """Parquet gives each call the arguments of all others, as nulls, at every depth: they are absent."""
    given = [
        {"name": "think", "arguments": {"thought": "x"}},
        {"name": "cancel", "arguments": {"order": {"id": "#W1"}, "items": [{"id": 1}]}},
        {"name": "move", "arguments": {"order": {"line": "red"}, "items": [{"size": 2}]}},
    ]
    spec = ORIGINAL["reward_spec"]
    rows = [{**ORIGINAL, "reward_spec": {**spec, "ground_truth_actions": [call]}} for call in given]
    path = tmp_path / "rows.parquet"
    parquet.write_table(pa.Table.from_pylist(rows), path)
    read = [row["extra_info"]["task"]["gold"]["actions"] for row in read_rows([str(path)])]
    assert read == [[{**call, "requestor": "agent"}] for call in given]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("x", "expected an object, found 'x'"),
        ({name: value for name, value in SOUND.items() if name != "prompt"}, "there are no columns prompt"),
        ({**SOUND, "prompt": "Be kind."}, "prompt: expected a list of messages"),
        ({**SOUND, "env_class": "gsm8k"}, "env_class: 'gsm8k' is neither agent_env nor tau_bench"),
        (info(max_turns="x"), "extra_info.max_turns: expected a whole number from 1 to 1000, found 'x'"),
        (info(max_turns=0), "extra_info.max_turns: expected a whole number from 1 to 1000, found 0"),
        ({**SOUND, "extra_info": {"domain": "retail"}}, "the row's extra_info names no task"),
        (info(index="zero"), "extra_info.index: Input should be a valid integer"),
        (info(domain=["retail"]), "extra_info.domain: Input should be a valid string"),
        (info(user="scripted"), "extra_info.user: expected an object, or its JSON text, found 'scripted'"),
        (info(user={"strategie": "llm"}), "extra_info.user.strategie: Extra inputs are not permitted"),
        (info(tools='{"mode": "again"}'), "extra_info.tools.mode: Input should be 'live', 'record', 'replay' or"),
        (info(reward_shaping={"nosuch": 1}), "extra_info.reward_shaping.nosuch: Extra inputs are not permitted"),
        (info(reward_shaping={"valid": "x"}), "extra_info.reward_shaping.valid: Input should be a valid number"),
        (info(reward_shaping="no-such"), "extra_info.reward_shaping: Input should be 'none', 'mcp_tool_env' or"),
        (info(task_id="7", index=None, task={}), "extra_info: name the task in one way, not by task_id and task"),
        (info(difficulty=9), "extra_info.difficulty: give a level from 1 to 5"),
        (info(reward_shaping="{"), "extra_info.reward_shaping: expected an object, or its JSON text, found '{'"),
        (info(conduct="maybe"), "extra_info.conduct: Input should be "),
        ({**SOUND, "extra_info": "retail"}, "extra_info: expected an object, or its JSON text, found 'retail'"),
        ({**ORIGINAL, "reward_spec": {}}, "reward_spec: it has neither ground_truth_actions nor ground_truth"),
        (original(reward_shaping="no-such"), "extra_info.reward_shaping"),
        (original(user={"strategie": "none"}), "extra_info.user.strategie: Extra inputs are not permitted"),
        (original(max_errors=0), "extra_info.max_errors: Input should be greater than or equal to 1"),
        (original(tool_prompt="no-such"), "extra_info.tool_prompt: "),
        ({**ORIGINAL, "extra_info": {}}, "domain: it stands neither in the column, nor in extra_info"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(tmp_path: Path, row: Any, told: str) -> None:
    """The error has file, number and field."""
    path = written(tmp_path / "rows.jsonl", SOUND, row)
    with pytest.raises(BadSettings) as error:
        read_rows([path])
    assert str(error.value).startswith(f"{path}, row 2: {told}")


def test_a_line_that_is_no_json(tmp_path: Path) -> None:
    """The error has the number of the line."""
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{json.dumps(SOUND)}\n\n{{", encoding="utf-8")
    with pytest.raises(DataError, match=r"rows\.jsonl, line 3, is no JSON"):
        read_rows([str(path)])


def test_fields_of_a_reset_stay_in_rows_of_the_original_format(tmp_path: Path) -> None:
    """They begin the episode; what looks like one, or stands in a column, is noted; a person's id is no user."""
    fields: dict[str, Any] = {"seed": 7, "max_errors": 2, "max_calls": 9, "deadline_s": 5, "conduct": "off"}
    fields |= {"max_observation_chars": 500, "tool_prompt": "json", "reward_shaping": {"valid": 1}}
    objects = {"user": json.dumps({"strategy": "none", "model": None}), "tools": {"mode": "replay"}}
    odd = {"max_turn": 3, "observation_role": "user", "complexity": "hard", "task_id": "t", "index": 4}
    row = original(**fields, **objects, **odd, pack_version="x") | {"seed": 1, "difficulty": 2}
    path = written(tmp_path / "rows.jsonl", row, original(user="yusuf_1", tools=["think"]))
    first, second = read_rows([path])
    options = reset_options(first, 30)
    assert {name: options[name] for name in fields} == fields
    assert (options["user"], options["tools"], options["expect"]) == (
        {"strategy": "none"},
        {"mode": "replay"},
        {"pack_version": "x"},
    )
    assert not options.keys() & {"task_id", "index"}
    assert list(unread(first)) == [
        "extra_info.max_turn: did you mean max_turns?",
        "extra_info.observation_role: a row cannot set it",
        "difficulty: a column, and not in extra_info",
    ]
    assert (reset_options(second, 30)["user"], list(unread(second))) == ({"strategy": "llm"}, [])


@pytest.mark.parametrize("name", ["rows.json", "rows.jsonl"])
def test_a_file_may_begin_with_a_mark(tmp_path: Path, name: str) -> None:
    """Some editors begin UTF-8 with one; a whole number may be written as a float."""
    row = {**SOUND, "extra_info": {**SOUND["extra_info"], "max_turns": 20.0}}
    path = tmp_path / name
    path.write_text(json.dumps([row] if name == "rows.json" else row), encoding="utf-8-sig")
    assert read_rows([str(path)]) == [row]
    options = reset_options(row, 30)
    assert (options["max_turns"], type(options["max_turns"])) == (20, int)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("rows.json", b"[1, ", ": Expecting value"),
        ("rows.json", b"[" * 100_000, ": "),
        ("rows.json", b'{"rows": []}', ": expected a list of rows, found {'rows': []}"),
        ("rows.json", b"[1]", ", row 1: expected an object, found 1"),
        ("rows.json", b"\xff", ": 'utf-8' codec"),
        ("rows.jsonl", b"\xff", ": 'utf-8' codec"),
        ("rows.json", None, " cannot be read: No such file or directory"),
        ("rows.jsonl", None, " cannot be read: No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes | None, told: str) -> None:
    """The error of a file begins with its name."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadSettings) as error:
        read_rows([str(path)])
    assert str(error.value).startswith(f"{path}{told}")


def test_a_file_of_another_type(tmp_path: Path) -> None:
    """A file that exists is never taken for the name of a data set elsewhere."""
    path = tmp_path / "rows.csv"
    path.touch()
    with pytest.raises(BadSettings, match=r"rows\.csv: rows are read from \.parquet, \.jsonl and \.json$"):
        read_rows([str(path)], lambda _: [SOUND])


def test_what_is_no_local_file(tmp_path: Path) -> None:
    """A source that is no file is read by the given function, and without one it is an error."""
    with pytest.raises(RowsAway, match=r"^name:train is no local file$"):
        read_rows(["name:train"])
    assert read_rows(["name:train"], lambda _: [SOUND]) == [SOUND]
    empty = written(tmp_path / "rows.jsonl")
    with pytest.raises(BadSettings, match="no rows"):
        read_rows([empty])


def test_rows_are_chosen_by_difficulty() -> None:
    """By a level or a range. A row that draws from a range counts by its highest level; by default all rows stay."""
    rows = graded(1, 2.0, 3, "1-2", 5)
    assert grades(rows) == grades(rows, order="difficulty") == [1, 2, 3, 2, 5]
    assert grades(rows, difficulty=2) == [2, 2]
    assert grades(rows, difficulty="2-3") == [2, 3, 2]
    with pytest.raises(BadSettings, match=r"^no row is of difficulty 4; there are 1 of 1, 2 of 2, 1 of 3, 1 of 5$"):
        grades(rows, difficulty=4)


@pytest.mark.parametrize("wish", [{"difficulty": "1-5"}, {"order": "difficulty"}])
def test_rows_without_a_difficulty_are_not_chosen_by_it(tmp_path: Path, wish: dict[str, Any]) -> None:
    """They are neither dropped nor placed: the error names file and row of the first."""
    files = [written(tmp_path / "one.jsonl", *graded(1, 2, 3)), written(tmp_path / "two.jsonl", *graded(1, None))]
    with pytest.raises(BadSettings) as error:
        chosen(placed_rows(files), ServerSettings(**wish))
    assert str(error.value).startswith(f"{files[1]}, row 2: there is no difficulty in extra_info, but None: ")
