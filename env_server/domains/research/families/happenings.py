"""Events of companies as requests describe them: without their dates, but so that the news identify them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from env_server.domains.research.case import Case
from env_server.domains.research.library import Library
from mcp_servers.world import calendar
from mcp_servers.world.calendar import SESSIONS
from mcp_servers.world.companies.words import money
from mcp_servers.world.rows import Article, Event

PHRASES: Mapping[str, str] = {
    "recall": "the recall of the {product}",
    "product": "the launch of the {product}",
    "version": "the announcement of version {version} of the {product}",
    "trial": "the trial result of the {product}",
    "outage": "the outage of the {product}",
    "stoppage": "the stoppage at its {site} in {city}",
    "strike": "the strike at its {site} in {city}",
    "layoffs": "the job cuts that it announced in {month}",
    "chief": "the naming of {arriving} as its next chief executive",
    "buyback": "the share buyback that it announced in {month}",
    "opens": "the plan for a new {site} in {city}",
    "expands": "the plan to enlarge its {site} in {city}",
    "closes": "the plan to close its {site} in {city}",
    "acquisition": "the agreement on the sale of the {unit}",
    "contract": "the contract with {partner} over the {product}",
    "lawsuit": "the suit between {plaintiff} and {defendant}",
    "bid": "the takeover bid of {bidder} for {target}",
}
"""Kind of an event -> how it is called after the name of the company."""

STAGES = {"strike": "began", "acquisition": "agreed", "lawsuit": "filed", "bid": "proposed"}
"""Kind of an event -> the stage that its phrase is about."""

TRACES: Mapping[str, tuple[str, ...]] = {
    "recall": ("product",), "product": ("product",), "version": ("product",), "trial": ("product",),
    "outage": ("product",), "layoffs": ("jobs",), "buyback": ("millions",), "stoppage": ("city",), "strike": ("city",),
    "chief": ("arriving",),
    "opens": ("city",), "expands": ("city",), "closes": ("city",), "acquisition": ("unit",),
    "lawsuit": ("plaintiff", "defendant"), "bid": ("bidder", "target"), "contract": ("partner",),
}  # fmt: skip
"""Kind of an event -> the facts that every report of it names."""


@dataclass(frozen=True)
class Happening:
    """An event with the sessions before and after it became known."""

    event: Event
    phrase: str
    reports: tuple[Article, ...]
    before: str
    """The last session that had closed."""

    after: str
    """The first session that closed afterwards."""

    trace: tuple[str, ...]
    """The words by which a report names the event."""


def kind_of(event: Event) -> str:
    """Return the key of an event in `PHRASES`."""
    return str(event["facts"]["change"]) if event["kind"] == "works" else event["kind"]


def closes_around(at: str) -> tuple[str, str]:
    """Return the last session that had closed at a moment, and the first that closed after it."""
    moment = calendar.parse(at)
    before = calendar.last_session(moment) or SESSIONS[0]
    return before, calendar.session_after(before) or before


def partner(library: Library, event: Event) -> str:
    """Return the name of the other company of an event."""
    return library.title(event["other"]) if event["other"] else ""


def happening(library: Library, event: Event, now: datetime) -> Happening | None:
    """Return an event as a happening; None if its reports do not tell when it became known, or it is too recent."""
    kind = kind_of(event)
    if kind not in PHRASES or event["facts"].get("stage", STAGES.get(kind)) != STAGES.get(kind):
        return None
    seen = [article for article in library.seen(event, now) if article.get("flaw") != "late"]
    if not any("flaw" not in article for article in seen):
        return None
    before, after = closes_around(event["at"])
    if closes_around(seen[0]["at"]) != (before, after) or after > (calendar.last_session(now) or ""):
        return None
    places = {**event["facts"], "partner": partner(library, event), "month": month_of(event)}
    phrase = PHRASES[kind].format_map(places)
    places["millions"] = money(float(event["facts"].get("amount", 0))).removeprefix("$").split()[0]
    trace = tuple(str(places[name]) for name in TRACES[kind])
    others = [other for other in library.around(event["ticker"]) if other["id"] != event["id"]]
    if any(_phrase(library, other) == phrase for other in others):
        return None
    return Happening(event, phrase, tuple(seen), before, after, trace)


def month_of(event: Event) -> str:
    """Return the month of an event, such as March 2025."""
    return calendar.parse(event["at"]).strftime("%B %Y")


def draw(case: Case, now: datetime, *kinds: str) -> Happening | None:
    """Return a happening of a company of the split; None if the draw does not fit."""
    tickers = case.library.tickers(case.split)
    at = calendar.stamp(now)
    fitting = [
        event
        for ticker in case.rng.sample(tickers, 5)
        for event in case.library.of(ticker)
        if event["at"] < at and (not kinds or kind_of(event) in kinds) and kind_of(event) in PHRASES
    ]
    return happening(case.library, case.rng.choice(fitting), now) if fitting else None


def _phrase(library: Library, event: Event) -> str:
    kind = kind_of(event)
    if kind not in PHRASES or event["facts"].get("stage", STAGES.get(kind)) != STAGES.get(kind):
        return ""
    return PHRASES[kind].format_map({**event["facts"], "partner": partner(library, event), "month": month_of(event)})
