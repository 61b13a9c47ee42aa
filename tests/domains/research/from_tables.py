"""Answers that must be read, found in the world's tables by code that shares nothing with the generator."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

Row = Mapping[str, Any]
MONTHS = [date(2000, month, 1).strftime("%B") for month in range(1, 13)]
ANY_MONTH = "|".join(MONTHS)
MONTH = re.compile(rf"({ANY_MONTH}) (\d{{4}})")
DAY = re.compile(rf"(\d{{4}}-\d\d-\d\d)|({ANY_MONTH}) (\d{{1,2}}), (\d{{4}})|(\d{{1,2}}) ({ANY_MONTH}) (\d{{4}})")
FIGURES = {
    "EPS": "eps",
    "ales": "revenue",
    "evenue": "revenue",
    "strikers": "workers",
    "units": "units",
    "jobs": "jobs",
}
"""A word in a message -> the fact of an event that it stands for."""

ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
SAID = {
    "birthplace": "place of birth",
    "opened": "year of opening",
    "number of council votes against": "council votes against",
}
"""Attribute -> its words in requests."""

SMALL = {"the", "of", "a", "an", "for", "in", "to", "is", "and", "number"}


@dataclass(frozen=True)
class World:
    """The world's rows by table, as of one time."""

    tables: Mapping[str, Sequence[Row]]
    now: str

    def company(self, request: str) -> Row:
        """The company that a request names, by its ticker, its name or the beginning of its name."""
        return self.companies(request)[0]

    def companies(self, request: str) -> list[Row]:
        """All companies that a request names, in its order."""
        found: dict[int, Row] = {}
        for row in self.tables["companies"]:
            for form in (row["name"], rf"{row['ticker']}\b", rf"{row['name'].split()[0]}\b"):
                if at := re.search(rf"\b{form}", request):
                    found.setdefault(at.start(), row)
                    break
        return [found[at] for at in sorted(found)]

    def event(self, request: str, kind: str) -> Row:
        """The event of a company in the month in a request."""
        company, month = self.company(request)["ticker"], MONTH.search(request)
        assert month is not None, request
        prefix = f"{month[2]}-{MONTHS.index(month[1]) + 1:02}"
        found = [e for e in self.tables["events"] if e["kind"] == kind and e["at"].startswith(prefix)]
        own = [e for e in found if e["ticker"] == company and e["facts"].get("stage", "agreed") == "agreed"]
        assert len(own) == 1, (request, own)
        return own[0]

    def facts(self, keep: Callable[[Row, Row], bool]) -> list[Row]:
        """The facts of the existing pages that satisfy `keep(page, fact)`."""
        pages = [page for page in self.tables["pages"] if page["published"] <= self.now]
        return [fact for page in pages for fact in page["facts"] if keep(page, fact)]

    def asked(self, request: str, keep: Callable[[Row, Row], bool]) -> Any:
        """The value of the attribute in a request, or None if no page has it."""
        named = _words(request)
        ever = [f for page in self.tables["pages"] for f in page["facts"] if keep(page, f)]
        ranked = sorted({f["attribute"] for f in ever}, key=lambda name: -_share(name, named))
        if not ranked or _share(ranked[0], named) < 0.6:
            return None  # no page has it at any time
        values = {f["value"] for f in self.facts(keep) if f["attribute"] == ranked[0]}
        assert len(values) < 2, (request, ranked[0], values)
        return next(iter(values), None)

    def statement(self, ticker: str, **where: Any) -> Row | None:
        """A filed statement of a company."""
        rows = [row for row in self.tables["statements"] if row["ticker"] == ticker and row["accepted"] <= self.now]
        return next((row for row in rows if all(row[name] == value for name, value in where.items())), None)


def _words(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower())} - SMALL


def _share(attribute: str, named: set[str]) -> float:
    wanted = _words(SAID.get(attribute, attribute))
    return len(wanted & named) / len(wanted) + len(wanted) / 100


def day_in(text: str) -> str:
    """The last day in a text, as ISO."""
    iso, month, day, year, day2, month2, year2 = DAY.findall(text)[-1]
    return iso or f"{year or year2}-{MONTHS.index(month or month2) + 1:02}-{int(day or day2):02}"


def quarter_in(request: str) -> tuple[int, int]:
    """The fiscal year and quarter in a request."""
    if found := re.search(r"(first|second|third|fourth) quarter of fiscal (?:year )?(\d{4})", request):
        return int(found[2]), ORDINALS[found[1]]
    found = re.search(r"Q(\d) (?:of fiscal (?:year )?)?(\d{4})", request)
    assert found is not None, request
    return int(found[2]), int(found[1])


def named_subject(world: World, request: str) -> str:
    """The subject of page facts in a request."""
    subjects = {fact["subject"] for page in world.tables["pages"] for fact in page["facts"]}
    return str(max((subject for subject in subjects if subject in request), key=len))


def of(subject: str) -> Callable[[Row, Row], bool]:
    """The facts of one subject."""
    return lambda _page, fact: fact["subject"] == subject


def web_fact(world: World, request: str) -> Any:
    """A fact of a page."""
    return world.asked(request, of(named_subject(world, request)))


def tested(world: World, request: str) -> float:
    """The difference between a measured and a claimed value, in per cent."""
    subject = named_subject(world, request)
    values = {fact["attribute"]: fact["value"] for fact in world.facts(of(subject))}
    pairs = [name for name in values if f"measured {name}" in values]
    name = max(pairs, key=lambda each: _share(each, _words(request.replace(subject, ""))))
    return float(100 * (values[f"measured {name}"] - values[name]) / values[name])


def founder(world: World, request: str) -> Any:
    """A fact about the founder of the maker of a product."""
    product = named_subject(world, request)
    (maker,) = {p["tickers"][0] for p in world.tables["pages"] for f in p["facts"] if f["subject"] == product}
    name = next(row["name"] for row in world.tables["companies"] if row["ticker"] == maker)
    lives = [p for p in world.tables["pages"] if p["site"].startswith("founders") and p["tickers"] == [maker]]
    people = {f["subject"] for p in lives for f in p["facts"] if f["attribute"] in ("pastime", "first job")}
    people -= {e["facts"]["arriving"] for e in world.tables["events"] if e["kind"] == "chief"}
    (person,) = people - {name}
    return world.asked(request, of(person))


def misreported(world: World, request: str) -> float:
    """The error of an article about revenue, in per cent."""
    article, filed = _told_and_filed(world, request)
    return float(100 * (article["about"]["revenue"] - filed["income"]["revenue"]) / filed["income"]["revenue"])


def filed_profit(world: World, request: str) -> float:
    """The filed earnings per share, adjusted to the number of shares at the task's time."""
    _, filed = _told_and_filed(world, request)
    later = [s for s in world.tables["splits"] if s["ticker"] == filed["ticker"] and s["date"] > filed["filed"]]
    done = [split for split in later if split["date"] <= world.now[:10]]
    return float(filed["income"]["eps"] * math.prod(split["before"] / split["after"] for split in done))


def _told_and_filed(world: World, request: str) -> tuple[Row, Row]:
    company, (year, quarter) = world.company(request)["ticker"], quarter_in(request)
    about = [a for a in world.tables["articles"] if a["tickers"][:1] == [company] and "eps" in a["about"]]
    about = [a for a in about if (a["about"]["year"], a["about"]["quarter"]) == (year, quarter)]
    wrong = [a for a in about if a["publisher"] in request and a.get("flaw") == "wrong" and a["at"] <= world.now]
    filed = world.statement(company, year=year, quarter=quarter)
    assert wrong, request
    assert filed is not None, request
    return wrong[0], filed


def biggest_site(world: World, request: str) -> str:
    """The town of the site with the most employees or the largest area."""
    company = world.company(request)["name"]
    attribute = "employees" if re.search(r"\bemployees|\bstaff\b|\bpeople\b", request) else "floor area"
    sites = world.facts(lambda _, f: f["subject"].startswith(f"{company} ") and f["attribute"] == attribute)
    return str(max(sites, key=lambda fact: fact["value"])["subject"].rsplit(" in ", 1)[1])


def web_gap(world: World, request: str) -> float:
    """The difference between two figures of interviews."""
    one, two = (world.asked(request, of(row["name"])) for row in world.companies(request))
    return float(two - one if re.search(r"\bSubtract\b.* from\b", request) else one - two)


def product(world: World, request: str) -> Any:
    """A figure of the product that was launched in a month."""
    name = world.event(request, "product")["facts"]["product"]
    return world.asked(request, of(name))


def contract(world: World, request: str) -> Any:
    """A term of a contract."""
    facts = world.event(request, "contract")["facts"]
    parties = (facts["supplier"], facts["customer"], facts["product"])
    return world.asked(request, lambda page, f: all(name in f["subject"] + page["text"] for name in parties))


def town(world: World, request: str) -> Any:
    """A local newspaper's fact about a site."""
    event = world.event(request, "works")
    place = f" in {event['facts']['city']}"
    about = event["at"][:10]
    return world.asked(request, lambda page, f: f["subject"].endswith(place) and about in page["url"])


def chief(world: World, request: str) -> Any:
    """A fact about a new chief executive."""
    return world.asked(request, of(world.event(request, "chief")["facts"]["arriving"]))


def grade(world: World, request: str) -> Any:
    """The grade of a product."""
    name = world.event(request, "product")["facts"]["product"]
    return world.asked("grade", of(name))


def partner(world: World, request: str) -> Any:
    """The revenue of the company that sold a unit."""
    seller = world.event(request, "acquisition")["facts"]["seller"]
    (ticker,) = (row["ticker"] for row in world.tables["companies"] if row["name"] == seller)
    filed = world.statement(ticker, ends=day_in(request))
    return None if filed is None else filed["income"]["revenue"]


def correction(world: World, wrong: str, thread: str) -> float:
    """The right figure for a message's wrong one, from the newest event that has such a figure."""
    key = next(name for word, name in FIGURES.items() if word in wrong)
    told = [e for e in world.tables["events"] if e["at"] <= world.now and key in e["facts"]]
    own = [e for e in told if e["ticker"] == world.company(thread)["ticker"]]
    return float(max(own, key=lambda event: event["at"])["facts"][key])


def first_report(world: World, request: str) -> str:
    """The publisher of the first, or the last, article about an event."""
    company = world.company(request)["ticker"]
    last = re.search(r"\b(last|latest|slowest)\b", request) is not None
    about: dict[str, list[Row]] = {}
    for article in world.tables["articles"]:
        if company in article["tickers"] and article["at"] <= world.now and "event" in article:
            about.setdefault(article["event"], []).append(article)
    events = {event["id"]: event for event in world.tables["events"]}

    def likeness(event: str) -> float:
        row, month = events[event], MONTH.search(request)
        facts = [str(value) for value in row["facts"].values() if isinstance(value, str)]
        facts += [f"{name} {value}" for name, value in row["facts"].items()] + [row["kind"]]
        when = month is not None and row["at"].startswith(f"{month[2]}-{MONTHS.index(month[1]) + 1:02}")
        return float(sum(fact in request for fact in facts) + when + 0.1 * (row["ticker"] == company))

    articles = sorted(about[max(about, key=likeness)], key=lambda article: article["at"])
    return str(articles[-1 if last else 0]["publisher"])


READERS: Mapping[str, Callable[[World, str], Any]] = {
    "web-fact": web_fact, "tested": tested, "founder": founder, "misreported": misreported,
    "filed-profit": filed_profit, "biggest-site": biggest_site, "web-gap": web_gap, "product-figure": product,
    "contract-term": contract, "town-vote": town, "new-chief": chief, "test-grade": grade,
    "partner-quarter": partner, "first-report": first_report,
}  # fmt: skip
"""Template -> the function that finds its answer in the tables.

`...-unknown` uses the same one, which finds nothing yet.
"""


def question(world: World, text: str) -> Any:
    """The answer to an open question of the workspace: a price of a day, a figure of results, or a fact of a page."""
    if re.search(r"\bclos", text, re.IGNORECASE):
        company, day = world.company(text)["ticker"], day_in(text)
        months = [row for row in world.tables["bars"] if row["ticker"] == company]
        bars: Iterable[Row] = (bar for row in months for bar in row["bars"])
        return float(next(bar["close"] for bar in bars if bar["date"] == day))
    return web_fact(world, text)


def now_of(stamp: str) -> str:
    """A task's time in the format of the tables."""
    return datetime.fromisoformat(stamp).strftime("%Y-%m-%dT%H:%M:%SZ")
