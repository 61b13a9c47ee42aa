"""SkyRL's worker of the policy, which keeps tied embeddings tied. SkyRL must be installed.

SkyRL 0.3.0 moves a model to the device `meta` before it shards it, and loads the weights again afterwards. Each of the
two makes two weights of one that two layers share, and so the output layer is trained apart from the embeddings. An
engine has one weight for both: it would sample from another model than the trained one. Ray's actors import this module
to find their class, so it changes SkyRL before a model is made.
"""

from collections.abc import Mapping
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

import ray
import torch
import torch.distributed as dist
from skyrl.backends.skyrl_train.distributed import fsdp_strategy, fsdp_utils
from skyrl.backends.skyrl_train.workers.fsdp.fsdp_worker import FSDPPolicyWorkerBase

_shard, _load = fsdp_strategy.apply_fsdp2, fsdp_strategy.fsdp2_load_full_state_dict


ADAPTER = "default"
"""SkyRL's name of the adapter that a policy trains."""


class TiesLost(RuntimeError):
    """Embeddings that the model's configuration ties are trained apart."""


class NotMerged(RuntimeError):
    """An adapter trains something that cannot be merged into the reference."""


def shard(model: Any, *args: Any, **kwargs: Any) -> Any:
    """SkyRL's `apply_fsdp2`, after which layers share the weights that they shared before."""
    if _ties(model):
        model.tie_weights()
    return _shard(model, *args, **kwargs)


def load(model: Any, *args: Any, **kwargs: Any) -> Any:
    """SkyRL's `fsdp2_load_full_state_dict`, after which they share them too; the optimizer is made of these weights."""
    _load(model, *args, **kwargs)
    if _ties(model):
        model.get_output_embeddings().weight = model.get_input_embeddings().weight
    return model


def keep_ties() -> None:
    """Replace these two functions of SkyRL by `shard` and `load`."""
    fsdp_strategy.apply_fsdp2, fsdp_strategy.fsdp2_load_full_state_dict = shard, load


keep_ties()


def check_ties(model: Any) -> None:
    """Check a sharded model.

    Raises:
        TiesLost: if its embeddings should be tied, and are two weights.
    """
    if _ties(model) and model.get_input_embeddings().weight is not model.get_output_embeddings().weight:
        raise TiesLost(
            "the embeddings of the model are tied, and SkyRL 0.3.0 has separated them: the engine would sample from"
            " another model than the trained one; train with LoRA, or a model without tied embeddings"
        )


def _ties(model: Any) -> bool:
    """Whether all weights of the model are trained and its embeddings are tied; an adapter leaves them alone."""
    adapted = hasattr(model, "peft_config")
    return not adapted and model.config.tie_word_embeddings and model.get_output_embeddings() is not None


def adapted(model: Any) -> dict[str, Any]:
    """Name of a layer that a policy's adapter changes -> the layer.

    Raises:
        NotMerged: if it trains anything else, as embeddings, which a merge would leave out.
    """
    found = {name: layer for name, layer in model.named_modules() if ADAPTER in getattr(layer, "lora_A", ())}
    own = {f"{name}.{part}.{ADAPTER}.weight" for name in found for part in ("lora_A", "lora_B")}
    if others := sorted({name for name, weight in model.named_parameters() if weight.requires_grad} - own):
        raise NotMerged(
            f"the reference cannot follow an adapter that trains {others[0]}: only adapters of linear layers are merged"
            " into it; set agent_env.reference_every=0, or leave that layer out of trainer.policy.model.lora"
        )
    return found


def trained_shapes(model: Any) -> dict[str, tuple[int, ...]]:
    """The whole shapes of the weights that a policy trains, under the names of a model without an adapter."""
    if not hasattr(model, "peft_config"):
        return {name: tuple(weight.shape) for name, weight in model.state_dict().items()}
    return {f"{_plain(name)}.weight": tuple(layer.base_layer.weight.shape) for name, layer in adapted(model).items()}


def merged(model: Any, weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The trained ones of a policy's whole weights, an adapter merged, under the names of a model without one."""
    if not hasattr(model, "peft_config"):
        return dict(weights)
    found = {}
    for name, layer in adapted(model).items():
        base, down, up = (
            weights[f"{name}.{of}.weight"].float() for of in ("base_layer", f"lora_A.{ADAPTER}", f"lora_B.{ADAPTER}")
        )
        found[f"{_plain(name)}.weight"] = base + layer.scaling[ADAPTER] * (up @ down)
    return found


def _plain(name: str) -> str:
    """The name of a layer in a model without an adapter."""
    return name.removeprefix("base_model.model.")


class TiedPolicy(FSDPPolicyWorkerBase):
    """SkyRL's worker, whose model has tied embeddings where its configuration says so."""

    def init_model(self, *args: Any, **kwargs: Any) -> None:
        """Make and shard the model.

        Raises:
            TiesLost: if its embeddings should be tied, and are not.
        """
        super().init_model(*args, **kwargs)
        check_ties(self.model.model)

    def trained_shapes(self) -> dict[str, tuple[int, ...]]:
        """The whole shapes of the weights that `write_trained` writes."""
        return trained_shapes(self.model.model)

    def write_trained(self, file: str) -> None:
        """Write the whole weights that are trained, for a reference that follows the policy."""
        model = self.model.model
        whole = fsdp_utils.fsdp2_get_full_state_dict(model)  # all workers call it, and the first gets the weights
        if dist.get_rank() == 0:
            torch.save(merged(model, whole), file)
        dist.barrier()


PolicyWorker = ray.remote(num_gpus=1)(TiedPolicy)
