"""The dry run of every preset for GPUs, with each model and each method, passes every check."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl.test_presets import GPUS, row
from trainer_client.recipes.grpo import settings as reading
from trainer_client.recipes.grpo.train import main

CONTEXT = 40_960
"""Tokens, as Qwen3 has them; Qwen2.5 has 32,768."""

CHOICES = [[machine, other] for machine in GPUS for other in (*reading.presets("models"), *reading.presets("methods"))]


@pytest.fixture(scope="module")
def models(model: Path, tied: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """Whether embeddings are tied -> a tiny model with a long context."""
    found = {}
    for ties, source in ((False, model), (True, tied)):
        folder = Path(shutil.copytree(source, tmp_path_factory.mktemp("models") / "model"))
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        long = json.dumps({**config, "max_position_embeddings": CONTEXT})
        (folder / "config.json").write_text(long, encoding="utf-8")
        found[ties] = folder
    return found


def graded(place: int) -> dict[str, Any]:
    """A row with a difficulty, as `trainer data prepare` writes it."""
    name = f"desk:builtin:train:{place}"
    told = {"domain": "desk", "task_id": name, "split": "train", "difficulty": 1 + place % 3}
    return {**row(place), "extra_info": told}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The settings of data that are enough for the largest batch."""
    folder = tmp_path_factory.mktemp("data")
    files = {}
    for part, (rows, first) in {"train": (256, 0), "val": (4, 300)}.items():
        files[part] = folder / f"{part}.jsonl"
        files[part].write_text("\n".join(json.dumps(graded(first + i)) for i in range(rows)), encoding="utf-8")
    return [f"data.{part}_data=['{path}']" for part, path in files.items()]


@pytest.mark.parametrize("presets", CHOICES, ids="+".join)
def test_the_dry_run_passes(
    server: Server, models: dict[bool, Path], data: list[str], capsys: pytest.CaptureFixture[str], presets: list[str]
) -> None:
    """No check fails and none is left out; the model of a preset is replaced by a tiny one, tied as that is."""
    ties = any(name in {"qwen2.5-1.5b", "qwen2.5-3b", "qwen3-0.6b", "qwen3-4b", "full"} for name in presets)
    job = [part for name in presets for part in ("--preset", name)]
    job += ["--dry-run", "--json", "trainer.run_name=dry", *data, f"trainer.policy.model.path={models[ties]}"]
    if "tool-adapter" in presets:  # its reference moves after 100 steps; 256 rows make fewer in its epochs
        job += ["trainer.epochs=60"]
    job += [f"environment.skyrl_gym.agent_env.url={server.url}", "environment.skyrl_gym.agent_env.key=secret"]
    status = main(job)
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["findings"]
    assert (status, [each for each in found if each["verdict"] != "ok"]) == (0, [])


def test_what_a_dry_run_would_find(
    server: Server, model: Path, data: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The dry run with a model whose context is too short fails, which shows that the test above can fail."""
    job = ["--preset", "gpu-8", "--dry-run", "--json", "trainer.run_name=dry", *data]
    job += [f"trainer.policy.model.path={model}", f"environment.skyrl_gym.agent_env.url={server.url}"]
    assert main([*job, "environment.skyrl_gym.agent_env.key=secret"]) == 1
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["findings"]
    assert [each["check"] for each in found if each["verdict"] == "failed"] == ["context"]
