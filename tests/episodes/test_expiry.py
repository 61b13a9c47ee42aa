"""How long servers ran, and the rounds of the housekeeper."""

import asyncio
from time import time

import orjson
import pytest

from agent_env_schemas import ErrorCode, ResetRequest
from env_server.episodes import Episodes
from env_server.episodes.expiry import Housekeeper, time_served
from env_server.errors import ProblemError
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


async def test_requests_go_on_between_two_expiries(
    pair: tuple[Episodes, Episodes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where each fails at once, without waiting for anything."""
    one, _ = pair
    for index in range(3):
        orjson.loads(await one.reset(ResetRequest(domain="retail", split="test", index=index), "tester"))
    pauses, seen = 0, []

    async def others() -> None:
        nonlocal pauses
        while True:
            await asyncio.sleep(0)
            pauses += 1

    async def fail(*_: object) -> None:
        seen.append(pauses)
        raise ProblemError(ErrorCode.PACK_CHANGED, "as the test wishes")

    monkeypatch.setattr(one, "expire", fail)
    await one.store.beat("another", time() - 100, time())
    requests = asyncio.create_task(others())
    await Housekeeper(one, expire_after_s=0.001, evict_after_s=100).round(time() + 1)
    requests.cancel()
    assert len(seen) == 3
    assert seen[0] < seen[1] < seen[2]
