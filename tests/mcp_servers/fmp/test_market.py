"""Quotes, charts, price changes and movers against the world."""

from datetime import datetime
from typing import Any

import pytest

from mcp_servers.fmp.serving.market import session
from mcp_servers.world import NOW, calendar, read
from tests.mcp_servers.fmp.asking import TICKERS, at, close, row, rows, splits, store

EARLIER = at("2025-03-12T23:00:00")


@pytest.mark.parametrize("moment", [NOW, EARLIER])
@pytest.mark.parametrize("ticker", TICKERS)
async def test_a_quote_is_the_last_session(ticker: str, moment: datetime) -> None:
    """After the close the price is the last bar's, and the change is against the close before."""
    before, last = read.last_bars(store(), ticker, 2, moment)
    quote = await row("quote", moment, symbol=ticker)
    assert (quote["price"], quote["open"], quote["volume"]) == (last["close"], last["open"], last["volume"])
    assert quote["previousClose"] == before["close"]
    assert quote["change"] == pytest.approx(last["close"] - before["close"], abs=1e-4)
    assert quote["changePercentage"] == pytest.approx((last["close"] / before["close"] - 1) * 100, abs=1e-4)
    assert quote["marketCap"] == pytest.approx(last["close"] * read.shares(store(), ticker, moment))
    year = read.bars(store(), ticker, calendar.plus(last["date"], -365), last["date"], moment)
    assert quote["yearHigh"] == max(bar["high"] for bar in year)
    assert quote["yearLow"] == min(bar["low"] for bar in year)
    assert quote["timestamp"] == calendar.closes(last["date"]).timestamp()


async def test_a_running_session_has_a_price_of_its_own() -> None:
    """At noon the price lies within the day so far, and the previous close is yesterday's."""
    noon = at("2025-03-12T16:00:00")
    quote = await row("quote", noon, symbol="ORCA")
    day = read.so_far(store(), "ORCA", noon)
    assert day is not None
    assert (quote["price"], quote["dayLow"], quote["dayHigh"]) == (day.close, day.low, day.high)
    assert quote["previousClose"] == close("ORCA", "2025-03-11")
    assert quote["timestamp"] == noon.timestamp()
    assert (await rows("historical-price-eod/full", noon, symbol="ORCA"))[0]["date"] == "2025-03-11"


async def test_a_closed_day_shows_the_session_before() -> None:
    """On a Sunday the quote is Friday's, and so is its time."""
    quote = await row("quote", at("2025-03-16T15:00:00"), symbol="ORCA")
    assert (quote["price"], quote["previousClose"]) == (close("ORCA", "2025-03-14"), close("ORCA", "2025-03-13"))


async def test_before_the_first_trade_there_is_no_quote() -> None:
    """A world that has not begun has no prices."""
    assert session(store(), "ORCA", at("2023-07-03T12:00:00")) is None
    assert await rows("quote", at("2023-07-03T12:00:00"), symbol="ORCA") == []


async def test_crypto_has_a_quote_and_a_chart() -> None:
    """A pair is known as BTCUSD, and trades on Sundays."""
    now = at("2025-03-17T00:00:00")
    (bar,) = read.bars(store(), "X:BTCUSD", "2025-03-16", "2025-03-16", now)
    quote = await row("quote", now, symbol="BTCUSD")
    assert (quote["price"], quote["exchange"], quote["marketCap"]) == (bar["close"], "CRYPTO", None)
    assert (await rows("historical-price-eod/full", now, symbol="BTCUSD"))[0]["close"] == bar["close"]


async def test_charts_are_restated_for_splits() -> None:
    """Prices before a split are divided by it, volumes multiplied; the unadjusted chart shows them as traded."""
    assert len(splits()) > 5
    for split in splits():
        ticker, factor = split["ticker"], split["after"] / split["before"]
        before = calendar.session_before(split["date"])
        assert before is not None
        span: dict[str, Any] = {"symbol": ticker, "start": before, "to": split["date"]}
        after, adjusted = await rows("historical-price-eod/full", **span)
        _, traded = await rows("historical-price-eod/non-split-adjusted", **span)
        light = await row("historical-price-eod/light", symbol=ticker, start=before, to=before)
        assert adjusted["close"] == pytest.approx(traded["adjClose"] / factor, abs=1e-3)
        assert adjusted["volume"] == pytest.approx(traded["volume"] * factor, abs=1)
        assert light["price"] == adjusted["close"]
        assert 0.5 < after["close"] / adjusted["close"] < 2.0
        earlier = await row("historical-price-eod/full", calendar.closes(before), **span)
        assert earlier["close"] == traded["adjClose"]


async def test_the_dividend_chart_falls_by_no_dividend() -> None:
    """The return over an ex-date includes the dividend; the last day is unchanged."""
    dividend = next(d for d in read.dividends(store(), "MNTQ", NOW) if d["ex"] > "2024-01-01")
    before = calendar.session_before(dividend["ex"])
    assert before is not None
    span: dict[str, Any] = {"symbol": "MNTQ", "start": before, "to": dividend["ex"]}
    plain_after, plain_before = await rows("historical-price-eod/full", **span)
    after, first = await rows("historical-price-eod/dividend-adjusted", **span)
    cash = dividend["cash"] / read.factor(store(), "MNTQ", dividend["ex"], NOW)
    counted = plain_after["close"] / (plain_before["close"] - cash)
    assert after["adjClose"] / first["adjClose"] == pytest.approx(counted, rel=1e-4)
    newest = (await rows("historical-price-eod/dividend-adjusted", symbol="MNTQ"))[0]
    assert newest["adjClose"] == close("MNTQ", newest["date"])


@pytest.mark.parametrize("ticker", TICKERS)
async def test_price_changes_follow_from_the_chart(ticker: str) -> None:
    """Each period compares with the close of its first day, or of the session before it."""
    change = await row("stock-price-change", symbol=ticker)
    price = close(ticker, "2026-06-30")
    for name, day in (("5D", "2026-06-23"), ("1M", "2026-05-29"), ("ytd", "2025-12-31"), ("1Y", "2025-06-30")):
        assert change[name] == pytest.approx((price / close(ticker, day) - 1) * 100, abs=1e-4), name
    assert change["1D"] == (await row("quote", symbol=ticker))["changePercentage"]
    assert change["max"] == pytest.approx((price / close(ticker, "2023-07-03") - 1) * 100, abs=1e-4)
    assert (change["3Y"], change["5Y"]) == (None, None)


async def test_movers_are_the_quotes_sorted() -> None:
    """Gainers rise, losers fall, each in order, each as its quote says, and nobody is in both."""
    gainers, losers = await rows("biggest-gainers"), await rows("biggest-losers")
    rises = [mover["changesPercentage"] for mover in gainers]
    assert rises == sorted(rises, reverse=True)
    assert rises[-1] > 0
    falls = [mover["changesPercentage"] for mover in losers]
    assert falls == sorted(falls)
    assert falls[-1] < 0
    assert not {mover["symbol"] for mover in gainers} & {mover["symbol"] for mover in losers}
    for mover in (gainers[0], losers[0]):
        quote = await row("quote", symbol=mover["symbol"])
        assert (mover["price"], mover["change"], mover["changesPercentage"]) == (
            quote["price"],
            quote["change"],
            quote["changePercentage"],
        )
