"""Shards, trains, moves and saves models by SkyRL's own strategy on a CPU, and prints what became of their embeddings.

`python -m tests.skyrl.standin.ties TIED UNTIED OUT` is a process of its own: its imports replace parts of torch.
"""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
import torch.distributed as dist
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from tests.e2e.server import free_port
from tests.skyrl.standin import workers as _workers  # noqa: F401 -- it replaces what a CPU does not have

from trainer_client.recipes.grpo import reference, trainer, workers  # isort: skip
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.settings import read
from trainer_client.recipes.grpo.trainer import AgentEnvTrainer

from skyrl.backends.skyrl_train.distributed import fsdp_strategy, fsdp_utils  # isort: skip
from skyrl.backends.skyrl_train.workers.fsdp import fsdp_worker
from skyrl.train.trainer import RayPPOTrainer

JOB = ["trainer.run_name=ties", "trainer.policy.model.path=tiny", "trainer.policy.optimizer_config.lr=0.01"]
IDS = torch.arange(3, 19)[None]


def main(tied: str, untied: str, out: str) -> None:
    """Print the findings as JSON."""
    dist.init_process_group(init_method=f"tcp://127.0.0.1:{free_port()}", rank=0, world_size=1)
    found: dict[str, Any] = {"kept": kept(tied, Path(out))}
    own = fsdp_utils.apply_fsdp2, fsdp_utils.fsdp2_load_full_state_dict
    fsdp_strategy.apply_fsdp2, fsdp_strategy.fsdp2_load_full_state_dict = own
    found["skyrls own"] = trained(tied)
    workers.keep_ties()
    found["untied"] = trained(untied)
    found["adapter"] = trained(tied, adapter=True)
    found["worker"] = [built(fsdp_worker), built(SimpleNamespace(PolicyWorker=None, RefWorker=None))]
    found["checked"] = checked()
    print(json.dumps(found))


def built(kinds: Any, *settings: str) -> dict[str, bool]:
    """Whether the recipe's trainer builds its own workers in place of those of `kinds`, by the worker's role."""
    handed: list[Any] = []
    RayPPOTrainer.build_models = lambda _, *workers: handed.extend(workers)
    job = object.__new__(AgentEnvTrainer)
    job.cfg, job.policy_model, job.ref_model = skyrl_config(read(["cpu-tiny"], [], [*JOB, *settings])), "policy", "ref"
    job.build_models(kinds.PolicyWorker, None, kinds.RefWorker)
    policy, _, ref = handed
    return {"policy": policy is workers.PolicyWorker, "ref": ref is reference.RefWorker}


def checked() -> list[list[Any]]:
    """The workers' methods that are called before the first step of a job whose reference moves."""
    asked: list[list[Any]] = []

    def answers(workers: Any, method: str, *arguments: Any) -> Any:
        asked.append([workers, method, *arguments])
        return ["shapes", "shapes"]

    trainer._all = answers
    built(fsdp_worker, "environment.skyrl_gym.agent_env.reference_every=2", "trainer.algorithm.use_kl_loss=true")
    return asked


def kept(folder: str, out: Path) -> dict[str, Any]:
    """The findings for a model that is moved to main memory and back before training, and saved afterwards."""
    strategy, sharded = made(folder)
    model, optimizer, _ = sharded
    strategy.offload_to_cpu(model, optimizer)
    strategy.backload_to_gpu(model, optimizer)
    before = model.lm_head.weight.full_tensor().detach().clone()
    found = after(strategy, *sharded)
    found["learned"] = float((model.lm_head.weight.full_tensor() - before).abs().max())
    strategy.save_hf_model(model, str(out))
    return found


def trained(folder: str, *, adapter: bool = False) -> dict[str, Any]:
    """The findings about the embeddings of the model in `folder`, after training."""
    strategy, sharded = made(folder, adapter=adapter)
    return after(strategy, *sharded)


def told(model: Any) -> str:
    """The error of the worker's check."""
    try:
        workers.check_ties(model)
    except workers.TiesLost as error:
        return str(error)
    return ""


def made(folder: str, *, adapter: bool = False) -> tuple[Any, Any]:
    """SkyRL's strategy, and its model, optimizer and scheduler."""
    policy = skyrl_config(read(["cpu-tiny"], [], JOB)).trainer.policy
    strategy = fsdp_strategy.FSDPStrategy(policy.fsdp_config, policy.optimizer_config, num_training_steps=4)
    strategy.setup_distributed()
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).train()
    if adapter:
        model = get_peft_model(model, LoraConfig(r=2, target_modules="all-linear", task_type="CAUSAL_LM"))
    return strategy, strategy.prepare((model, None, None))


def after(strategy: Any, model: Any, optimizer: Any, scheduler: Any) -> dict[str, Any]:
    """By how much the output layer differs from the embeddings after two updates, and what the worker's check says.

    It is made before the first update, as in a job, and after the last one.
    """
    before = told(model)
    for _ in range(2):
        strategy.backward(model(input_ids=IDS, labels=IDS).loss, model, optimizer)
        strategy.optimizer_step(optimizer, model, scheduler)
    read_in, say = (each.weight.full_tensor() for each in (model.get_input_embeddings(), model.get_output_embeddings()))
    trains = sum(len(group["params"]) for group in optimizer.param_groups)
    return {"apart": float((say - read_in).abs().max()), "told": [before, told(model)], "trains": trains}


if __name__ == "__main__":
    main(*sys.argv[1:])
