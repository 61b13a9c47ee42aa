"""SkyRL's worker of the reference, which can follow the policy. SkyRL must be installed.

SkyRL 0.3.0 has a reference that stays, or one that becomes the policy at the end of each epoch. Here it can move a part
of the way: its weights become `decay` times themselves and 1 - `decay` times the policy's. A reference is in bfloat16,
and a step is often smaller than a rounding of it. So the weights that move are also kept in float32, in the memory of
the CPU; a checkpoint has these.
"""

from collections.abc import Mapping
from typing import Any

import trainer_client.recipes.grpo.workers  # noqa: F401 -- it keeps tied embeddings tied here too  # isort: skip

import ray
import torch
import torch.distributed as dist
from skyrl.backends.skyrl_train.utils.io import io
from skyrl.backends.skyrl_train.workers.fsdp.fsdp_worker import FSDPRefWorkerBase
from torch.distributed.tensor import DTensor
from torch.distributed.tensor._utils import compute_local_shape_and_global_offset


class UnknownWeights(RuntimeError):
    """The policy has weights that the reference does not have, or has in another shape."""


class MovingReference(FSDPRefWorkerBase):
    """SkyRL's worker, whose weights can move towards those of the policy."""

    def init_model(self, *args: Any, **kwargs: Any) -> None:
        """Make and shard the model."""
        super().init_model(*args, **kwargs)
        self.exact: dict[str, torch.Tensor] = {}
        """Name -> this worker's part of a weight that has moved, in float32."""

    def check(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        """Check that the policy's weights can move this model.

        Raises:
            UnknownWeights: if some are not here, or have another shape.
        """
        own = {name: tuple(weight.shape) for name, weight in self.model.model.state_dict().items()}
        for name, shape in sorted(shapes.items()):
            if own.get(name) != shape:
                has = f"has {name} of shape {own[name]}, not {shape}" if name in own else f"has no {name}"
                raise UnknownWeights(f"the reference is another model than the policy: it {has}")

    @torch.no_grad()
    def move(self, file: str, decay: float) -> None:
        """Keep `decay` of the weights, and take the rest from the file.

        Raises:
            UnknownWeights: if this model lacks some of them, or has them in another shape.
        """
        policy = torch.load(file, map_location="cpu", mmap=True, weights_only=True)
        self.check({name: tuple(weight.shape) for name, weight in policy.items()})
        own = self.model.model.state_dict()
        for name, weight in policy.items():
            exact = self.exact.setdefault(name, _local(own[name]).to("cpu", torch.float32, copy=True))
            exact.lerp_(_part(weight, own[name]).float(), 1 - decay)
        self._take(own)

    def save_exact(self, folder: str) -> None:
        """Write this worker's part of the weights."""
        io.makedirs(folder, exist_ok=True)
        with io.open_file(f"{folder}/{self._name()}", "wb") as file:
            torch.save(self.exact, file)

    @torch.no_grad()
    def load_exact(self, folder: str) -> None:
        """Read this worker's part again, from the folder of `save_exact`."""
        with io.open_file(f"{folder}/{self._name()}", "rb") as file:
            self.exact = torch.load(file, map_location="cpu", weights_only=True)
        self._take(self.model.model.state_dict())

    def _take(self, own: Mapping[str, torch.Tensor]) -> None:
        for name, exact in self.exact.items():
            _local(own[name]).copy_(exact)

    def _name(self) -> str:
        return f"world_size_{dist.get_world_size()}_rank_{dist.get_rank()}.pt"


def _local(weight: torch.Tensor) -> torch.Tensor:
    return weight.to_local() if isinstance(weight, DTensor) else weight


def _part(whole: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
    """The part of a whole weight that this worker has of `of`."""
    if not isinstance(of, DTensor):
        return whole
    shape, begins = compute_local_shape_and_global_offset(of.shape, of.device_mesh, of.placements)
    return whole[tuple(slice(begin, begin + size) for begin, size in zip(begins, shape, strict=True))]


RefWorker = ray.remote(num_gpus=1)(MovingReference)
