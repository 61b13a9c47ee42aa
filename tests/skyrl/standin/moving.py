"""Moves a sharded reference by the workers' own methods on a CPU, and prints what became of it.

`python -m tests.skyrl.standin.moving RANK PORT MODEL OUT` is one of two processes: its imports replace parts of torch.
"""

import copy
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
import torch.distributed as dist
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from tests.skyrl.standin import workers as _workers  # noqa: F401 -- it replaces what a CPU does not have

from trainer_client.recipes.grpo import reference, workers  # isort: skip
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.settings import read

from skyrl.backends.skyrl_train.distributed.fsdp_strategy import FSDPStrategy  # isort: skip

JOB = ["trainer.run_name=moving", "trainer.policy.model.path=tiny"]
IDS = torch.arange(3, 19)[None]
MOVES, DECAY, FAR = 40, 0.95, 1e-3
"""The number of moves, their decay, and the distance between policy and reference.

One move is less than the rounding of a large weight, and all moves together are more.
"""


def main(rank: str, port: str, model: str, out: str) -> None:
    """Print the findings of the first process as JSON."""
    dist.init_process_group(init_method=f"tcp://127.0.0.1:{port}", rank=int(rank), world_size=2)
    found: dict[str, Any] = {how: moved(model, Path(out) / how, adapter=how == "adapter") for how in ("all", "adapter")}
    found["unmerged"] = {
        "nothing": unmerged(model, "q_proj"),
        "embeddings": unmerged(model, "q_proj", "embed_tokens"),
        "norm": unmerged(model, "q_proj", modules_to_save=["norm"]),
    }
    if dist.get_rank() == 0:
        print(json.dumps(found))


def moved(folder: str, out: Path, *, adapter: bool) -> dict[str, Any]:
    """Move the reference, and return findings. `off` is the share of its weights that are wrong at the end.

    `went` is the share that all moves have changed, and `first` the share that the first move has changed.
    """
    out.mkdir(exist_ok=True)
    begun = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).state_dict()
    changed, whole = policy(folder, adapter=adapter)
    trained = object.__new__(workers.TiedPolicy)
    trained.model = SimpleNamespace(model=strategy().prepare((changed, None, None))[0])
    follows = referee(folder)
    first = 0.0
    for move in range(MOVES):
        follows.model.model(input_ids=IDS)  # which leaves a part of the model unsharded
        trained.write_trained(str(out / "trained.pt"))
        follows.move(str(out / "trained.pt"), DECAY)
        first = first if move else differing(weights(follows), begun)
    share = 1 - DECAY**MOVES
    wanted = {name: begun[name].float().lerp(whole[name], share) for name in begun}
    follows.save_exact(str(out / "exact"))
    again = referee(folder)
    again.load_exact(str(out / "exact"))
    here, there = weights(follows), weights(again)
    return {
        "off": differing(here, {name: each.bfloat16() for name, each in wanted.items()}),
        "went": differing(here, begun),
        "first": first,
        "exact": sorted(follows.exact) == sorted(name for name in begun if not whole[name].equal(begun[name].float())),
        "resumed": all(here[name].equal(there[name]) for name in here),
        "other": told(again, out),
        "shapes": sorted(trained.trained_shapes()) == sorted(torch.load(out / "trained.pt", mmap=True)),
        "wider": refused(again, trained.trained_shapes()),
    }


def differing(ones: dict[str, torch.Tensor], others: dict[str, torch.Tensor]) -> float:
    """The share of weights that differ."""
    found = torch.cat([(ones[name] != others[name].float()).flatten() for name in ones])
    return float(found.float().mean())


def policy(folder: str, *, adapter: bool) -> tuple[Any, dict[str, torch.Tensor]]:
    """A model that has learned something, and its weights as a model without an adapter has them."""
    torch.manual_seed(3)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).float()
    if adapter:
        model = get_peft_model(model, LoraConfig(r=2, lora_alpha=4, target_modules="all-linear", task_type="CAUSAL_LM"))
    for name, weight in model.named_parameters():
        if weight.requires_grad and "lora_A" not in name:
            weight.data.add_(torch.randn_like(weight), alpha=FAR)
    plain = copy.deepcopy(model)
    whole = plain.merge_and_unload() if adapter else plain
    return model, {name: each.float() for name, each in whole.state_dict().items()}


def strategy() -> Any:
    """SkyRL's FSDP strategy, for two processes."""
    of = skyrl_config(read(["cpu-tiny"], [], JOB)).trainer.policy
    found = FSDPStrategy(of.fsdp_config, of.optimizer_config, num_training_steps=4)
    found.setup_distributed()
    return found


def referee(folder: str) -> reference.MovingReference:
    """A worker of the reference, sharded as SkyRL does it."""
    found = object.__new__(reference.MovingReference)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16)
    found.model, found.exact = SimpleNamespace(model=strategy().prepare(model)), {}
    return found


def weights(worker: reference.MovingReference) -> dict[str, torch.Tensor]:
    """The worker's whole weights."""
    return {name: each.full_tensor().float() for name, each in worker.model.model.state_dict().items()}


def refused(worker: reference.MovingReference, shapes: dict[str, tuple[int, ...]]) -> str:
    """The worker's error about a policy with one weight that is wider; it accepts the policy's own shapes."""
    worker.check(shapes)
    name = "model.layers.0.mlp.up_proj.weight"
    try:
        worker.check({**shapes, name: (shapes[name][0] + 1, shapes[name][1])})
    except reference.UnknownWeights as error:
        return str(error)
    return ""


def unmerged(folder: str, *layers: str, **settings: Any) -> str:
    """The error about an adapter that trains more than linear layers."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    model = get_peft_model(model, LoraConfig(r=2, target_modules=list(layers), task_type="CAUSAL_LM", **settings))
    try:
        workers.merged(model, model.state_dict())
    except workers.NotMerged as error:
        return str(error)
    return ""


def told(worker: reference.MovingReference, out: Path) -> str:
    """The worker's error about the weights of another model."""
    if dist.get_rank() == 0:
        torch.save({"other.weight": torch.ones(2)}, out / "other.pt")
    dist.barrier()
    try:
        worker.move(str(out / "other.pt"), DECAY)
    except reference.UnknownWeights as error:
        return str(error)
    return ""


if __name__ == "__main__":
    main(*sys.argv[1:])
