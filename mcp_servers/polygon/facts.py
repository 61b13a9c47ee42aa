"""Results of the tools for companies, news and markets: fields for programs, prose for models."""

from typing import ClassVar

from pydantic import AliasPath

from mcp_servers.kit.pages import page
from mcp_servers.kit.text import Long, Short, outside
from mcp_servers.polygon.fields import Model, also, as_page, as_table

_COUNTS = frozenset({"market_cap", "shares_outstanding", "employees"})


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
        """Return the tickers as a table."""
        return as_page(self.tickers, Ticker.COLUMNS, self.cursor) if self.tickers else "No ticker matches."


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
        """Return the details, one per line."""
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
        """Return the article between the marks of outside text."""
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
        """Return the articles, one after another."""
        if not self.articles:
            return "No article matches. The ticker may be unknown: list_tickers searches."
        return page([each.prose() for each in self.articles], self.cursor, between="\n\n", mark=True)


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
        """Return the splits as a table."""
        return as_page(self.splits, Split.COLUMNS, self.cursor) if self.splits else "No split matches."


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
        """Return the dividends as a table."""
        return as_page(self.dividends, Dividend.COLUMNS, self.cursor) if self.dividends else "No dividend matches."


class MarketStatus(Model):
    """Whether the markets are open."""

    market: Short
    early_hours: bool | None = also("earlyHours", default=None)
    after_hours: bool | None = also("afterHours", default=None)
    exchanges: dict[Short, Short] = {}
    currencies: dict[Short, Short] = {}
    server_time: Short | None = also("serverTime", default=None)

    def prose(self) -> str:
        """Return the status as lines."""
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
        """Return the holidays as a table."""
        return as_table(self.holidays, Holiday.COLUMNS)
