"""The figures of the world. All texts follow from them."""

from dataclasses import dataclass

from mcp_servers.world.accounts import actions, filings
from mcp_servers.world.calendar import START
from mcp_servers.world.companies import dossier
from mcp_servers.world.companies.company import Firm, firms
from mcp_servers.world.companies.dossier import Dossier
from mcp_servers.world.companies.names import Names
from mcp_servers.world.companies.roster import CIRCLES, COINS
from mcp_servers.world.events import coins, fill
from mcp_servers.world.events.plan import Plan, plan
from mcp_servers.world.market import prices as market
from mcp_servers.world.press import Press, press
from mcp_servers.world.rows import Bar, Company, Dividend, Earnings, Event, Person, Statement


@dataclass(frozen=True)
class Market:
    """Companies, prices, statements and events."""

    seed: int
    names: Names
    """Deals unused names."""
    firms: tuple[Firm, ...]
    dossiers: dict[str, Dossier]
    press: Press
    dividends: dict[str, list[Dividend]]
    bars: dict[str, list[Bar]]
    """Bars of companies and pairs."""
    statements: dict[str, list[Statement]]
    earnings: dict[str, list[Earnings]]
    events: list[Event]
    """Events ordered by time."""

    @property
    def companies(self) -> list[Company]:
        """Return the rows of the companies.

        Shares are those of the last quarter that was filed before the world begins.
        """
        return [{**firm.row, "shares": _first_shares(self.statements[firm.ticker])} for firm in self.firms]

    @property
    def people(self) -> list[Person]:
        """Return all named people except the members of the workspace."""
        own = [person for firm in self.firms for person in dossier.people(firm, self.dossiers[firm.ticker])]
        return [*own, *self.press.people]


def _first_shares(statements: list[Statement]) -> int:
    filed = [row for row in statements if row["filed"] < START]
    return int(filed[-1]["balance"]["shares_outstanding"])


def figures(seed: int) -> Market:
    """Return the companies, prices, statements and events of the world of `seed`."""
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
    found = Market(seed, names, listed, dossiers, written, dividends, bars, {}, {}, planned.events)
    _report(found, planned)
    for coin in COINS:
        happened = coins.coin_events(seed, coin)
        daily = {event["at"][:10]: event["move"] for event in happened}
        bars[f"X:{coin.base}USD"] = market.crypto_bars(seed, coin, daily)
        found.events.extend(happened)
    found.events.sort(key=lambda event: (event["at"], event["id"]))
    return found


def _report(found: Market, planned: Plan) -> None:
    """Add the statements, results and ratings of all companies."""
    seed, own = found.seed, _by_company(planned)
    for firm in found.firms:
        ticker, circle = firm.ticker, firm.row["circle"]
        bars, results = found.bars[ticker], planned.results[ticker]
        filed = filings.statements(seed, firm, results, own.get(ticker, []), found.dividends[ticker], bars)
        announced = fill.earnings(firm, results, filed)
        found.statements[ticker], found.earnings[ticker] = filed, announced
        found.events.extend(fill.results_events(seed, firm, results, announced, filed))
        found.events.extend(
            fill.ratings(seed, firm, found.press.analysts[circle], bars, planned.diaries[circle]),
        )


def _by_company(planned: Plan) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for event in planned.events:
        for ticker in (event["ticker"], event["other"]):
            if ticker:
                found.setdefault(ticker, []).append(event)
    return found
