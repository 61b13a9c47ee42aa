"""The world from its seed: each part in the order in which it follows from the others."""

from dataclasses import dataclass
from typing import Any

from mcp_servers.world import actions, dossier, filings, market
from mcp_servers.world.calendar import START
from mcp_servers.world.companies import Firm, firms
from mcp_servers.world.dossier import Dossier
from mcp_servers.world.events import coins, fill
from mcp_servers.world.events.plan import Plan, plan
from mcp_servers.world.names import Names
from mcp_servers.world.press import Press, press
from mcp_servers.world.roster import CIRCLES, COINS
from mcp_servers.world.rows import (
    BARS,
    COMPANIES,
    DIVIDENDS,
    EARNINGS,
    EVENTS,
    PAIRS,
    PEOPLE,
    SPLITS,
    STATEMENTS,
    TABLES,
    Bar,
    Company,
    Dividend,
    Earnings,
    Event,
    Pair,
    Person,
    Statement,
)
from mcp_servers.world.store import Table


@dataclass(frozen=True)
class Market:
    """The world of figures: all that texts tell about."""

    seed: int
    firms: tuple[Firm, ...]
    dossiers: dict[str, Dossier]
    press: Press
    dividends: dict[str, list[Dividend]]
    bars: dict[str, list[Bar]]
    """Of companies and pairs."""
    statements: dict[str, list[Statement]]
    earnings: dict[str, list[Earnings]]
    events: list[Event]
    """By time."""

    @property
    def companies(self) -> list[Company]:
        """The rows of the companies, with the shares of the last quarter that was filed before the world begins."""
        return [{**firm.row, "shares": _first_shares(self.statements[firm.ticker])} for firm in self.firms]

    @property
    def people(self) -> list[Person]:
        """Everybody who has a name, but for the members of the workspace."""
        own = [person for firm in self.firms for person in dossier.people(firm, self.dossiers[firm.ticker])]
        return [*own, *self.press.people]


def _first_shares(statements: list[Statement]) -> int:
    filed = [row for row in statements if row["filed"] < START]
    return int(filed[-1]["balance"]["shares_outstanding"])


def figures(seed: int) -> Market:
    """The companies, prices, statements and events of the world of `seed`."""
    names = Names(seed)
    listed = tuple(firms(seed, names))
    dossiers = {firm.ticker: dossier.dossier(seed, firm, names) for firm in listed}
    written = press(seed, names, len(CIRCLES))
    dividends = {firm.ticker: actions.dividend_rows(seed, firm) for firm in listed}
    planned = plan(seed, listed, dossiers, dividends)
    moves = planned.moves()
    bars = {
        firm.ticker: market.stock_bars(seed, firm, moves.get(firm.ticker, {}), dividends[firm.ticker])
        for firm in listed
    }
    fill.price_bids(planned.events, bars)
    statements, earnings, events = dict[str, list[Statement]](), dict[str, list[Earnings]](), planned.events
    own = _by_company(planned)
    for firm in listed:
        ticker, results = firm.ticker, planned.results[firm.ticker]
        filed = filings.statements(seed, firm, results, own.get(ticker, []), dividends[ticker], bars[ticker])
        statements[ticker], earnings[ticker] = filed, fill.earnings(firm, results, filed)
        circle = firm.row["circle"]
        events = [
            *events,
            *fill.results_events(seed, firm, results, earnings[ticker], filed),
            *fill.ratings(seed, firm, written.analysts[circle], bars[ticker], planned.diaries[circle]),
        ]
    for coin in COINS:
        happened = coins.coin_events(seed, coin)
        daily = {event["at"][:10]: event["move"] for event in happened}
        bars[f"X:{coin.base}USD"] = market.crypto_bars(seed, coin, daily)
        events = [*events, *happened]
    events.sort(key=lambda event: (event["at"], event["id"]))
    return Market(seed, listed, dossiers, written, dividends, bars, statements, earnings, events)


def _by_company(planned: Plan) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for event in planned.events:
        for ticker in (event["ticker"], event["other"]):
            if ticker:
                found.setdefault(ticker, []).append(event)
    return found


def generate(seed: int) -> dict[Table[Any], list[Any]]:
    """The rows of all tables."""
    found = figures(seed)
    rows: dict[Table[Any], list[Any]] = {table: [] for table in TABLES}
    rows[COMPANIES] = found.companies
    rows[PAIRS] = [_pair(coin.base, coin.name) for coin in COINS]
    rows[BARS] = [month for ticker, bars in found.bars.items() for month in market.months(ticker, bars)]
    rows[SPLITS] = [row for firm in found.firms for row in actions.split_rows(firm)]
    rows[DIVIDENDS] = [row for several in found.dividends.values() for row in several]
    rows[STATEMENTS] = [row for several in found.statements.values() for row in several]
    rows[EARNINGS] = [row for several in found.earnings.values() for row in several]
    rows[EVENTS] = found.events
    rows[PEOPLE] = found.people
    return rows


def _pair(base: str, name: str) -> Pair:
    return {"ticker": f"X:{base}USD", "base": base, "quote": "USD", "name": f"{name} - United States Dollar"}
