"""Profiles, dividends and earnings of companies, in FMP's format."""

from datetime import datetime, timedelta
from typing import Any

from mcp_servers.fmp.serving import market
from mcp_servers.fmp.serving.symbols import EXCHANGES
from mcp_servers.world import calendar, read
from mcp_servers.world.rows import Dividend
from mcp_servers.world.store import Store

Json = dict[str, Any]

FREQUENCIES = {1: "Annual", 2: "Semi-Annual", 4: "Quarterly", 12: "Monthly"}


def profile(store: Store, symbol: str, now: datetime) -> list[Json]:
    """Return the rows of `/profile`."""
    company = read.company(store, symbol, now)
    if company is None:
        return []
    ticker = company["ticker"]
    last, span = market.session(store, ticker, now), market.year_range(store, ticker, now)
    recent = read.last_bars(store, ticker, 50, now)
    exchange, full_name = EXCHANGES[company["exchange"]]
    return [
        {
            "symbol": ticker,
            "price": last.bar["close"] if last else None,
            "marketCap": round(last.bar["close"] * company["shares"], 2) if last else None,
            "beta": None,
            "lastDividend": _paid_in_a_year(store, ticker, now),
            "range": f"{span[0]:g}-{span[1]:g}" if span else "",
            "change": last.change if last else None,
            "changePercentage": last.percent if last else None,
            "volume": last.bar["volume"] if last else None,
            "averageVolume": round(sum(bar["volume"] for bar in recent) / len(recent)) if recent else None,
            "companyName": company["name"],
            "currency": "USD",
            "cik": company["cik"],
            "isin": "",
            "cusip": "",
            "exchangeFullName": full_name,
            "exchange": exchange,
            "industry": company["industry"],
            "website": company["website"],
            "description": company["description"],
            "ceo": company["ceo"],
            "sector": company["sector"],
            "country": "US",
            "fullTimeEmployees": str(company["employees"]),
            "phone": company["phone"],
            "address": company["address"],
            "city": company["city"],
            "state": company["state"],
            "zip": "",
            "image": "",
            "ipoDate": company["listed"],
            "defaultImage": True,
            "isEtf": False,
            "isActivelyTrading": True,
            "isAdr": False,
            "isFund": False,
        }
    ]


def dividends(store: Store, symbol: str, now: datetime) -> list[Json]:
    """Return the rows of `/dividends`: declared dividends, newest first."""
    rows = [_dividend(store, row, now) for row in read.dividends(store, symbol, now)]
    return sorted(rows, key=lambda row: str(row["date"]), reverse=True)


def earnings(store: Store, symbol: str, now: datetime) -> list[Json]:
    """Return the rows of `/earnings`: announced reports, newest first."""
    return [
        {
            "symbol": row["ticker"],
            "date": row["date"],
            "epsActual": row["eps"],
            "epsEstimated": row["eps_expected"],
            "revenueActual": row["revenue"],
            "revenueEstimated": row["revenue_expected"],
            "lastUpdated": row["date"],
        }
        for row in read.earnings(store, symbol, now)
    ]


def _dividend(store: Store, row: Dividend, now: datetime) -> Json:
    cash = adjusted(store, row, now)
    before = read.bars(store, row["ticker"], calendar.plus(row["ex"], -10), calendar.plus(row["ex"], -1), now)
    return {
        "symbol": row["ticker"],
        "date": row["ex"],
        "recordDate": row["record"],
        "paymentDate": row["pay"],
        "declarationDate": row["declared"],
        "adjDividend": cash,
        "dividend": row["cash"],
        "yield": round(cash * row["frequency"] / before[-1]["close"] * 100.0, 4) if before else None,
        "frequency": FREQUENCIES.get(row["frequency"], ""),
    }


def adjusted(store: Store, row: Dividend, now: datetime) -> float:
    """Return a dividend per share, in the shares of `now`."""
    return round(row["cash"] / read.factor(store, row["ticker"], row["ex"], now), 6)


def _paid_in_a_year(store: Store, ticker: str, now: datetime) -> float:
    today = calendar.local(now).date()
    since = (today - timedelta(365)).isoformat()
    rows = [row for row in read.dividends(store, ticker, now) if since < row["ex"] <= today.isoformat()]
    return round(sum(adjusted(store, row, now) for row in rows), 4)
