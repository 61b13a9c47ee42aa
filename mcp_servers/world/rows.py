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
    """The chief executive on the first day of the world; `read.company` says who it is now."""
    city: str
    state: str
    address: str
    phone: str
    website: str
    employees: int
    founded: int
    listed: str
    fiscal_end: int
    """The month in which its fiscal year ends: 6, 9 or 12."""
    circle: int
    """Companies of different circles never meet in a row of the world. Internal: no service tells it."""
    shares: int
    """Shares outstanding on the first day of the world; `read.company` says how many there are now."""


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
    announced: str
    date: str
    """The first day on which the new shares trade."""
    before: int
    after: int


class Dividend(TypedDict):
    """A cash dividend per share, in the shares of its ex-date. Some were paid before the first day of the world."""

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
    accepted: str
    """The time at which it was filed."""
    income: dict[str, float]
    balance: dict[str, float]
    cash: dict[str, float]


class Earnings(TypedDict):
    """What was expected of a quarter, and what came."""

    id: str  # ORCA:2025-Q2
    ticker: str
    year: int
    quarter: int
    date: str
    at: str
    """When it was announced."""
    session: Literal["before", "after"]
    """Whether that was before the opening or after the close."""
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
    """The part of the return of the first close after `at` that the event explains."""
    other: str
    """The other company that it concerns, or nothing."""
    other_move: float
    """As `move`, of that company."""


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
    about: dict[str, str | float | int]
    """The facts as this article tells them. Internal, as the next three fields: no service tells them."""
    event: NotRequired[str]
    """The event that it reports."""
    flaw: NotRequired[Literal["wrong", "late", "duplicate"]]
    """Whether a fact differs from the event's, it comes days after it, or another publisher's article is repeated."""
    copy_of: NotRequired[str]
    """The article that it repeats."""


class PageFact(TypedDict):
    """Something that a page tells and no other service has."""

    subject: str
    """A product, a site, a person, a company or a contract, by its name."""
    attribute: str
    value: str | int | float
    unit: str
    text: str
    """How the page writes the value."""


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
    facts: list[PageFact]
    """Internal, as the next field: no service tells them."""
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
    """A message of a channel; a reply carries the `ts` of the message that began its thread, which carries none."""

    id: str  # C01ABC:1719849600.000100
    channel: str
    ts: str
    user: str
    text: str
    thread_ts: NotRequired[str]
    reactions: list[Reaction]
    tickers: NotRequired[list[str]]
    """What it is about. Internal, as the next fields: no service tells them."""
    about: NotRequired[str]
    """The event, page, article or statement that it tells of, by its key."""
    flaw: NotRequired[Literal["wrong"]]
    """Whether its figure is wrong; another reply says so."""


def thread_of(row: Message) -> str:
    """The timestamp of the message that begins the thread of `row`; its own where it answers none."""
    return row.get("thread_ts", row["ts"])


class Person(TypedDict):
    """Somebody who is named in the world. Internal: services tell only what their other rows tell."""

    id: str
    name: str
    role: str
    """`chief executive`, `finance chief`, `founder`, `analyst`, `reporter`, ..."""
    ticker: str
    """The company, or nothing."""
    employer: str
    since: str
    """A date, or nothing where the world does not know it."""
    until: str
    """A date; nothing where the person still has this role at the end."""
    born: int
    birthplace: str
    school: str


COMPANIES = Table("companies", Company, "ticker", (Index("sector", lambda row: (row["sector"],)),))
PAIRS = Table("pairs", Pair, "ticker")
BARS = Table("bars", BarMonth, "id", (Index("month", lambda row: (row["month"],)),))
SPLITS = Table("splits", Split, "id", (Index("ticker", lambda row: (row["ticker"],)),))
DIVIDENDS = Table("dividends", Dividend, "id", (Index("ticker", lambda row: (row["ticker"],)),))
STATEMENTS = Table("statements", Statement, "id", (Index("ticker", lambda row: (row["ticker"],)),))
EARNINGS = Table("earnings", Earnings, "id", (Index("ticker", lambda row: (row["ticker"],)),))
EVENTS = Table(
    "events",
    Event,
    "id",
    (Index("ticker", lambda row: (row["ticker"], row["other"]) if row["other"] else (row["ticker"],)),),
)
ARTICLES = Table(
    "articles",
    Article,
    "id",
    (
        Index("ticker", lambda row: row["tickers"]),
        Index("month", lambda row: (row["at"][:7],)),
        Index("url", lambda row: (row["url"],)),
    ),
)
PAGES = Table("pages", Page, "url", (Index("site", lambda row: (row["site"],)),))
PEOPLE = Table(
    "people",
    Person,
    "id",
    (Index("name", lambda row: (row["name"],)), Index("ticker", lambda row: (row["ticker"],))),
)
USERS = Table("users", User, "id")
CHANNELS = Table("channels", Channel, "id", (Index("name", lambda row: (row["name"],)),))
MESSAGES = Table(
    "messages",
    Message,
    "id",
    (Index("channel", lambda row: (row["channel"],)), Index("thread", lambda row: ((row["channel"], thread_of(row)),))),
)

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
    PEOPLE,
    USERS,
    CHANNELS,
    MESSAGES,
)
