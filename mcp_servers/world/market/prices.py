"""Daily bars: a market factor, a sector factor, idiosyncratic noise, and the effects of events."""

from collections.abc import Iterable, Mapping
from functools import cache

from mcp_servers.world.calendar import DAYS, SESSIONS
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.companies.roster import Coin
from mcp_servers.world.rows import Bar, BarMonth, Dividend

Factor = dict[str, float]
"""A return for each day."""

MARKET_DRIFT, MARKET_DEVIATION, SECTOR_DEVIATION = 0.00035, 0.0075, 0.0055
QUIET = (0.0, 0.0)
CRYPTO_DRIFT, CRYPTO_DEVIATION = 0.0009, 0.016


@cache
def market_factor(seed: int) -> Factor:
    """Return the return of the whole market on each trading day."""
    stream = Stream(seed, "market")
    return {day: MARKET_DRIFT + MARKET_DEVIATION * stream.normal() for day in SESSIONS}


@cache
def sector_factor(seed: int, sector: str) -> Factor:
    """Return the return of a sector on each trading day, in addition to the market's."""
    stream = Stream(seed, "sector", sector)
    return {day: SECTOR_DEVIATION * stream.normal() for day in SESSIONS}


@cache
def crypto_factor(seed: int) -> Factor:
    """Return the common return of all crypto pairs on each day."""
    stream = Stream(seed, "crypto")
    return {day: CRYPTO_DRIFT + CRYPTO_DEVIATION * stream.normal() for day in DAYS}


def stock_bars(
    seed: int, firm: Firm, moves: Mapping[str, tuple[float, float]], dividends: Iterable[Dividend]
) -> list[Bar]:
    """Return the daily bars of a company as they were traded.

    Args:
        seed: The seed of the world.
        firm: The company.
        moves: The effect of events on the return of a day, before the opening and during trading.
        dividends: The company's dividends. The price falls by each at the opening of its ex-date.
    """
    stream = Stream(seed, "bars", firm.ticker)
    normal, random = stream.normal, stream.random
    market, sector = market_factor(seed), sector_factor(seed, firm.industry.sector)
    cash = {dividend["ex"]: dividend["cash"] for dividend in dividends}
    beta, drift, deviation = firm.beta, firm.drift, firm.industry.deviation
    split_on, before, after = firm.split[1:] if firm.split else ("", 1, 1)
    usual = firm.row["shares"] * stream.between(0.003, 0.008)
    size = stream.between(70, 160)
    close, bars = firm.price, []
    for day in SESSIONS:
        reference = close
        if day == split_on:
            reference, usual = reference * before / after, usual * after / before
        if day in cash:
            reference -= cash[day]
        overnight, during = moves.get(day, QUIET)
        move = overnight + during
        usual_return = beta * market[day] + sector[day] + drift + deviation * normal()
        opening = round(reference * (1.0 + overnight + 0.3 * usual_return + 0.002 * normal()), 2)
        close = round(reference * (1.0 + move + usual_return), 2)
        spread = 0.55 * deviation
        high = round(max(opening, close) * (1.0 + spread * random()), 2)
        low = round(min(opening, close) * (1.0 - spread * random()), 2)
        busy = 0.65 + 0.7 * random() + 14.0 * abs(usual_return) + 26.0 * abs(move)
        volume = int(usual * busy)
        bars.append(_bar(day, opening, high, low, close, volume, int(volume / size) + 1, 4))
    return bars


def _bar(day: str, opening: float, high: float, low: float, close: float, volume: int, trades: int, places: int) -> Bar:
    vwap = round((opening + high + low + 2.0 * close) / 5.0, places)
    return {
        "date": day,
        "open": opening,
        "high": high,
        "low": low,
        "close": close,
        "volume": volume,
        "vwap": vwap,
        "trades": trades,
    }


def crypto_bars(seed: int, coin: Coin, moves: Mapping[str, float]) -> list[Bar]:
    """Return the daily bars of a crypto pair. Each day begins at 00:00 UTC."""
    stream = Stream(seed, "bars", coin.base)
    factor, places = crypto_factor(seed), 2 if coin.price > 100 else 4
    close, bars = coin.price, []
    for day in DAYS:
        opening = close
        move = moves.get(day, 0.0)
        own = factor[day] + coin.deviation * stream.normal()
        close = round(opening * (1.0 + move + own), places)
        high = round(max(opening, close) * (1.0 + 0.5 * coin.deviation * stream.random()), places)
        low = round(min(opening, close) * (1.0 - 0.5 * coin.deviation * stream.random()), places)
        volume = int(coin.volume * (0.6 + 0.8 * stream.random() + 8.0 * abs(own + move)))
        bars.append(_bar(day, opening, high, low, close, volume, volume // 9 + 1, places))
    return bars


def months(ticker: str, bars: Iterable[Bar]) -> list[BarMonth]:
    """Return the bars of a ticker by month."""
    found: dict[str, list[Bar]] = {}
    for bar in bars:
        found.setdefault(bar["date"][:7], []).append(bar)
    return [
        {"id": f"{ticker}:{month}", "ticker": ticker, "month": month, "bars": days} for month, days in found.items()
    ]
