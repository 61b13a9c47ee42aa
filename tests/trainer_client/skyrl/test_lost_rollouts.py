"""Lost rollouts leave the loss and the baseline, disturb no other rollout, and stop a run when they are too many."""

from statistics import stdev
from typing import Any

import pytest

from trainer_client.skyrl.lost_rollouts import (
    FEWEST,
    LOST,
    LostRolloutLimit,
    TooManyLost,
    baseline_groups,
    kept_rewards,
    mask_lost,
)


def output(rewards: list[Any], **more: Any) -> dict[str, Any]:
    """A generator's output, with three tokens in each row."""
    size = len(rewards)
    fields = {"response_ids": [[1, 2, 3]] * size, "loss_masks": [[1, 1, 0] for _ in rewards], "is_last_step": None}
    return {**fields, "rewards": rewards, "stop_reasons": ["stop"] * size, **more}


def at_end(reward: float) -> list[float]:
    """A row's rewards by token."""
    return [0.0, 0.0, reward]


def test_a_lost_rollout_gets_its_groups_mean() -> None:
    """Its tokens are masked; the group's mean and passes are those of the others; other groups do not change."""
    found = output([at_end(1.0), at_end(0.0), at_end(0.0), at_end(0.5)])
    mask_lost(found, [False, False, True, False], ["a", "a", "a", "b"])
    assert found["rewards"] == [at_end(1.0), at_end(0.0), [0.5, 0.0, 0.0], at_end(0.5)]
    assert found["loss_masks"] == [[1, 1, 0], [1, 1, 0], [0, 0, 0], [1, 1, 0]]
    assert found["stop_reasons"] == ["stop", "stop", LOST, "stop"]


def test_a_group_that_is_lost_gets_everyones_mean() -> None:
    """All its rows are equal, so none has an advantage."""
    found = output([1.0, 0.0, 0.0, 0.0])
    mask_lost(found, [False, False, True, True], ["a", "a", "b", "b"])
    assert found["rewards"] == [1.0, 0.0, 0.5, 0.5]
    found = output([0.0, 0.0])
    mask_lost(found, [True, True], ["a", "a"])
    assert found["rewards"] == [0.0, 0.0]


def test_all_turns_of_a_lost_rollout_are_masked() -> None:
    """In step-wise trajectories a rollout has a row for each turn; the last one carries the reward."""
    rows = [at_end(0.0), at_end(1.0), at_end(0.0), at_end(0.0), at_end(0.0)]
    found = output(rows, is_last_step=[False, True, False, False, True])
    mask_lost(found, [False, True], ["a", "a"])
    assert found["loss_masks"] == [[1, 1, 0]] * 2 + [[0, 0, 0]] * 3
    assert found["rewards"][2:] == [[0.0] * 3, [0.0] * 3, [1.0, 0.0, 0.0]]


def test_nobody_lost_changes_nothing() -> None:
    """If no rollout is lost, the output does not change."""
    found = output([1.0, 0.0])
    mask_lost(found, [False, False], ["a", "a"])
    assert found == output([1.0, 0.0])


def test_lost_rows_are_compared_in_no_group() -> None:
    """A group's spread is that of its kept rows. Beside a single kept row the lost one stays, so neither stands out."""
    found = output([at_end(1.0), at_end(0.0), at_end(1.0), at_end(0.0), at_end(1.0), at_end(0.0)])
    mask_lost(found, [False, False, False, True, False, True], ["a", "a", "a", "a", "b", "b"])
    groups = baseline_groups(found, ["a", "a", "a", "a", "b", "b"])
    assert groups == ["a", "a", "a", f"a {LOST} 3", "b", "b"]
    spread = stdev(sum(r) for r, g in zip(found["rewards"], groups, strict=True) if g == "a")
    assert spread == stdev([1.0, 0.0, 1.0])
    assert found["rewards"][4] == at_end(1.0)
    assert sum(found["rewards"][5]) == 1.0


def test_rewards_of_kept_rollouts() -> None:
    """Totals of the rollouts that were not lost, each with its prompt, whatever rows they have."""
    found = output([at_end(1.0), at_end(0.0), at_end(0.5)])
    mask_lost(found, [False, True, False], ["a", "a", "b"])
    assert kept_rewards(found, ["a", "a", "b"]) == ([1.0, 0.5], ["a", "b"])
    found = output([0.0, 1.0, 0.0], is_last_step=[False, True, True])
    mask_lost(found, [False, True], ["a", "b"])
    assert kept_rewards(found, ["a", "a", "b"]) == ([1.0], ["a"])


def limit(*batches: tuple[int, int]) -> LostRolloutLimit:
    """A limit of a quarter, after batches of (rollouts, lost rollouts)."""
    found = LostRolloutLimit(0.25)
    for rollouts, lost in batches:
        found.begin(rollouts)
        for _ in range(lost):
            found.lose("no connection")
    return found


def test_a_share_of_a_batch_may_be_lost() -> None:
    """A quarter passes, one more does not, and what an earlier batch lost does not count."""
    assert not limit((64, 16)).exceeded
    assert limit((64, 17)).exceeded
    assert not limit((64, 16), (64, 16)).exceeded


def test_a_small_batch_is_not_judged_alone() -> None:
    """One rollout lost of three stops nothing, nor does an evaluation's last batch whose only rollout is lost."""
    assert not limit((3, 1)).exceeded
    assert not limit((64, 0), (1, 1)).exceeded
    assert not limit((1, 1), (64, 15)).exceeded


def test_small_batches_are_judged_together() -> None:
    """An outage stops the run even if each batch is small: when more than a quarter of FEWEST rollouts is lost."""
    batches = [(4, 4)] * (FEWEST // 16)
    assert not limit(*batches).exceeded
    assert limit(*batches, (4, 1)).exceeded
    assert not limit(*[(4, 1)] * 20).exceeded


def test_the_reasons_are_told() -> None:
    """The message counts the reasons, the most common first."""
    found = limit((16, 12))
    found.lose("defect")
    with pytest.raises(TooManyLost, match=r"13 of 16 rollouts were lost \(limit 25%\): 12 x no connection; 1 x defect"):
        found.check()
