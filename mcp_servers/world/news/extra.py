"""Articles without an event: previews, large moves, comparisons, and weekly reports on coins."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from math import sqrt

from mcp_servers.world.accounts.figures import Market
from mcp_servers.world.calendar import DAYS, SESSIONS, closes, session_before, stamp
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies import words
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.companies.roster import COINS, Coin
from mcp_servers.world.companies.words import changed, money, percent, price
from mcp_servers.world.events.base import clock, reaction
from mcp_servers.world.news.writer import Writer
from mcp_servers.world.press import PUBLISHERS
from mcp_servers.world.rows import Article, Event, Statement
from mcp_servers.world.scene import Scenes, short

WIRES = tuple(publisher.name for publisher in PUBLISHERS if publisher.style in ("wire", "paper"))
TRADES = tuple(publisher.name for publisher in PUBLISHERS if publisher.style == "trade")
COINED = tuple(publisher.name for publisher in PUBLISHERS if publisher.style == "crypto")
LARGE = 3.0
"""Minimum size of a large move, in deviations."""

MEASURES = (
    ("gross margin", "gross_profit"),
    ("operating margin", "operating_income"),
    ("net margin", "net_income"),
    ("research share of revenue", "research_and_development"),
    ("administration share of revenue", "selling_and_administrative"),
)


def extras(market: Market, scenes: Scenes, writer: Writer) -> Iterator[Article]:
    """Yield all articles without an event."""
    quiet = _quiet_days(market)
    for firm in market.firms:
        stream = Stream(market.seed, "extra", firm.ticker)
        yield from _movers(market, writer, stream, firm, quiet.get(firm.ticker, set()))
        yield from _comparisons(market, scenes, writer, stream, firm)
    for event in market.events:
        if event["kind"] == "earnings":
            yield from _preview(market, writer, event)
    for coin in COINS:
        yield from _weeks(market, writer, coin)


def _quiet_days(market: Market) -> dict[str, set[str]]:
    """Return the days on which a company's price reacts to events."""
    found: dict[str, set[str]] = {}
    for event in market.events:
        day = reaction(event["at"])
        for ticker in (event["ticker"], event["other"]):
            if day is not None and ticker:
                found.setdefault(ticker, set()).add(day[0])
    return found


def _movers(market: Market, writer: Writer, stream: Stream, firm: Firm, busy: set[str]) -> Iterator[Article]:
    bars = market.bars[firm.ticker]
    limit = LARGE * sqrt(firm.industry.deviation * firm.industry.deviation + 0.0001)
    for before, bar in pairwise(bars):
        change = bar["close"] / before["close"] - 1.0
        if abs(change) < limit or bar["date"] in busy or (firm.split and firm.split[1] == bar["date"]):
            continue
        at = stamp(closes(bar["date"]) + timedelta(minutes=stream.whole(8, 90)))
        told = {
            "day_change": changed(change),
            "day_verb": "rose" if change > 0 else "fell",
            "day_close": price(bar["close"]),
            "weekday": words.weekday(bar["date"]),
            "volume": f"{bar['volume']:,}",
        }
        row = writer.compose(stream, "mover", [firm.ticker], told, stream.pick(WIRES), at, mood=change)
        row["about"] = {"date": bar["date"], "close": bar["close"], "change": round(change, 4)}
        yield row


def _comparisons(market: Market, scenes: Scenes, writer: Writer, stream: Stream, firm: Firm) -> Iterator[Article]:
    peers = [each for each in market.firms if each.row["circle"] == firm.row["circle"] and each is not firm]
    near = [each for each in peers if each.industry.sector == firm.industry.sector] or peers
    for _ in range(6):
        peer, day = stream.pick(near), SESSIONS[stream.whole(5, len(SESSIONS) - 5)]
        at = clock(stream, day, "during")
        mine, theirs = scenes.last_statement(firm.ticker, at), scenes.last_statement(peer.ticker, at)
        measure, line = stream.pick(MEASURES)
        if mine is None or theirs is None or not mine["income"][line] > 0 or not theirs["income"][line] > 0:
            continue
        told = {
            "measure": measure,
            "a_measure": words.one(measure),
            "measure_capital": words.capital(measure),
            "mine": percent(_share(mine, line)),
            "theirs": percent(_share(theirs, line)),
            "peer": peer.name,
            "peer_short": short(peer.name),
            "ends": words.day(mine["ends"]),
            "peer_ends": words.day(theirs["ends"]),
        }
        tickers = [firm.ticker, peer.ticker]
        row = writer.compose(stream, "compare", tickers, told, stream.pick(TRADES), at)
        row["about"] = {"measure": line, "mine": mine["id"], "theirs": theirs["id"]}
        yield row


def _share(statement: Statement, line: str) -> float:
    return statement["income"][line] / statement["income"]["revenue"]


def _preview(market: Market, writer: Writer, event: Event) -> Iterator[Article]:
    stream, facts = Stream(market.seed, "preview", event["id"]), event["facts"]
    before = session_before(event["at"][:10])
    if before is None or not stream.chance(0.4):
        return
    told = {
        "eps_expected": price(float(facts["eps_expected"])),
        "revenue_expected": money(float(facts["revenue_expected"])),
        "revenue_year_before": money(float(facts["revenue_year_before"])),
        "quarter": words.quarter(int(facts["quarter"])),
        "when": words.short_day(event["at"]),
    }
    at = clock(stream, before, "before")
    row = writer.compose(stream, "preview", [event["ticker"]], told, stream.pick(WIRES), at)
    row["about"] = {name: facts[name] for name in ("year", "quarter", "eps_expected", "revenue_expected")}
    yield row


def _weeks(market: Market, writer: Writer, coin: Coin) -> Iterator[Article]:
    stream, ticker = Stream(market.seed, "weeks", coin.base), f"X:{coin.base}USD"
    bars = market.bars[ticker]
    for end in range(13, len(DAYS) - 2, 7):
        if not stream.chance(0.4):
            continue
        week, before = bars[end - 6 : end + 1], bars[end - 7]
        change = week[-1]["close"] / before["close"] - 1.0
        told = {
            "week_close": price(week[-1]["close"]),
            "week_change": changed(change),
            "week_verb": "rises" if change > 0 else "falls",
            "week_high": price(max(bar["high"] for bar in week)),
            "week_low": price(min(bar["low"] for bar in week)),
            "week_end": words.day(DAYS[end]),
            "week_end_short": words.short_day(DAYS[end]),
        }
        at = f"{DAYS[end + 1]}T{stream.whole(1, 14):02d}:{stream.whole(0, 59):02d}:00Z"
        row = writer.compose(stream, "coin:week", [ticker], told, stream.pick(COINED), at, mood=change / 4.0)
        row["about"] = {"date": DAYS[end], "close": week[-1]["close"], "change": round(change, 4)}
        yield row
