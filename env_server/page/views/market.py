"""Prices of the offline world as charts: polylines and bars of an SVG, which has no scripts and no styles."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mcp_servers.world import read
from mcp_servers.world.rows import Article, Bar, Event
from mcp_servers.world.store import Store

WIDTH, HEIGHT, VOLUME = 800, 220, 50
"""The size of a chart in units of its picture, and the height of its bars of volume."""

SPANS = {"1m": 22, "3m": 65, "1y": 260, "all": 4_000}
"""Choices of a period, with its number of trading days."""

SPAN_NAMES = {"1m": "1 month", "3m": "3 months", "1y": "1 year", "all": "all"}

SPARK = 30
"""Trading days of the small line beside a name."""

NEWEST_BARS, NEWEST_NEWS = 10, 20

MOST_MARKS = 12
"""The maximum number of events on a chart: those that moved the price most."""


@dataclass(frozen=True, slots=True)
class ChartMark:
    """An event that moved the price: where it is on a chart, its day, its kind and the move as a share."""

    x: float
    day: str
    kind: str
    move: float


@dataclass(frozen=True, slots=True)
class PriceChart:
    """A line of closing prices with bars of volume below it, and the labels of its axes."""

    line: str
    volume: str
    thick: float
    """The width of a bar of volume."""

    marks: tuple[ChartMark, ...]
    low: float
    high: float
    first: Bar
    last: Bar

    @property
    def change(self) -> float:
        """The change from the first close to the last, as a share."""
        return self.last["close"] / self.first["close"] - 1


@dataclass(frozen=True, slots=True)
class MarketLine:
    """A company or a crypto pair in the list: its last close, the change over the small line, and this line."""

    ticker: str
    name: str
    sector: str
    close: float | None
    change: float | None
    spark: str


@dataclass(frozen=True, slots=True)
class SubjectView:
    """All that is shown of a company or a pair. `facts` are pairs of a label and a text."""

    ticker: str
    name: str
    description: str
    facts: tuple[tuple[str, str], ...]
    chart: PriceChart | None
    bars: Sequence[Bar]
    quarters: tuple[tuple[str, tuple[str, ...]], ...]
    events: Sequence[Event]
    news: Sequence[Article]


def market(store: Store, now: datetime) -> list[MarketLine]:
    """Return all companies and pairs by ticker, with their last prices."""
    named = [(row["ticker"], row["name"], row["sector"]) for row in read.companies(store, now)]
    named += [(row["ticker"], row["name"], "crypto") for row in read.pairs(store)]
    return [_line(store, now, *each) for each in sorted(named)]


def _line(store: Store, now: datetime, ticker: str, name: str, sector: str) -> MarketLine:
    bars = read.last_bars(store, ticker, SPARK, now)
    if len(bars) < 2:
        return MarketLine(ticker, name, sector, bars[-1]["close"] if bars else None, None, "")
    closes = [bar["close"] for bar in bars]
    return MarketLine(ticker, name, sector, closes[-1], closes[-1] / closes[0] - 1, points(closes, 100, 24))


def subject(store: Store, ticker: str, now: datetime, span: str) -> SubjectView | None:
    """Return a company or a pair at the time `now`, or None if there is none of this name."""
    company, pair = read.company(store, ticker, now), read.pair(store, ticker)
    row = company or pair
    if row is None:
        return None
    symbol = row["ticker"]
    bars, events = read.last_bars(store, symbol, SPANS[span], now), read.events(store, symbol, now)
    facts: list[tuple[str, str]] = []
    if company is not None:
        cap = read.market_cap(store, symbol, now)
        facts = [
            ("Exchange", company["exchange"]),
            ("Sector", f"{company['sector']}, {company['industry']}"),
            ("Chief executive", company["ceo"]),
            ("Head office", f"{company['city']}, {company['state']}"),
            ("Employees", f"{company['employees']:,}"),
            ("Market value", "not traded yet" if cap is None else f"${_short(cap)}"),
        ]
    return SubjectView(
        ticker=symbol,
        name=row["name"],
        description=company["description"] if company is not None else "",
        facts=tuple(facts),
        chart=_chart(bars, events, symbol),
        bars=bars[: -NEWEST_BARS - 1 : -1],
        quarters=_quarters(store, symbol, now),
        events=events[: -NEWEST_NEWS - 1 : -1],
        news=read.news(store, now, ticker=symbol, limit=NEWEST_NEWS),
    )


def _chart(bars: Sequence[Bar], events: Sequence[Event], ticker: str) -> PriceChart | None:
    if len(bars) < 2:
        return None
    closes, step = [bar["close"] for bar in bars], WIDTH / (len(bars) - 1)
    most = max(bar["volume"] for bar in bars) or 1
    heights = [round(VOLUME * bar["volume"] / most, 1) for bar in bars]
    volume = "".join(f"M{i * step:.1f} {HEIGHT}v-{height}" for i, height in enumerate(heights) if height)
    return PriceChart(
        points(closes, WIDTH, HEIGHT - VOLUME), volume, round(step * 0.6, 2), _marks(bars, events, ticker), min(closes),
        max(closes), bars[0], bars[-1],
    )  # fmt: skip


def _marks(bars: Sequence[Bar], events: Sequence[Event], ticker: str) -> tuple[ChartMark, ...]:
    """Return the events that moved the price most, oldest first, each at the first bar from its day on."""
    days, step = [bar["date"] for bar in bars], WIDTH / (len(bars) - 1)
    found = []
    for event in events:
        move = event["move"] if event["ticker"] == ticker else event["other_move"]
        at = next((i for i, day in enumerate(days) if day >= event["at"][:10]), None)
        if at is not None and event["at"][:10] >= days[0] and move:
            found.append(ChartMark(round(at * step, 1), event["at"][:10], event["kind"], move))
    largest = sorted(found, key=lambda mark: -abs(mark.move))[:MOST_MARKS]
    return tuple(sorted(largest, key=lambda mark: mark.x))


def points(values: Sequence[float], width: float, height: float) -> str:
    """Return the points of a polyline through `values` that fills the size."""
    low, high = min(values), max(values)
    scale, step = (height / (high - low) if high > low else 0.0), width / max(1, len(values) - 1)
    return " ".join(f"{i * step:.1f},{height - (value - low) * scale:.1f}" for i, value in enumerate(values))


def _quarters(store: Store, ticker: str, now: datetime) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the newest quarters as rows of a table: a label, and a text for each quarter."""
    rows = read.statements(store, ticker, now)[:5]
    if not rows:
        return ()
    return (
        ("Quarter", tuple(f"{row['year']} Q{row['quarter']}" for row in rows)),
        ("Filed", tuple(row["filed"] for row in rows)),
        ("Revenue", tuple(_short(row["income"]["revenue"]) for row in rows)),
        ("Net income", tuple(_short(row["income"]["net_income"]) for row in rows)),
        ("EPS", tuple(f"{row['income']['eps']:.2f}" for row in rows)),
        ("Cash", tuple(_short(row["balance"]["cash"]) for row in rows)),
        ("Debt", tuple(_short(row["balance"]["total_debt"]) for row in rows)),
    )


def _short(amount: float) -> str:
    for limit, unit in ((1e12, "T"), (1e9, "B"), (1e6, "M")):
        if abs(amount) >= limit:
            return f"{amount / limit:,.2f}{unit}"
    return f"{amount:,.0f}"
