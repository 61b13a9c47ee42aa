"""`trainer doctor` where SkyRL is installed: every check is made, and each smoke test finds what is broken."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from tests.e2e.server import Server
from tests.skyrl.standin.engine import Sampled, serving
from tests.skyrl.test_presets import DEAF, written
from trainer_client.cli import main
from trainer_client.recipes.doctor import machine

Doctor = Callable[..., tuple[int, dict[str, tuple[str, str]]]]


@pytest.fixture
def doctor(server: Server, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Doctor:
    """Exit status, and verdict and detail of each check, of a job that learns the desk."""
    data = {"train": written(tmp_path / "train.jsonl", *["desk"] * 16)}
    data["val"] = written(tmp_path / "val.jsonl", *["desk"] * 4, first=20)
    job = ["--preset", "cpu-tiny", *(f"data.{part}_data=['{path}']" for part, path in data.items())]
    job += ["trainer.run_name=well", f"trainer.policy.model.path={model}"]
    job += [f"environment.skyrl_gym.agent_env.url={server.url}", "environment.skyrl_gym.agent_env.key=secret"]

    def run(*smokes: str, engine: str = DEAF, settings: Sequence[str] = ()) -> tuple[int, dict[str, tuple[str, str]]]:
        where = f"generator.inference_engine.external_proxy_url={engine}"
        status = main(["doctor", *(f"--smoke={name}" for name in smokes), *job, where, *settings])
        lines = [line.strip().partition("  ") for line in capsys.readouterr().out.splitlines()]
        return status, {
            name: (verdict, detail) for verdict, _, rest in lines for name, _, detail in [rest.partition(": ")]
        }

    return run


def says(ids: list[int], logprobs: list[float]) -> Callable[..., Sampled]:
    """An engine that always answers with these ids and log probabilities."""
    return lambda *_: (ids, logprobs, "stop")


def test_every_check(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a GPU every check passes; without one, only the check of GPUs fails."""
    with serving(says([5, 6], [-1.0, -2.0])) as engine:
        status, told = doctor(engine=engine)
        assert (status, {name for name, (verdict, _) in told.items() if verdict == "failed"}) == (1, {"GPUs"}), told
        monkeypatch.setattr(machine, "_gpus", lambda: [24 * 2**30] * 2)
        status, told = doctor(engine=engine)
    assert (status, {name for name, (verdict, _) in told.items() if verdict != "ok"}) == (0, {"wandb"}), told
    assert "billion weights" in told["memory"][1]
    assert "sampled 2 tokens" in told["vllm"][1]
    assert "the adapter changed and the base did not" in told["lora"][1]


@pytest.mark.parametrize(
    ("ids", "logprobs", "why"), [([5, 6], [-1.0], "2 tokens and 1 log"), ([], [], "0 tokens and 0 log")]
)
def test_an_engine_that_cannot_be_trained_on(doctor: Doctor, ids: list[int], logprobs: list[float], why: str) -> None:
    """An engine whose answer lacks what a trainer needs, or that does not answer, fails the check."""
    with serving(says(ids, logprobs)) as engine:
        status, told = doctor("vllm", engine=engine)
    assert (status, told["vllm"][0]) == (1, "failed")
    assert why in told["vllm"][1]
    status, told = doctor("vllm")
    assert (status, told["vllm"][0]) == (1, "failed")
    assert "does not answer" in told["vllm"][1]


def test_a_step_that_changes_nothing(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails if training has not changed the adapter."""
    monkeypatch.setattr(torch.optim.AdamW, "step", lambda *_, **__: None)
    status, told = doctor("lora")
    assert (status, told["lora"][0]) == (1, "failed")
    assert "0 weights of the adapter changed" in told["lora"][1]


def test_a_model_that_does_not_fit(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of weights and optimiser is compared with the GPU's."""
    monkeypatch.setattr(machine, "_gpus", lambda: [2**20])
    status, told = doctor()
    assert status == 1
    assert told["memory"][0] == "failed"


def test_models_of_a_job(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference is counted if a KL term needs it, and a critic with its optimiser if PPO needs it.

    If models take turns, the largest counts. Otherwise those on the same GPUs count together, and others are apart.
    """
    ppo = ["trainer.algorithm.advantage_estimator=gae"]
    monkeypatch.setattr(machine, "_weights", lambda *_: 2**30)
    monkeypatch.setattr(machine, "_gpus", lambda: [24 * 2**30] * 3)
    _, told = doctor(settings=["trainer.algorithm.use_kl_loss=false"])
    assert (told["GPUs"][1], "ref:" in told["memory"][1]) == ("3 of 1 that each node needs, 24 GiB each", False)
    assert "16.0 GiB at a time" in told["memory"][1]
    _, told = doctor(settings=ppo)
    assert told["GPUs"][1] == "3 of 3 that each node needs, 24 GiB each"
    assert "ref: 1.07 billion weights, only read: 2.0 GiB on each of 1 GPUs" in told["memory"][1]
    assert "critic: 1.07 billion weights, all weights with Adam: 16.0 GiB on each of 1 GPUs" in told["memory"][1]
    assert told["memory"][0] == "ok"
    _, told = doctor(settings=[*ppo, "trainer.placement.colocate_policy_ref=true"])
    assert "18.0 GiB at a time" in told["memory"][1]
    _, told = doctor(settings=[*ppo, "trainer.placement.colocate_all=true"])
    assert "34 GiB of a node's main memory" in told["memory"][1]
    assert "16.0 GiB at a time" in told["memory"][1]
    monkeypatch.setattr(machine, "_weights", lambda _, model: 2**31 if "critic" in model else 2**20)
    _, told = doctor(settings=ppo)
    assert told["memory"][0] == "failed"
    adapters = [f"trainer.{name}.model.lora.rank=8" for name in ("policy", "critic")]
    _, told = doctor(settings=[*ppo, *adapters])
    assert "LoRA of rank 8 on frozen weights: 8.0 GiB" in told["memory"][1]
    assert told["memory"][0] == "ok"


def test_the_memory_of_a_reference_that_moves(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sets of weights in float32, and three where an adapter is merged; none where the reference stays."""
    monkeypatch.setattr(machine, "_weights", lambda *_: 2**30)
    monkeypatch.setattr(machine, "_gpus", lambda: [24 * 2**30])
    moves = ["environment.skyrl_gym.agent_env.reference_every=2"]
    _, told = doctor(settings=["trainer.algorithm.use_kl_loss=true"])
    assert "for a reference that moves" not in told["memory"][1]
    _, told = doctor(settings=["trainer.algorithm.use_kl_loss=true", *moves])
    assert "up to 8 GiB of main memory besides for a reference that moves" in told["memory"][1]
    _, told = doctor(settings=["trainer.algorithm.use_kl_loss=true", *moves, "trainer.policy.model.lora.rank=8"])
    assert "up to 12 GiB of main memory besides for a reference that moves" in told["memory"][1]


def test_the_tracker(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number goes to a run that is named after the job's; an error of the tracker is a failed check."""
    logged: list[Any] = []
    run = SimpleNamespace(name="well-doctor", log=logged.append, finish=lambda: logged.append("finished"))

    def begin(**how: Any) -> Any:
        logged.append(how["project"])
        return run

    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=begin))
    monkeypatch.setattr("trainer_client.recipes.doctor.tracker.loggers", lambda _: ["wandb"])
    status, told = doctor("wandb")
    assert (status, logged) == (0, ["skyrl", {"doctor": 1.0}, "finished"]), told

    def refuse(**_: Any) -> None:
        raise PermissionError("the key is not valid")

    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=refuse))
    status, told = doctor("wandb")
    assert (status, told["wandb"]) == (1, ("failed", "PermissionError: the key is not valid"))
