from datetime import UTC, datetime

import pytest

from tests.mcp_servers.polygon.asking import ask, refused

STOCKS = "/v2/snapshot/locale/us/markets/stocks"
CRYPTO = "/v2/snapshot/locale/global/markets/crypto"
TIMES = [
    datetime(2026, 6, 30, 16, 0, tzinfo=UTC),
    datetime(2026, 6, 30, 21, 0, tzinfo=UTC),
    datetime(2026, 6, 28, 12, 0, tzinfo=UTC),
]
"""Midday, after the close, and a Sunday."""


@pytest.mark.parametrize("now", TIMES)
@pytest.mark.parametrize(("root", "ticker"), [(STOCKS, "ORCA"), (CRYPTO, "X:BTCUSD")])
async def test_one_ticker(now: datetime, root: str, ticker: str) -> None:
    """The change is the day's price against the close before; the last trade is the last minute's close."""
    shot = (await ask(f"{root}/tickers/{ticker}", now=now))["ticker"]
    assert shot["todaysChange"] == pytest.approx(shot["day"]["c"] - shot["prevDay"]["c"], abs=1e-4)
    assert shot["todaysChangePerc"] == pytest.approx(100 * shot["todaysChange"] / shot["prevDay"]["c"], abs=1e-3)
    assert shot["lastTrade"]["p"] == shot["min"]["c"] == shot["day"]["c"]
    assert shot["updated"] <= now.timestamp() * 10**9


async def test_a_market() -> None:
    """Every ticker is there, or those asked for."""
    assert len((await ask(f"{STOCKS}/tickers"))["tickers"]) == 60
    found = (await ask(f"{STOCKS}/tickers", tickers="VLTM,ORCA,NOPE"))["tickers"]
    assert [shot["ticker"] for shot in found] == ["ORCA", "VLTM"]
    assert len((await ask(f"{CRYPTO}/tickers"))["tickers"]) == 6


@pytest.mark.parametrize(("direction", "sign"), [("gainers", 1), ("losers", -1)])
async def test_movers(direction: str, sign: int) -> None:
    """At most twenty that rose, or fell, the greatest move first."""
    found = [shot["todaysChangePerc"] * sign for shot in (await ask(f"{STOCKS}/{direction}"))["tickers"]]
    assert 0 < len(found) <= 20
    assert found == sorted(found, reverse=True)
    assert found[-1] > 0


async def test_last_trades() -> None:
    """A stock's and a pair's last trade are the last minute's close."""
    trade = (await ask("/v2/last/trade/ORCA"))["results"]
    assert (trade["T"], trade["p"]) == ("ORCA", (await ask(f"{STOCKS}/tickers/ORCA"))["ticker"]["day"]["c"])
    crypto = await ask("/v1/last/crypto/BTC/USD")
    assert (crypto["symbol"], crypto["status"]) == ("BTC-USD", "success")
    assert crypto["last"]["price"] > 0


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{STOCKS}/tickers/NOPE", 404),
        (f"{STOCKS}/tickers/X:BTCUSD", 404),
        ("/v2/last/trade/NOPE", 404),
        ("/v1/last/crypto/ABC/USD", 404),
        ("/v2/snapshot/locale/us/markets/forex/tickers", 400),
    ],
)
async def test_what_is_not_there(path: str, status: int) -> None:
    """An unknown ticker is not found, another market is a wrong request."""
    assert (await refused(path))[0] == status
