"""What SkyRL's own estimator makes of a batch in which rollouts were lost."""

from typing import Any

import pytest
import torch
from skyrl.backends.skyrl_train.training_batch import TrainingInputBatch

from trainer_client.masking import baseline_groups, mask_lost
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.trainer import AgentEnvTrainer

UIDS = ["a"] * 4 + ["b"] * 2
REWARDS = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]


def estimated(rewards: list[float], uids: list[str], lost: list[bool], estimator: str) -> tuple[Any, dict[str, float]]:
    """What an estimator makes of rows of two tokens, some of them lost: the batch, and what is logged."""
    output: dict[str, Any] = {
        "response_ids": [[1, 2]] * len(uids),
        "rewards": [[0.0, reward] for reward in rewards],
        "loss_masks": [[1, 1] for _ in uids],
        "stop_reasons": ["stop"] * len(uids),
    }
    mask_lost(output, lost, uids)
    trainer = AgentEnvTrainer.__new__(AgentEnvTrainer)  # its parts need a GPU, its sums do not
    trainer.cfg, trainer.all_metrics = skyrl_config({"trainer.algorithm.advantage_estimator": estimator}), {}
    batch = TrainingInputBatch(
        {
            "rewards": torch.tensor(output["rewards"]),
            "response_mask": torch.ones(len(uids), 2, dtype=torch.long),
            "loss_mask": torch.tensor(output["loss_masks"]),
            "values": torch.full((len(uids), 2), 0.5),
        }
    )
    batch.metadata = {"uids": list(uids), "baseline_groups": baseline_groups(output, uids), "lost": lost}
    batch.metadata["avg_response_length"] = 2.0
    found = trainer.compute_advantages_and_returns(batch)
    assert found.metadata["uids"] == uids
    assert found["response_mask"].all()
    return found, trainer.all_metrics


@pytest.mark.parametrize("estimator", ["grpo", "rloo", "maxrl", "reinforce++", "gae"])
def test_it_is_as_if_the_lost_had_not_been(estimator: str) -> None:
    """Advantages of the others are what they would be without the lost row, which has none; so are logged averages."""
    lost = [False, False, False, True, False, False]
    found, logged = estimated(REWARDS, UIDS, lost, estimator)
    kept = [i for i, gone in enumerate(lost) if not gone]
    alone, expected = estimated([REWARDS[i] for i in kept], [UIDS[i] for i in kept], [False] * 5, estimator)
    for name in ("advantages", "returns"):
        assert torch.allclose(found[name][kept], alone[name])
        assert not found[name][3].any()
    for name in ("loss/avg_raw_advantages", "loss/avg_raw_advantages_abs"):
        assert logged[name] == pytest.approx(expected[name], abs=1e-6)


def test_who_is_left_alone_does_not_stand_out() -> None:
    """Where one rollout of a prompt is left there is nothing to compare it with."""
    found, _ = estimated(REWARDS, UIDS, [False] * 5 + [True], "grpo")
    assert not found["advantages"][4:].any()


def test_all_may_be_lost() -> None:
    """Such a small batch trains nothing, and no number in it is undefined."""
    found, logged = estimated(REWARDS[:2], UIDS[:2], [True, True], "grpo")
    assert not found["advantages"].any()
    assert logged["loss/avg_raw_advantages"] == 0.0
