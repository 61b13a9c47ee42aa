"""The world as the generator of tasks reads it: figures as of a time, reports of events, facts of pages, threads."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from env_server.domains.kit import Snapshot
from env_server.domains.research.splits import CIRCLES, COINS
from mcp_servers.world import calendar, read, rows
from mcp_servers.world.rows import Article, Bar, Company, Event, Message, Page, PageFact, Pair, Statement, thread_of
from mcp_servers.world.store import MemoryStore


class Library:
    """Everything that a task can be about, indexed once for a base snapshot."""

    def __init__(self, base: Snapshot) -> None:
        """Index the rows of `base`."""
        kept: dict[Any, list[Any]] = {table: list(base.tables[table.name].rows.values()) for table in rows.TABLES}
        self.store = MemoryStore(kept)
        self.companies: Mapping[str, Company] = {row["ticker"]: row for row in kept[rows.COMPANIES]}
        self.by_name = {row["name"]: row["ticker"] for row in kept[rows.COMPANIES]}
        self.pages: Mapping[str, Page] = {row["url"]: row for row in kept[rows.PAGES]}
        self.events: Mapping[str, Event] = {row["id"]: row for row in kept[rows.EVENTS]}
        self._parts: dict[str, list[Event]] = defaultdict(list)
        self._events: dict[str, list[Event]] = defaultdict(list)
        for event in kept[rows.EVENTS]:
            self._events[event["ticker"]].append(event)
            if event["other"]:
                self._parts[event["other"]].append(event)
        self.users = {row["id"]: row for row in kept[rows.USERS]}
        self.channels = {row["name"]: row for row in kept[rows.CHANNELS]}
        self.reports: dict[str, list[Article]] = defaultdict(list)
        for article in kept[rows.ARTICLES]:
            if "event" in article:
                self.reports[article["event"]].append(article)
        self.facts: dict[str, list[tuple[PageFact, Page]]] = defaultdict(list)
        for page in kept[rows.PAGES]:
            for fact in page["facts"]:
                self.facts[fact["subject"]].append((fact, page))
        self.threads: dict[tuple[str, str], list[Message]] = defaultdict(list)
        for message in sorted(kept[rows.MESSAGES], key=lambda row: float(row["ts"])):
            self.threads[message["channel"], thread_of(message)].append(message)
        self.articles: list[Article] = kept[rows.ARTICLES]
        self._naming: dict[str, str] = {}
        self._settled: dict[str, list[tuple[PageFact, Page]]] = {}
        self.coins: list[Pair] = kept[rows.PAIRS]

    def tickers(self, split: str) -> tuple[str, ...]:
        """Return the companies of a split."""
        return tuple(row["ticker"] for row in self.companies.values() if row["circle"] in CIRCLES[split])

    def pairs(self, split: str) -> tuple[str, ...]:
        """Return the crypto pairs of a split."""
        return tuple(f"X:{base}USD" for base in COINS[split])

    def bars(self, ticker: str, start: str, end: str, now: datetime, *, adjusted: bool = True) -> list[Bar]:
        """Return the daily bars between two dates, both included, oldest first."""
        return read.bars(self.store, ticker, start, end, now, adjusted=adjusted)

    def bar(self, ticker: str, day: str, now: datetime, *, adjusted: bool = True) -> Bar:
        """Return the bar of one day of trading."""
        (found,) = self.bars(ticker, day, day, now, adjusted=adjusted)
        return found

    def quarters(self, ticker: str, now: datetime) -> list[Statement]:
        """Return the filed quarters, newest first."""
        return read.statements(self.store, ticker, now)

    def filed(self, ticker: str) -> list[Statement]:
        """Return all quarters of a company, whenever they were filed, oldest first, as they were filed."""
        return self.store.rows(rows.STATEMENTS).find("ticker", ticker)

    def results(self, ticker: str) -> list[Event]:
        """Return the announcements of a company's results."""
        return [event for event in self._events[ticker] if event["kind"] == "earnings"]

    def years(self, ticker: str, now: datetime) -> dict[int, list[Statement]]:
        """Return the fiscal years of which all four quarters are filed, newest first."""
        found: dict[int, list[Statement]] = defaultdict(list)
        for row in self.quarters(ticker, now):
            found[row["year"]].append(row)
        return {year: quarters for year, quarters in found.items() if len(quarters) == 4}

    def of(self, ticker: str) -> list[Event]:
        """Return the events that began with a company, oldest first."""
        return self._events[ticker]

    def around(self, ticker: str) -> list[Event]:
        """Return the events of a company, those that began with another company included."""
        return [*self._events[ticker], *self._parts[ticker]]

    def naming(self, name: str) -> str:
        """Return all texts of the web that have a name, in lower case."""
        found = self._naming.get(name)
        if found is None:
            texts = [row["text"] for row in (*self.pages.values(), *self.articles) if name in row["text"]]
            found = self._naming[name] = "\n".join(texts).lower()
        return found

    def seen(self, event: Event, now: datetime) -> list[Article]:
        """Return the articles on an event that exist at `now`, oldest first."""
        at = calendar.stamp(now)
        return [article for article in self.reports.get(event["id"], []) if article["at"] <= at]

    def settled(self, split: str) -> list[tuple[PageFact, Page]]:
        """Return the facts of the pages on one company of the split, where all pages of all times agree on them."""
        found = self._settled.get(split)
        if found is None:
            own = set(self.tickers(split))
            found = self._settled[split] = [
                (fact, page)
                for page in self.pages.values()
                if len(page["tickers"]) == 1 and page["tickers"][0] in own
                for fact in page["facts"]
                if len({told["value"] for told, _ in self.told(fact["subject"], fact["attribute"])}) == 1
            ]
        return found

    def told(self, subject: str, attribute: str, now: datetime | None = None) -> list[tuple[PageFact, Page]]:
        """Return the facts of pages on an attribute of a subject; with `now`, those of pages that exist then."""
        at = calendar.stamp(now) if now else "9"
        return [
            (fact, page)
            for fact, page in self.facts.get(subject, [])
            if fact["attribute"] == attribute and page["published"] <= at
        ]

    def chief(self, ticker: str, now: datetime) -> str:
        """Return the chief executive of a company at `now`."""
        found = read.company(self.store, ticker, now)
        assert found is not None
        return found["ceo"]

    def title(self, ticker: str) -> str:
        """Return the full name of a company."""
        return self.companies[ticker]["name"]


@lru_cache(maxsize=4)
def library(base: Snapshot) -> Library:
    """Return the library of `base`."""
    return Library(base)
