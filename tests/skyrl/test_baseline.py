"""SkyRL's own estimator and log on a batch in which rollouts were lost."""

from typing import Any

import pytest
import torch
from skyrl.backends.skyrl_train.training_batch import TrainingInputBatch

from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.trainer import AgentEnvTrainer
from trainer_client.skyrl.lost_rollouts import baseline_groups, mask_lost

UIDS = ["a"] * 4 + ["b"] * 2
REWARDS = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]


def estimated(rewards: list[float], uids: list[str], lost: list[bool], estimator: str) -> tuple[Any, dict[str, float]]:
    """The batch after an estimator has seen its rows of two tokens, some of them lost; and the logged metrics."""
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
    """Advantages of the others and logged averages are as without the lost row, which has no advantage."""
    lost = [False, False, False, True, False, False]
    found, logged = estimated(REWARDS, UIDS, lost, estimator)
    kept = [i for i, gone in enumerate(lost) if not gone]
    alone, expected = estimated([REWARDS[i] for i in kept], [UIDS[i] for i in kept], [False] * 5, estimator)
    for name in ("advantages", "returns"):
        assert torch.allclose(found[name][kept], alone[name])
        assert not found[name][3].any()
    for name in ("loss/avg_raw_advantages", "loss/avg_raw_advantages_abs", "loss/avg_final_rewards"):
        assert logged[name] == pytest.approx(expected[name], abs=1e-6)
    assert found.metadata["metrics"]["avg_final_rewards"] == pytest.approx(0.6)


def test_who_is_left_alone_does_not_stand_out() -> None:
    """If only one rollout of a prompt is left, it has no advantage: there is nothing to compare it with."""
    found, _ = estimated(REWARDS, UIDS, [False] * 5 + [True], "grpo")
    assert not found["advantages"][4:].any()


def test_all_may_be_lost() -> None:
    """A batch whose rollouts are all lost trains nothing, and no number in it is undefined."""
    found, logged = estimated(REWARDS[:2], UIDS[:2], [True, True], "grpo")
    assert not found["advantages"].any()
    assert logged["loss/avg_raw_advantages"] == 0.0
    assert "loss/avg_final_rewards" not in logged


def logged_rewards(rewards: list[Any], lost: list[bool], ends: list[bool] | None = None) -> dict[str, float]:
    """The logged rewards of rollouts, two of each prompt; `ends` says which rows end a rollout."""
    output: dict[str, Any] = {
        "response_ids": [[1, 2]] * len(rewards),
        "rewards": rewards,
        "loss_masks": [[1, 1] for _ in rewards],
        "stop_reasons": ["stop"] * len(rewards),
        "is_last_step": ends,
    }
    prompts = [str(i // 2) for i in range(len(lost))]
    mask_lost(output, lost, prompts)
    trainer = AgentEnvTrainer.__new__(AgentEnvTrainer)
    settings = {"generator.n_samples_per_prompt": 2, "generator.step_wise_trajectories": ends is not None}
    trainer.cfg, trainer.all_metrics = skyrl_config(settings), {}
    of_row = [sum(ends[:i]) for i in range(len(ends))] if ends else range(len(rewards))
    uids = [prompts[rollout] for rollout in of_row]
    found, kept = trainer.postprocess_generator_output(output, uids)
    assert kept == uids
    assert len(found["rewards"]) == len(rewards)
    assert all(isinstance(row, list) for row in found["rewards"])
    logged = trainer.all_metrics.items()
    return {name.removeprefix("reward/"): value for name, value in logged if name.startswith("reward/")}


@pytest.mark.parametrize("shape", ["token", "scalar", "step-wise"])
def test_the_log_has_rewards_of_kept_rollouts(shape: str) -> None:
    """Averages and passes are of kept rollouts, for all shapes of rewards; a prompt that is all lost does not count."""
    rewards, lost = [1.0, 0.0, 1.0, 0.0, 0.0, 0.0], [False, False, False, True, True, True]
    ends = None
    rows: list[Any] = list(rewards)
    if shape != "scalar":
        rows = [[reward, 0.0] for reward in rewards]  # the last token is an observation's
    if shape == "step-wise":
        rows, ends = [row for pair in zip([[0.0, 0.0]] * 6, rows, strict=True) for row in pair], [False, True] * 6
    logged = logged_rewards(rows, lost, ends)
    assert logged == pytest.approx({"avg_raw_reward": 2 / 3, "mean_positive_reward": 2 / 3, "avg_pass_at_2": 1.0})


def test_the_log_of_a_batch_that_is_lost_has_no_rewards() -> None:
    """There is nothing to average, and a 0 would say that the policy failed."""
    assert logged_rewards([1.0, 0.0], [True, True]) == {}
