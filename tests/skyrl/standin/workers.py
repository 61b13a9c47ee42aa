"""SkyRL's real FSDP2 workers on a CPU: gloo for NCCL, a file for the weight transport, and no CUDA calls.

Ray's actors import this module to find their class, so the changes are made before a worker is built.
"""

from pathlib import Path
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

import ray
import requests
import torch
import torch._dynamo  # looks CUDA's functions up by identity, so it comes before they are replaced
import torch.distributed as dist
import torch.distributed.device_mesh
import transformers  # noqa: F401  # the same
from safetensors.torch import save_file
from skyrl.backends.skyrl_train.distributed import fsdp_utils
from skyrl.backends.skyrl_train.workers.fsdp.fsdp_worker import FSDPCriticWorkerBase

from trainer_client.recipes.grpo.reference import MovingReference
from trainer_client.recipes.grpo.workers import TiedPolicy

CPU = torch.device("cpu")

_group, _mesh, _empty = dist.init_process_group, torch.distributed.device_mesh.init_device_mesh, torch.empty


def _init_process_group(*args: Any, **kwargs: Any) -> Any:
    return _group(*args, **{**kwargs, "backend": "gloo"})


def _init_device_mesh(_: str, *args: Any, **kwargs: Any) -> Any:
    return _mesh("cpu", *args, **kwargs)


def _empty_here(*size: Any, device: Any = None, **kwargs: Any) -> torch.Tensor:
    return _empty(*size, device=CPU if str(device).startswith("cuda") else device, **kwargs)


dist.init_process_group = _init_process_group
torch.distributed.device_mesh.init_device_mesh = fsdp_utils.init_device_mesh = _init_device_mesh
torch.empty = _empty_here
torch.cuda.current_device = lambda: CPU
torch.cuda.device_count = lambda: 1
torch.cuda.synchronize = torch.cuda.set_device = lambda *_, **__: None
torch.Tensor.cuda = lambda tensor, *_, **__: tensor


class CpuPolicy(TiedPolicy):
    """The policy, whose weights reach the engine as a file."""

    async def init_weight_sync_state(self, *_: Any) -> None:
        """There is no NCCL and no CUDA IPC to set up."""

    async def broadcast_to_inference_engines(self, client: Any, *_: Any, **__: Any) -> None:
        """Write the whole weights and tell the engine where they are."""
        model = self.model.model
        whole = {name: _whole(each).detach().float().contiguous().clone() for name, each in model.state_dict().items()}
        if model.config.tie_word_embeddings:
            del whole["lm_head.weight"]  # an engine has one weight for both
        if dist.get_rank() == 0:
            file = Path(self.cfg.policy.model.path) / "synced.safetensors"
            save_file(whole, file)
            requests.post(f"{client.server_urls[0]}/weights", json={"path": str(file)}, timeout=600).raise_for_status()
        dist.barrier()


def _whole(tensor: Any) -> torch.Tensor:
    return tensor.full_tensor() if hasattr(tensor, "full_tensor") else tensor


class CpuRef(MovingReference):
    """The reference policy."""


class CpuCritic(FSDPCriticWorkerBase):
    """The critic of PPO."""


PolicyWorker, RefWorker, CriticWorker = (ray.remote(num_gpus=1)(worker) for worker in (CpuPolicy, CpuRef, CpuCritic))
