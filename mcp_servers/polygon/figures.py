"""Results of the tools for prices: fields for programs, prose for models.

Prices are in US dollars, or in a pair's quote currency.
"""

from typing import Any, ClassVar

from pydantic import AliasPath

from mcp_servers.kit.pages import ROOM, fitting
from mcp_servers.kit.text import Short, table
from mcp_servers.polygon.fields import Day, Model, Time, also, as_lines, as_page, as_table


class Bar(Model):
    """What was traded in one window."""

    time: Time = also("t")
    """When it begins: a date, or for minutes and hours a time in UTC."""
    open: float = also("o")
    high: float = also("h")
    low: float = also("l")
    close: float = also("c")
    volume: float = also("v")
    vwap: float | None = also("vw", default=None)
    trades: int | None = also("n", default=None)


class Bars(Model):
    """Bars of one ticker."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("time", "open", "high", "low", "close", "volume", "vwap")

    ticker: Short
    window: str
    """The size of a bar."""
    adjusted: bool
    """Whether prices and volumes before a split are in today's shares."""
    bars: list[Bar]
    cursor: str | None = None
    """Pass it back for the next page."""
    continue_from: str | None = None
    """The start, a date or a time, of a call that gives the bars which did not fit."""

    def prose(self) -> str:
        """Return the bars as a table."""
        if not self.bars:
            return (
                f"No bars of {self.ticker} in this range. The ticker may be unknown (list_tickers searches), "
                "the range may have no trading day, or it may lie in the future."
            )
        splits = "adjusted for splits" if self.adjusted else "as traded"
        title = f"{self.ticker}, bars of a {self.window}, {splits}: {len(self.bars)}"
        said = as_page(self.bars, self.COLUMNS, self.cursor, title)
        if self.continue_from:
            said += f"\nThere are more bars: call again with start_date={self.continue_from}."
        return said

    def in_one_text(self) -> int:
        """Return how many of the first bars fit in the text of a result."""
        return fitting(as_lines(self.bars, self.COLUMNS), ROOM - 200)


class DayBar(Bar):
    """What was traded on one or more days."""

    time: Day = also("t")


class DayBars(Bars):
    """Bars of days and more."""

    bars: list[DayBar]  # type: ignore[assignment]  # read otherwise, and of the same shape


class Grouped(Model):
    """The bars of a whole market on one day."""

    date: str
    adjusted: bool
    bars: list["NamedBar"]

    def prose(self) -> str:
        """Return the bars as a table."""
        if not self.bars:
            return f"Nothing was traded on {self.date}: no trading day, or in the future."
        return f"{len(self.bars)} tickers on {self.date}:\n{as_table(self.bars, NamedBar.COLUMNS)}"


class NamedBar(DayBar):
    """A bar and its ticker."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("ticker", "open", "high", "low", "close", "volume")

    ticker: Short = also("T")


class DayPrices(Model):
    """One day of one ticker."""

    ticker: Short = also("symbol")
    date: Short = also("from")
    open: float
    high: float
    low: float
    close: float
    volume: float
    pre_market: float | None = also("preMarket", default=None)
    after_hours: float | None = also("afterHours", default=None)

    def prose(self) -> str:
        """Return the prices as a sentence."""
        return (
            f"{self.ticker} on {self.date}: open {self.open:g}, high {self.high:g}, low {self.low:g}, "
            f"close {self.close:g}, volume {self.volume:,.0f}."
        )


class Prices(Model):
    """Prices of a snapshot's day."""

    open: float = also("o", default=0.0)
    high: float = also("h", default=0.0)
    low: float = also("l", default=0.0)
    close: float = also("c", default=0.0)
    volume: float = also("v", default=0.0)
    vwap: float | None = also("vw", default=None)


class Snapshot(Model):
    """A ticker as it stands."""

    ticker: Short
    price: float | None = also(AliasPath("lastTrade", "p"), AliasPath("day", "c"), default=None)
    change: float | None = also("todaysChange", default=None)
    change_percent: float | None = also("todaysChangePerc", default=None)
    day: Prices | None = None
    previous_day: Prices | None = also("prevDay", default=None)
    updated: Time | None = None

    def line(self) -> dict[str, Any]:
        """Return the snapshot as one row of a table."""
        return {
            "ticker": self.ticker,
            "price": self.price,
            "change": self.change,
            "change_percent": self.change_percent,
            "volume": self.day.volume if self.day else None,
            "previous_close": self.previous_day.close if self.previous_day else None,
        }

    def prose(self) -> str:
        """Return the snapshot as a table of one row."""
        return f"{_snapshots([self])}\nupdated {self.updated or 'at an unknown time'}"


class Snapshots(Model):
    """Several tickers as they stand."""

    tickers: list[Snapshot]

    def prose(self) -> str:
        """Return the snapshots as a table."""
        return _snapshots(self.tickers) if self.tickers else "No ticker matches."


class Trade(Model):
    """The last trade of a ticker."""

    ticker: Short = also("T")
    price: float = also("p", "price")
    size: float = also("s", "size")
    time: Time = also("t", "timestamp")

    def prose(self) -> str:
        """Return the trade as a sentence."""
        return f"{self.ticker} last traded at {self.price:g}, size {self.size:g}, at {self.time}."


class Value(Model):
    """An indicator's value; `signal` and `histogram` are MACD's."""

    time: Time = also("timestamp")
    value: float
    signal: float | None = None
    histogram: float | None = None


class Indicator(Model):
    """An indicator's values."""

    ticker: Short
    indicator: str
    values: list[Value]

    def prose(self) -> str:
        """Return the values as a table."""
        if not self.values:
            return f"No values of {self.ticker}: the ticker may be unknown, or has too few bars for this window."
        columns = [name for name in Value.model_fields if getattr(self.values[0], name) is not None]
        return f"{self.ticker}, {self.indicator}:\n{as_table(self.values, columns)}"


def _snapshots(shots: list[Snapshot]) -> str:
    lines = [shot.line() for shot in shots]
    return table(lines, list(lines[0]))
