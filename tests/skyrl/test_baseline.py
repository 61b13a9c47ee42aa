"""What SkyRL's own estimator makes of a batch in which rollouts were lost."""

from typing import Any

import torch
from skyrl.backends.skyrl_train.training_batch import TrainingInputBatch

from trainer_client.masking import baseline_groups, mask_lost
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.experiment import AgentEnvTrainer

UIDS = ["a"] * 4 + ["b"] * 2


def advantages(rewards: list[float], uids: list[str], groups: list[str]) -> list[float]:
    """The advantage of each row, by GRPO."""
    trainer = AgentEnvTrainer.__new__(AgentEnvTrainer)  # its parts need a GPU, its sums do not
    trainer.cfg, trainer.all_metrics = skyrl_config({}), {}
    batch = TrainingInputBatch(
        {
            "rewards": torch.tensor([[0.0, reward] for reward in rewards]),
            "response_mask": torch.ones(len(rewards), 2),
            "loss_mask": torch.ones(len(rewards), 2),
            "values": None,
        }
    )
    batch.metadata = {"uids": list(uids), "baseline_groups": groups, "avg_response_length": 2.0}
    found = trainer.compute_advantages_and_returns(batch)
    assert found.metadata["uids"] == uids
    return [round(float(row[0]), 4) for row in found["advantages"]]


def test_the_others_are_compared_as_if_the_lost_had_not_been() -> None:
    """Mean and spread are those of the rollouts that count; where one is left nothing stands out."""
    output: dict[str, Any] = {
        "response_ids": [[1, 2]] * 6,
        "rewards": [[0.0, reward] for reward in (1.0, 0.0, 1.0, 0.0, 1.0, 0.0)],
        "loss_masks": [[1, 1] for _ in UIDS],
        "stop_reasons": ["stop"] * 6,
    }
    mask_lost(output, [False, False, False, True, False, True], UIDS)
    found = advantages([sum(row) for row in output["rewards"]], UIDS, baseline_groups(output, UIDS))
    without = advantages([1.0, 0.0, 1.0], UIDS[:3], UIDS[:3])
    assert found[:3] == without
    assert found[4] == 0.0
