"""Sample rows of specifications, checked against a real server with MCP tools."""

import json
from pathlib import Path
from typing import Any

import pytest

from trainer_client.cli import DONE, MISUSED, main


def spec(**step: Any) -> dict[str, Any]:
    """A file with one task of two steps; `step` changes the second."""
    first = {"step": 1, "server": "polygon", "tool": "polygon_get_previous_close", "params": {"ticker": "ORCA"}}
    second = {"step": 2, "server": "polygon", "tool": "polygon_get_news", "params": {"ticker": "${step1.ticker}"}}
    task = {
        "task_id": "one",
        "complexity": "simple",
        "conversation": [{"role": "user", "message": "How did ORCA close, and why?"}],
        "solution": {"tool_sequence": [first, {**second, **step}]},
    }
    limits = {"max_servers": 2, "max_tools": 3}
    return {"dependent_dataset": [{"scenario": "closes", "turns": 6, "limits": limits, "tasks": [task]}]}


def test_rows_have_the_sample_format(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The ground truth is the specification's, placeholders and all; `extra_info` adds where it is played."""
    (here / "specs.json").write_text(json.dumps(spec()))
    assert main(["data", "generate", "specs", "specs.json", "--out", "rows.jsonl"]) == DONE
    assert "rows.jsonl: 1 rows, servers: polygon" in capsys.readouterr().out
    row = json.loads((here / "rows.jsonl").read_text())
    truth = row["reward_spec"]["ground_truth"]
    assert (row["env_class"], row["reward_spec"]["method"]) == ("MCPToolEnv", "rule")
    assert row["prompt"] == [{"role": "user", "content": "How did ORCA close, and why?"}]
    assert truth["success"] == {"must_call_tool": "polygon_get_previous_close"}
    assert truth["tool_sequence"][1]["params"] == {"ticker": "${step1.ticker}"}
    assert (truth["max_turns"], truth["limits"]) == (6, {"max_servers": 2, "max_tools": 3})
    assert (row["extra_info"]["domain"], row["extra_info"]["scenario"]) == ("mcp", "closes")
    assert main(["data", "generate", "specs", "specs.json", "--out", "rows.json"]) == DONE
    assert json.loads((here / "rows.json").read_text()) == [row]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({"server": "yahoo_finance"}, "no server 'yahoo_finance'; there are: polygon"),
        ({"tool": "get_news"}, "server 'polygon' has no tool 'get_news'"),
        ({"params": {"ticker": "${step3.ticker}"}}, "it refers to step 3, which does not come before it"),
        ({"params": {"ticker": "${ticker}"}}, "is no reference of the form"),
        ({"step": 1}, "there are two steps 1"),
        ({"step": "two"}, "tool_sequence.1.step"),
    ],
)
def test_an_error_names_its_line(
    here: Path, capsys: pytest.CaptureFixture[str], step: dict[str, Any], says: str
) -> None:
    """The line is that of the step, and nothing is written."""
    text = json.dumps(spec(**step), indent=1)
    (here / "specs.json").write_text(text)
    assert main(["data", "generate", "specs", "specs.json", "--out", "rows.jsonl"]) == MISUSED
    begins = [number for number, line in enumerate(text.splitlines(), 1) if line.strip() == "{"]
    error = capsys.readouterr().err
    assert f"specs.json: line {begins[-1]}: " in error
    assert says in error
    assert not (here / "rows.jsonl").exists()
