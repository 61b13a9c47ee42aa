"""Prices: bars are whole, follow splits and dividends, and move with events."""

from itertools import pairwise
from statistics import mean, median, stdev

import pytest

from mcp_servers.world import NOW, calendar, read
from mcp_servers.world.events.base import reaction
from mcp_servers.world.rows import BARS, COMPANIES, DIVIDENDS, EVENTS, PAIRS, SPLITS, Bar
from mcp_servers.world.store import MemoryStore

Bars = dict[str, list[Bar]]


@pytest.fixture(scope="module")
def traded(world: MemoryStore) -> Bars:
    """All bars as they were traded, by ticker."""
    found: Bars = {}
    for month in world.rows(BARS):
        found.setdefault(month["ticker"], []).extend(month["bars"])
    return found


def test_there_are_sixty_companies_and_six_pairs(world: MemoryStore, traded: Bars) -> None:
    """Each has bars, and nothing else has."""
    companies = {row["ticker"] for row in world.rows(COMPANIES)}
    pairs = {row["ticker"] for row in world.rows(PAIRS)}
    assert (len(companies), len(pairs)) == (60, 6)
    assert traded.keys() == companies | pairs
    assert all(2 <= len(ticker) <= 4 and ticker.isupper() for ticker in companies)


def test_every_trading_day_has_a_bar_and_no_other_day(traded: Bars) -> None:
    """Companies trade on sessions; crypto on every day."""
    for ticker, bars in traded.items():
        days = calendar.DAYS if read.is_pair(ticker) else calendar.SESSIONS
        assert tuple(bar["date"] for bar in bars) == days, ticker


def test_bars_are_whole(traded: Bars) -> None:
    """The low is the lowest and the high the highest price of a bar, the mean lies between, and something traded."""
    for ticker, bars in traded.items():
        for bar in bars:
            first, last = sorted((bar["open"], bar["close"]))
            assert 0 < bar["low"] <= first <= last <= bar["high"], (ticker, bar)
            assert bar["low"] <= bar["vwap"] <= bar["high"], (ticker, bar)
            assert bar["volume"] >= bar["trades"] > 0, (ticker, bar)


def test_prices_are_quoted_in_cents(traded: Bars) -> None:
    """Shares trade in whole cents."""
    bars = [bar for ticker, several in traded.items() if not read.is_pair(ticker) for bar in several]
    assert all(round(bar[side], 2) == bar[side] for bar in bars for side in ("open", "high", "low", "close"))


def test_prices_follow_splits_and_dividends(world: MemoryStore, traded: Bars) -> None:
    """Against the last close, less the dividend and in new shares, no day opens or closes far away without an event."""
    splits = {(row["ticker"], row["date"]): row["after"] / row["before"] for row in world.rows(SPLITS)}
    cash = {(row["ticker"], row["ex"]): row["cash"] for row in world.rows(DIVIDENDS)}
    moves: dict[tuple[str, str], float] = {}
    early: dict[tuple[str, str], float] = {}
    for event in world.rows(EVENTS):
        day = reaction(event["at"])
        for ticker, move in ((event["ticker"], event["move"]), (event["other"], event["other_move"])):
            if day is not None:
                moves[ticker, day[0]] = moves.get((ticker, day[0]), 0.0) + move
                early[ticker, day[0]] = early.get((ticker, day[0]), 0.0) + move * day[1]
    for ticker, bars in traded.items():
        if read.is_pair(ticker):
            continue
        for before, bar in pairwise(bars):
            key = (ticker, bar["date"])
            reference = before["close"] / splits.get(key, 1.0) - cash.get(key, 0.0)
            own = bar["close"] / reference - 1.0 - moves.get(key, 0.0)
            assert abs(own) < 0.14, (key, own)
            assert bar["open"] / reference - 1.0 == pytest.approx(early.get(key, 0.0), abs=0.05), key


def test_adjusted_prices_have_no_jump_at_a_split(world: MemoryStore) -> None:
    """After adjustment the day of a split is like any other, and the volume before it is in the new shares."""
    assert len(list(world.rows(SPLITS))) >= 10
    for split in world.rows(SPLITS):
        ticker, day = split["ticker"], split["date"]
        before = calendar.session_before(day) or ""
        old, new = read.bars(world, ticker, before, day, NOW)
        raw = read.bars(world, ticker, before, day, NOW, adjusted=False)
        shares = split["after"] / split["before"]
        assert abs(new["close"] / old["close"] - 1.0) < 0.2
        assert raw[0]["close"] / shares == pytest.approx(old["close"], abs=1e-4)
        assert old["volume"] == round(raw[0]["volume"] * shares)
        assert raw[1] == new


def test_a_split_is_unknown_before_it_is_announced(world: MemoryStore) -> None:
    """Before its day a split changes no price, and before its announcement nobody knows of it."""
    split = next(iter(world.rows(SPLITS)))
    ticker = split["ticker"]
    announced = calendar.closes(calendar.session_before(split["announced"]) or "")
    assert read.splits(world, ticker, announced) == []
    eve = calendar.closes(calendar.session_before(split["date"]) or "")
    assert read.splits(world, ticker, eve) == [split]
    bars = read.last_bars(world, ticker, 5, eve)
    assert bars == read.last_bars(world, ticker, 5, eve, adjusted=False)
    assert read.last_bars(world, ticker, 5, NOW) != bars


def test_dividends_have_their_dates_in_order(world: MemoryStore) -> None:
    """A dividend is declared, then trades without, then is recorded and paid, on days on which exchanges are open."""
    rows = list(world.rows(DIVIDENDS))
    assert len(rows) > 500
    for row in rows:
        assert row["declared"] < row["ex"] <= row["record"] < row["pay"], row
        assert row["cash"] > 0
        assert row["declared"] <= calendar.END
        assert row["ex"] == calendar.weekday_from(row["ex"])


def test_events_move_prices(world: MemoryStore, traded: Bars) -> None:
    """Days with a large event differ from other days by about what the event explains."""
    closes = {ticker: {bar["date"]: bar["close"] for bar in bars} for ticker, bars in traded.items()}
    splits = {(row["ticker"], row["date"]) for row in world.rows(SPLITS)}
    missed = []
    for event in world.rows(EVENTS):
        day = reaction(event["at"])
        if abs(event["move"]) < 0.04 or read.is_pair(event["ticker"]) or day is None:
            continue
        before = calendar.session_before(day[0])
        if before is not None and (event["ticker"], day[0]) not in splits:
            prices = closes[event["ticker"]]
            missed.append(prices[day[0]] / prices[before] - 1.0 - event["move"])
    assert len(missed) > 150
    assert abs(mean(missed)) < 0.006
    assert stdev(missed) < 0.03


def test_companies_move_with_the_market(traded: Bars) -> None:
    """On the day on which the median return is highest, nearly all companies rise."""
    tickers = [ticker for ticker in traded if not read.is_pair(ticker)]
    returns = {ticker: [b["close"] / a["close"] - 1.0 for a, b in pairwise(traded[ticker])] for ticker in tickers}
    middles = [median(returns[ticker][day] for ticker in tickers) for day in range(len(calendar.SESSIONS) - 1)]
    best = max(range(len(middles)), key=middles.__getitem__)
    assert sum(returns[ticker][best] > 0 for ticker in tickers) > 50


def test_read_cuts_at_now(world: MemoryStore) -> None:
    """A day has a bar from its close on."""
    close = calendar.closes("2025-03-05")
    at_noon = close.replace(hour=17)
    assert read.bars(world, "ORCA", "2025-03-03", "2025-12-31", close)[-1]["date"] == "2025-03-05"
    assert read.bars(world, "ORCA", "2025-03-03", "2025-12-31", at_noon)[-1]["date"] == "2025-03-04"
    assert [bar["date"] for bar in read.last_bars(world, "ORCA", 3, at_noon)] == [
        "2025-02-28",
        "2025-03-03",
        "2025-03-04",
    ]
    found = read.previous_close(world, "ORCA", at_noon)
    assert found is not None
    assert found["date"] == "2025-03-04"
    assert read.bars(world, "NONE", "2025-03-03", "2025-12-31", NOW) == []
    assert read.previous_close(world, "ORCA", calendar.opens(calendar.START)) is None


def test_all_bars_of_a_day_come_at_once(world: MemoryStore) -> None:
    """A day's bars of all companies are those of each company."""
    found = read.grouped(world, "2025-03-05", NOW)
    assert len(found) == 60
    assert found["ORCA"] == read.bars(world, "ORCA", "2025-03-05", "2025-03-05", NOW)[0]
    assert len(read.grouped(world, "2025-03-08", NOW, crypto=True)) == 6
    assert read.grouped(world, "2025-03-08", NOW) == {}
