import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from typer.testing import CliRunner

from env_server.bench import BenchError, command
from env_server.bench.load.job import Job
from env_server.bench.measures.steps import Effort, load
from env_server.bench.plans import SessionPlan, Turn, save
from env_server.bench.servers.echo import TEXT
from env_server.bench.servers.start import ECHO, OURS, serving
from env_server.cli import app

TINY = Effort(sessions=(2,), seconds=0.2, rounds=1, tasks=16, new_tasks=8, episodes=16)
KEYS = {"steps_per_cpu_s", "echo_per_cpu_s", "resets_per_cpu_s", "bytes_per_episode"}
KEYS |= {"score_ms", "p50_ms", "p99_ms", "echo_p99_ms"}
COSTS = {"step_us", "reset_us", "new_task_reset_us", "hash_us", "score_equal_us", "score_different_us"}
COSTS |= {"memory_per_episode_bytes"}


@pytest.mark.slow
def test_calls_over_mcp_are_measured_beside_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same calls are measured over MCP, over /step and on the echo, with ratios; a missing peer is one line."""
    monkeypatch.setattr(command, "QUICK", TINY)
    result = CliRunner().invoke(app, ["bench", "--mcp", "--quick", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    if Path("/proc/self/stat").exists():
        assert 0 < found["mcp_of_echo"] < found["mcp_of_steps"]
    refused = CliRunner().invoke(app, ["bench", "--mcp", "--peer", "nobody", "--quick"])
    assert (refused.exit_code, refused.stderr.splitlines()[-1]) == (1, "bench: no peer 'nobody'; there are: openenv")


@pytest.mark.slow
def test_a_run_measures_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """A very short run starts real servers, plays them, and ends with one JSON object that has every figure."""
    monkeypatch.setattr(command, "QUICK", TINY)
    monkeypatch.setenv("ENV_SERVER_API_KEYS", "an:operator's key that the measured server must not ask for")
    result = CliRunner().invoke(app, ["bench", "--quick", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    assert found.keys() >= KEYS
    if Path("/proc/self/stat").exists():
        assert [key for key in KEYS if found[key] is None] == []
    assert found["by_sessions"]["2"]["per_s"] > 0
    assert "steps per CPU-second" in result.stderr


@pytest.mark.slow
def test_a_larger_world_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--scale` shows every cost at both sizes with its ratio, and the larger world has the asked size."""
    monkeypatch.setattr(command, "QUICK", TINY)
    result = CliRunner().invoke(app, ["bench", "--quick", "--json", "--scale", "2"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    usual, scaled = found["rows"]
    assert (found["scale"], usual < scaled <= 2 * usual) == (2, True)
    assert found["costs"].keys() == COSTS
    if Path("/proc/self/stat").exists():
        assert all(None not in (cost["usual"], cost["scaled"]) for cost in found["costs"].values())
    assert found["costs"]["memory_per_episode_bytes"]["ratio"] == pytest.approx(1, rel=0.2)
    assert "2 times" in result.stderr


@pytest.mark.parametrize("arguments", [["--sessions", "1,x"], ["--sessions", "0"], ["--domain", "nowhere"]])
def test_a_mistake_is_one_readable_line(arguments: list[str]) -> None:
    """Wrong options end the command with a message and no traceback."""
    result = CliRunner().invoke(app, ["bench", *arguments])
    assert result.exit_code in (1, 2)
    assert arguments[1] in result.stderr
    assert "Traceback" not in result.stderr


def test_only_replies_that_go_as_golds_are_counted(tmp_path: Path) -> None:
    """A reset counts only if it begins an episode; a step with another fault than gold's ends the job."""
    action = json.dumps({"tool_calls": [{"name": "no_such_tool", "arguments": {}}]})
    plans = tmp_path / "plans.json"
    save([SessionPlan(i, ()) for i in range(5)], plans)
    with serving(OURS, tmp_path, {"ENV_SERVER_DATABASE_URL": f"sqlite:///{tmp_path}/test.db"}) as ours:
        begun = load(Job("resets", ours.port, ours.pid, "retail", str(plans), 2, 0.1))
        assert begun.requests > 0
        assert begun.reply_bytes > 10_000
        for fault, fine in (("unknown_tool", True), (None, False), ("tool_error", False)):
            save([SessionPlan(0, (Turn(action, fault, False, ""),))], plans)
            job = Job("steps", ours.port, ours.pid, "retail", str(plans), 1, 0, episodes=2)
            if fine:
                assert load(job).requests == 2
            else:
                with pytest.raises(BenchError, match="where gold has"):
                    load(job)


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    """What the server wrote before it died is in the error."""
    with pytest.raises(BenchError, match="nowhere_at_all"), serving("nowhere_at_all:app", tmp_path, {}):
        raise AssertionError("it cannot run")


def test_no_server_is_left_behind(tmp_path: Path) -> None:
    """If the measurement fails, its server ends too."""
    started: list[int] = []

    def fail() -> None:
        with serving(ECHO, tmp_path, {TEXT: "x"}) as echo:
            started.append(echo.pid)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_the_loading_process_reports_in_one_line(tmp_path: Path) -> None:
    """A job that cannot run ends with status 1 and one line on stderr."""
    save([], tmp_path / "plans.json")
    job = Job("echo", 1, os.getpid(), "retail", str(tmp_path / "plans.json"), 1, 0.1)
    module = [sys.executable, "-m", "env_server.bench.load.process"]
    done = subprocess.run(module, input=json.dumps(asdict(job)), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_what_lies_beyond_one_process_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many sessions, stored episodes, evicted ones and two servers are measured in one run, with ratios and bounds."""
    monkeypatch.setattr(command, "QUICK", TINY)
    wanted = ["--load", "96", "--growth", "--resume", "--replicas", "2"]
    result = CliRunner().invoke(app, ["bench", "--quick", "--json", *wanted])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    assert [list(part["variants"]) for part in found] == [
        ["echo, 64", "steps, 64", "echo, 96", "steps, 96"],
        ["64 clients", "640 clients"],
        ["100 stored", "1,000 stored"],
        ["in memory", "evicted"],
        ["1 server", "2 servers", "echo, 1 server", "echo, 2 servers"],
    ]
    for part in found:
        assert part["aims"]
        assert all(figures["per_s"] > 0 for figures in part["variants"].values())
        if Path("/proc/self/stat").exists():
            assert all(aim["measured"] is not None for aim in part["aims"].values())
    assert "CPU of servers and database per step" in result.stderr
    refused = CliRunner().invoke(app, ["bench", "--quick", "--database", "postgresql://localhost/x"])
    assert "--database belongs to --replicas" in refused.output
