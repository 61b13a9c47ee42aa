"""Tasks drawn from the lists of a real server."""

import json
from pathlib import Path

import pytest
from pyarrow import parquet

from tests.e2e.server import Server
from trainer_client.cli import DONE, MISUSED, main


@pytest.fixture
def at_retail(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and a server with generated domains."""
    monkeypatch.setenv("ENV_SERVER_URL", server.url)
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_rows_have_their_task_and_its_solution(at_retail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Splits, levels, number and seed choose; both formats hold the same; the same seed draws the same."""
    words = ["data", "generate", "rule", "--domain", "retail", "--split", "train", "--split", "val", "--count", "3"]
    words += ["--difficulty", "1-2", "--out", "a.jsonl", "--out", "a.parquet", "--seed"]
    assert main([*words, "7"]) == DONE
    assert "a.jsonl: 6 rows" in capsys.readouterr().out
    first = (at_retail / "a.jsonl").read_bytes()
    rows = [json.loads(line) for line in first.splitlines()]
    assert [row["extra_info"]["split"] for row in rows] == ["train"] * 3 + ["val"] * 3
    assert {row["extra_info"]["difficulty"] for row in rows} <= {1, 2}
    assert parquet.read_table(at_retail / "a.parquet").to_pylist() == rows
    for row in rows:
        task = json.loads(row["task"])
        assert task["task_id"] == row["extra_info"]["task_id"]
        calls = [
            (call["name"], json.loads(call["arguments"])) for call in row["reward_spec"]["ground_truth"]["actions"]
        ]
        assert calls == [(call["name"], call["arguments"]) for call in task["gold"]["actions"]]
        assert task["instruction"]
    assert main([*words, "7"]) == DONE
    assert (at_retail / "a.jsonl").read_bytes() == first
    assert main([*words, "8"]) == DONE
    assert (at_retail / "a.jsonl").read_bytes() != first


def test_a_file_of_tasks_has_no_rule(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A domain made of MCP servers has nothing to draw, and the error names the other ways."""
    assert main(["data", "generate", "rule", "--domain", "mcp", "--out", "a.jsonl"]) == MISUSED
    assert "mcp is made of MCP servers" in capsys.readouterr().err
    assert main(["data", "generate", "specs", "none.json", "--domain", "mcp", "--out", "a.jsonl"]) == MISUSED
    assert list(here.iterdir()) == []
