"""Answers computed again from the tools' results, by code that shares nothing with the generator."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

Result = Mapping[str, Any]
"""A structured result of a tool, with the tool's `name` and `arguments`."""

Solver = Callable[[str, Sequence[Result]], Any]
"""(request, results) -> the answer."""

LINES = (
    (r"cost of (revenue|sales)", "costOfRevenue"),
    (r"gross (profit|margin)", "grossProfit"),
    (r"operating (income|profit|margin)", "operatingIncome"),
    (r"net (income|profit|margin)", "netIncome"),
    (r"research and development", "researchAndDevelopmentExpenses"),
    (r"SG&A|selling, general", "sellingGeneralAndAdministrativeExpenses"),
    (r"income tax", "incomeTaxExpense"),
    (r"interest expense", "interestExpense"),
    (r"revenue|sales", "revenue"),
)
ORDINALS = {"first": "Q1", "second": "Q2", "third": "Q3", "fourth": "Q4"}


def bars(results: Sequence[Result]) -> list[list[dict[str, Any]]]:
    """The bars of each look-up of prices."""
    return [result["bars"] for result in results if result["name"] == "polygon_get_aggs"]


def reports(results: Sequence[Result]) -> list[list[dict[str, Any]]]:
    """The statements of each look-up of statements."""
    return [result["rows"] for result in results if result["name"] == "fmp_get_income_statement"]


def line_in(request: str) -> str:
    """The figure of the statement that a request names."""
    return next(key for pattern, key in LINES if re.search(pattern, request))


def period_in(request: str) -> tuple[str, str]:
    """The fiscal year and the period in a request."""
    if found := re.search(r"(first|second|third|fourth) quarter of fiscal (\d{4})", request):
        return found[2], ORDINALS[found[1]]
    if found := re.search(r"Q(\d) of fiscal year (\d{4})|fiscal Q(\d) (\d{4})", request):
        return found[2] or found[4], f"Q{found[1] or found[3]}"
    found = re.search(r"fiscal (?:year )?(\d{4})", request)
    assert found is not None, request
    return found[1], "FY"


def figure(rows: Sequence[Mapping[str, Any]], key: str, period: tuple[str, str]) -> float:
    """A figure of one period."""
    (row,) = [row for row in rows if (row["fiscalYear"], row["period"]) == period]
    return float(row["figures"][key])


def price(request: str, results: Sequence[Result]) -> float:
    """The price on the day in a request."""
    ((bar,),) = bars(results)
    lower = request.lower()
    key = "open" if "open" in lower else "high" if "high" in lower else "low" if "lowest" in lower else ""
    return float(bar[key or ("low" if "day's low" in lower else "close")])


def extreme(request: str, results: Sequence[Result]) -> float:
    """The highest or the lowest price of a period."""
    (found,) = bars(results)
    high = "high" in request.lower()
    prices = sorted(bar["high" if high else "low"] for bar in found)
    return float(prices[-1 if high else 0])


def busiest(_: str, results: Sequence[Result]) -> str:
    """The day with the highest volume."""
    (found,) = bars(results)
    volumes = {bar["volume"]: bar["time"][:10] for bar in found}
    return str(volumes[max(volumes)])


def by_ticker(results: Sequence[Result]) -> dict[str, list[dict[str, Any]]]:
    """The bars by ticker."""
    return {result["ticker"]: result["bars"] for result in results if result["name"] == "polygon_get_aggs"}


def mover(request: str, results: Sequence[Result]) -> str:
    """The company that rose or fell most."""
    moves = {t: math.log(found[-1]["close"] / found[0]["close"]) for t, found in by_ticker(results).items()}
    sign = 1 if " rose" in request else -1
    return max((sign * move, ticker) for ticker, move in moves.items())[1]


def ranking(request: str, results: Sequence[Result]) -> tuple[str, ...]:
    """The order by price or volume."""
    key = "close" if re.search(r"close|price|closing", request) else "volume"
    values = sorted(((found[0][key], ticker) for ticker, found in by_ticker(results).items()), reverse=True)
    return tuple(ticker for _, ticker in values)


def line(request: str, results: Sequence[Result]) -> float:
    """A line of a statement."""
    (rows,) = reports(results)
    return figure(rows, line_in(request), period_in(request))


def latest(request: str, results: Sequence[Result]) -> float:
    """A line of the newest statement."""
    (rows,) = reports(results)
    newest = max(rows, key=lambda row: row["date"])
    return float(newest["figures"][line_in(request)])


def line_order(request: str, results: Sequence[Result]) -> Any:
    """The companies ordered by a line, or the one with the largest amount."""
    period, key = period_in(request), line_in(request)
    found = sorted(((figure(rows, key, period), rows[0]["symbol"]) for rows in reports(results)), reverse=True)
    sorting = re.search(r"^.*(Sort|in order|order of|descending)", request) is not None
    return tuple(symbol for _, symbol in found) if sorting else found[0][0]


def growth(request: str, results: Sequence[Result]) -> float:
    """The change against the year before, in per cent."""
    (rows,) = reports(results)
    year, quarter = period_in(request)
    now, before = (figure(rows, line_in(request), (str(int(year) - back), quarter)) for back in (0, 1))
    return (now - before) / before * 100


def newest_growth(_: str, results: Sequence[Result]) -> float:
    """The growth of revenue in the newest quarter."""
    (rows,) = reports(results)
    new = max(rows, key=lambda row: row["date"])
    before = figure(rows, "revenue", (str(int(new["fiscalYear"]) - 1), new["period"]))
    return (float(new["figures"]["revenue"]) - before) / before * 100


def margin(request: str, results: Sequence[Result]) -> float:
    """A share of revenue in per cent."""
    (rows,) = reports(results)
    period = period_in(request)
    return 100 * figure(rows, line_in(request), period) / figure(rows, "revenue", period)


def per_head(request: str, results: Sequence[Result]) -> float:
    """Revenue per employee."""
    (rows,) = reports(results)
    (profile,) = [result["profile"] for result in results if result["name"] == "fmp_get_company_profile"]
    return figure(rows, "revenue", period_in(request)) / int(profile["fullTimeEmployees"])


def maker(request: str, results: Sequence[Result]) -> str:
    """The listing date or the chief executive of a profile."""
    (profile,) = [result["profile"] for result in results if result["name"] == "fmp_get_company_profile"]
    return str(profile["ipoDate"] if re.search(r"listed that|public|listing|listed\.", request) else profile["ceo"])


def change(_: str, results: Sequence[Result]) -> float:
    """The change from the first to the last close, in per cent."""
    (found,) = bars(results)
    return 100 * float(found[-1]["close"] - found[0]["close"]) / float(found[0]["close"])


def average(request: str, results: Sequence[Result]) -> float:
    """The mean of closes or volumes."""
    (found,) = bars(results)
    key = "volume" if re.search(r"volume|shares", request) else "close"
    return math.fsum(bar[key] for bar in found) / len(found)


def drawdown(_: str, results: Sequence[Result]) -> float:
    """The largest fall from a close to any later one, in per cent."""
    (found,) = bars(results)
    closes = [bar["close"] for bar in found]
    return max(100 * float(1 - later / one) for i, one in enumerate(closes) for later in closes[i:])


def daily(found: Sequence[Mapping[str, Any]]) -> list[float]:
    """The returns from day to day."""
    return [found[i]["close"] / found[i - 1]["close"] - 1 for i in range(1, len(found))]


def volatility(_: str, results: Sequence[Result]) -> float:
    """The sample standard deviation of daily returns, in per cent."""
    (found,) = bars(results)
    values = daily(found)
    mean = math.fsum(values) / len(values)
    return 100 * math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def days(request: str, results: Sequence[Result]) -> float:
    """The number of days with a close above, or below, the open."""
    (found,) = bars(results)
    higher = sum(bar["close"] > bar["open"] for bar in found)
    lower = sum(bar["close"] < bar["open"] for bar in found)
    return float(higher if "higher than" in request else lower)


def correlation(_: str, results: Sequence[Result]) -> float:
    """Pearson's correlation of two series of returns."""
    one, two = (daily(found) for found in bars(results))
    means = [math.fsum(values) / len(values) for values in (one, two)]
    shared = math.fsum((a - means[0]) * (b - means[1]) for a, b in zip(one, two, strict=True))
    spread = math.sqrt(math.fsum((a - means[0]) ** 2 for a in one) * math.fsum((b - means[1]) ** 2 for b in two))
    return shared / spread


def ahead(_: str, results: Sequence[Result]) -> float:
    """The difference of two changes, in percentage points."""
    one, two = (100 * found[-1]["close"] / found[0]["close"] - 100 for found in bars(results))
    return float(one - two)


def better(_: str, results: Sequence[Result]) -> float:
    """The larger of two changes, in per cent."""
    return max(100 * float(found[-1]["close"] / found[0]["close"]) - 100 for found in bars(results))


def close(_: str, results: Sequence[Result]) -> float:
    """The close of one day."""
    ((bar,),) = bars(results)
    return float(bar["close"])


SOLVERS: Mapping[str, Solver] = {
    "price": price, "coin": close, "extreme": extreme, "busiest-day": busiest, "mover": mover, "price-order": ranking,
    "line": line, "latest-line": latest, "line-order": line_order, "growth": growth, "margin": margin,
    "per-head": per_head, "maker": maker, "return": change, "average": average, "drawdown": drawdown,
    "volatility": volatility, "day-count": days, "correlation": correlation, "ahead": ahead, "post-if-level": close,
    "post-if-growth": newest_growth, "post-here-or-there": better,
}  # fmt: skip
"""Template -> the function that computes its answer from the results of its look-ups."""


def closed_at(day: str) -> datetime:
    """The hour at which the exchanges close on a day without an early close."""
    return datetime.fromisoformat(f"{day}T16:00").replace(tzinfo=ZoneInfo("America/New_York"))


def around(found: Sequence[Mapping[str, Any]], at: str) -> tuple[int, int]:
    """The indices of the last bar that had closed at a time, and of the next one."""
    moment = datetime.fromisoformat(at)
    done = [i for i, bar in enumerate(found) if closed_at(bar["time"][:10]) <= moment]
    return done[-1], done[-1] + 1


def wide(at: str) -> tuple[str, str]:
    """The first and the last day of a long span around a time."""
    moment = datetime.fromisoformat(at)
    return (moment - timedelta(days=30)).date().isoformat(), (moment + timedelta(days=100)).date().isoformat()


def study(template: str, found: Sequence[Mapping[str, Any]], at: str) -> Any:
    """The answer of an event study, from the bars around the time of the first report."""
    before, after = around(found, at)
    start, end = found[before]["close"], found[after]["close"]
    if template in ("reaction", "other-side"):
        return 100 * (end - start) / start
    if template == "drift":
        return 100 * found[after + 5]["close"] / end - 100
    if template == "rush":
        return found[after]["volume"] / (math.fsum(bar["volume"] for bar in found[after - 10 : after]) / 10)
    above = end < start
    later = (bar for bar in found[after:] if (bar["close"] > start if above else bar["close"] < start))
    return next(later)["time"][:10]
