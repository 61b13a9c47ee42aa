"""FMP and Polygon have the same figures of the same world."""

import json
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest

from mcp_servers.kit.upstream.http import in_process
from mcp_servers.kit.upstream.wire import Request
from mcp_servers.polygon.stand_in import stand_in
from mcp_servers.world import NOW, calendar
from mcp_servers.world.store import Scope
from tests.mcp_servers.fmp.asking import TICKERS, at, row, rows, splits, store

NOON = at("2025-03-12T16:00:00")
SECOND_BEFORE = NOW - timedelta(seconds=1)


async def polygon(path: str, now: datetime = NOW, **query: Any) -> dict[str, Any]:
    """Polygon's answer."""
    wire = in_process(stand_in(lambda: Scope(store(), now)))
    headers = {"authorization": "Bearer any"}
    found = await wire.send(Request("GET", "http://polygon.test", path, urlencode(query), headers))
    assert found.status == 200, found.body
    answer = json.loads(found.body)
    assert isinstance(answer, dict)
    return answer


def figures(bar: dict[str, Any]) -> tuple[float, ...]:
    """Open, high, low, close and volume of a bar of Polygon."""
    return tuple(bar[name] for name in "ohlcv")


async def compare_bars(ticker: str, symbol: str, start: str, end: str) -> None:
    """Adjusted and traded bars are the same on both sides, and there are some."""
    for adjusted, kind, prefix in (("true", "full", ""), ("false", "non-split-adjusted", "adj")):
        theirs = await polygon(f"/v2/aggs/ticker/{ticker}/range/1/day/{start}/{end}", adjusted=adjusted)
        ours = await rows(f"historical-price-eod/{kind}", symbol=symbol, start=start, to=end)
        names = [prefix + name if prefix == "" else prefix + name.title() for name in ("open", "high", "low", "close")]
        assert [figures(bar) for bar in theirs["results"]] == [
            (*(r[name] for name in names), r["volume"]) for r in reversed(ours)
        ]
        assert len(ours) > 5


@pytest.mark.parametrize("ticker", TICKERS)
async def test_bars_are_the_same(ticker: str) -> None:
    """Over a quarter, for several companies."""
    await compare_bars(ticker, ticker, "2025-01-02", "2025-03-31")


async def test_bars_around_splits_are_the_same() -> None:
    """Bars agree on both sides of a split, adjusted and as traded, and for a crypto pair."""
    for split in splits():
        day = split["date"]
        await compare_bars(split["ticker"], split["ticker"], calendar.plus(day, -10), calendar.plus(day, 10))
    await compare_bars("X:BTCUSD", "BTCUSD", "2025-03-01", "2025-03-31")


@pytest.mark.parametrize("now", [NOW, NOON], ids=["closed", "running"])
@pytest.mark.parametrize("ticker", TICKERS)
async def test_a_quote_is_the_snapshot(ticker: str, now: datetime) -> None:
    """Price, day, previous close and change agree, while the market runs and after it."""
    shot = (await polygon(f"/v2/snapshot/locale/us/markets/stocks/tickers/{ticker}", now))["ticker"]
    quote = await row("quote", now, symbol=ticker)
    assert figures(shot["day"]) == tuple(quote[name] for name in ("open", "dayHigh", "dayLow", "price", "volume"))
    assert shot["prevDay"]["c"] == quote["previousClose"]
    assert shot["todaysChange"] == pytest.approx(quote["change"], abs=1e-4)
    assert shot["todaysChangePerc"] == pytest.approx(quote["changePercentage"], abs=1e-3)


@pytest.mark.parametrize("now", [NOW, SECOND_BEFORE, NOON], ids=["closed", "last second", "running"])
@pytest.mark.parametrize("pair", ["BTCUSD", "ETHUSD"])
async def test_a_quote_of_a_pair_is_the_snapshot(pair: str, now: datetime) -> None:
    """Snapshot, last trade and quote have one price, made no later than now; the day that runs is not complete."""
    shot = (await polygon(f"/v2/snapshot/locale/global/markets/crypto/tickers/X:{pair}", now))["ticker"]
    trade = (await polygon(f"/v1/last/crypto/{pair[:3]}/{pair[3:]}", now))["last"]
    quote = await row("quote", now, symbol=pair)
    assert figures(shot["day"]) == tuple(quote[name] for name in ("open", "dayHigh", "dayLow", "price", "volume"))
    assert shot["prevDay"]["c"] == quote["previousClose"]
    assert trade["price"] == shot["lastTrade"]["p"] == quote["price"]
    assert quote["timestamp"] <= now.timestamp()
    assert trade["timestamp"] < now.timestamp() * 1000


@pytest.mark.parametrize("ticker", TICKERS)
async def test_details_are_the_profile(ticker: str) -> None:
    """Name, CIK, shares and market capitalization agree; the previous close of Polygon is FMP's last price."""
    details = (await polygon(f"/v3/reference/tickers/{ticker}"))["results"]
    profile = await row("profile", symbol=ticker)
    assert (details["name"], details["cik"]) == (profile["companyName"], profile["cik"])
    assert details["market_cap"] == pytest.approx(profile["marketCap"])
    previous = (await polygon(f"/v2/aggs/ticker/{ticker}/prev"))["results"][0]
    assert previous["c"] == profile["price"]


async def test_movers_are_the_same() -> None:
    """Both lists begin with the same shares."""
    for name in ("gainers", "losers"):
        theirs = (await polygon(f"/v2/snapshot/locale/us/markets/stocks/{name}"))["tickers"]
        ours = await rows(f"biggest-{name}")
        assert [r["symbol"] for r in ours][:5] == [shot["ticker"] for shot in theirs][:5]


@pytest.mark.parametrize("ticker", TICKERS)
async def test_dividends_are_the_same(ticker: str) -> None:
    """Days and amounts of each dividend agree."""
    theirs = await polygon("/v3/reference/dividends", ticker=ticker, limit=100)
    ours = await rows("dividends", symbol=ticker)
    assert {(r["ex_dividend_date"], r["pay_date"], r["cash_amount"]) for r in theirs["results"]} == {
        (r["date"], r["paymentDate"], r["dividend"]) for r in ours
    }


@pytest.mark.parametrize("ticker", TICKERS)
async def test_news_are_the_same(ticker: str) -> None:
    """Both know the same articles, by title and address."""
    theirs = (await polygon("/v2/reference/news", ticker=ticker, limit=50))["results"]
    ours = await rows("news/stock", symbols=ticker, limit=50)
    assert {(r["title"], r["article_url"]) for r in theirs} == {(r["title"], r["url"]) for r in ours}
