"""Tasks that a model proposes, tried on a real server with MCP tools; the model is the stand-in."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pyarrow import parquet

from env_server.domains.configured.task_file import read_tasks
from tests.e2e.server import PATIENCE_S, ROOT
from tests.standin.protocol import Asked, Reply
from tests.standin.server import StandIn
from tests.trainer_client.dataset.rows import begin
from trainer_client import Client
from trainer_client.cli import DONE, FAILED, MISUSED, main

CLOSE = "${step1.bars[0].close}"


def proposed(day: int = 3, **changes: Any) -> dict[str, Any]:
    """A candidate about ORCA's close on a day of March 2025."""
    date = f"2025-03-{day:02}"
    params = {"ticker": "ORCA", "start_date": date, "end_date": date}
    return {
        "instruction": f"At what price in dollars did ORCA close on {date}?",
        "complexity": "simple",
        "tool_sequence": [{"step": 1, "server": "polygon", "tool": "polygon_get_aggs", "params": params}],
        "answer": {"kind": "number", "value": CLOSE, "unit": "USD", "tolerance": 0.001},
        **changes,
    }


def told(*tasks: Any) -> str:
    """The model's answer with these candidates."""
    return json.dumps({"tasks": tasks})


def run(standin: StandIn, *options: str, count: int) -> int:
    """Run the command with the stand-in as its model."""
    command = ["data", "generate", "llm", "--model", "standin", "--base-url", standin.url]
    return main([*command, "--count", str(count), "--out", "tasks.jsonl", "--json", *options])


def reported(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The report in the last line of the output."""
    found: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return found


def test_good_candidates_are_kept_and_can_be_served(
    here: Path, standin: StandIn, capsys: pytest.CaptureFixture[str], mcp_client: Client
) -> None:
    """Values come from the results, the server's own reader takes the file, and the report has tokens and cost."""
    evidence = [{"shows": ["2025-03-04", CLOSE]}]
    standin.then(told(proposed(3), proposed(4, evidence=evidence)))
    assert run(standin, "--price-in", "2", "--price-out", "10", count=2) == DONE
    report = reported(capsys)
    assert (report["kept"], report["left_out"], report["requests"]) == (2, {}, 1)
    assert report["cost_usd"] == pytest.approx((100 * 2 + 10 * 10) / 1e6)
    first, second = read_tasks(here / "tasks.jsonl", "mcp")
    assert first.answer is not None
    assert first.evidence[0].shows == (str(first.answer.value),)
    assert second.evidence[0].shows[0] == "2025-03-04"
    asked = standin.journal[0]
    assert "polygon_get_aggs" in asked.messages[0]["content"]
    assert "2 tasks of complexity simple" in asked.last


def bad(**changes: Any) -> dict[str, Any]:
    """A candidate of another day than the good one."""
    return proposed(5, **changes)


STEP = proposed(5)["tool_sequence"][0]
NUMBER = {"kind": "number", "unit": "USD"}
REASONS: list[tuple[str, dict[str, Any], str]] = [
    ("call_fails", bad(tool_sequence=[{**STEP, "params": {"ticker": "ORCA"}}]), "polygon_get_aggs"),
    ("unknown_tool", bad(tool_sequence=[{**STEP, "params": {"ticker": "${step1.x}"}}]), "refers to step 1"),
    ("call_fails", bad(tool_sequence=[STEP, {**STEP, "step": 2, "params": {"ticker": "${step1.x}"}}]), "has no 'x'"),
    ("unknown_tool", bad(tool_sequence=[{**STEP, "server": "yahoo_finance"}]), "no server 'yahoo_finance'"),
    ("unknown_tool", bad(tool_sequence=[{**STEP, "tool": "get_quote"}]), "has no tool 'get_quote'"),
    ("answer_in_instruction", bad(answer={**NUMBER, "value": 5}, instruction="Is it 5 or more for ORCA?"), "5"),
    ("answer_in_instruction", bad(answer={"kind": "text", "value": "${step1.ticker}"}), "ORCA"),
    ("answer_not_shown", bad(answer={**NUMBER, "value": 987654.5}), "987654.5"),
    ("answer_not_shown", bad(answer={**NUMBER, "value": "${step1.nothing}"}), "nothing"),
    ("no_evidence", bad(evidence=[{"shows": ["a phrase of no result"]}]), "a phrase of no result"),
    ("over_limits", bad(tool_sequence=[{**STEP, "step": n} for n in range(1, 8)]), "7 calls"),
    ("duplicate", proposed(3, instruction="at what price, in dollars, did ORCA close on 2025-03-03"), ""),
    ("unreadable", {"instruction": "Only words, and nothing else."}, "tool_sequence"),
]


def test_bad_candidates_are_left_out_with_the_reason(
    here: Path, standin: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each kind of fault has its reason; the journal keeps the model's answers."""
    standin.then(told(proposed(3), *(candidate for _, candidate, _ in REASONS)))
    standin.then('{"tasks": [{"instruction": "Half of', Reply(status=500), Reply(status=500), Reply(status=500))
    assert run(standin, "--max-requests", "3", count=99) == FAILED
    report = reported(capsys)
    assert report["kept"] == 1
    drops = {(drop["reply"], drop["place"]): drop for drop in report["drops"]}
    for place, (reason, _, says) in enumerate(REASONS, 1):
        assert drops[0, place]["reason"] == reason, drops[0, place]
        assert says in drops[0, place]["detail"]
    assert drops[1, 0]["reason"] == "unreadable"
    assert drops[2, 0]["reason"] == "model_failed"
    journal = [json.loads(line) for line in (here / "tasks.jsonl.journal.jsonl").read_text().splitlines()]
    assert [line["content"] for line in journal if line["kind"] == "reply"][1].endswith("Half of")
    assert len((here / "tasks.jsonl").read_text().splitlines()) == 1


def test_a_second_run_goes_on(here: Path, standin: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    """Kept tasks are not asked for again; an answer whose journal line was cut off is asked for anew."""
    standin.then(told(proposed(3)))
    assert run(standin, "--max-requests", "1", count=2) == FAILED
    assert reported(capsys)["kept"] == 1
    with (here / "tasks.jsonl.journal.jsonl").open("a") as journal:
        journal.write('{"kind": "reply", "conte')
    standin.then(told(proposed(3), proposed(4)))
    assert run(standin, count=2) == DONE
    report = reported(capsys)
    assert (report["kept"], report["requests"], report["left_out"]) == (2, 2, {"duplicate": 1})
    assert proposed(3)["instruction"] in standin.journal[1].last
    assert run(standin, count=2) == DONE
    assert len(standin.journal) == 2
    (here / "other.jsonl").write_text("mine")
    assert run(standin, "--out", "other.jsonl", count=2) == MISUSED
    assert (here / "other.jsonl").read_text() == "mine"


@pytest.mark.parametrize("hard", [False, True])
def test_a_run_that_is_stopped_keeps_what_is_done(
    here: Path, standin: StandIn, capsys: pytest.CaptureFixture[str], hard: bool
) -> None:
    """Ctrl-C writes the tasks that are kept so far; after a kill the next run has them too, and goes on."""
    gate = Event()
    held = Reply("late", held=gate)
    standin.program = lambda asked: told(proposed(3)) if "are taken" not in asked.last else held
    words = ["data", "generate", "llm", "--model", "m", "--base-url", standin.url, "--count", "2"]
    command = [sys.executable, "-m", "trainer_client", *words, "--out", "tasks.jsonl"]
    env = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'schemas'}"}
    # A shell that runs the tests in the background has them ignore Ctrl-C, and children inherit that.
    restored = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, preexec_fn=restored)  # noqa: PLW1509 -- it only resets a signal
    deadline = time.monotonic() + PATIENCE_S
    while len(standin.journal) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL if hard else signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE_S)
    gate.set()
    if not hard:
        assert "stopped: interrupted; the same command goes on" in out
        assert len((here / "tasks.jsonl").read_text().splitlines()) == 1
    standin.program = lambda _asked: told(proposed(4))
    assert run(standin, count=2) == DONE
    assert reported(capsys)["kept"] == 2
    assert len((here / "tasks.jsonl").read_text().splitlines()) == 2


def test_rows_carry_their_tasks(
    here: Path, standin: StandIn, capsys: pytest.CaptureFixture[str], mcp_client: Client
) -> None:
    """A row of the parquet file begins its episode at once, and its answer counts after a look-up alone."""
    standin.then(told(proposed(3)))
    assert run(standin, "--format", "parquet", "--out", "rows.parquet", count=1) == DONE
    (row,) = parquet.read_table(here / "rows.parquet").to_pylist()
    task = json.loads(row["extra_info"]["task"])
    submit = {"tool_calls": [{"name": "submit_answer", "arguments": {"answer": task["answer"]["value"]}}]}
    assert "submit_answer" in row["prompt"][0]["content"]
    with begin(mcp_client, row) as episode:
        assert episode.step(submit).reward == 0.0
    with begin(mcp_client, row) as episode:
        episode.step({"tool_calls": [{"name": "polygon_get_aggs", "arguments": STEP["params"]}]})
        episode.close("infrastructure")
    with begin(mcp_client, row) as episode:
        params = proposed(3)["tool_sequence"][0]["params"]
        episode.step({"tool_calls": [{"name": "polygon_get_aggs", "arguments": params}]})
        assert episode.step(submit).reward == 1.0


def test_the_environment_says_what_the_options_say(
    here: Path, standin: StandIn, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Environment variables set numbers, model, endpoint, subjects and complexities."""
    given = {"N_SAMPLES": "1", "OPENAI_MODEL": "named", "OPENAI_BACKEND": standin.url, "MAX_TOOLS": "2"}
    for name, value in {**given, "MAX_TURNS": "7", "DOMAINS": "prices", "COMPLEXITIES": "odd"}.items():
        monkeypatch.setenv(name, value)
    standin.then(told(proposed(3)))
    assert main(["data", "generate", "llm", "--out", "tasks.jsonl"]) == DONE
    assert "tasks.jsonl: 1 of 1 tasks" in capsys.readouterr().out
    (asked,) = standin.journal
    assert asked.body["model"] == "named"
    assert "complexity odd about prices" in asked.last
    assert "at most 2 calls" in asked.messages[0]["content"]
    (task,) = read_tasks(here / "tasks.jsonl", "mcp")
    assert task.max_turns == 7


def test_an_endpoint_that_refuses_is_an_error(here: Path, standin: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    """After a wrong key no second request is sent."""

    def refuse(_asked: Asked) -> Reply:
        return Reply(status=401)

    standin.program = refuse
    assert run(standin, count=1) == MISUSED
    assert "refuses (HTTP 401)" in capsys.readouterr().err
    assert len(standin.journal) == 1
