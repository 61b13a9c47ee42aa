"""FMP's rows under FMP's own names. Fields that FMP leaves out or sends as null are None."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from mcp_servers.kit.text import Long, Short


def _text(value: object) -> object:
    """Convert null to an empty text and a number to a text.

    FMP sends null for an empty text, and in some rows a number for a text.
    """
    return "" if value is None else str(value) if isinstance(value, int | float) else value


Number = int | float
"""A figure. Whole numbers stay whole."""

Text = Annotated[Short, BeforeValidator(_text)]
Document = Annotated[Long, BeforeValidator(_text)]


class Row(BaseModel):
    """One row: `previous_close` in Python is `previousClose` in FMP's answers and in those of the tools."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, frozen=True)


class Quote(Row):
    """The newest price of a symbol and how it compares with the past. US dollars; `timestamp` in seconds."""

    symbol: Short
    name: Text = ""
    exchange: Text = ""
    price: Number
    change: Number | None = None
    change_percentage: Number | None = None
    open: Number | None = None
    previous_close: Number | None = None
    day_low: Number | None = None
    day_high: Number | None = None
    year_low: Number | None = None
    year_high: Number | None = None
    price_avg50: Number | None = None
    price_avg200: Number | None = None
    volume: Number | None = None
    market_cap: Number | None = None
    timestamp: int | None = None


class Profile(Row):
    """What a company is, and the figures that describe its share. US dollars."""

    symbol: Short
    company_name: Text = ""
    sector: Text = ""
    industry: Text = ""
    exchange: Text = ""
    exchange_full_name: Text = ""
    country: Text = ""
    currency: Text = ""
    cik: Text = ""
    ceo: Text = ""
    full_time_employees: Text = ""
    address: Text = ""
    city: Text = ""
    state: Text = ""
    phone: Text = ""
    website: Text = ""
    ipo_date: Text = ""
    price: Number | None = None
    change: Number | None = None
    change_percentage: Number | None = None
    market_cap: Number | None = None
    beta: Number | None = None
    last_dividend: Number | None = None
    range: Text = ""
    volume: Number | None = None
    average_volume: Number | None = None
    is_actively_trading: bool | None = None
    description: Document = ""


class Figures(Row):
    """The figures of one company and one fiscal period: a statement, its ratios or its key metrics."""

    symbol: Short
    date: Short = Field(description="The last day of the fiscal period.")
    fiscal_year: Text = ""
    period: Short = Field(description="FY, Q1, Q2, Q3 or Q4.")
    reported_currency: Text = ""
    filing_date: Text = Field("", description="The day on which the figures became public; statements only.")
    figures: dict[str, Number | None] = Field(
        default_factory=dict, description="The figures, under FMP's names: revenue, netIncome, totalAssets ..."
    )

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, row: Any) -> Any:
        """Put all numbers under `figures`. FMP sends a flat row."""
        if not isinstance(row, dict) or "figures" in row:
            return row
        known = {field.alias for field in cls.model_fields.values()}
        numbers = {name: value for name, value in row.items() if name not in known and _is_figure(value)}
        return {name: value for name, value in row.items() if name in known} | {"figures": numbers}


def _is_figure(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


class Bar(Row):
    """One day of trading, adjusted for splits. US dollars; `change` is from open to close."""

    symbol: Text = ""
    date: Short
    open: Number | None = None
    high: Number | None = None
    low: Number | None = None
    close: Number
    volume: Number | None = None
    vwap: Number | None = None
    change: Number | None = None
    change_percent: Number | None = None


class Earnings(Row):
    """A report on a quarter: what came and what was expected; None where it has not come yet."""

    symbol: Short
    date: Short = Field(description="The day of the report.")
    eps_actual: Number | None = None
    eps_estimated: Number | None = None
    revenue_actual: Number | None = None
    revenue_estimated: Number | None = None


class Dividend(Row):
    """A cash dividend per share; `adjDividend` is in today's shares, after later splits."""

    symbol: Short
    date: Short = Field(description="The ex-dividend day.")
    record_date: Text = ""
    payment_date: Text = ""
    declaration_date: Text = ""
    dividend: Number | None = None
    adj_dividend: Number | None = None
    yield_: Number | None = Field(
        None, alias="yield", description="Of a year's dividends at that day's price, percent."
    )
    frequency: Text = ""


class Match(Row):
    """A symbol that a search found."""

    symbol: Short
    name: Text = ""
    currency: Text = ""
    exchange: Text = ""
    exchange_full_name: Text = ""


class Mover(Row):
    """A share that rose or fell most in the last session."""

    symbol: Short
    name: Text = ""
    price: Number
    change: Number | None = None
    changes_percentage: Number | None = None
    exchange: Text = ""


class Article(Row):
    """A news article about a symbol."""

    symbol: Text = ""
    published_date: Short
    publisher: Text = ""
    title: Text = ""
    site: Text = ""
    text: Document = ""
    url: Text = ""


class Change(Row):
    """How much a price changed over several periods, in percent; None where the history is shorter."""

    symbol: Short
    day: Number | None = Field(None, alias="1D")
    five_days: Number | None = Field(None, alias="5D")
    month: Number | None = Field(None, alias="1M")
    three_months: Number | None = Field(None, alias="3M")
    six_months: Number | None = Field(None, alias="6M")
    ytd: Number | None = None
    year: Number | None = Field(None, alias="1Y")
    three_years: Number | None = Field(None, alias="3Y")
    five_years: Number | None = Field(None, alias="5Y")
    ten_years: Number | None = Field(None, alias="10Y")
    max: Number | None = None
