"""Fills facts of events that depend on prices and statements: results, guidance, bids and ratings."""

from collections.abc import Mapping, Sequence

from mcp_servers.world.calendar import SESSIONS, START
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.events.base import Diary, clock, close, event, reaction
from mcp_servers.world.events.results import Result
from mcp_servers.world.rows import Bar, Earnings, Event, Statement

GRADES = ("sell", "hold", "buy")
MILLION = 1_000_000


def closes_before(bars: Sequence[Bar], at: str) -> float | None:
    """Return the last close, as traded, before prices could react to `at`."""
    day = reaction(at)
    number = SESSIONS.index(day[0]) - 1 if day is not None else len(bars) - 1
    return bars[number]["close"] if number >= 0 else None


def price_bids(events: Sequence[Event], bars: Mapping[str, Sequence[Bar]]) -> None:
    """Set the price per share of every bid: a premium on the last close before the bid."""
    offered: dict[tuple[str, str], float] = {}
    for each in sorted((each for each in events if each["kind"] == "bid"), key=lambda each: each["at"]):
        both = (each["ticker"], each["other"])
        if each["facts"]["stage"] == "proposed":
            last = closes_before(bars[each["other"]], each["at"]) or 0.0
            offered[both] = round(last * (1.0 + int(each["facts"]["premium"]) / 100.0), 2)
        each["facts"]["price"] = offered[both]


def earnings(firm: Firm, results: Sequence[Result], statements: Sequence[Statement]) -> list[Earnings]:
    """Return the expected and the actual figures of each quarter."""
    rows: list[Earnings] = []
    for result, statement in zip(results, statements, strict=True):
        eps, revenue = round(statement["income"]["eps"], 2), int(statement["income"]["revenue"])
        missed = result.surprise * max(abs(eps), 0.05)
        rows.append(
            {
                "id": statement["id"],
                "ticker": firm.ticker,
                "year": result.year,
                "quarter": result.quarter,
                "date": result.at[:10],
                "at": result.at,
                "session": "before" if result.session == "before" else "after",
                "eps": eps,
                "eps_expected": round(eps - missed, 2),
                "revenue": revenue,
                "revenue_expected": round(revenue / (1.0 + result.revenue_surprise) / MILLION) * MILLION,
            }
        )
    return rows


def results_events(
    seed: int, firm: Firm, results: Sequence[Result], rows: Sequence[Earnings], statements: Sequence[Statement]
) -> list[Event]:
    """Return the announcements of results during the world. Half of them come with guidance."""
    stream, found = Stream(seed, "guidance", firm.ticker), list[Event]()
    for number, (result, row) in enumerate(zip(results, rows, strict=True)):
        guides, error, width = stream.chance(0.5), stream.normal(), stream.between(0.015, 0.04)
        if row["date"] < START:
            continue
        facts = {
            "year": row["year"],
            "quarter": row["quarter"],
            "eps": row["eps"],
            "eps_expected": row["eps_expected"],
            "revenue": row["revenue"],
            "revenue_expected": row["revenue_expected"],
            "net_income": int(statements[number]["income"]["net_income"]),
            "revenue_year_before": int(statements[number - 4]["income"]["revenue"]),
        }
        found.append(event(firm.ticker, row["at"], "earnings", {**facts}, move=result.move))
        if guides:
            found.append(_guidance(firm, row, statements, number, 1.0 + 0.022 * error, width))
    return found


def _guidance(
    firm: Firm, row: Earnings, statements: Sequence[Statement], number: int, right: float, width: float
) -> Event:
    """Return the company's guidance for its next quarter. It is mostly accurate."""
    if number + 1 < len(statements):
        coming = statements[number + 1]["income"]["revenue"]
    else:
        coming = statements[number - 3]["income"]["revenue"] * (1.0 + firm.growth)
    year, quarter = (row["year"], row["quarter"] + 1) if row["quarter"] < 4 else (row["year"] + 1, 1)
    before = statements[number - 3]["income"]["revenue"]
    low, high = close(coming * right * (1.0 - width)), close(coming * right * (1.0 + width))
    facts = {"year": year, "quarter": quarter, "low": low, "high": high, "year_before": int(before)}
    return event(firm.ticker, row["at"], "guidance", {**facts})


def ratings(
    seed: int, firm: Firm, analysts: Sequence[tuple[str, str]], bars: Sequence[Bar], diary: Diary
) -> list[Event]:
    """Return rating changes of analysts. Their targets are near the last close, and prices hardly react.

    Args:
        seed: The seed of the world.
        firm: The company.
        analysts: The name and house of the analysts that cover the company.
        bars: The daily bars of the company.
        diary: The days on which the company has other news.
    """
    stream, found = Stream(seed, "ratings", firm.ticker), list[Event]()
    views = {name: stream.whole(0, 2) for name, _ in analysts}
    for _ in range(stream.whole(3, 6)):
        day = diary.day(firm.ticker)
        name, house = stream.pick(analysts)
        found.append(event(firm.ticker, clock(stream, day, "before"), "rating", {"analyst": name, "house": house}))
    found.sort(key=lambda each: each["at"])
    for each in found:
        name = str(each["facts"]["analyst"])
        grade = stream.pick([grade for grade in range(3) if grade != views[name]])
        last = closes_before(bars, each["at"]) or firm.price
        target = last * (1.0 + (grade - 1) * stream.between(0.1, 0.28) + stream.between(-0.06, 0.08))
        each["facts"].update({"from": GRADES[views[name]], "to": GRADES[grade], "target": round(target * 2.0) / 2.0})
        views[name] = grade
    return found
