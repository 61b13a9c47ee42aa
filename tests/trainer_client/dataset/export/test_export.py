"""`trainer data export`: recorded episodes, played on a real server, as rows of other trainers."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from trainer_client import Client
from trainer_client.cli import DONE, FAILED, MISUSED, main

TASK: dict[str, Any] = {
    "instruction": "You are Yusuf Rossi. You want to know how many kinds of products the shop sells.",
    "gold": {"actions": [{"name": "list_all_product_types", "arguments": {}}], "outputs": ["50"]},
    "basis": ["actions"],
}
CALL = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}
WRITTEN = 'Let me look. <tool_call>{"name": "list_all_product_types", "arguments": {}}</tool_call>'
DONE_CALL = {"tool_calls": [{"name": "done", "arguments": {}}]}


def play(client: Client, run: str, group: str, *actions: Any, purpose: str = "train") -> float | None:
    """An episode in which the agent works alone; its reward."""
    options: dict[str, Any] = {"task": TASK, "user": {"strategy": "none"}, "run": run, "purpose": purpose}
    episode = client.reset("retail", group_id=group, **options)
    for action in (*actions, DONE_CALL):
        reply = episode.step(action)
    return reply.reward


@pytest.fixture
def export(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command; its status, report and rows."""

    def run(*options: str) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
        out = tmp_path / "rows.jsonl"
        out.unlink(missing_ok=True)
        status = main(["data", "export", *options, "--out", str(out), "--url", server.url, "--key", "secret", "--json"])
        lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
        return status, json.loads(capsys.readouterr().out.splitlines()[-1]), [json.loads(line) for line in lines]

    return run


@pytest.fixture(scope="module")
def played(server: Server) -> str:
    """A run with a good, a bad, a repeated, an unreadable and an evaluated episode; its name."""
    with Client(server.url, "secret") as client:
        assert play(client, "exported", "g", WRITTEN) == 1.0
        assert play(client, "exported", "g") == 0.0
        play(client, "exported", "h", WRITTEN)
        play(client, "exported", "h", "<tool_call>{broken", CALL)
        play(client, "exported/eval", "e", CALL, purpose="eval")
        client.reset("retail", task=TASK, user={"strategy": "none"}, run="exported", purpose="train")
    return "exported"


def test_openai_messages(export: Any, played: str) -> None:
    """A call that was written as text has become a call; its result names it; what cannot be read is counted."""
    status, report, rows = export("--format", "openai", "--run", played)
    assert (status, report["left_out"]) == (
        DONE,
        {"a message whose calls cannot be read from it again": 1, "not scored": 1, "said before": 1},
    )
    (good,) = [row for row in rows if len(row["messages"]) > 3]
    system, user, call, result, end = good["messages"]
    assert (system["role"], user["role"], call["content"]) == ("system", "user", "Let me look.")
    assert call["tool_calls"][0]["function"] == {"name": "list_all_product_types", "arguments": "{}"}
    assert (result["role"], result["tool_call_id"]) == ("tool", call["tool_calls"][0]["id"])
    assert end["tool_calls"][0]["function"]["name"] == "done"
    assert {"list_all_product_types", "done"} <= {tool["function"]["name"] for tool in good["tools"]}


def test_filters(export: Any, played: str) -> None:
    """Reward, domain, version, length and evaluations; what is left out is told."""
    _, report, rows = export("--format", "openai", "--run", played, "--min-reward", "1")
    assert (len(rows), report["left_out"]["too little reward"]) == (1, 1)
    status, report, rows = export("--format", "openai", "--run", played, "--domain", "airline")
    assert (status, rows, report["left_out"]["another domain"]) == (FAILED, [], 4)
    assert export("--format", "openai", "--run", played, "--pack-version", "x")[0] == FAILED
    assert len(export("--format", "openai", "--run", played, "--max-messages", "3")[2]) == 1
    assert export("--format", "openai", "--run", "exported/eval")[1]["left_out"] == {"of an evaluation": 1}
    assert len(export("--format", "openai", "--run", "exported/eval", "--allow-eval")[2]) == 1


def test_sharegpt_alternates(export: Any, played: str, tmp_path: Path) -> None:
    """Turns of user and tools alternate with the agent's, as LLaMA-Factory asks; it is told how to read the file."""
    _, _, rows = export("--format", "sharegpt", "--run", played)
    for row in rows:
        roles = [turn["from"] for turn in row["conversations"]]
        assert set(roles[::2]) <= {"human", "observation"}
        assert set(roles[1::2]) <= {"gpt", "function_call"}
        assert len(roles) % 2 == 0
        assert all(tool.keys() >= {"name", "parameters"} for tool in json.loads(row["tools"]))
    info = json.loads((tmp_path / "dataset_info.json").read_text(encoding="utf-8"))["rows"]
    assert (info["file_name"], info["formatting"]) == ("rows.jsonl", "sharegpt")
    assert set(info["columns"].values()) <= rows[0].keys()


def test_preferences_compare_two_answers_to_one_conversation(export: Any, played: str) -> None:
    """The group with two rewards gives a pair: what both have in common, then what each said."""
    _, report, rows = export("--format", "preferences", "--run", played)
    (pair,) = rows
    assert [turn["from"] for turn in pair["conversations"]] == ["human"]
    assert json.loads(pair["chosen"]["value"])["name"] == "list_all_product_types"
    assert json.loads(pair["rejected"]["value"])["name"] == "done"
    assert report["rows"] == 1


def test_kto_labels(export: Any, played: str) -> None:
    """One good, one bad."""
    _, _, rows = export("--format", "kto", "--run", played)
    assert sorted(row["kto_tag"] for row in rows) == [False, True]


def test_a_file_of_another_kind(export: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rows are JSON lines."""
    assert main(["data", "export", "--format", "kto", "--run", "x", "--out", str(tmp_path / "a.parquet")]) == MISUSED
    assert ".jsonl" in capsys.readouterr().err
