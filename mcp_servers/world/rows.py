"""The tables of the offline world. Money is in US dollars; dates are ISO dates, times ISO with `Z`."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from mcp_servers.world.store import Index, Table


class Company(TypedDict):
    """A listed company."""

    ticker: str
    name: str
    description: str
    sector: str
    industry: str
    exchange: Literal["XNAS", "XNYS"]
    cik: str
    ceo: str
    city: str
    state: str
    address: str
    phone: str
    website: str
    employees: int
    listed: str
    shares: int
    """Shares outstanding on the first day of the world."""


class Pair(TypedDict):
    """A crypto pair, `X:BTCUSD` for instance."""

    ticker: str
    base: str
    quote: str
    name: str


class Bar(TypedDict):
    """One day of trading, as it was traded (not adjusted for later splits)."""

    date: str
    open: float
    high: float
    low: float
    close: float
    volume: int
    vwap: float
    trades: int


class BarMonth(TypedDict):
    """The days of one month of one ticker."""

    id: str  # ORCA:2025-03
    ticker: str
    month: str
    bars: list[Bar]


class Split(TypedDict):
    """A split: `before` shares became `after`."""

    id: str
    ticker: str
    date: str
    before: int
    after: int


class Dividend(TypedDict):
    """A cash dividend per share, in the shares of its ex-date."""

    id: str
    ticker: str
    declared: str
    ex: str
    record: str
    pay: str
    cash: float
    frequency: int


class Statement(TypedDict):
    """A fiscal quarter's three statements. Whole dollars, but for amounts per share; a year is four quarters."""

    id: str  # ORCA:2025-Q2
    ticker: str
    year: int
    quarter: int
    ends: str
    filed: str
    income: dict[str, float]
    balance: dict[str, float]
    cash: dict[str, float]


class Earnings(TypedDict):
    """What was expected of a quarter, and what came."""

    id: str  # ORCA:2025-Q2
    ticker: str
    date: str
    eps: float
    eps_expected: float
    revenue: int
    revenue_expected: int


class Event(TypedDict):
    """Something that happened to a company; news, pages, messages and prices refer to it."""

    id: str
    ticker: str
    at: str
    kind: str
    """`earnings`, `guidance`, `product`, `recall`, `lawsuit`, `acquisition`, `chief`, `split`, `dividend`, ..."""
    facts: dict[str, str | float | int]
    move: float
    """The part of the next close's log return that the event explains."""


class Article(TypedDict):
    """A news article."""

    id: str
    at: str
    title: str
    text: str
    author: str
    publisher: str
    url: str
    tickers: list[str]
    sentiment: Literal["positive", "neutral", "negative"]
    event: NotRequired[str]
    flaw: NotRequired[Literal["wrong", "late", "duplicate"]]


class Page(TypedDict):
    """A page of the offline web."""

    url: str
    site: str
    title: str
    published: str
    text: str
    """Markdown."""
    links: list[str]
    tickers: list[str]
    planted: NotRequired[bool]
    """Whether the text holds instructions to whoever reads it, which must stay data."""


class User(TypedDict):
    """A member of the Slack workspace."""

    id: str
    name: str
    real_name: str
    title: str
    email: str
    tz: str
    is_bot: bool


class Channel(TypedDict):
    """A channel of the Slack workspace."""

    id: str
    name: str
    topic: str
    purpose: str
    created: int
    creator: str
    is_private: bool
    members: list[str]


class Reaction(TypedDict):
    """An emoji and who reacted with it."""

    name: str
    users: list[str]


class Message(TypedDict):
    """A message of a channel; a reply carries the `ts` of the message that it answers."""

    id: str  # C01ABC:1719849600.000100
    channel: str
    ts: str
    user: str
    text: str
    thread_ts: NotRequired[str]
    reactions: list[Reaction]


def _ticker(row: Company | Pair | BarMonth | Split | Dividend | Statement | Earnings | Event) -> tuple[str]:
    return (row["ticker"],)


COMPANIES = Table("companies", Company, "ticker", (Index("sector", lambda row: (row["sector"],)),))
PAIRS = Table("pairs", Pair, "ticker")
BARS = Table("bars", BarMonth, "id", (Index("month", lambda row: (row["month"],)),))
SPLITS = Table("splits", Split, "id", (Index("ticker", _ticker),))
DIVIDENDS = Table("dividends", Dividend, "id", (Index("ticker", _ticker),))
STATEMENTS = Table("statements", Statement, "id", (Index("ticker", _ticker),))
EARNINGS = Table("earnings", Earnings, "id", (Index("ticker", _ticker),))
EVENTS = Table("events", Event, "id", (Index("ticker", _ticker),))
ARTICLES = Table("articles", Article, "id", (Index("ticker", lambda row: row["tickers"]),))
PAGES = Table("pages", Page, "url", (Index("site", lambda row: (row["site"],)),))
USERS = Table("users", User, "id")
CHANNELS = Table("channels", Channel, "id", (Index("name", lambda row: (row["name"],)),))
MESSAGES = Table("messages", Message, "id", (Index("channel", lambda row: (row["channel"],)),))

TABLES = (
    COMPANIES,
    PAIRS,
    BARS,
    SPLITS,
    DIVIDENDS,
    STATEMENTS,
    EARNINGS,
    EVENTS,
    ARTICLES,
    PAGES,
    USERS,
    CHANNELS,
    MESSAGES,
)
