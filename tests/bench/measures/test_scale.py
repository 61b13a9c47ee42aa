import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.bench.measures.scale import Cost, Growth
from env_server.bench.plans import load_pack

POSITIVE = st.floats(0.1, 10.0)


@given(st.floats(0.5, 20.0), st.lists(POSITIVE, min_size=1, max_size=9))
def test_a_ratio_is_taken_within_each_round(factor: float, busy: list[float]) -> None:
    """A ratio is taken within a round, because a machine that is slow for a while slows both figures of the round."""
    cost = Cost("step", "us", tuple((b, b * factor) for b in busy))
    assert cost.ratio == pytest.approx(factor)


def test_what_the_machine_does_not_tell_is_null() -> None:
    """If a figure is missing at one size, it is null and so is the ratio; the figure of the other size stays."""
    growth = Growth("retail", 10, (1, 10), (Cost("step", "us", ((1.0, None), (3.0, None))),))
    assert growth.as_json()["costs"] == {"step_us": {"usual": 2.0, "scaled": None, "ratio": None}}


def test_a_larger_world_is_another_pack() -> None:
    """A world of another size is another version with more rows; the default size is the usual pack."""
    usual, scaled = load_pack("retail"), load_pack("retail", 2)
    assert usual is load_pack("retail", 1)
    assert usual.version != scaled.version
    users = [len(pack.snapshot.tables["users"].rows) for pack in (usual, scaled)]
    assert users[1] == 2 * users[0]
