"""Plans all events that move prices, before there are prices and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.companies.dossier import Dossier
from mcp_servers.world.events import corporate, deals, products
from mcp_servers.world.events.base import Diary, reaction
from mcp_servers.world.events.results import Result, results
from mcp_servers.world.rows import Dividend, Event

Moves = dict[str, tuple[float, float]]
"""For each day, the effect of events on its return: before the opening, and during trading."""

OPEN_BIDS = (3, 8)
"""The circles in which a bid is still open at the end."""

BIDS = (2, 5, 6, 9)
"""The circles in which a bid failed."""


@dataclass(frozen=True)
class Plan:
    """The planned events. The prices of bids and all figures of results are not set yet."""

    events: list[Event]
    results: dict[str, list[Result]]
    diaries: dict[int, Diary]

    def moves(self) -> dict[str, Moves]:
        """Return the effects of events on returns, by ticker and day."""
        found: dict[str, Moves] = {}
        for event in self.events:
            _add(found, event["ticker"], event["at"], event["move"])
            if event["other"]:
                _add(found, event["other"], event["at"], event["other_move"])
        for ticker, quarters in self.results.items():
            for quarter in quarters:
                _add(found, ticker, quarter.at, quarter.move)
        return found


def _add(found: dict[str, Moves], ticker: str, at: str, move: float) -> None:
    day = reaction(at)
    if day is None or not move:
        return
    overnight, during = found.setdefault(ticker, {}).get(day[0], (0.0, 0.0))
    found[ticker][day[0]] = (overnight + move, during) if day[1] else (overnight, during + move)


def plan(
    seed: int,
    firms: Sequence[Firm],
    dossiers: Mapping[str, Dossier],
    dividends: Mapping[str, Sequence[Dividend]],
) -> Plan:
    """Plan the events of the world of `seed`, circle by circle."""
    found = Plan([], {}, {})
    for circle in sorted({firm.row["circle"] for firm in firms}):
        members = [firm for firm in firms if firm.row["circle"] == circle]
        diary = found.diaries[circle] = Diary(Stream(seed, "diary", circle))
        for firm in members:
            found.results[firm.ticker] = results(seed, firm, diary)
        for firm in members:
            found.events.extend(_fixed(seed, firm, dividends[firm.ticker], diary))
        found.events.extend(_shared(Stream(seed, "deals", circle), members, diary, circle))
        for firm in members:
            found.events.extend(_own(seed, firm, dossiers[firm.ticker], diary))
    return found


def _fixed(seed: int, firm: Firm, rows: Sequence[Dividend], diary: Diary) -> list[Event]:
    """Return the events whose days are known in advance."""
    stream = Stream(seed, "fixed", firm.ticker)
    return [
        *corporate.split(stream, firm, diary),
        *corporate.dividends(stream, firm, rows, diary),
        *corporate.chief(stream, firm, diary),
    ]


def _shared(stream: Stream, members: Sequence[Firm], diary: Diary, circle: int) -> list[Event]:
    """Return the events between companies."""
    found = deals.units(stream, members, diary)
    if circle in BIDS or circle in OPEN_BIDS:
        found += deals.bids(stream, members, diary, open_end=circle in OPEN_BIDS)
    return found + deals.contracts(stream, members, diary) + deals.lawsuits(stream, members, diary)


def _own(seed: int, firm: Firm, dossier: Dossier, diary: Diary) -> list[Event]:
    """Return the events of one company."""
    stream = Stream(seed, "events", firm.ticker)
    return [
        *products.trials(stream, firm, diary),
        *products.launches(stream, firm, dossier, diary),
        *products.troubles(stream, firm, dossier, diary),
        *products.strike(stream, firm, dossier, diary),
        *corporate.works(stream, firm, dossier, diary),
        *corporate.buyback(stream, firm, diary),
        *corporate.layoffs(stream, firm, diary),
    ]
