"""Splits and dividends."""

from datetime import date

from mcp_servers.world.calendar import DAY, END, trades_on, weekday_from
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.rows import Dividend, Split

FIRST_YEAR, LAST_YEAR = 2021, 2026
SAME_DAY_FROM = "2024-05-28"
"""From this day on trades settle in one day, and the record date is the ex-date."""


def split_rows(firm: Firm) -> list[Split]:
    """Return the company's splits: one or none."""
    if firm.split is None:
        return []
    announced, day, before, after = firm.split
    return [
        {
            "id": f"{firm.ticker}:{day}",
            "ticker": firm.ticker,
            "announced": announced,
            "date": day,
            "before": before,
            "after": after,
        }
    ]


def shares_factor(firm: Firm, day: str) -> float:
    """Return how many shares of `day` one share of the first day has become."""
    if firm.split is None or day < firm.split[1]:
        return 1.0
    return firm.split[3] / firm.split[2]


def dividend_rows(seed: int, firm: Firm) -> list[Dividend]:
    """Return the company's quarterly dividends declared up to the last day, oldest first."""
    if not firm.dividend:
        return []
    stream = Stream(seed, "dividends", firm.ticker)
    month, day = stream.whole(1, 3), stream.whole(3, 14)
    raised_in, raises = stream.whole(0, 3), [stream.between(0.0, 0.09) for _ in range(FIRST_YEAR, LAST_YEAR + 1)]
    cash = firm.price * firm.dividend / 4.0 / (1.04 * 1.04)
    cut = stream.whole(10, 16) if stream.chance(0.12) else None
    rows: list[Dividend] = []
    for number in range(4 * (LAST_YEAR - FIRST_YEAR + 1)):
        year, quarter = FIRST_YEAR + number // 4, number % 4
        declared = weekday_from(f"{year}-{month + 3 * quarter:02d}-{day:02d}")
        if declared < f"{FIRST_YEAR}-07-01":
            continue
        if declared > END:
            break
        if number == cut:
            cash *= 0.5
        elif quarter == raised_in:
            cash *= 1.0 + raises[year - FIRST_YEAR]
        rows.append(_row(firm, declared, cash))
    return rows


def _row(firm: Firm, declared: str, cash: float) -> Dividend:
    ex = weekday_from(_later(declared, 16))
    record = ex if ex >= SAME_DAY_FROM else weekday_from(_later(ex, 1))
    return {
        "id": f"{firm.ticker}:{ex}",
        "ticker": firm.ticker,
        "declared": declared,
        "ex": ex,
        "record": record,
        "pay": weekday_from(_later(record, 14)),
        "cash": max(round(cash / shares_factor(firm, ex), 4 if cash < 0.1 else 2), 0.001),
        "frequency": 4,
    }


def _later(day: str, days: int) -> str:
    found = date.fromisoformat(day) + days * DAY
    while not trades_on(found):
        found += DAY
    return found.isoformat()
