"""The ratio of new to old probabilities, which SkyRL's losses do not return."""

from typing import Any

import pytest
import torch
from skyrl.backends.skyrl_train.utils.ppo_utils import PolicyLossRegistry
from skyrl.train.config import SkyRLTrainConfig

from trainer_client.recipes.grpo.ratio import PREFIX, watched, with_ratio

MASK = torch.tensor([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


def lost(found: Any, old: torch.Tensor) -> tuple[float, torch.Tensor, dict[str, float]]:
    """The value of a loss, its gradient and its metrics for the same new log probabilities."""
    algorithm = SkyRLTrainConfig().trainer.algorithm
    new = torch.full((2, 3), -1.0, requires_grad=True)
    loss, metrics = found(new, old, torch.ones(2, 3), config=algorithm, loss_mask=MASK, rollout_logprobs=None)
    loss.backward()
    assert new.grad is not None
    return loss.item(), new.grad, metrics


def test_the_loss_is_skyrls_and_tells_the_ratio_of_trained_tokens() -> None:
    """Value, gradient and SkyRL's own metrics are the same; a token without loss does not count."""
    old = torch.tensor([[-1.0, -2.0, -9.0], [-1.0, -9.0, -9.0]])
    theirs, ours = lost(PolicyLossRegistry.get("regular"), old), lost(watched("regular"), old)
    assert ours[0] == theirs[0]
    assert torch.equal(ours[1], theirs[1])
    ratios = torch.tensor([1.0, 1.0, 2.718281828])
    told = {"ratio_mean": ratios.mean().item(), "ratio_std": ratios.std(unbiased=False).item()}
    assert ours[2] == pytest.approx({**theirs[2], **told})


def test_equal_weights_have_the_ratio_one() -> None:
    """The first update of a batch has the weights of the rollouts."""
    metrics = lost(watched("regular"), torch.full((2, 3), -1.0))[2]
    assert (metrics["ratio_mean"], metrics["ratio_std"]) == (1.0, 0.0)


def test_only_losses_with_a_ratio_are_replaced() -> None:
    """A name is registered once, and a loss that compares with the rollouts' own probabilities keeps its name."""
    assert with_ratio("regular") == with_ratio("regular") == f"{PREFIX}regular"
    assert f"{PREFIX}regular" in PolicyLossRegistry.list_available()
    assert with_ratio("dppo") == "dppo"
