"""`trainer doctor` where SkyRL is not installed: what it can check without SkyRL, and its exit status."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import ROOT, Server
from tests.trainer_client.recipes.test_dry_run import rows
from trainer_client import Client
from trainer_client.cli import DONE, FAILED, MISUSED, UNCHECKED, main
from trainer_client.recipes.doctor.machine import PINNED

Doctor = Callable[..., tuple[int, dict[str, tuple[str, str]]]]


@pytest.fixture
def doctor(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Exit status, and verdict and detail of each check, of a sound job but for the options that are given."""
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    data = {part: rows(tmp_path / f"{part}.jsonl", part) for part in ("train", "val")}
    job = ["--preset", "gpu-4", "trainer.run_name=well", f"environment.skyrl_gym.agent_env.url={server.url}"]
    job += [f"data.{part}_data=['{path}']" for part, path in data.items()]

    def run(*smokes: str, settings: tuple[str, ...] = ()) -> tuple[int, dict[str, tuple[str, str]]]:
        status = main(["doctor", *(f"--smoke={name}" for name in smokes), *job, *settings])
        lines = [line.strip().partition("  ") for line in capsys.readouterr().out.splitlines()]
        told = {name: (verdict, detail) for verdict, _, rest in lines for name, _, detail in [rest.partition(": ")]}
        assert len(told) == len(lines), "one line for each check"
        return status, told

    return run


def test_without_skyrl_the_machine_is_not_ready(doctor: Doctor) -> None:
    """The check of versions fails, and so does the command. Other checks are made, or say why they cannot be."""
    status, told = doctor()
    assert status == FAILED
    assert {name for name, (verdict, _) in told.items() if verdict == "failed"} == {"versions"}
    assert "skyrl must be 0.3.0" in told["versions"][1]
    for name in ("settings", "rows", "keys", "server", "env", "tools"):
        assert told[name][0] == "ok", told[name]
    for name in ("GPUs", "memory", "tokens", "vllm", "lora", "wandb"):
        assert told[name][0] == "not checked", told[name]


def test_one_smoke_test(doctor: Doctor) -> None:
    """Only the named test runs, after the checks of settings and rows that it needs."""
    status, told = doctor("env")
    assert (status, list(told)) == (DONE, ["settings", "rows", "env"])
    assert "a turn of train-0-" in told["env"][1]
    status, told = doctor("tools", "env")
    assert (status, list(told)) == (DONE, ["settings", "rows", "env", "tools"])
    assert "calls as hermes" in told["tools"][1]


@pytest.mark.parametrize("smoke", ["vllm", "lora", "wandb"])
def test_a_smoke_test_that_cannot_be_made(doctor: Doctor, smoke: str) -> None:
    """It is no success (status 3), but a failed check counts more (status 1)."""
    status, told = doctor(smoke, "env")
    assert (status, told[smoke][0], told["env"][0]) == (UNCHECKED, "not checked", "ok")
    status, told = doctor(smoke, settings=("trainer.train_batch_size=0",))
    assert (status, told[smoke][0]) == (FAILED, "not checked")


def test_rows_that_are_elsewhere(doctor: Doctor) -> None:
    """If the rows cannot be read here, the status is 3: nothing failed, but little was checked."""
    status, told = doctor("tools", settings=("data.train_data=elsewhere",))
    assert (status, told["rows"][0], told["tools"][0]) == (UNCHECKED, "not checked", "not checked")


def test_a_machine_that_is_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    """If no preset of a machine is given, the error lists them."""
    assert main(["doctor", "--preset", "qwen3-4b"]) == MISUSED
    assert "no preset of a machine is given: --preset with one of cpu-tiny, " in capsys.readouterr().err


@pytest.mark.parametrize("smoke", ["env", "tools"])
def test_a_rollout_begins_as_those_of_the_job(doctor: Doctor, server: Server, smoke: str) -> None:
    """It has the job's fields of `/reset`, limit of turns and purpose, and a run beside the job's."""
    reset = "{user: {strategy: none}, reward_shaping: {valid: 0.5}}"
    name = f"as-the-job-{smoke}"
    job = (f"trainer.run_name={name}", f"environment.skyrl_gym.agent_env.reset={reset}", "generator.max_turns=1")
    status, told = doctor(smoke, settings=job)
    assert (status, told[smoke][0]) == (DONE, "ok"), told
    with Client(server.url, "secret") as client:
        (episode, *_) = client.episodes(run=f"{name}/doctor").episodes
        played = client.trajectory(episode.episode_id)
        assert not [each for each in client.episodes(run=name).episodes if each.scored], "no result of the job's"
    assert "done" in {tool["function"]["name"] for tool in played.tools}, "the tool of an agent that works alone"
    assert (episode.purpose, episode.stop_reason) == ("train", "max_turns")
    assert played.turns[0].parts[0].info.shaping is not None


def test_a_server_that_is_away(doctor: Doctor) -> None:
    """One check fails for it; checks that need the server are not made, and the status is 1."""
    status, told = doctor(settings=("environment.skyrl_gym.agent_env.url=http://127.0.0.1:1",))
    assert (status, told["server"][0], told["env"][0], told["tools"][0]) == (FAILED, "failed", *["not checked"] * 2)


def test_a_tracker_without_a_key(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights & Biases needs a key; the console does not."""
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    _, told = doctor(settings=("trainer.logger=wandb",))
    assert told["keys"][0] == "failed"
    assert "WANDB_API_KEY" in told["keys"][1]


def test_settings_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    """They are a usage error, and not a finding about the machine."""
    assert main(["doctor", "--preset", "gpu-3"]) == MISUSED
    assert "there is no preset 'gpu-3'" in capsys.readouterr().err


def test_versions_are_those_that_are_pinned() -> None:
    """The versions that the doctor requires are those that the extras install."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {f"{name}=={pin}" for name, pin in PINNED.items()} <= {*extras["gpu"]} & {*extras["skyrl"]}
