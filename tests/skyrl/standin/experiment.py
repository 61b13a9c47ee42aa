"""The experiment with three stand-ins: for the engine, the transport of weights, and the GPUs."""

import json
import os
import signal
from pathlib import Path
from typing import Any

from trainer_client.recipes.grpo.experiment import AgentEnvExp  # isort: skip

from skyrl.backends.skyrl_train.inference_servers.remote_inference_client import RemoteInferenceClient
from skyrl.train.utils.callbacks import TrainingCallback


class Journal(TrainingCallback):
    """Writes what is logged to a file, a line each time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_log(self, trainer: Any, callback_input: Any, control: Any) -> None:
        """Write the numbers."""
        numbers = {k: float(v) for k, v in callback_input.logs.items() if isinstance(v, int | float)}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": trainer.global_step, **numbers}) + "\n")


class KillAfter(TrainingCallback):
    """Kills the process after the step that a file names, when its checkpoint and its log are written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_step_start(self, trainer: Any, callback_input: Any, control: Any) -> None:
        """Kill the process if the step before is the one that the file names."""
        if trainer.global_step - 1 == int(self.path.read_text(encoding="utf-8")) > 0:
            os.kill(os.getpid(), signal.SIGKILL)


def note_rows(trainer: Any, path: Path) -> None:
    """Write to a file which rows each step has."""
    convert = trainer.convert_to_training_input

    def noting(output: Any, uids: list[str]) -> Any:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": trainer.global_step, "rows": list(dict.fromkeys(uids))}) + "\n")
        return convert(output, uids)

    trainer.convert_to_training_input = noting


class CpuExp(AgentEnvExp):
    """`AgentEnvExp` without a GPU."""

    def get_inference_client(self) -> RemoteInferenceClient:
        """SkyRL's client, of the stand-in for the engine."""
        url = self.cfg.generator.inference_engine.external_proxy_url
        path = self.cfg.trainer.policy.model.path
        return RemoteInferenceClient(
            proxy_url=url, server_urls=[url], data_parallel_size=1, model_name=path, tokenizer=self.tokenizer
        )

    def get_trainer(self, **parts: Any) -> Any:
        """The trainer, building workers that need no GPU."""
        from tests.skyrl.standin import workers  # noqa: PLC0415  # it replaces parts of torch

        trainer = super().get_trainer(**parts)
        trainer.add_callback(Journal(Path(self.cfg.trainer.export_path) / "journal.jsonl"))
        build = trainer.build_models
        trainer.build_models = lambda *_: build(workers.PolicyWorker, workers.CriticWorker, workers.RefWorker)
        return trainer


class KilledExp(CpuExp):
    """A `CpuExp` that notes its rows, and is killed after the step that a file names."""

    def get_trainer(self, **parts: Any) -> Any:
        """The trainer."""
        trainer = super().get_trainer(**parts)
        folder = Path(self.cfg.trainer.export_path)
        note_rows(trainer, folder / "rows.jsonl")
        trainer.add_callback(KillAfter(folder / "kill_after"))
        return trainer


class ColocatedExp(CpuExp):
    """A `CpuExp` with trainer and engine on the same GPUs. It notes when the engine sleeps and what is done meanwhile.

    SkyRL refuses `colocate_all` with an engine that it does not start, so it is set behind its validation.
    """

    def __init__(self, cfg: Any) -> None:
        cfg.trainer.placement.colocate_all = True
        super().__init__(cfg)

    def get_trainer(self, **parts: Any) -> Any:
        """The trainer."""
        trainer = super().get_trainer(**parts)
        file = Path(self.cfg.trainer.export_path) / "order.txt"
        client = trainer.inference_engine_client
        calls = [(client, "sleep"), (client, "wake_up")]
        calls += [(trainer, "train_critic_and_policy"), (trainer, "save_checkpoints")]
        for of, name in calls:
            setattr(of, name, _noting(getattr(of, name), name, file))
        return trainer


def _noting(function: Any, name: str, file: Path) -> Any:
    def noted(*args: Any, **kwargs: Any) -> Any:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"{name} {' '.join(kwargs.get('tags', ()))}".strip() + "\n")
        return function(*args, **kwargs)

    return noted
