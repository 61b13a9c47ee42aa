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
    """The chief executive on the first day of the world. `read.company` returns the current one."""
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
    """Companies of different circles never occur in the same row of the world. Internal: no service returns it."""
    shares: int
    """Shares outstanding on the first day of the world. `read.company` returns the current number."""


class Pair(TypedDict):
    """A crypto pair, such as `X:BTCUSD`."""

    ticker: str
    base: str
    quote: str
    name: str


class Bar(TypedDict):
    """One day of trading, not adjusted for later splits."""

    date: str
    open: float
    high: float
    low: float
    close: float
    volume: int
    vwap: float
    trades: int


class BarMonth(TypedDict):
    """The daily bars of one ticker in one month."""

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
    """The three statements of a fiscal quarter.

    Amounts are whole dollars, except amounts per share. A year has four quarters.
    """

    id: str  # ORCA:2025-Q2
    ticker: str
    year: int
    quarter: int
    ends: str
    filed: str
    accepted: str
    """The time of the filing."""
    income: dict[str, float]
    balance: dict[str, float]
    cash: dict[str, float]


class Earnings(TypedDict):
    """The expected and the actual results of a quarter."""

    id: str  # ORCA:2025-Q2
    ticker: str
    year: int
    quarter: int
    date: str
    at: str
    """The time of the announcement."""
    session: Literal["before", "after"]
    """Whether the announcement was before the opening or after the close."""
    eps: float
    eps_expected: float
    revenue: int
    revenue_expected: int


class Event(TypedDict):
    """An event of a company. News, pages, messages and prices refer to it."""

    id: str
    ticker: str
    at: str
    kind: str
    """`earnings`, `guidance`, `product`, `recall`, `lawsuit`, `acquisition`, `chief`, `split`, `dividend`, ..."""
    facts: dict[str, str | float | int]
    move: float
    """The part of the return of the first close after `at` that the event explains."""
    other: str
    """The ticker of the other company in the event, or an empty string."""
    other_move: float
    """The same part of the return of the other company."""


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
    """The facts as this article states them. Internal, as the next three fields: no service returns them."""
    event: NotRequired[str]
    """The id of the event that the article reports."""
    flaw: NotRequired[Literal["wrong", "late", "duplicate"]]
    """The flaw: a fact differs from the event, the article is days late, or it repeats another publisher's article."""
    copy_of: NotRequired[str]
    """The id of the article that this one repeats."""


class PageFact(TypedDict):
    """A fact on a page that no other service has."""

    subject: str
    """The name of a product, a site, a person, a company or a contract."""
    attribute: str
    value: str | int | float
    unit: str
    text: str
    """The value as the page writes it."""


class Page(TypedDict):
    """A page of the offline web."""

    url: str
    site: str
    title: str
    published: str
    text: str
    """The text in Markdown."""
    links: list[str]
    tickers: list[str]
    facts: list[PageFact]
    """Internal, as the next field: no service returns them."""
    planted: NotRequired[bool]
    """Whether the text holds planted instructions to the reader (a prompt injection).

    Agents must treat them as data.
    """


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
    """An emoji and the members who reacted with it."""

    name: str
    users: list[str]


class Message(TypedDict):
    """A message of a channel. A reply has the `ts` of the first message of its thread; a first message has none."""

    id: str  # C01ABC:1719849600.000100
    channel: str
    ts: str
    user: str
    text: str
    thread_ts: NotRequired[str]
    reactions: list[Reaction]
    tickers: NotRequired[list[str]]
    """The tickers that the message is about. Internal, as the next fields: no service returns them."""
    about: NotRequired[str]
    """The key of the event, page, article or statement that the message is about."""
    flaw: NotRequired[Literal["wrong"]]
    """Whether the figure in the message is wrong. Another reply corrects it."""


def thread_of(row: Message) -> str:
    """Return the timestamp of the first message of the thread of `row`: its own if it is not a reply."""
    return row.get("thread_ts", row["ts"])


class Person(TypedDict):
    """A named person in the world. Internal: services return only what other rows state."""

    id: str
    name: str
    role: str
    """`chief executive`, `finance chief`, `founder`, `analyst`, `reporter`, ..."""
    ticker: str
    """The ticker of the company, or an empty string."""
    employer: str
    since: str
    """A date, or an empty string if the world does not define it."""
    until: str
    """A date, or an empty string if the person still has the role at the end of the world."""
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
