"""SkyRL's trainer, extended to leave lost rollouts out of comparisons and averages."""

import asyncio
import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

import httpx2
import ray
import torch
from loguru import logger
from skyrl.train.trainer import RayPPOTrainer
from skyrl.train.utils import Timer
from skyrl.train.utils.callbacks import TrainingCallback
from skyrl.train.utils.trainer_utils import GLOBAL_STEP_PREFIX

from trainer_client.recipes.grpo.health import Unhealthy, mixed_groups, shares
from trainer_client.recipes.grpo.rows.dataset import EasyFirst
from trainer_client.skyrl.evaluation import corrected, write_again
from trainer_client.skyrl.lost_rollouts import LOST, baseline_groups, kept_rewards
from trainer_client.skyrl.shared_client import EASY_FIRST

ENGINE_TIMEOUT_S = 10.0

SLEEP_TIMEOUT_S = 120.0
"""Seconds for an engine to fall asleep: it moves its weights to main memory. SkyRL itself waits without a limit."""

REFERENCE = "reference"
"""The folder of a checkpoint that has the weights of a reference that has moved."""

MOVES = "moves.json"
"""The file in that folder that says how the reference moves."""


class StepsMissing(RuntimeError):
    """Training ended before its last step."""


class EngineLost(RuntimeError):
    """Training ended because the inference engine is away. The same command resumes when it is back."""


class ResumeError(RuntimeError):
    """A checkpoint cannot be resumed: rows would be played again, or the reference would be another."""


class OrderOfRows(TrainingCallback):
    """Gives each epoch an order of rows of its own, which depends on nothing but `trainer.seed` and the epoch.

    In SkyRL 0.3.0 the order follows from all random numbers drawn before, and a checkpoint does not have them: every
    epoch after the one that is resumed has another order than in a run without a break.
    """

    def on_epoch_start(self, trainer: Any, callback_input: Any, control: Any) -> None:  # noqa: ARG002 -- SkyRL's
        """Seed the data loader; a position that was restored keeps the order of its epoch."""
        trainer.train_dataloader.generator.manual_seed(trainer.cfg.trainer.seed + callback_input.epoch)


class AgentEnvTrainer(RayPPOTrainer):
    """`RayPPOTrainer` for a `RobustGenerator`."""

    def build_models(self, policy: Any, critic: Any, ref: Any) -> None:
        """Build the models, with workers that keep tied embeddings tied, and a reference that can move."""
        if self.cfg.trainer.strategy == "fsdp":
            from skyrl.backends.skyrl_train.workers.fsdp import fsdp_worker  # noqa: PLC0415 -- it needs flash-attn

            from trainer_client.recipes.grpo import reference, workers  # noqa: PLC0415 -- as above

            policy = workers.PolicyWorker if policy is fsdp_worker.PolicyWorker else policy
            ref = reference.RefWorker if ref is fsdp_worker.RefWorker else ref
        super().build_models(policy, critic, ref)
        if self.cfg.environment.skyrl_gym.agent_env.reference_every:
            _all(self.ref_model, "check", _all(self.policy_model, "trained_shapes")[0])

    def _build_train_dataloader_and_compute_training_steps(self) -> None:
        """Build SkyRL's data loader, with the order of rows that the settings ask for."""
        super()._build_train_dataloader_and_compute_training_steps()
        if self.cfg.environment.skyrl_gym.agent_env.order == EASY_FIRST:
            batches = self.train_dataloader.batch_sampler
            order = EasyFirst(self.train_dataset.grades, batches.batch_size, self.train_dataloader.generator)
            batches.sampler = order

    async def train(self) -> None:
        """Train all steps.

        Raises:
            Unhealthy: if a callback halted the job; the message says where the checkpoint is.
            StepsMissing: if SkyRL stopped before the last step. It has written the checkpoint of the last one played.
            EngineLost: if training failed and an engine does not answer. SkyRL reports this in many ways, depending on
                what was asked of the engine when it ended.
        """
        try:
            await super().train()
        except Unhealthy as halt:
            told = await self.halted(halt)
            await self._check_engines(told)
            raise told from None
        except Exception as error:
            await self._check_engines(error)
            raise
        wanted = self.total_training_steps
        if self.cfg.trainer.algorithm.dynamic_sampling.type is None and self.global_step < wanted:
            raise StepsMissing(f"training ended after step {self.global_step} of {wanted}")

    async def halted(self, halt: Unhealthy) -> Unhealthy:
        """Save a checkpoint, unless the weights may be spoiled; returns the halt with the checkpoint's place.

        When a step is logged, the engines on the trainer's GPUs are awake and hold their memory. They sleep first, as
        before every checkpoint of SkyRL's own.
        """
        if not halt.finite:
            return Unhealthy(f"{halt}; no checkpoint was saved, as the weights may be spoiled", finite=False)
        if self.colocate_all:
            await _put_to_sleep(self.inference_engine_client)
        try:
            return Unhealthy(f"{halt}; checkpoint: {self.save_checkpoints()}")
        except Exception as error:  # whatever it is, the reason of the halt must not be lost
            return Unhealthy(f"{halt}; no checkpoint could be saved: {type(error).__name__}: {error}")

    async def _check_engines(self, error: Exception) -> None:
        async with httpx2.AsyncClient(timeout=ENGINE_TIMEOUT_S) as http:
            for url in getattr(self.inference_engine_client, "server_urls", ()):
                try:
                    await http.get(f"{url}/health")
                except httpx2.TransportError as away:
                    told = f"the inference engine at {url} does not answer ({type(away).__name__}: {away})"
                    step = self.global_step
                    raise EngineLost(f"{told}; training ended in step {step}, and the same command resumes") from error

    def load_checkpoints(self) -> tuple[int, str]:
        """Resume; after a checkpoint at the end of an epoch, with the rows of the next epoch.

        SkyRL 0.3.0 restores the position behind the epoch's last row and begins the next epoch there, which is over at
        once. Here the finished epoch is read to its end first, so that the order of the rows is that of a run without
        a break.

        Raises:
            ResumeError: if the checkpoint has no position in the data, so that rows would be played again, or if its
                reference has moved in another way than this job's would have.
        """
        step, folder = super().load_checkpoints()
        if step:
            self._resume_reference(Path(folder) / REFERENCE, step)
        if step and step % len(self.train_dataloader) == 0 and next(iter(self.train_dataloader), None) is not None:
            raise ResumeError(f"{folder} ends an epoch, but the position in the data could not be restored")
        return step, folder

    def train_critic_and_policy(self, data: Any) -> Any:
        """Train on a batch; after some steps the reference follows the policy."""
        status = super().train_critic_and_policy(data)
        own = self.cfg.environment.skyrl_gym.agent_env
        if own.reference_every and self.global_step % own.reference_every == 0:
            with Timer("move_reference", self.all_timings):
                file = Path(self.cfg.trainer.export_path) / "policy_for_the_reference.pt"
                self.dispatch._ensure_on_gpu("policy", need_optimizer=False)  # as SkyRL does for its exports
                _all(self.policy_model, "write_trained", str(file))
                _all(self.ref_model, "move", str(file), own.reference_decay)
                file.unlink()
        return status

    def save_checkpoints(self) -> str:
        """Save a checkpoint. A reference that has moved is saved first: SkyRL's part marks the checkpoint as whole."""
        if self._has_moved(self.global_step):
            folder = Path(self.cfg.trainer.ckpt_path) / f"{GLOBAL_STEP_PREFIX}{self.global_step}" / REFERENCE
            _all(self.ref_model, "save_exact", str(folder))
            (folder / MOVES).write_text(json.dumps(self._moves()))
        saved: str = super().save_checkpoints()
        return saved

    def _has_moved(self, step: int) -> bool:
        every: int = self.cfg.environment.skyrl_gym.agent_env.reference_every
        return 0 < every <= step

    def _moves(self) -> dict[str, float]:
        """How the reference moves."""
        own = self.cfg.environment.skyrl_gym.agent_env
        return {"reference_every": own.reference_every, "reference_decay": own.reference_decay}

    def _resume_reference(self, folder: Path, step: int) -> None:
        file, now = folder / MOVES, self._moves()
        before = json.loads(file.read_text()) if file.exists() else {}
        if before and before != now:
            told = f"{folder.parent} has a reference that has moved with {_listed(before)}"
            raise ResumeError(f"{told}, and this job has {_listed(now)}; set both in agent_env as before")
        if not before and self._has_moved(step):
            raise ResumeError(f"{folder.parent} has no reference that has moved, as it would with {_listed(now)}")
        if before:
            _all(self.ref_model, "load_exact", str(folder))

    def postprocess_generator_output(
        self,
        generator_output: Any,
        uids: list[str],
        metrics_generator_output: Any = None,
        metrics_uids: list[str] | None = None,
    ) -> tuple[Any, list[str]]:
        """Log the total rewards of the rollouts that are not lost; if all are lost, log none.

        SkyRL takes the reward of the last token. With an observation after the last turn that is 0, and none passes.
        """
        measured = generator_output if metrics_generator_output is None else metrics_generator_output
        rewards, prompts = kept_rewards(measured, uids if metrics_uids is None else metrics_uids)
        self.all_metrics.update({**mixed_groups(rewards, prompts), **shares(measured, LOST)})
        kept = {"rewards": rewards, "is_last_step": [True] * len(rewards)}
        if rewards:
            found: tuple[Any, list[str]] = super().postprocess_generator_output(generator_output, uids, kept, prompts)
            return found
        found = super().postprocess_generator_output(generator_output, uids)
        for name in (
            "avg_raw_reward",
            "mean_positive_reward",
            f"avg_pass_at_{self.cfg.generator.n_samples_per_prompt}",
        ):
            del self.all_metrics[f"reward/{name}"]
        return found

    def convert_to_training_input(self, generator_output: Any, uids: list[str]) -> Any:
        """Store with SkyRL's batch the group in which each row is compared, and which rows are lost."""
        batch = super().convert_to_training_input(generator_output, uids)
        batch.metadata["baseline_groups"] = baseline_groups(generator_output, uids)
        batch.metadata["lost"] = [reason == LOST for reason in generator_output["stop_reasons"]]
        return batch

    def compute_advantages_and_returns(self, data: Any) -> Any:
        """Compare rows within their groups; a lost row gets no advantage and no part in a mean.

        The ids of the prompts and the masks are replaced for this only: SkyRL needs the original ones afterwards.
        """
        uids, groups = data.metadata["uids"], data.metadata.pop("baseline_groups")
        lost = data.metadata.pop("lost")
        mask = data["response_mask"]
        counts = _counting(lost, len(mask))
        data.metadata["uids"] = [*groups, *uids[len(groups) :]]  # rows that fill up the batch come last
        data["response_mask"] = mask * counts.to(mask.dtype)
        data = super().compute_advantages_and_returns(data)
        for name in ("advantages", "returns"):
            data[name] = data[name] * counts.to(data[name].dtype)
        data.metadata["uids"], data["response_mask"] = uids, mask
        self._average_again(data, lost)
        return data

    def _average_again(self, data: Any, lost: list[bool]) -> None:
        """Replace SkyRL's average of the final rewards, which includes the filled-in rewards of lost rows."""
        ends = data.metadata.get("is_last_step") or [True] * len(lost)
        kept = [row for row, gone in enumerate(lost) if ends[row] and not gone]
        for metrics, name in ((self.all_metrics, "loss/"), (data.metadata["metrics"], "")):
            del metrics[f"{name}avg_final_rewards"]
            if kept:
                metrics[f"{name}avg_final_rewards"] = data["rewards"][kept].sum(dim=-1).mean().item()

    async def eval(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Evaluate without the lost rollouts, and compute the environments' metrics over all batches."""
        self.generator.evaluated.clear()
        found = await super().eval(*args, **kwargs)
        found = corrected(found, self.generator.evaluated, self.cfg.generator.eval_n_samples_per_prompt)
        folder = f"dumped_evals/global_step_{self.global_step}_evals"
        write_again(Path(self.cfg.trainer.export_path) / folder, found)
        return found


def _counting(lost: list[bool], rows: int) -> Any:
    """A column with 0 for lost rows and 1 for others; all are 1 if every row is lost, as there is no mean then."""
    column = torch.ones(rows, 1)
    if not all(lost):
        column[: len(lost), 0] -= torch.tensor(lost, dtype=column.dtype)
    return column


async def _put_to_sleep(client: Any) -> None:
    """Put each engine to sleep, even if another one fails: that one may be gone, and its memory with it.

    SkyRL 0.3.0 asks all of them together, and does not wait for the others when one fails.
    """
    urls = list(client.server_urls)
    asked = (asyncio.wait_for(_asleep(client, url), SLEEP_TIMEOUT_S) for url in urls)
    for url, error in zip(urls, await asyncio.gather(*asked, return_exceptions=True), strict=True):
        if isinstance(error, Exception):
            told = f"{type(error).__name__}: {error}".rstrip(": ")
            logger.warning(f"the inference engine at {url} was not put to sleep: {told}")


async def _asleep(client: Any, url: str) -> None:
    """Have one engine sleep, by a client of its own."""
    alone = copy.copy(client)
    alone.server_urls = [url]
    async with alone:
        await alone.sleep()


def _listed(moves: Mapping[str, float]) -> str:
    return " and ".join(f"{name}={number:g}" for name, number in moves.items())


def _all(workers: Any, method: str, *arguments: Any) -> Any:
    """Call a method of all workers of a model; returns the result of each."""
    return ray.get(workers.async_run_ray_method("pass_through", method, *arguments))
