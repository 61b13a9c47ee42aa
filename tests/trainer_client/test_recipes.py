"""A training job's settings."""

from pathlib import Path

import pytest

from tests.e2e.server import Server
from trainer_client import Client
from trainer_client.dataset import Preparation, prepare
from trainer_client.recipes.grpo import settings as reading
from trainer_client.recipes.grpo.train import main

JOB = ["--preset", "gpu-4", "data.train_data=x", "data.val_data=y", "trainer.run_name=mine"]


def test_later_settings_count(tmp_path: Path) -> None:
    """Preset, then file, then command line; values are YAML."""
    file = tmp_path / "mine.yaml"
    file.write_text("trainer: {epochs: 2, policy: {model: {path: mine}}}", encoding="utf-8")
    found = reading.read("gpu-4", [file], ["trainer.epochs=3", "data.train_data=['a.parquet']"])
    assert (found["trainer.epochs"], found["trainer.policy.model.path"]) == (3, "mine")
    assert (found["data.train_data"], found["trainer.policy.model.lora.rank"]) == (["a.parquet"], 32)


def test_options_of_a_template_are_found_in_either_form(tmp_path: Path) -> None:
    """A file gives them one by one, the command line as one object."""
    file = tmp_path / "mine.yaml"
    file.write_text("generator: {chat_template_kwargs: {enable_thinking: false}}", encoding="utf-8")
    name, expected = "generator.chat_template_kwargs", {"enable_thinking": False}
    assert reading.below(reading.read(None, [file], []), name) == expected
    assert reading.below(reading.read(None, [], [f"{name}={{enable_thinking: false}}"]), name) == expected


def test_each_run_writes_to_folders_of_its_own() -> None:
    """Another job's checkpoint is never resumed; what is said stays."""
    first, second = (reading.read("gpu-4", [], [f"trainer.run_name={name}"]) for name in ("first", "second"))
    for name in ("trainer.ckpt_path", "trainer.export_path"):
        assert Path(first[name]).name == "first"
        assert Path(second[name]).name == "second"
    assert reading.read(None, [], ["trainer.run_name=a", "trainer.ckpt_path=/b"])["trainer.ckpt_path"] == "/b"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("trainers.epochs=3", "trainers.epochs: there is no such section"),
        ("environment.skyrl_gym.agent_env.uri=x", "agent_env.uri: there is no such setting"),
        ("environment.skyrl_gym.agent_env.timeout_s=long", "timeout_s: Input should be a valid number"),
        ("environment.env_class=gsm8k", "must be agent_env"),
        ("environment.skyrl_gym.max_env_workers=1000", "fewer than environment.skyrl_gym.max_env_workers"),
        ("environment.skyrl_gym.max_env_workers=many", "expected a whole number from 1, found 'many'"),
        ("trainer.train_batch_size=0", "trainer.train_batch_size: expected a whole number from 1, found 0"),
        ("trainer.epochs=null", "trainer.epochs: expected a whole number"),
        ("trainer.run_name=null", "trainer.run_name: missing"),
        ("trainer.run_name=[a]", "trainer.run_name: expected text"),
        ("data.train_data=[3]", "data.train_data: expected text"),
        ("data.val_data=[]", "data.val_data: missing; with trainer.eval_interval=-1 nothing is evaluated"),
        ("trainer.epochs=[", "trainer.epochs: while parsing"),
    ],
)
def test_wrong_settings_are_named(capsys: pytest.CaptureFixture[str], wrong: str, told: str) -> None:
    """What cannot be used ends the command before anything runs, and says what it is."""
    assert main([*JOB, wrong]) == 2
    assert told in capsys.readouterr().err


def test_a_job_may_do_without_evaluation() -> None:
    """Then no rows for it are asked for."""
    settings = reading.read("gpu-4", [], ["data.train_data=x", "trainer.run_name=mine", "trainer.eval_interval=-1"])
    reading.checked(settings)
    assert reading.parts(settings) == {"train": ["x"]}


def test_a_preset_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that are there are named."""
    assert main(["--preset", "tpu"]) == 2
    assert "cpu-tiny, gpu-1-lora, gpu-4" in capsys.readouterr().err


@pytest.mark.parametrize("preset", ["gpu-1-lora", "gpu-4"])
def test_presets_hold_the_prompts_of_every_domain(server: Server, preset: str) -> None:
    """Two examples included. A token of Qwen's takes 3.3 characters of such text or more; docs/data.md counts them."""
    with Client(server.url, "secret") as client:
        _, report = prepare(client, Preparation(limit=1, few_shot=2))
    longest = max(source["prompt_chars"] for source in report["domains"])
    settings = reading.read(preset, [], [])
    assert longest / 3.3 < settings["trainer.max_prompt_length"] < settings["generator.max_input_length"] * 0.7
