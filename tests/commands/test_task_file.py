"""`env-server tasks check`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Run
from tests.domains.configured.rows import ROW, row
from tests.providers.live.blocks import odd


def written(*lines: Any) -> str:
    """Write a file of these lines and return its name."""
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    Path("rows.jsonl").write_text(text, encoding="utf-8")
    return "rows.jsonl"


def test_a_good_file_passes(run: Run) -> None:
    """A file with both kinds of lines passes: status 0 and a count."""
    file = written(ROW, {"instruction": "x", "answer": {"kind": "text", "value": "y"}})
    shown = run("tasks", "check", file)
    assert (shown.status, shown.out) == (0, "2 tasks, no faults\n")
    assert run("tasks", "check", file, "--json").result == {"tasks": 2, "faults": []}


def test_each_fault_is_said_with_its_line(run: Run) -> None:
    """What cannot be played, and what has no effect, is reported with its line; the status is 1."""
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


def test_what_cannot_be_stored_is_refused(run: Run) -> None:
    """Half a surrogate pair and endless nesting are faults of their lines, not failures of a server later."""
    line = '{"instruction": "\\ud800", "answer": {"kind": "text", "value": "y"}}'
    shown = run("tasks", "check", written(line, "[" * 100_000))
    assert shown.status == 1
    first, second, _ = shown.out.splitlines()
    assert first == r"line 1: has the half \ud800 of a surrogate pair, which is no text"
    assert second == "line 2: is nested too deeply"
    assert run("tasks", "check", written("[" * 100_000)).out.startswith("line 1: is nested too deeply")


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"answer": {"kind": "list", "value": []}}, "an empty answer would be right"),
        ({"answer": {"kind": "text", "value": " "}}, "an empty answer would be right"),
        ({"answer": {"kind": "text", "value": "x", "also": [""]}}, "an empty answer would be right"),
        ({"answer": {"kind": "text", "missing": [""]}}, "any fact would be right"),
        ({"answer": {"kind": "number", "value": True}}, "`value` is true, which is neither"),
        ({"answer": {"kind": "number", "value": 1, "missing": ["x"]}}, "has a `value` and `missing`"),
        ({"evidence": [{"shows": [""]}]}, "`shows` has an empty text"),
        ({"instruction": " "}, "instruction: is empty"),
        ({"assertions": [""]}, "assertions: one of them is empty"),
        ({"rubric": {"points": []}}, "`points`: give at least one"),
        ({"rubric": {"points": [" "]}}, "`points`: give at least one"),
        ({"allow_list": []}, "allow_list: "),
        ({"servers": []}, "servers: "),
        ({"instruction": "nul \0"}, "has the character NUL"),
    ],
)
def test_what_makes_a_task_wrong_is_refused(wrong: dict[str, Any], problem: str, run: Run) -> None:
    """A task that rewards an empty answer, or has a text that is empty or cannot be stored, is a fault."""
    good = {"instruction": "x", "answer": {"kind": "text", "value": "y"}}
    shown = run("tasks", "check", written(good, good | wrong))
    assert shown.status == 1
    assert shown.out.startswith("line 2: ")
    assert problem in shown.out


def test_a_key_that_stands_twice_and_a_byte_order_mark(run: Run) -> None:
    """A repeated key in lines or lists would lose a value: it is a fault. A byte order mark is none."""
    good = '{"instruction": "x", "answer": {"kind": "text", "value": "y"}}'
    twice = '{"instruction": "x", "answer": {"kind": "text", "value": "y", "value": "z"}}'
    for text in (twice, f"[{twice}]"):
        assert run("tasks", "check", written(text)).out.startswith("line 1: has the key 'value' twice in one object")
    assert run("tasks", "check", written("\ufeff" + good)).status == 0


def test_lists_that_name_nothing_are_said(run: Run) -> None:
    """With the servers, names of tools and servers in a task's lists are checked, in every form of a name."""
    good = {"instruction": "?", "answer": {"kind": "text", "value": "kept"}}
    names = ["note", "odd__note", "odd.note"]
    lines = [good | {"allow_list": names, "servers": ["odd"]}, good | {"allow_list": ["nope"]}]
    lines += [good | {"servers": ["nope"]}, good | {"allow_list": ["note"], "servers": ["more"]}]
    lines.append(row(spec={"limits": {"allow_list": ["odd.nope"]}, "tool_sequence": None}))
    servers = {"odd": odd(allowTools=["note"]), "more": odd(allowTools=["say"])}
    Path("mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    shown = run("tasks", "check", written(*lines), "--mcp-config", "mcp.json", "--json")
    assert [(fault["line"], fault["problem"].partition(";")[0]) for fault in shown.result["faults"]] == [
        (2, "allow_list: no server lists 'nope'"),
        (3, "servers: there is no server 'nope'"),
        (4, "none of the tools in `allow_list` is one of these `servers`, so the agent has no tool"),
        (5, "allow_list: no server lists 'odd.nope'"),
    ]


def test_a_recorded_domain_is_evaluated_on_its_recordings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """`eval` in the mode `replay` calls no server; a tag without a mode is refused."""
    said: dict[str, Any] = {"name": "note", "arguments": {"text": "kept"}}
    answer = {"kind": "text", "value": "kept"}
    good = {"instruction": "?", "answer": answer, "evidence": [{"shows": ["noted"]}], "gold": [said]}
    config = {"mcpServers": {"odd": odd(allowTools=["note"])}}
    Path("mcp.json").write_text(json.dumps(config), encoding="utf-8")
    assert run("tasks", "check", written(good), "--tag", "june", "--mcp-config", "mcp.json").status == 0
    config["mcpServers"]["odd"]["args"] = ["gone.py"]
    Path("mcp.json").write_text(json.dumps(config), encoding="utf-8")
    monkeypatch.setenv("ENV_SERVER_MCP_CONFIG", "mcp.json")
    monkeypatch.setenv("ENV_SERVER_MCP_TASKS", "rows.jsonl")
    words = ["eval", "--domain", "mcp", "--split", "train", "--tag", "june"]
    assert "--tag names recordings" in run(*words).err
    played = run(*words, "--tools-mode", "replay", "--json")
    assert (played.status, played.result["success"]) == (0, 1.0)
    assert "--tools-mode" in run(*words, "--tools-mode", "sometimes").err


def test_a_file_that_is_not_there(run: Run) -> None:
    """For a file that does not exist, one line says so."""
    shown = run("tasks", "check", "nowhere.jsonl")
    assert (shown.status, shown.out) == (2, "")
    assert shown.err == "error: nowhere.jsonl: No such file or directory\n"


def test_solutions_are_played_with_recordings(run: Run) -> None:
    """A missing recording is named, then recorded once; after that no server is needed.

    A solution that does not earn the reward is named with what it lacks.
    """
    answer = {"kind": "text", "value": "kept"}
    said: dict[str, Any] = {"name": "note", "arguments": {"text": "kept"}}
    good = {"task_id": "good", "instruction": "?", "answer": answer, "evidence": [{"shows": ["noted"]}], "gold": [said]}
    block = {"mcpServers": {"odd": odd(allowTools=["note", "notes"])}}
    nothing = run("tasks", "check", written(good), "--tag", "june", "--json")
    assert nothing.status == 1
    assert "nothing is recorded under the tag 'june'; there are: none" in nothing.result["faults"][0]["problem"]
    Path("mcp.json").write_text(json.dumps(block), encoding="utf-8")
    first = run("tasks", "check", written(good), "--tag", "june", "--mcp-config", "mcp.json")
    assert (first.status, first.out) == (0, "1 task, 1 solution played, no faults\n")
    Path("mcp.json").unlink()
    assert run("tasks", "check", written(good), "--tag", "june").status == 0
    file = written(good, good | {"task_id": "blind", "gold": [{"name": "notes"}]}, ROW)
    third = run("tasks", "check", file, "--tag", "june", "--json")
    assert [fault["line"] for fault in third.result["faults"]] == [2, 3, 3]
    missing, unlisted, _ = (fault["problem"] for fault in third.result["faults"])
    assert missing.startswith("no recording of notes with {} under the tag 'june'")
    assert "get_stock_price" in unlisted
    Path("mcp.json").write_text(json.dumps(block), encoding="utf-8")
    file = written(good | {"task_id": "blind", "gold": [{"name": "notes"}]})
    last = run("tasks", "check", file, "--tag", "june", "--mcp-config", "mcp.json")
    assert (last.status, last.out.splitlines()[0]) == (
        1,
        "line 1: its solution earns 0.0 (completed): answer 1, evidence 0",
    )


def test_without_a_tag_the_servers_answer_each_time(run: Run) -> None:
    """Without a tag nothing is recorded, and a server that answers otherwise than at the last check is noticed."""
    good = {"instruction": "?", "answer": {"kind": "text", "value": "kept"}, "evidence": [{"shows": ["sesame"]}]}
    file = written(good | {"gold": [{"name": "environment"}]})
    for shown, status in (("/sesame", 0), ("/poppy", 1)):
        block = {"mcpServers": {"odd": odd(allowTools=["environment"], env={"PLACE": shown})}}
        Path("mcp.json").write_text(json.dumps(block), encoding="utf-8")
        assert run("tasks", "check", file, "--mcp-config", "mcp.json").status == status
    assert "Nothing is recorded" in run("recordings", "list").out
    block["mcpServers"]["odd"]["args"] = ["gone.py"]
    Path("mcp.json").write_text(json.dumps(block), encoding="utf-8")
    assert (
        "odd is not reached: it ended before it answered" in run("tasks", "check", file, "--mcp-config", "mcp.json").out
    )
