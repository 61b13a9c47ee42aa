"""Rows of fiscal periods: the three statements, ratios and key metrics, newest first."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mcp_servers.fmp.serving import lines, metrics, ratios
from mcp_servers.fmp.serving.facts import Facts
from mcp_servers.world import calendar, read
from mcp_servers.world.rows import Company, Statement
from mcp_servers.world.store import Store

Json = dict[str, Any]

QUARTERS = ("Q1", "Q2", "Q3", "Q4")
CLOSED_DAYS = 10
"""Calendar days to look back for the last session. The exchanges are never closed that long."""


@dataclass(frozen=True)
class Span:
    """A fiscal period: one quarter, or the four quarters of a year, oldest first."""

    name: str
    quarters: tuple[Statement, ...]

    @property
    def last(self) -> Statement:
        """Return the last quarter of the period."""
        return self.quarters[-1]

    @property
    def year(self) -> int:
        """Return the fiscal year."""
        return self.last["year"]


@dataclass(frozen=True)
class View:
    """A company's periods as of a given time."""

    store: Store
    company: Company
    now: datetime
    spans: list[Span]
    """The periods, newest first, all of the same length."""


def spans(found: list[Statement], period: str) -> list[Span]:
    """Return the periods of a length, newest first. `found` holds quarters, newest first.

    An unknown length returns years, as at FMP.
    """
    if period in ("quarter", *QUARTERS):
        return [Span(f"Q{row['quarter']}", (row,)) for row in found]
    years: dict[int, dict[int, Statement]] = {}
    for row in found:
        years.setdefault(row["year"], {})[row["quarter"]] = row
    return [
        Span("FY", tuple(parts[quarter] for quarter in (1, 2, 3, 4)))
        for _, parts in sorted(years.items(), reverse=True)
        if len(parts) == len(QUARTERS)
    ]


def rows(store: Store, report: str, symbol: str, period: str, limit: int, now: datetime) -> list[Json]:
    """Return the newest `limit` rows of an endpoint of `REPORTS`."""
    company = read.company(store, symbol, now)
    if company is None:
        return []
    view = View(store, company, now, spans(read.statements(store, company["ticker"], now), period))
    wanted = [at for at, span in enumerate(view.spans) if period not in QUARTERS or span.name == period]
    return [REPORTS[report](view, at) for at in wanted[:limit]]


def facts(view: View, at: int) -> Facts:
    """Return the inputs for the ratios of a period."""
    span, before = view.spans[at], view.spans[at + 1] if at + 1 < len(view.spans) else None
    return Facts(
        income=lines.income(span.quarters),
        balance=lines.balance(span.last),
        cash=lines.cash(span.quarters),
        before=lines.balance(before.last) if before else None,
        eps_before=lines.income(before.quarters)["eps"] if before else None,
        price=_price(view, span.last["ends"]),
        days=365 if len(span.quarters) > 1 else 90,
    )


def _price(view: View, day: str) -> float | None:
    """Return the close on `day` or on the session before it, in the shares of now."""
    bars = read.bars(view.store, view.company["ticker"], calendar.plus(day, -CLOSED_DAYS), day, view.now)
    return bars[-1]["close"] if bars else None


def _statement(figures: Callable[[Span], lines.Lines]) -> Callable[[View, int], Json]:
    def row(view: View, at: int) -> Json:
        span = view.spans[at]
        head = {
            "date": span.last["ends"],
            "symbol": view.company["ticker"],
            "reportedCurrency": "USD",
            "cik": view.company["cik"],
            "filingDate": span.last["filed"],
            "acceptedDate": span.last["accepted"].replace("T", " ").rstrip("Z"),
            "fiscalYear": str(span.year),
            "period": span.name,
        }
        return {**head, **figures(span)}

    return row


def _computed(figures: Callable[[Facts], dict[str, float | None]]) -> Callable[[View, int], Json]:
    def row(view: View, at: int) -> Json:
        span = view.spans[at]
        head = {
            "symbol": view.company["ticker"],
            "date": span.last["ends"],
            "fiscalYear": str(span.year),
            "period": span.name,
            "reportedCurrency": "USD",
        }
        return {**head, **figures(facts(view, at))}

    return row


REPORTS: dict[str, Callable[[View, int], Json]] = {
    "income-statement": _statement(lambda span: lines.income(span.quarters)),
    "balance-sheet-statement": _statement(lambda span: lines.balance(span.last)),
    "cash-flow-statement": _statement(lambda span: lines.cash(span.quarters)),
    "ratios": _computed(ratios.ratios),
    "key-metrics": _computed(metrics.metrics),
}
