"""`env-server tasks check`."""

import json
from pathlib import Path
from typing import Any

from tests.commands.conftest import Run
from tests.domains.configured.rows import ROW, row


def written(*lines: Any) -> str:
    """Write a file of these lines; return its name."""
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    Path("rows.jsonl").write_text(text, encoding="utf-8")
    return "rows.jsonl"


def test_a_good_file_passes(run: Run) -> None:
    """Both kinds of lines; status 0 and a count."""
    file = written(ROW, {"instruction": "x", "answer": {"kind": "text", "value": "y"}})
    shown = run("tasks", "check", file)
    assert (shown.status, shown.out) == (0, "2 tasks, no faults\n")
    assert run("tasks", "check", file, "--json").result == {"tasks": 2, "faults": []}


def test_each_fault_is_said_with_its_line(run: Run) -> None:
    """What cannot be played, and what has no effect; status 1."""
    vague = row(spec={"task_id": "b", "tool_sequence": [{"step": 1, "tool": "x", "params": {"a": "${nobody}"}}]})
    file = written(ROW, "{", vague, ROW)
    shown = run("tasks", "check", file)
    assert shown.status == 1
    first, second, third, count = shown.out.splitlines()
    assert first.startswith("line 2: is no JSON")
    assert second == "line 3: tool_sequence.0.params: no earlier step gives ${nobody} (has no effect)"
    assert third == "line 4: task_id: 'stock_1' is that of line 1"
    assert count == "2 tasks, 3 faults"
    told = run("tasks", "check", file, "--json")
    assert told.status == 1
    assert [(fault["line"], fault["plays"]) for fault in told.result["faults"]] == [(2, False), (3, True), (4, False)]


def test_a_file_that_is_not_there(run: Run) -> None:
    """One line says so."""
    shown = run("tasks", "check", "nowhere.jsonl")
    assert (shown.status, shown.out) == (2, "")
    assert "nowhere.jsonl" in shown.err
