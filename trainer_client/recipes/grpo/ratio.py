"""The ratio of new to old probabilities as metrics of every update. SkyRL must be installed.

SkyRL 0.3.0 logs how often the ratio is clipped, and no other figure of it. Its trainer logs what a loss returns beside
the loss. So this module registers a loss that calls SkyRL's own and adds two figures. SkyRL's workers know its own
losses by their names and keep them, so the new one needs a name of its own.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

import torch
from skyrl.backends.skyrl_train.utils.ppo_utils import LOSSES_WITH_OLD_LOGPROBS, PolicyLossRegistry
from torch import Tensor

PREFIX = "with_ratio_of_"


def with_ratio(name: str) -> str:
    """Register a loss that calls the loss `name` and adds `ratio_mean` and `ratio_std`; returns the new loss's name.

    A loss that does not compare with old log probabilities has no ratio: `name` itself is returned.
    """
    if name not in {str(each) for each in LOSSES_WITH_OLD_LOGPROBS}:
        return name
    if PREFIX + name not in PolicyLossRegistry.list_available():
        PolicyLossRegistry.register(PREFIX + name, watched(name))
    return PREFIX + name


def watched(name: str) -> Callable[..., tuple[Tensor, dict[str, float]]]:
    """SkyRL's loss `name`, which also returns the mean and the standard deviation of the ratio over trained tokens.

    Log probabilities and the mask are [B, T]. A batch without a trained token has no such figures. Where an update has
    several micro-batches, SkyRL logs the means of their figures.
    """

    def loss(
        log_probs: Tensor,
        old_log_probs: Tensor,
        advantages: Tensor,
        config: Any,
        loss_mask: Tensor | None = None,
        **more: Any,
    ) -> tuple[Tensor, dict[str, float]]:
        plain = replace(config, policy_loss_type=name)
        found, metrics = _registered(name)(
            log_probs, old_log_probs, advantages, config=plain, loss_mask=loss_mask, **more
        )
        with torch.no_grad():
            trained = torch.ones_like(log_probs) if loss_mask is None else loss_mask
            ratio = (log_probs - old_log_probs).float().clamp(-20, 20).exp()[trained > 0]
        if not ratio.numel():
            return found, metrics
        return found, {**metrics, "ratio_mean": ratio.mean().item(), "ratio_std": ratio.std(unbiased=False).item()}

    return loss


@cache
def _registered(name: str) -> Any:
    return PolicyLossRegistry.get(name)
