from datetime import UTC, datetime
from typing import Any

import pytest

from mcp_servers.world import NOW, calendar, read
from mcp_servers.world.rows import SPLITS
from tests.mcp_servers.polygon.asking import ask, pages, refused, store

MARCH = "range/1/day/2025-03-03/2025-03-28"
MIDDAY = datetime(2026, 6, 30, 16, 0, tzinfo=UTC)


def url(ticker: str, rest: str) -> str:
    """The path of a ticker's aggregates."""
    return f"/v2/aggs/ticker/{ticker}/{rest}"


async def test_days_are_the_worlds() -> None:
    """A day's bar has the world's figures, and the time of midnight in New York."""
    found = await ask(url("ORCA", MARCH))
    bars = read.bars(store(), "ORCA", "2025-03-03", "2025-03-28", NOW)
    assert [bar["c"] for bar in found["results"]] == [bar["close"] for bar in bars]
    assert (found["resultsCount"], found["count"], found["adjusted"], found["status"]) == (20, 20, True, "OK")
    assert datetime.fromtimestamp(found["results"][0]["t"] / 1000, UTC) == datetime(2025, 3, 3, 5, tzinfo=UTC)
    assert set(found["results"][0]) == {"v", "vw", "o", "c", "h", "l", "t", "n"}


async def test_splits_are_adjusted_for_unless_not() -> None:
    """Before a split prices are in the new shares, or as they were traded."""
    split = next(iter(store().rows(SPLITS)))
    day = calendar.session_before(split["date"])
    shares = split["after"] / split["before"]
    path = url(split["ticker"], f"range/1/day/{day}/{day}")
    new, old = (await ask(path))["results"][0], (await ask(path, adjusted="false"))["results"][0]
    assert old["c"] == pytest.approx(new["c"] * shares, rel=1e-3)
    assert old["v"] == pytest.approx(new["v"] / shares, rel=1e-3)


@pytest.mark.parametrize(
    ("size", "begins", "count"),
    [
        ("1/week", "2025-03-02", 4),
        ("1/month", "2025-03-01", 1),
        ("1/quarter", "2025-01-01", 1),
        ("1/year", "2025-01-01", 1),
        ("5/day", "2025-03-03", 6),
    ],
)
async def test_larger_bars(size: str, begins: str, count: int) -> None:
    """Weeks begin on Sunday, months and quarters on their first day; a bar holds its days' extremes and sums."""
    days = (await ask(url("ORCA", MARCH)))["results"]
    found = (await ask(url("ORCA", f"range/{size}/2025-03-03/2025-03-28")))["results"]
    assert len(found) == count
    assert datetime.fromtimestamp(found[0]["t"] / 1000, UTC).date().isoformat() == begins
    assert sum(bar["v"] for bar in found) == sum(bar["v"] for bar in days)
    assert max(bar["h"] for bar in found) == max(bar["h"] for bar in days)
    assert (found[0]["o"], found[-1]["c"]) == (days[0]["o"], days[-1]["c"])


@pytest.mark.parametrize("ticker", ["ORCA", "X:BTCUSD"])
async def test_minutes_add_up_to_the_day(ticker: str) -> None:
    """Hours and minutes of a day have its volume, its first and its last price."""
    (day,) = (await ask(url(ticker, "range/1/day/2025-03-03/2025-03-03")))["results"]
    for size in ("1/minute", "30/minute", "1/hour"):
        found = (await ask(url(ticker, f"range/{size}/2025-03-03/2025-03-03")))["results"]
        assert sum(bar["v"] for bar in found) == day["v"]
        assert (found[0]["o"], found[-1]["c"]) == (day["o"], day["c"])


@pytest.mark.parametrize("sort", ["asc", "desc"])
@pytest.mark.parametrize(("rest", "limit"), [(MARCH, 7), ("range/15/minute/2025-03-03/2025-03-04", 150)])
async def test_pages_make_up_the_whole(rest: str, limit: int, sort: str) -> None:
    """All pages together are what one request gives, without a gap and without a double, in both directions."""
    whole = (await ask(url("ORCA", rest), sort=sort))["results"]
    found = await pages(url("ORCA", rest), sort=sort, limit=limit)
    assert len(found) > 2
    assert [bar for page in found for bar in page] == whole


async def test_times_bound_minutes() -> None:
    """From and to may be milliseconds, to the minute."""
    begin = int(datetime(2025, 3, 3, 15, 0, tzinfo=UTC).timestamp() * 1000)
    found = (await ask(url("ORCA", f"range/1/minute/{begin}/{begin + 240_000}")))["results"]
    assert [bar["t"] for bar in found] == [begin + minute * 60_000 for minute in range(5)]


async def test_the_running_day() -> None:
    """At midday the day has a bar of what was traded so far, and the previous close is the day before's."""
    path = "range/1/day/2026-06-29/2026-07-05"
    so_far = (await ask(url("ORCA", path), now=MIDDAY))["results"]
    in_the_end = (await ask(url("ORCA", path)))["results"]
    assert len(so_far) == len(in_the_end) == 2
    assert so_far[0] == in_the_end[0]
    assert (so_far[1]["o"], so_far[1]["t"]) == (in_the_end[1]["o"], in_the_end[1]["t"])
    assert 0 < so_far[1]["v"] < in_the_end[1]["v"]
    (previous,) = (await ask(url("ORCA", "prev"), now=MIDDAY))["results"]
    assert {**in_the_end[0], "T": "ORCA"} == previous


async def test_nothing_of_the_future() -> None:
    """Rows with a date after now do not exist."""
    past = datetime(2025, 1, 1, tzinfo=UTC)
    assert "results" not in await ask(url("ORCA", MARCH), now=past)
    assert (await ask("/v2/aggs/grouped/locale/us/market/stocks/2025-03-03", now=past))["resultsCount"] == 0


@pytest.mark.parametrize(
    "path", [url("NOPE", MARCH), url("orca", MARCH), url("ORCA", "range/1/day/2025-03-01/2025-03-02")]
)
async def test_no_bars_are_no_error(path: str) -> None:
    """An unknown ticker, or days without trading, give no results."""
    found = await ask(path)
    assert (found["resultsCount"], "results" in found) == (0, False)


@pytest.mark.parametrize(
    "path",
    [
        url("ORCA", "range/0/day/2025-03-03/2025-03-28"),
        url("ORCA", "range/1/fortnight/2025-03-03/2025-03-28"),
        url("ORCA", "range/1/day/soon/2025-03-28"),
        url("ORCA", "range/1/day/2025-03-28/2025-03-03"),
        url("ORCA", "range/1/day/99999999999999999999/2025-03-03"),
        "/v2/aggs/grouped/locale/us/market/bonds/2025-03-03",
    ],
)
async def test_wrong_requests(path: str) -> None:
    """A request that cannot be understood is an error that says so."""
    status, body = await refused(path)
    assert (status, body["status"]) == (400, "ERROR")
    assert body["error"]


@pytest.mark.parametrize("query", [{"limit": "50001"}, {"limit": "-1"}, {"adjusted": "maybe"}])
async def test_wrong_parameters(query: dict[str, str]) -> None:
    """Limits are the vendor's."""
    assert (await refused(url("ORCA", MARCH), **query))[0] == 400


async def test_a_market_on_one_day() -> None:
    """All companies, or all pairs, have a bar."""
    stocks = await ask("/v2/aggs/grouped/locale/us/market/stocks/2025-03-03")
    crypto = await ask("/v2/aggs/grouped/locale/global/market/crypto/2025-03-02")
    assert (len(stocks["results"]), len(crypto["results"])) == (60, 6)
    (one,) = (await ask(url("ORCA", "range/1/day/2025-03-03/2025-03-03")))["results"]
    assert next(bar for bar in stocks["results"] if bar["T"] == "ORCA") == {"T": "ORCA", **one}


async def test_open_and_close() -> None:
    """The prices of one day are those of its bar; a day without trading is not found."""
    found = await ask("/v1/open-close/ORCA/2025-03-03")
    bar: Any = (await ask(url("ORCA", "range/1/day/2025-03-03/2025-03-03")))["results"][0]
    assert (found["open"], found["close"], found["from"], found["symbol"]) == (bar["o"], bar["c"], "2025-03-03", "ORCA")
    assert (await refused("/v1/open-close/ORCA/2025-03-02"))[0] == 404
