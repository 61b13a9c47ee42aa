"""How long servers ran."""

import pytest

from env_server.episodes.expiry import time_served
from env_server.records import Uptime


@pytest.mark.parametrize(
    ("uptimes", "since", "until", "served"),
    [
        ([], 0, 100, 0),
        ([(0, 100)], 10, 60, 50),
        ([(0, 20), (80, 100)], 10, 90, 20),
        ([(0, 50), (20, 30), (40, 70)], 0, 100, 70),
        ([(0, 50), (50, 60)], 0, 100, 60),
        ([(90, 100)], 0, 50, 0),
    ],
)
def test_time_without_any_server_does_not_count(
    uptimes: list[tuple[float, float]], since: float, until: float, served: float
) -> None:
    """Overlapping processes count once, gaps not at all."""
    assert time_served([Uptime("p", a, b) for a, b in uptimes], since, until) == served
