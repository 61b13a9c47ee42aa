"""SkyRL's worker of the policy, which keeps tied embeddings tied. SkyRL must be installed.

SkyRL 0.3.0 moves a model to the device `meta` before it shards it, and loads the weights again afterwards. Each of the
two makes two weights of one that two layers share, and so the output layer is trained apart from the embeddings. An
engine has one weight for both: it would sample from another model than the trained one. Ray's actors import this module
to find their class, so it changes SkyRL before a model is made.
"""

from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

import ray
from skyrl.backends.skyrl_train.distributed import fsdp_strategy
from skyrl.backends.skyrl_train.workers.fsdp.fsdp_worker import FSDPPolicyWorkerBase

_shard, _load = fsdp_strategy.apply_fsdp2, fsdp_strategy.fsdp2_load_full_state_dict


class TiesLost(RuntimeError):
    """Embeddings that the model's configuration ties are trained apart."""


def shard(model: Any, *args: Any, **kwargs: Any) -> Any:
    """SkyRL's `apply_fsdp2`, after which layers share the weights that they shared before."""
    if _ties(model):
        model.tie_weights()
    return _shard(model, *args, **kwargs)


def load(model: Any, *args: Any, **kwargs: Any) -> Any:
    """SkyRL's `fsdp2_load_full_state_dict`, after which they share them too; the optimizer is made of what is there."""
    _load(model, *args, **kwargs)
    if _ties(model):
        model.get_output_embeddings().weight = model.get_input_embeddings().weight
    return model


def keep_ties() -> None:
    """Change SkyRL."""
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


class TiedPolicy(FSDPPolicyWorkerBase):
    """SkyRL's worker, whose model has tied embeddings where its configuration says so."""

    def init_model(self, *args: Any, **kwargs: Any) -> None:
        """Make and shard the model.

        Raises:
            TiesLost: if its embeddings should be tied, and are not.
        """
        super().init_model(*args, **kwargs)
        check_ties(self.model.model)


PolicyWorker = ray.remote(num_gpus=1)(TiedPolicy)
