"""What the tools give: fields for programs, prose for models. Prices in US dollars, or in a pair's quote currency."""

from datetime import date
from functools import lru_cache
from typing import Annotated, Any, ClassVar

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from mcp_servers.kit.text import Long, Short, inline, outside, table

DAY_MS = 86_400_000
UNIX = date(1970, 1, 1).toordinal()

MORE = "There is more: pass cursor={} for the next page."


def _time(value: object) -> object:
    """Milliseconds or nanoseconds since 1970 as ISO text."""
    if type(value) is not int:
        return inline(value) if isinstance(value, str) else value
    days, rest = divmod(value if value < 10**14 else value // 10**6, DAY_MS)
    if not 0 <= days < 1_000_000:
        return str(value)
    seconds = rest // 1000
    return f"{_date(days)}T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}Z"


def _day(value: object) -> object:
    """The date of such a time. A day begins at midnight, in New York or in UTC: both have that date in UTC."""
    if type(value) is int and 0 <= value < 10**14:
        return _date(value // DAY_MS)
    return _time(value)


@lru_cache(maxsize=16_384)
def _date(days: int) -> str:
    return date.fromordinal(UNIX + days).isoformat()


Time = Annotated[str, BeforeValidator(_time)]
"""A time in UTC, which the API counts in milliseconds or nanoseconds."""

Day = Annotated[str, BeforeValidator(_day)]
"""The date of such a time."""


def also(*names: str | AliasPath, **more: Any) -> Any:
    """A field that the API calls otherwise."""
    return Field(validation_alias=AliasChoices(*names), **more)


class Model(BaseModel):
    """A result."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, use_attribute_docstrings=True)


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
    """The start date of a call that gives the bars which did not fit."""

    def prose(self) -> str:
        """The bars as a table."""
        if not self.bars:
            return (
                f"No bars of {self.ticker} in this range. The ticker may be unknown (list_tickers searches), "
                "the range may have no trading day, or it may lie in the future."
            )
        splits = "adjusted for splits" if self.adjusted else "as traded"
        said = f"{self.ticker}, bars of a {self.window}, {splits}: {len(self.bars)}\n{_rows(self.bars, self.COLUMNS)}"
        if self.continue_from:
            said += f"\nThere are more bars: call again with start_date={self.continue_from}."
        return _more(said, self.cursor)


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
        """The bars as a table."""
        if not self.bars:
            return f"Nothing was traded on {self.date}: no trading day, or in the future."
        return f"{len(self.bars)} tickers on {self.date}:\n{_rows(self.bars, NamedBar.COLUMNS)}"


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
        """The prices in a sentence."""
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
        """One row of a table."""
        return {
            "ticker": self.ticker,
            "price": self.price,
            "change": self.change,
            "change_percent": self.change_percent,
            "volume": self.day.volume if self.day else None,
            "previous_close": self.previous_day.close if self.previous_day else None,
        }

    def prose(self) -> str:
        """The snapshot as a table of one row."""
        return f"{_snapshots([self])}\nupdated {self.updated or 'at an unknown time'}"


class Snapshots(Model):
    """Several tickers as they stand."""

    tickers: list[Snapshot]

    def prose(self) -> str:
        """The snapshots as a table."""
        return _snapshots(self.tickers) if self.tickers else "No ticker matches."


class Trade(Model):
    """The last trade of a ticker."""

    ticker: Short = also("T")
    price: float = also("p", "price")
    size: float = also("s", "size")
    time: Time = also("t", "timestamp")

    def prose(self) -> str:
        """The trade in a sentence."""
        return f"{self.ticker} last traded at {self.price:g}, size {self.size:g}, at {self.time}."


class Ticker(Model):
    """A ticker in a list."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("ticker", "name", "market", "exchange", "type", "active")

    ticker: Short
    name: Short | None = None
    market: Short | None = None
    exchange: Short | None = also("primary_exchange", default=None)
    type: Short | None = None
    active: bool | None = None
    cik: Short | None = None


class Tickers(Model):
    """A page of tickers."""

    tickers: list[Ticker]
    cursor: str | None = None
    """Pass it back for the next page."""

    def prose(self) -> str:
        """The tickers as a table."""
        return _more(_rows(self.tickers, Ticker.COLUMNS), self.cursor) if self.tickers else "No ticker matches."


class Details(Ticker):
    """What is known of a ticker."""

    description: Long | None = None
    industry: Short | None = also("sic_description", default=None)
    market_cap: float | None = None
    shares_outstanding: float | None = also("share_class_shares_outstanding", default=None)
    employees: int | None = also("total_employees", default=None)
    list_date: Short | None = None
    city: Short | None = also(AliasPath("address", "city"), default=None)
    state: Short | None = also(AliasPath("address", "state"), default=None)
    homepage: Short | None = also("homepage_url", default=None)
    currency: Short | None = also("currency_name", default=None)

    def prose(self) -> str:
        """What is known, a line each."""
        known = self.model_dump(exclude={"description"}, exclude_none=True)
        lines = [f"{name}: {value:,}" if name in _COUNTS else f"{name}: {value}" for name, value in known.items()]
        return "\n".join([*lines, *([outside(self.description)] if self.description else [])])


class Article(Model):
    """A news article: its summary, not its text."""

    id: Short
    title: Short
    published: Short = also("published_utc")
    publisher: Short | None = also(AliasPath("publisher", "name"), default=None)
    author: Short | None = None
    url: Short | None = also("article_url", default=None)
    tickers: list[Short] = []
    summary: Long | None = also("description", default=None)
    sentiments: list["Sentiment"] = also("insights", default_factory=list)

    def prose(self) -> str:
        """The article between the marks of outside text."""
        told = ", ".join(f"{each.ticker} {each.sentiment}" for each in self.sentiments)
        about = told or ", ".join(self.tickers)
        lines = [f"{self.published} {self.publisher or ''}: {self.title}", self.summary or "", f"About: {about}"]
        return "\n".join([line for line in [*lines, self.url or ""] if line])


class Sentiment(Model):
    """What an article says of a ticker."""

    ticker: Short
    sentiment: Short | None = None


class News(Model):
    """A page of news."""

    articles: list[Article]
    cursor: str | None = None
    """Pass it back for the next page."""

    def prose(self) -> str:
        """The articles, one after the other."""
        if not self.articles:
            return "No article matches. The ticker may be unknown: list_tickers searches."
        return _more(outside("\n\n".join(each.prose() for each in self.articles), 20_000), self.cursor)


class Split(Model):
    """A split: `before` shares became `after`."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("ticker", "date", "before", "after")

    ticker: Short
    date: Short = also("execution_date")
    before: float = also("split_from")
    after: float = also("split_to")


class Splits(Model):
    """A page of splits."""

    splits: list[Split]
    cursor: str | None = None
    """Pass it back for the next page."""

    def prose(self) -> str:
        """The splits as a table."""
        return _more(_rows(self.splits, Split.COLUMNS), self.cursor) if self.splits else "No split matches."


class Dividend(Model):
    """A cash dividend per share, in the shares of its ex-date."""

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "ticker",
        "ex_date",
        "amount",
        "currency",
        "declared",
        "record",
        "pay",
        "per_year",
    )

    ticker: Short
    amount: float = also("cash_amount")
    currency: Short | None = None
    ex_date: Short = also("ex_dividend_date")
    declared: Short | None = also("declaration_date", default=None)
    record: Short | None = also("record_date", default=None)
    pay: Short | None = also("pay_date", default=None)
    per_year: int | None = also("frequency", default=None)


class Dividends(Model):
    """A page of dividends."""

    dividends: list[Dividend]
    cursor: str | None = None
    """Pass it back for the next page."""

    def prose(self) -> str:
        """The dividends as a table."""
        return _more(_rows(self.dividends, Dividend.COLUMNS), self.cursor) if self.dividends else "No dividend matches."


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
        """The values as a table."""
        if not self.values:
            return f"No values of {self.ticker}: the ticker may be unknown, or has too few bars for this window."
        columns = [name for name in Value.model_fields if getattr(self.values[0], name) is not None]
        return f"{self.ticker}, {self.indicator}:\n{_rows(self.values, columns)}"


class MarketStatus(Model):
    """Whether the markets are open."""

    market: Short
    early_hours: bool | None = also("earlyHours", default=None)
    after_hours: bool | None = also("afterHours", default=None)
    exchanges: dict[Short, Short] = {}
    currencies: dict[Short, Short] = {}
    server_time: Short | None = also("serverTime", default=None)

    def prose(self) -> str:
        """The status in lines."""
        parts = ", ".join(f"{name} {state}" for name, state in {**self.exchanges, **self.currencies}.items())
        return f"The US stock market is {self.market}. {parts}. Time: {self.server_time}."


class Holiday(Model):
    """A day on which an exchange is closed, or closes early."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("date", "exchange", "name", "status", "open", "close")

    date: Short
    exchange: Short
    name: Short
    status: Short
    open: Short | None = None
    close: Short | None = None


class Holidays(Model):
    """The holidays to come."""

    holidays: list[Holiday]

    def prose(self) -> str:
        """The holidays as a table."""
        return _rows(self.holidays, Holiday.COLUMNS)


_COUNTS = frozenset({"market_cap", "shares_outstanding", "employees"})


def _rows(rows: Any, columns: Any) -> str:
    return table((vars(row) for row in rows), columns)


def _snapshots(shots: list[Snapshot]) -> str:
    lines = [shot.line() for shot in shots]
    return table(lines, list(lines[0]))


def _more(said: str, cursor: str | None) -> str:
    return f"{said}\n{MORE.format(cursor)}" if cursor else said
