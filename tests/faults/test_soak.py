"""A short soak: what is sampled of the server stays flat. `make soak` is the long one."""

import pytest

from tests.faults.soak import MIB, cost_us, soak, summary

pytestmark = pytest.mark.faults


async def test_descriptors_and_the_log_stay_flat(capsys: pytest.CaptureFixture[str]) -> None:
    """After the first samples, no descriptor is left open, the log ends at a checkpoint, and memory hardly grows."""
    found = await soak(steps=6_000, episodes=600, samples=6)
    with capsys.disabled():
        print(f"\n{summary(found)}")
    middle, last = found[len(found) // 2], found[-1]
    assert last.steps == 6_000
    assert last.descriptors <= middle.descriptors + 2
    assert last.log_size < 32 * MIB
    assert last.anonymous - middle.anonymous < 8 * MIB
    assert cost_us(middle, last) > 0
