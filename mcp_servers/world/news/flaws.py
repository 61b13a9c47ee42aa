"""Errors in articles."""

from mcp_servers.world.calendar import plus
from mcp_servers.world.chance import Stream
from mcp_servers.world.events.base import Fact, neat
from mcp_servers.world.news import telling
from mcp_servers.world.rows import Event

MISTOLD: dict[str, tuple[str, ...]] = {
    "earnings": ("eps", "revenue"), "guidance": ("high",), "dividend": ("cash", "pay"), "rating": ("target",),
    "chief": ("effective",), "split": ("date",), "buyback": ("amount",), "works": ("jobs",), "layoffs": ("jobs",),
    "product": ("available",), "version": ("version",), "recall": ("units",), "outage": ("hours",),
    "stoppage": ("days",), "trial": ("patients",), "strike": ("workers", "agreed"), "contract": ("value",),
    "acquisition": ("price",), "bid": ("price",), "lawsuit": ("amount", "paid"),
    "upgrade": ("active",), "listing": ("from",), "rule": ("reserve",),
}  # fmt: skip
"""The facts of each kind that an article may state wrongly. The leads of the script contain each of them."""

NAMED = {
    "eps": "EPS", "revenue": "revenue", "high": "the upper end", "cash": "the dividend", "pay": "the pay date",
    "target": "the target", "effective": "the date of the change", "date": "the date of the split",
    "amount": "the amount", "jobs": "the number of jobs", "available": "the first day of sale",
    "version": "the version", "units": "the number of units", "hours": "the length of the outage",
    "days": "the length of the stop", "patients": "the number of patients", "workers": "the number of strikers",
    "agreed": "the rise in pay", "price": "the price", "bid_price": "the bid", "active": "the date",
    "begins": "the date", "reserve": "the reserve",
}  # fmt: skip
"""The name of a fact in conversations, by its placeholder."""


def mistaken(stream: Stream, event: Event) -> dict[str, Fact] | None:
    """Return the facts with one of them changed so that its text differs. Return None if no fact can be changed."""
    facts = event["facts"]
    names = [name for name in MISTOLD.get(event["kind"], ()) if facts.get(name)]
    if event["kind"] == "lawsuit" and "paid" in facts:
        names = [name for name in names if name == "paid"]
    if event["kind"] == "strike" and "agreed" in facts:
        names = [name for name in names if name == "agreed"]
    if not names:
        return None
    name = stream.pick(names)
    wrong = {**facts, name: _wrong(stream, facts[name])}
    told, true = (telling.places(event["ticker"], event["kind"], each) for each in (wrong, facts))
    return wrong if told != true else None


def _wrong(stream: Stream, fact: Fact) -> Fact:
    if isinstance(fact, str):
        return plus(fact, stream.whole(5, 40)) if len(fact) == len("2025-03-01") else fact
    factor = stream.between(1.15, 1.9) if stream.chance(0.6) else stream.between(0.45, 0.85)
    if isinstance(fact, float):
        return round(fact * factor, 2)
    return neat(fact * factor) if fact > 1000 else max(round(fact * factor), 1)
