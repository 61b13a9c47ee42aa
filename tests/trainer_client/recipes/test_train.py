"""A training job's settings."""

import re
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tests.e2e.server import ROOT, Server
from trainer_client import Client
from trainer_client.dataset import Preparation, prepare
from trainer_client.recipes.grpo import settings as reading
from trainer_client.recipes.grpo.checking import checked
from trainer_client.recipes.grpo.train import main

JOB = ["--preset", "gpu-4", "data.train_data=x", "data.val_data=y", "trainer.run_name=mine"]


def test_later_settings_count(tmp_path: Path) -> None:
    """Preset, then file, then command line; values are YAML."""
    file = tmp_path / "mine.yaml"
    file.write_text("trainer: {epochs: 2, policy: {model: {path: mine}}}", encoding="utf-8")
    found = reading.read(["gpu-4"], [file], ["trainer.epochs=3", "data.train_data=['a.parquet']"])
    assert (found["trainer.epochs"], found["trainer.policy.model.path"]) == (3, "mine")
    assert (found["data.train_data"], found["trainer.policy.model.lora.rank"]) == (["a.parquet"], 32)


def test_options_of_a_template_are_found_in_either_form(tmp_path: Path) -> None:
    """A file gives them one by one, the command line as one object."""
    file = tmp_path / "mine.yaml"
    file.write_text("generator: {chat_template_kwargs: {enable_thinking: false}}", encoding="utf-8")
    name, expected = "generator.chat_template_kwargs", {"enable_thinking": False}
    assert reading.below(reading.read([], [file], []), name) == expected
    assert reading.below(reading.read([], [], [f"{name}={{enable_thinking: false}}"]), name) == expected


def test_each_run_writes_to_folders_of_its_own() -> None:
    """No job resumes another's checkpoint or samples from another's adapter; folders in the settings stay."""
    first, second = (reading.read(["gpu-4"], [], [f"trainer.run_name={name}"]) for name in ("first", "second"))
    for name in ("trainer.ckpt_path", "trainer.export_path", "trainer.policy.model.lora.lora_sync_path"):
        assert Path(first[name]).name == "first"
        assert Path(second[name]).name == "second"
    assert reading.read([], [], ["trainer.run_name=a", "trainer.ckpt_path=/b"])["trainer.ckpt_path"] == "/b"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("trainers.epochs=3", "trainers.epochs: there is no such section; did you mean trainer?"),
        ("trainer=3", "trainer: expected settings below it, found 3"),
        ("environment.skyrl_gym.agent_env=x", "agent_env: expected settings below it, found 'x'"),
        ("environment.skyrl_gym.agent_env.uri=x", "agent_env.uri: there is no such setting; did you mean url?"),
        ("environment.skyrl_gym.agent_env={uri: x}", "agent_env.uri: there is no such setting"),
        ("environment.skyrl_gym.agent_env={max_lost_share: 2}", "max_lost_share: Input should be less than or equal"),
        ("environment.skyrl_gym.agent_env={patience_s: -1}", "patience_s: Input should be greater than or equal to 0"),
        ("environment.skyrl_gym.agent_env={timeout_s: .inf}", "timeout_s: expected a finite number"),
        ("environment.skyrl_gym.agent_env={timeout_s: .nan}", "timeout_s: "),
        ("generator.batched=true", "generator.batched: must be false"),
        ("trainer.fully_async.enabled=true", "trainer.fully_async.enabled: must be false: this recipe trains step by"),
        ("generator.sampling_params.max_generate_length=0", "max_generate_length: expected a whole number from 1"),
        ("trainer.run_name=2026-13-45", "trainer.run_name: month must be in 1..12"),
        ("trainer=&a {b: *a}", "trainer: Circular reference"),
        ("data.train_data=&a [*a]", "data.train_data: Circular reference"),
        ("environment.skyrl_gym.agent_env.timeout_s=long", "timeout_s: Input should be a valid number"),
        ("environment.env_class=gsm8k", "must be agent_env"),
        ("environment.skyrl_gym.max_env_workers=1000", "fewer than environment.skyrl_gym.max_env_workers"),
        ("environment.skyrl_gym.max_env_workers=many", "expected a whole number from 1, found 'many'"),
        ("trainer.train_batch_size=0", "trainer.train_batch_size: expected a whole number from 1, found 0"),
        ("trainer.epochs=null", "trainer.epochs: expected a whole number"),
        ("trainer.run_name=null", "trainer.run_name: missing"),
        ("trainer.run_name=[a]", "trainer.run_name: expected text"),
        ("trainer.run_name=''", "trainer.run_name: expected a letter or digit"),
        ("trainer.run_name=../x", "trainer.run_name: expected a letter or digit"),
        ("trainer.run_name=a/b", "trainer.run_name: expected a letter or digit"),
        (f"trainer.run_name={'a' * 101}", "trainer.run_name: expected a letter or digit"),
        ("data.train_data=[3]", "data.train_data: expected text"),
        ("data.val_data=[]", "data.val_data: missing; with trainer.eval_interval=-1 nothing is evaluated"),
        ("trainer.epochs=[", "trainer.epochs: while parsing"),
    ],
)
def test_wrong_settings_are_named(capsys: pytest.CaptureFixture[str], wrong: str, told: str) -> None:
    """An unusable setting ends the command before anything runs, and the error names it."""
    assert main([*JOB, wrong]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("against", "told"),
    [
        ("trainer.algorithm.use_kl_loss=false", "there is no reference without trainer.algorithm.use_kl_loss or"),
        ("trainer.strategy=megatron", "must be 0 with trainer.strategy=megatron"),
        ("trainer.update_ref_every_epoch=true", "trainer.update_ref_every_epoch: must be false with"),
        ("trainer.ckpt_path=s3://bucket/ckpt", "trainer.ckpt_path: must be a folder with"),
        ("trainer.export_path=gs://bucket/out", "whose files are not written to gs://bucket/out"),
    ],
)
def test_what_stands_against_a_reference_that_moves(
    against: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such settings are refused, but only with a reference that moves."""
    moves = f"{reading.PREFIX}reference_every"
    assert main([*JOB, against, f"{moves}=100"]) == 2
    assert told in capsys.readouterr().err
    checked(reading.read(["gpu-4"], [], [*JOB[2:], against]))
    checked(reading.read(["gpu-4"], [], [*JOB[2:], f"{moves}=100"]))


def test_a_decay_without_moves_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Such a decay would be ignored. A preset's interval can be set to 0, although its decay stays."""
    decay = f"{reading.PREFIX}reference_decay=0.5"
    assert main([*JOB, decay]) == 2
    assert "does nothing without environment.skyrl_gym.agent_env.reference_every" in capsys.readouterr().err
    checked(reading.read(["gpu-4", "tool-adapter"], [], [*JOB[2:], f"{reading.PREFIX}reference_every=0"]))


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"trainer: {epochs: \xff}", "invalid start byte"), (b"&a {trainer: *a}", "Circular"), (b"- 1", "found list")],
)
def test_files_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, told: str
) -> None:
    """The error names the file, in one line."""
    file = tmp_path / "mine.yaml"
    file.write_bytes(content)
    assert main(["--config", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{file}: ")
    assert told in line


def test_training_without_skyrl(capsys: pytest.CaptureFixture[str]) -> None:
    """One line says what to install, instead of a traceback."""
    assert main(JOB) == 2
    (line,) = capsys.readouterr().err.splitlines()
    told, _, page = line.rpartition(", and what follows it in ")
    _, _, command = told.partition("is not installed, and training needs it: ")
    file, _, heading = page.partition("#")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert command.removesuffix(" in a checkout") in text.partition(f"## {heading.capitalize()}\n")[2].splitlines()


def test_without_yaml(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that makes the data brings what the dry run needs."""
    for name in ("checking", "settings"):
        monkeypatch.delitem(sys.modules, f"trainer_client.recipes.grpo.{name}")
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert main(["--dry-run", *JOB]) == 2
    assert capsys.readouterr().err == "yaml is not installed: .venv/bin/pip install -e '.[data]' in a checkout\n"


@pytest.mark.parametrize(
    ("presets", "settings", "told"),
    [
        (
            ["full", "gpu-4"],
            [],
            "the preset gpu-4 changes what full sets, trainer.policy.model.lora.rank from 0 to 32,"
            " trainer.policy.optimizer_config.lr from 1e-06 to 1e-05; give gpu-4 before full",
        ),
        (
            ["gpu-4", "qwen3-4b", "ppo"],
            [],
            "the preset ppo changes what qwen3-4b sets, generator.step_wise_trajectories from true to false,"
            " generator.merge_stepwise_output from true to false",
        ),
        (
            ["gpu-4", "ppo", "qwen3-4b"],
            [],
            "the preset qwen3-4b changes what ppo sets, generator.step_wise_trajectories from false to true,"
            " generator.merge_stepwise_output from false to true; give qwen3-4b before ppo",
        ),
        (
            ["ppo", "long-run"],
            [],
            "the preset long-run changes what ppo sets, trainer.algorithm.kl_loss_coef from 0.001 to 0.01",
        ),
        (["gpu-8", "qwen3-8b", "full"], [], None),
        (["gpu-4", "full", "gpu-4", "full"], [], None),
        (["full", "gpu-4"], ["trainer.policy.model.lora.rank=8", "trainer.policy.optimizer_config.lr=1"], None),
        ([], [], None),
    ],
)
def test_presets_that_undo_each_other(presets: list[str], settings: list[str], told: str | None) -> None:
    """The note has both presets, setting and values, unless the first is a machine's or another source sets it."""
    found = reading.undone(presets, reading.read(presets, [], settings))
    assert found == ([] if told is None else [told])


def test_presets_of_two_machines() -> None:
    """The note has each value that differs, and nothing else."""
    (note,) = reading.undone(["gpu-4", "gpu-8"], reading.read(["gpu-4", "gpu-8"], [], []))
    assert "trainer.train_batch_size from 32 to 64" in note
    assert "trainer.epochs" not in note


def test_a_job_that_undoes_a_preset_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """The dry run and the training print a note; the job still runs."""
    job = ["--preset", "full", *JOB]
    assert main(job) == 2, "SkyRL is not installed"
    first, _ = capsys.readouterr().err.splitlines()
    assert first.startswith("note: the preset gpu-4 changes what full sets, ")
    main([*job, "--dry-run"])
    assert "       note  presets: the preset gpu-4 changes what full sets, " in capsys.readouterr().out
    main([*JOB, "--dry-run"])
    assert "         ok  presets: none undoes another\n" in capsys.readouterr().out


@pytest.mark.parametrize("preset", ["long-run", "tool-adapter"])
def test_presets_of_other_recipes_name_their_source(preset: str) -> None:
    """Their comments name repository, commit and files, so that each value can be looked up."""
    text = files("trainer_client.recipes.grpo").joinpath("presets", "methods", f"{preset}.yaml").read_text("utf-8")
    assert re.search(r"^# Source: https://github\.com/[\w.-]+/[\w.-]+\b.*", text, re.M)
    assert re.search(r"\bat [0-9a-f]{7}\b", text, re.I)
    assert re.search(r"\b\w+\.(sh|yaml)\b", text)


@pytest.mark.parametrize("presets", [[], ["qwen3-4b", "ppo"], ["long-run"]])
@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_a_machine_that_is_forgotten(presets: list[str], dry: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The error lists the presets of machines, and no others."""
    assert main([*(f"--preset={each}" for each in presets), *dry, *JOB[2:]]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    told = "no preset of a machine is given: --preset with one of cpu-tiny, gpu-1-lora, gpu-1-lora-24gb, gpu-4, gpu-8,"
    assert line.endswith(f"{told} multi-node, before other presets")


def test_a_job_without_presets() -> None:
    """A job is complete if it sets what each machine's preset has."""
    reading.check_machine([], reading.read([], [], [f"{reading.MODEL}=a", f"{reading.LONGEST}=9"]))


def test_the_preset_of_the_tests(capsys: pytest.CaptureFixture[str]) -> None:
    """The help, and the error where it is used alone, say what the preset `cpu-tiny` needs."""
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "cpu-tiny needs --experiment" in " ".join(capsys.readouterr().out.split())
    assert main([*JOB, "--preset", "cpu-tiny", "trainer.policy.model.path=tiny"]) == 2
    assert "cpu-tiny needs an --experiment with stand-ins" in capsys.readouterr().err


def test_the_address_may_come_from_elsewhere() -> None:
    """Address and key may come from the environment; the settings go first."""
    assert reading.read([], [], [], "http://a")[reading.URL] == "http://a"
    assert reading.read([], [], [f"{reading.URL}=http://b"], "http://a")[reading.URL] == "http://b"
    assert reading.URL not in reading.read([], [], [], "")


def test_later_settings_replace_sections() -> None:
    """A section and a value of the same name do not stand side by side; sections are joined."""
    assert reading.read([], [], ["trainer={a: 1, b: 2}", "trainer={a: 3}"]) == {"trainer.a": 3, "trainer.b": 2}
    assert reading.read([], [], ["trainer.a=1", "trainer=null"]) == {"trainer": None}
    assert reading.read([], [], ["trainer={}", "trainer.a=1"]) == {"trainer.a": 1}


def test_options_may_stand_between_settings(capsys: pytest.CaptureFixture[str]) -> None:
    """Settings before and after an option are all taken."""
    assert main(["data.train_data=x", "--preset", "gpu-4", "trainer.run_name=a", "trainers.epochs=3"]) == 2
    told = capsys.readouterr().err
    assert "trainers.epochs: there is no such section" in told
    assert all(name not in told for name in ("unrecognized", "data.train_data", "run_name"))


def test_a_job_may_do_without_evaluation() -> None:
    """Without evaluation no rows for it are required."""
    settings = reading.read(["gpu-4"], [], ["data.train_data=x", "trainer.run_name=mine", "trainer.eval_interval=-1"])
    checked(settings)
    assert reading.parts(settings) == {"train": ["x"]}


def test_a_report_without_a_dry_run(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` without `--dry-run` is an error: training prints no report."""
    with pytest.raises(SystemExit):
        main([*JOB, "--json"])
    assert "--json is the form of the dry run's report" in capsys.readouterr().err


def test_a_preset_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """The error lists the presets."""
    assert main(["--preset", "tpu"]) == 2
    assert "cpu-tiny, curriculum, full, gpu-1-lora" in capsys.readouterr().err


def test_presets_hold_the_prompts_of_every_domain(server: Server) -> None:
    """Prompts with two examples fit. A token of Qwen's is at least 3.3 characters of such text."""
    with Client(server.url, "secret") as client:
        _, report = prepare(client, Preparation(limit=1, few_shot=2))
    longest = max(source["prompt_chars"] for source in report["domains"])
    for preset in ("gpu-1-lora", "gpu-4"):
        settings = reading.read([preset], [], [])
        assert longest / 3.3 < settings["trainer.max_prompt_length"] < settings["generator.max_input_length"] * 0.7
