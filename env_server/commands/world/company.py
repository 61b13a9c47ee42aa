"""The view of a company or a crypto pair: profile, last bars, statements, events, news and pages."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, cast

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from env_server.commands.output import plain
from env_server.commands.world.event import told
from env_server.commands.world.paper import put
from mcp_servers.world import read
from mcp_servers.world.companies import words
from mcp_servers.world.rows import Article, Bar, Company, Dividend, Earnings, Event, Page, Pair, Split, Statement
from mcp_servers.world.store import Store

QUARTERS = 5
MARGIN = "  "
TEXT_AT = len(f"{MARGIN}2026-06-30 15:00  ")
"""The column at which the text of an event or an article begins."""
SIDES: tuple[Literal["open", "high", "low", "close"], ...] = ("open", "high", "low", "close")


@dataclass(frozen=True)
class CompanyView:
    """All data shown of a company or a pair."""

    profile: Company | Pair
    market_cap: float | None
    before: Bar | None
    """The bar before the first of `bars`."""
    bars: list[Bar]
    splits: list[Split]
    dividends: list[Dividend]
    statements: list[Statement]
    earnings: list[Earnings]
    events: list[Event]
    news: list[Article]
    pages: list[Page]

    def plain(self) -> dict[str, Any]:
        """Return the view as a JSON object. Pages are given by URL, title and date only."""
        pages = [{"url": page["url"], "title": page["title"], "published": page["published"]} for page in self.pages]
        shown = {name: value for name, value in asdict(self).items() if name != "before"}
        return {"kind": "pair" if read.is_pair(self.profile["ticker"]) else "company", **shown, "pages": pages}


def view(store: Store, ticker: str, now: datetime, limit: int) -> CompanyView:
    """Return the world's data about `ticker` at the time `now`, with at most `limit` bars, events and articles.

    Raises:
        LookupError: if there is no such ticker.
    """
    profile = read.company(store, ticker, now) or read.pair(store, ticker)
    if profile is None:
        raise LookupError(ticker)
    about = [page for page in read.pages(store, now) if ticker in page["tickers"]]
    pages = sorted(about, key=lambda page: page["published"], reverse=True)
    bars = read.last_bars(store, ticker, limit + 1, now)
    return CompanyView(
        profile=profile,
        before=bars[-limit - 1] if len(bars) > limit else None,
        market_cap=None if read.is_pair(ticker) else read.market_cap(store, ticker, now),
        bars=bars[-limit:],
        splits=read.splits(store, ticker, now),
        dividends=read.dividends(store, ticker, now)[-4:],
        statements=read.statements(store, ticker, now)[:QUARTERS],
        earnings=read.earnings(store, ticker, now)[:QUARTERS],
        events=read.events(store, ticker, now)[-limit:],
        news=read.news(store, now, ticker=ticker, limit=limit),
        pages=pages,
    )


def show(screen: Console, found: CompanyView) -> None:
    """Print a view."""
    screen.print()
    _profile(screen, found)
    _section(screen, "Bars", _bars(found))
    if found.statements:
        _section(screen, "Quarters", _quarters(found))
    if found.dividends or found.splits:
        _section(screen, "Dividends and splits", _payments(found))
    _title(screen, "Events", found.events)
    _events(screen, found)
    _title(screen, "News", found.news, above=1)
    _news(screen, found.news)
    _title(screen, "Pages", found.pages, above=1)
    for page in found.pages:
        _page(screen, page)
    screen.print()


def _section(screen: Console, title: str, body: Table) -> None:
    _title(screen, title, body.rows)
    if body.row_count:
        screen.print(Padding(body, (0, 0, 0, len(MARGIN))))
    screen.print()


def _title(screen: Console, title: str, rows: Sequence[object], above: int = 0) -> None:
    """Print the rule above a section after `above` empty lines, and "none" if the section is empty."""
    screen.print("\n" * above, end="")
    screen.print(Rule(Text(title, "bold"), align="left", style="dim"))
    if not rows:
        screen.print(Text(f"{MARGIN}none", "dim"))


def _profile(screen: Console, found: CompanyView) -> None:
    row = found.profile
    screen.print(Text.assemble((row["ticker"], "bold cyan"), "  ", (row["name"], "bold")))
    if read.is_pair(row["ticker"]):
        screen.print()
    else:
        _company(screen, cast("Company", row), found.market_cap)


def _company(screen: Console, row: Company, market_cap: float | None) -> None:
    screen.print(Text(f"{row['exchange']} · {row['sector']} · {row['industry']}", "dim"))
    screen.print()
    put(screen, Text(row["description"]))
    screen.print()
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    facts = (
        ("Chief executive", row["ceo"]),
        ("Head office", f"{row['address']}, {row['city']}, {row['state']}"),
        ("Telephone", row["phone"]),
        ("Website", row["website"]),
        ("Employees", f"{row['employees']:,}"),
        ("Founded, listed", f"{row['founded']}, {row['listed']}"),
        ("Fiscal year ends", words.MONTHS[row["fiscal_end"] - 1]),
        ("Shares", f"{row['shares']:,}"),
        ("Market value", words.money(market_cap) if market_cap is not None else "not traded yet"),
        ("Circle", f"{row['circle']} (its companies never meet those of other circles)"),
    )
    for name, value in facts:
        table.add_row(name, value)
    screen.print(Padding(table, (0, 0, 1, 2)))


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    """Return a table with narrow gaps between its columns, so that five dates or prices fit into 80 columns."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column != "Details")
    return table


def _bars(found: CompanyView) -> Table:
    prices = ("Open", "High", "Low", "Close", "Change", "Volume")
    table = _table("Date", *prices, right=prices)
    before = None if found.before is None else found.before["close"]
    for bar in found.bars:
        change = "" if before is None else f"{(bar['close'] / before - 1) * 100:+.2f}%"
        before = bar["close"]
        sides = (f"{bar[side]:,.2f}" if bar["close"] >= 1 else f"{bar[side]:,.4f}" for side in SIDES)
        style = "red" if change.startswith("-") else "green"
        table.add_row(bar["date"], *sides, Text(change, style), f"{bar['volume']:,}")
    return table


def _quarters(found: CompanyView) -> Table:
    """Return the table of quarters, one column each, newest first."""
    columns = [f"{row['year']} Q{row['quarter']}" for row in found.statements]
    table = _table("", *columns, right=columns)
    expected = {row["id"]: row for row in found.earnings}
    table.add_row("Ended", *(row["ends"] for row in found.statements))
    table.add_row("Filed", *(row["filed"] for row in found.statements))
    for label, part, line in (
        ("Revenue", "income", "revenue"),
        ("Gross profit", "income", "gross_profit"),
        ("Operating income", "income", "operating_income"),
        ("Net income", "income", "net_income"),
        ("Free cash flow", "cash", "free_cash_flow"),
        ("Cash", "balance", "cash"),
        ("Debt", "balance", "total_debt"),
        ("Equity", "balance", "total_equity"),
    ):
        table.add_row(label, *(_amount(row, part, line) for row in found.statements))
    table.add_row("EPS", *(words.price(row["income"]["eps"]) for row in found.statements), style="bold")
    known = [expected.get(row["id"]) for row in found.statements]
    table.add_row("EPS expected", *("" if row is None else words.price(row["eps_expected"]) for row in known))
    return table


def _amount(row: Statement, part: str, line: str) -> Text:
    value = {"income": row["income"], "balance": row["balance"], "cash": row["cash"]}[part][line]
    return Text(_short(value), "red" if value < 0 else "")


def _short(amount: float) -> str:
    """Return an amount in short form for a narrow column, such as 3.07B or -12.5M."""
    size = abs(amount)
    return f"{amount / 1e9:,.2f}B" if size >= 1e9 else f"{amount / 1e6:,.1f}M"


def _payments(found: CompanyView) -> Table:
    table = _table("Date", "What", "Details")
    rows = [
        (row["ex"], "dividend", f"{words.price(row['cash'])} a share, declared {row['declared']}, paid {row['pay']}")
        for row in found.dividends
    ]
    rows += [
        (row["date"], "split", f"{row['after']} for {row['before']}, announced {row['announced']}")
        for row in found.splits
    ]
    for cells in sorted(rows):
        table.add_row(*cells)
    return table


def _events(screen: Console, found: CompanyView) -> None:
    ticker = found.profile["ticker"]
    for event in found.events:
        move = event["move"] if event["ticker"] == ticker else event["other_move"]
        label = Text.assemble(MARGIN, (_minute(event["at"]), "dim"))
        text = Text.assemble((event["kind"], "bold"), "  ")
        if move:
            text.append(f"{move * 100:+.1f}%  ", "red" if move < 0 else "green")
        put(screen, text.append(plain(told(event))), indent=TEXT_AT, label=label)


def _news(screen: Console, articles: Sequence[Article]) -> None:
    for article in articles:
        label = Text.assemble(MARGIN, (_minute(article["at"]), "dim"))
        text = Text.assemble(plain(article["title"]), (f" · {article['publisher']}", "dim"))
        put(screen, text.append(f"  {article.get('flaw', '')}", "yellow"), indent=TEXT_AT, label=label)


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")


def _page(screen: Console, page: Page) -> None:
    """Print a page's date and title, and its address below them."""
    text = Text.assemble((page["published"][:10], "dim"), "  ", plain(page["title"]))
    if page.get("planted"):
        text.append("  trap", "yellow")
    put(screen, text, indent=len(MARGIN))
    put(screen, Text(page["url"], "cyan"), indent=2 * len(MARGIN))
