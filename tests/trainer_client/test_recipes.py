"""A training job's settings, and its dry run where SkyRL is not installed."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from trainer_client.recipes.grpo import settings as reading
from trainer_client.recipes.grpo.train import main

URL = "environment.skyrl_gym.agent_env.url"


def rows(path: Path, **info: Any) -> Path:
    """A training set of three tasks."""
    columns: dict[str, Any] = {
        "data_source": "retail",
        "prompt": [{"role": "system", "content": "s"}],
        "env_class": "agent_env",
    }
    lines = [{**columns, "extra_info": {"domain": "retail", "split": "train", "index": i, **info}} for i in range(3)]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def dry(capsys: pytest.CaptureFixture[str], *job: str) -> tuple[int, dict[str, dict[str, str]]]:
    """Exit status and findings of a dry run."""
    status = main(["--dry-run", "--json", *job])
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["ok"] == (status == 0)
    return status, {finding["check"]: finding for finding in told["findings"]}


def test_later_settings_count(tmp_path: Path) -> None:
    """Preset, then file, then command line; values are YAML."""
    file = tmp_path / "mine.yaml"
    file.write_text("trainer: {epochs: 2, policy: {model: {path: mine}}}", encoding="utf-8")
    found = reading.read("gpu-4", [file], ["trainer.epochs=3", "data.train_data=['a.parquet']"])
    assert (found["trainer.epochs"], found["trainer.policy.model.path"]) == (3, "mine")
    assert (found["data.train_data"], found["trainer.policy.model.lora.rank"]) == (["a.parquet"], 32)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("trainers.epochs=3", "trainers.epochs: there is no such section"),
        ("environment.skyrl_gym.agent_env.uri=x", "agent_env.uri: there is no such setting"),
        ("environment.skyrl_gym.agent_env.timeout_s=long", "timeout_s: Input should be a valid number"),
        ("environment.env_class=gsm8k", "must be agent_env"),
        ("environment.skyrl_gym.max_env_workers=1000", "fewer than environment.skyrl_gym.max_env_workers"),
    ],
)
def test_wrong_settings_are_named(capsys: pytest.CaptureFixture[str], wrong: str, told: str) -> None:
    """What cannot be used ends the command before anything runs, and says what it is."""
    assert main(["--preset", "gpu-4", "data.train_data=x", wrong]) == 2
    assert told in capsys.readouterr().err


def test_a_preset_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that are there are named."""
    assert main(["--preset", "tpu"]) == 2
    assert "cpu-tiny, gpu-1-lora, gpu-4" in capsys.readouterr().err


def test_a_dry_run_says_what_it_could_not_check(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can be is checked; of SkyRL's own schema and the tokenizer it says that they cannot be."""
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    data = rows(tmp_path / "train.jsonl")
    status, found = dry(capsys, "--preset", "gpu-4", f"data.train_data=['{data}']", f"{URL}={server.url}")
    assert status == 0
    verdicts = {check: finding["verdict"] for check, finding in found.items()}
    unchecked = {"SkyRL's settings", "prompt lengths"}
    assert verdicts == {check: "not checked" if check in unchecked else "ok" for check in verdicts}
    assert "SkyRL is not installed" in found["SkyRL's settings"]["detail"]
    assert found["episodes"]["detail"] == "one of each kind: retail/builtin, user the task's"
    assert "0 steps of 32 prompts x 8 episodes of up to 30 turns, 256 at a time" in found["plan"]["detail"]


def test_a_dry_run_finds_what_would_fail(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task that is not there, a domain that is not hosted, a missing file, a wrong key: each is one finding."""
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    base = ["--preset", "gpu-4", f"{URL}={server.url}"]
    for info, check in (({"index": None, "task_id": "no-such-task"}, "episodes"), ({"domain": "chess"}, "server")):
        status, found = dry(capsys, *base, f"data.train_data=['{rows(tmp_path / 'train.jsonl', **info)}']")
        assert (status, found[check]["verdict"]) == (1, "failed")
    status, found = dry(capsys, *base, "data.train_data=['absent.jsonl']")
    assert (status, found["data"]["verdict"]) == (1, "failed")
    monkeypatch.setenv("ENV_SERVER_KEY", "wrong")
    status, found = dry(capsys, *base, f"data.train_data=['{rows(tmp_path / 'train.jsonl')}']")
    assert (status, found["server"]["verdict"]) == (1, "failed")
