"""The presets in SkyRL's own schema, and the dry run where SkyRL is installed."""

import json
import shutil
import socket
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.utils import validate_cfg

from tests.e2e.server import Server
from tests.skyrl.standin.experiment import CpuExp
from trainer_client import Client
from trainer_client.dataset import Preparation, prepare, write
from trainer_client.recipes.explain.keys import MAPPED
from trainer_client.recipes.explain.meaning import explained
from trainer_client.recipes.grpo import settings as reading
from trainer_client.recipes.grpo.checking import checked
from trainer_client.recipes.grpo.config import skyrl_config, unknown
from trainer_client.recipes.grpo.train import main

MUST = ["data.train_data=['train.parquet']", "data.val_data=['val.parquet']", "trainer.run_name=mine"]
DEAF = "http://127.0.0.1:1"
"""Where nobody listens."""
MODELS_OWN = ["trainer.policy.model.path=tiny", f"generator.inference_engine.external_proxy_url={DEAF}"]
"""What the preset for tests leaves open."""

Dry = Callable[..., tuple[int, dict[str, dict[str, str]]]]


def row(place: int, system: str = "desk") -> dict[str, Any]:
    """A row of a training set."""
    return {
        "data_source": "desk",
        "prompt": [{"role": "system", "content": system}],
        "env_class": "agent_env",
        "reward_spec": {},
        "extra_info": {"domain": "desk", "split": "train", "index": place},
    }


def own_row(instruction: str) -> dict[str, Any]:
    """A row that carries its task, for an agent that works alone."""
    gold = {"actions": [{"name": "connect", "arguments": {"line": "red"}}]}
    own = {"domain": "desk", "user": {"strategy": "none"}, "task": {"instruction": instruction, "gold": gold}}
    return {**row(0), "extra_info": own}


def written(path: Path, *systems: str, first: int = 0) -> str:
    """A file with a row for each of `systems`, whose tasks are numbered from `first` on."""
    path.write_text("\n".join(json.dumps(row(i, system)) for i, system in enumerate(systems, first)), encoding="utf-8")
    return str(path)


GPUS = [name for name in reading.presets("machines") if name != "cpu-tiny"]
CHOICES = [
    ["cpu-tiny"],
    *([machine] for machine in GPUS),
    *([machine, model] for machine in GPUS for model in reading.presets("models")),
    *([machine, method] for machine in GPUS for method in reading.presets("methods")),
    *([machine, *reading.presets("methods")] for machine in GPUS),
]
"""All presets, as a job combines them: a machine's first, then a model's or methods'."""


@pytest.mark.parametrize("presets", CHOICES, ids="+".join)
def test_presets_are_valid(presets: list[str]) -> None:
    """SkyRL knows every setting of a preset, and accepts it together with what a job must set, and nothing else."""
    settings = reading.read(presets, [], [*MUST, *(MODELS_OWN if "cpu-tiny" in presets else [])])
    checked(settings)
    validate_cfg(skyrl_config(settings))


def test_defaults_are_skyrls() -> None:
    """The defaults that the dry run uses are those of the pinned release."""
    plain = SkyRLTrainConfig()
    for name, expected in reading.DEFAULTS.items():
        if name != "environment.env_class":
            found: Any = plain
            for part in name.split("."):
                found = getattr(found, part)
            assert found == expected, name


def test_only_the_generator_is_told_the_key(model: Path, tmp_path: Path) -> None:
    """The configuration that SkyRL writes to logs and checkpoints, and sends to trackers, has no key."""
    data = written(tmp_path / "train.jsonl", *["desk"] * 8)
    job = [*MUST, *MODELS_OWN, f"data.train_data=['{data}']", f"data.val_data=['{data}']"]
    job += [f"trainer.policy.model.path={model}", "environment.skyrl_gym.agent_env.key=sesame"]
    config = skyrl_config(reading.read(["cpu-tiny"], [], job))
    experiment = CpuExp(config)
    assert "sesame" not in repr(asdict(experiment.cfg))
    generator = experiment.get_generator(experiment.cfg, experiment.tokenizer, None)
    assert generator.settings.key == generator.skyrl_gym_cfg.agent_env.key == "sesame"
    assert "sesame" not in repr(asdict(experiment.cfg))
    assert config.environment.skyrl_gym.agent_env.key == "sesame"  # it may be used again


@pytest.fixture
def dry(server: Server, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Dry:
    """Exit status and findings of the dry run of a job that learns the desk, but for the settings that are given."""
    data = {"train": written(tmp_path / "train.jsonl", *["desk"] * 16)}
    data["val"] = written(tmp_path / "val.jsonl", *["desk"] * 4, first=20)
    job = [
        "--preset",
        "cpu-tiny",
        "--dry-run",
        "--json",
        *(f"data.{part}_data=['{path}']" for part, path in data.items()),
    ]
    job += ["trainer.run_name=dry", *MODELS_OWN, f"trainer.policy.model.path={model}"]
    job += [f"environment.skyrl_gym.agent_env.url={server.url}", "environment.skyrl_gym.agent_env.key=secret"]

    def run(*settings: str) -> tuple[int, dict[str, dict[str, str]]]:
        status = main([*job, *settings])
        told = json.loads(capsys.readouterr().out.splitlines()[-1])
        return status, {finding["check"]: finding for finding in told["findings"]}

    return run


def failed(found: dict[str, dict[str, str]]) -> dict[str, str]:
    """The checks that failed, and why."""
    return {check: finding["detail"] for check, finding in found.items() if finding["verdict"] == "failed"}


def test_the_dry_run(dry: Dry) -> None:
    """Every check passes, and the plan is told."""
    status, found = dry()
    assert (status, {finding["verdict"] for finding in found.values()}) == (0, {"ok"})
    assert "8 steps of 8 prompts x 8 episodes" in found["plan"]["detail"]
    assert "4 prompts evaluated" in found["plan"]["detail"]


def test_all_that_skyrl_does_not_take_is_told(dry: Dry) -> None:
    """Every unknown name is reported with the likely one and without all others, beside the error of validation."""
    wrong = ["trainer.epoch=3", "generator.sampling_params={temperature_: 1}", "trainer.nonsense.a=1"]
    old = ["generator.inference_engine.async_engine=true", "generator.inference_engine.remote_urls=[x]"]
    status, found = dry(*wrong, *old, "trainer.policy_mini_batch_size=32")
    assert (status, set(failed(found))) == (1, {"SkyRL's settings"})
    told = found["SkyRL's settings"]["detail"]
    for each in (
        "trainer.epoch: there is no such setting; did you mean epochs?",
        "generator.sampling_params.temperature_: there is no such setting; did you mean temperature?",
        "trainer.nonsense.a: there is no such setting",
        "generator.inference_engine.remote_urls: `remote_urls` is no longer supported",
        "AssertionError: assert cfg.trainer.train_batch_size >= cfg.trainer.policy_mini_batch_size (utils.py, line ",
    ):
        assert each in told
    assert "async_engine" not in told
    assert len(told) < 1000


def test_wrong_settings_of_both_kinds_are_told_at_once(dry: Dry) -> None:
    """The package's findings hide none of SkyRL's. If SkyRL then finds nothing, its check counts as not made."""
    status, found = dry("environment.skyrl_gym.agent_env.uri=x", "trainer.epoch=3")
    assert (status, set(failed(found))) == (1, {"settings", "SkyRL's settings"})
    assert "uri" not in found["SkyRL's settings"]["detail"]
    status, found = dry("environment.skyrl_gym.agent_env.uri=x")
    assert (status, set(failed(found)), found["SkyRL's settings"]["verdict"]) == (1, {"settings"}, "not checked")


def test_training_with_names_that_skyrl_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    """The error is one line, and nothing begins."""
    assert main(["--preset", "gpu-4", *MUST, "trainer.epoch=3"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "trainer.epoch: there is no such setting; did you mean epochs?"


def test_the_dry_run_of_prepared_rows(dry: Dry, server: Server, tmp_path: Path) -> None:
    """Parquet as `trainer data prepare` writes it passes every check, and the tokens of each kind are told."""
    data = tmp_path / "train.parquet"
    with Client(server.url, "secret") as client:
        rows, _ = prepare(client, Preparation(domains=["desk"]))
    write(data, rows)
    status, found = dry(
        f"data.train_data=['{data}']", "trainer.max_prompt_length=1800", "generator.max_input_length=1900"
    )
    assert (status, failed(found)) == (0, {}), failed(found)
    assert "train desk/builtin, train tasks, user the server's default: " in found["prompt lengths"]["detail"]


@pytest.mark.parametrize(
    ("part", "systems", "settings", "told", "plan"),
    [
        ("train", ["desk"] * 16, ["trainer.max_prompt_length=4"], "0 of 16 train rows fit", "0 rows do not make"),
        ("train", [*["desk"] * 8, *["desk " * 80] * 9], [], "8 of 17 train rows fit, which is less than half", ""),
        ("train", [*["desk"] * 15, "desk " * 45], ["generator.max_input_length=64"], "a conversation begins with", ""),
        ("val", ["desk please " * 500], [], "0 of 1 val rows fit", "0 rows are left to evaluate on"),
    ],
    ids=["all too long", "most too long", "one row without room", "nothing to evaluate on"],
)
def test_the_dry_run_measures(
    dry: Dry, tmp_path: Path, part: str, systems: list[str], settings: list[str], told: str, plan: str
) -> None:
    """The longest row counts, with the first message behind it; rows to evaluate on are filtered like others.

    The plan is made with the rows that are left.
    """
    data = written(tmp_path / "other.jsonl", *systems, first=0 if part == "train" else 20)
    status, found = dry(f"data.{part}_data=['{data}']", *settings)
    assert (status, set(failed(found))) == (1, {"prompt lengths", *(["plan"] if plan else [])})
    assert told in found["prompt lengths"]["detail"]
    assert plan in found["plan"]["detail"]


def test_rows_that_are_too_long_are_named(dry: Dry, tmp_path: Path) -> None:
    """They are counted by kind; a kind of which no row fits fails, however many others fit."""
    data = tmp_path / "mixed.jsonl"
    long = {**own_row("Hello"), "prompt": [{"role": "system", "content": "desk " * 80}]}
    kind = "train desk/builtin, own tasks, user none"
    data.write_text("\n".join(map(json.dumps, [*(row(i) for i in range(15)), own_row("Hi"), long])), "utf-8")
    status, found = dry(f"data.train_data=['{data}']")
    assert (status, failed(found)) == (0, {}), failed(found)
    assert f"too long are 1 of {kind}; " in found["prompt lengths"]["detail"]
    data.write_text("\n".join(map(json.dumps, [*(row(i) for i in range(15)), long])), "utf-8")
    status, found = dry(f"data.train_data=['{data}']")
    assert (status, set(failed(found))) == (1, {"prompt lengths"})
    assert found["prompt lengths"]["detail"].startswith(f"no row of {kind} fits; ")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A hub that closes every connection; the list has the first line of each request."""
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:  # the server is closed
                    return
                asked.append(connection.recv(4096).decode("latin-1").partition("\r\n")[0])
                connection.close()

        Thread(target=hang_up, daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", url)
        monkeypatch.setattr("huggingface_hub.hf_api.api.endpoint", url)
        yield asked
        server.shutdown(socket.SHUT_RDWR)


def test_a_model_that_cannot_be_had(dry: Dry, capsys: pytest.CaptureFixture[str], hub: list[str]) -> None:
    """The first of two checks asks the hub, once and without noise; both findings have the whole reason."""
    status, found = dry("trainer.policy.model.path=nobody/no-such-model")
    assert [line for line in hub if "no-such-model" in line] == ["GET /api/models/nobody/no-such-model HTTP/1.1"]
    assert (status, failed(found)) == (0, {}), failed(found)
    for check in ("prompt lengths", "model"):
        assert found[check]["verdict"] == "not checked"
        assert found[check]["detail"].startswith("nobody/no-such-model is not here, and cannot be fetched: ")
    assert "Retry" not in capsys.readouterr().err


def test_a_folder_without_a_tokenizer(dry: Dry, model: Path, tmp_path: Path) -> None:
    """The folder is the model, so the check fails: nothing is fetched in its place."""
    bare = shutil.copytree(model, tmp_path / "bare", ignore=shutil.ignore_patterns("*token*", "*template*"))
    status, found = dry(f"trainer.policy.model.path={bare}")
    assert (status, set(failed(found))) == (1, {"prompt lengths"})
    assert "cannot be fetched" not in found["prompt lengths"]["detail"]


def test_tied_embeddings(dry: Dry, tied: Path) -> None:
    """All weights may be trained, as the worker keeps the ties; an adapter of one of the two layers is refused."""
    tiny = f"trainer.policy.model.path={tied}"
    status, found = dry(tiny)
    assert (status, found["model"]["detail"]) == (
        0,
        "its embeddings are tied, and stay tied while all weights are trained",
    )
    lora = [tiny, "trainer.policy.model.lora.rank=4"]
    assert dry(*lora)[0] == 0
    status, found = dry(*lora, "trainer.policy.model.lora.target_modules=[q_proj, lm_head]")
    assert (status, failed(found)) == (
        1,
        {"model": "its embeddings are tied, so an adapter cannot change lm_head alone"},
    )


def test_each_kind_has_its_own_first_message(dry: Dry, tmp_path: Path) -> None:
    """A long prompt before a short message fits, and so does the reverse. Of tasks in rows, the longest counts."""
    data, room = tmp_path / "both.jsonl", ["trainer.max_prompt_length=160", "generator.max_input_length=192"]

    def told(*words: int) -> tuple[int, dict[str, dict[str, str]]]:
        talks = [own_row("please " * n) for n in words]
        data.write_text("\n".join(map(json.dumps, [*(row(i, "desk " * 120) for i in range(16)), *talks])), "utf-8")
        return dry(f"data.train_data=['{data}']", *room)

    status, found = told(90, 2)
    assert (status, failed(found)) == (0, {}), failed(found)
    status, found = told(2, 190)
    assert (status, set(failed(found))) == (1, {"prompt lengths"})
    assert "own tasks, user none: " in found["prompt lengths"]["detail"]


def test_the_template_takes_options_where_skyrl_gives_them(dry: Dry, model: Path, tmp_path: Path) -> None:
    """SkyRL's generator uses the template's options and its filter does not: conversations count with them."""
    wordy = shutil.copytree(model, tmp_path / "wordy")
    template = wordy / "chat_template.jinja"
    template.write_text("{% if wordy %}" + "please " * 60 + "{% endif %}" + template.read_text("utf-8"), "utf-8")
    job = [f"trainer.policy.model.path={wordy}", "generator.max_input_length=64"]
    assert dry(*job)[0] == 0
    status, found = dry(*job, "generator.chat_template_kwargs={wordy: true}")
    assert (status, set(failed(found))) == (1, {"prompt lengths"})
    assert "a conversation begins with" in found["prompt lengths"]["detail"]


@pytest.mark.parametrize("name", sorted({name for names in MAPPED.values() for name in names}))
def test_settings_that_others_are_explained_by(name: str) -> None:
    """SkyRL knows each setting that `config explain` names for the settings of others."""
    assert unknown({name: 1}) == {}


def test_a_list_of_modules_reaches_skyrl() -> None:
    """Its schema says text, but it hands the names to PEFT, which takes a list."""
    (found,) = explained({"lora": {"target_modules": ["q_proj", "v_proj"]}})
    made = skyrl_config({**reading.read(["gpu-4"], [], MUST), **found.settings})
    assert list(found.settings) == [f"{reading.LORA}target_modules"]
    assert made.trainer.policy.model.lora.target_modules == ["q_proj", "v_proj"]
