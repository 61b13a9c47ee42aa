"""How long servers ran, and the rounds of the housekeeper."""

import asyncio
from time import monotonic, time

import orjson
import pytest

from agent_env_schemas import ErrorCode, ResetRequest
from env_server.episodes import Episodes
from env_server.episodes.expiry import Housekeeper, Stretch, time_served
from env_server.errors import ProblemError
from env_server.records import Uptime

DAY = 86_400.0


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
    """Time during which two processes overlap counts once, and time without any process does not count."""
    assert time_served([Uptime("p", a, b) for a, b in uptimes], since, until) == served


async def test_the_last_eviction_returns_memory(
    pair: tuple[Episodes, Episodes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round that evicts the last live episode frees the database's memory. One that evicts few of many does not."""
    one, _ = pair
    shrunk = 0

    async def shrink() -> None:
        nonlocal shrunk
        shrunk += 1

    monkeypatch.setattr(one.store, "shrink", shrink)
    keeper, start = Housekeeper(one, expire_after_s=DAY, evict_after_s=100), time()
    for index in range(2):
        await one.reset(ResetRequest(domain="retail", split="test", index=index), "tester")
    first, second = one.cache
    first.touched, second.touched = start, start + 50
    await keeper.round(start + 101)
    assert (len(one.cache), shrunk) == (1, 0)
    await keeper.round(start + 151)
    assert (len(one.cache), shrunk) == (0, 1)
    await keeper.round(start + 152)
    assert shrunk == 1


async def test_requests_go_on_between_two_expiries(
    pair: tuple[Episodes, Episodes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other requests run between two expiries, even if each expiry fails at once without waiting."""
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


@pytest.mark.parametrize("jump", [3 * DAY, -3 * DAY, 6.0])
def test_a_machine_that_slept_has_not_lived_through_that_time(jump: float) -> None:
    """A jump of the wall clock begins a new stretch, and the time between the two does not count."""
    stretch, uptimes = Stretch(1_000_000.0, 50.0), {}
    for wall, steady in ((0, 0), (15, 15), (30 + jump, 30), (45 + jump, 45)):
        stretch.go_on(1_000_000.0 + wall, 50.0 + steady)
        uptimes[stretch.name] = Uptime(stretch.name, stretch.began, 1_000_000.0 + wall)
    assert len(uptimes) == 2
    if jump > 0:
        assert time_served(list(uptimes.values()), 1_000_000.0, 1_000_045.0 + jump) == 30


@pytest.mark.parametrize("busy", [0.0, 400.0])
def test_a_busy_process_has_lived_through_its_pauses(busy: float) -> None:
    """If a round is late on both clocks, the process was only busy: the stretch goes on."""
    stretch = Stretch(1_000.0, 50.0)
    stretch.go_on(1_015.0 + busy, 65.0 + busy)
    assert (stretch.began, "#" in stretch.name) == (1_000.0, False)


async def test_a_laptop_that_sleeps_wakes_up_to_live_episodes(pair: tuple[Episodes, Episodes]) -> None:
    """After three days of sleep no episode expires; after three days of running they do."""
    one, _ = pair
    reset = orjson.loads(await one.reset(ResetRequest(domain="retail", split="test", index=0), "tester"))
    keeper, days, now = Housekeeper(one, expire_after_s=3_600, evict_after_s=7_200), 3 * DAY, time()
    for wall, steady in ((15, 15), (30 + days, 30), (45 + days, 45)):
        await keeper.round(now + wall, monotonic() + steady)
    assert (await one.episode(reset["episode_id"])).ended is None
    for later in (45 + days + 1_800, 45 + days + 4_000):
        await keeper.round(now + later)
    assert (await one.episode(reset["episode_id"])).ended is not None
