"""When the rollouts that are lost stop a run."""

import pytest

from trainer_client.loss_limit import FEWEST, LossLimit, TooManyLost


def limit(*batches: tuple[int, int]) -> LossLimit:
    """A limit of a quarter after batches of so many rollouts, of which so many were lost."""
    found = LossLimit(0.25)
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
    """An outage stops the run even if each batch is small: when a quarter of the fewest that are judged is lost."""
    batches = [(4, 4)] * (FEWEST // 16)
    assert not limit(*batches).exceeded
    assert limit(*batches, (4, 1)).exceeded
    assert not limit(*[(4, 1)] * 20).exceeded


def test_the_reasons_are_told() -> None:
    """The message counts them, the commonest first."""
    found = limit((16, 12))
    found.lose("defect")
    with pytest.raises(TooManyLost, match=r"13 of 16 rollouts were lost \(limit 25%\): 12 x no connection; 1 x defect"):
        found.check()
