"""Requests about a subject that they do not name. The news names it, and a later page tells the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from env_server.domains.kit import Answer, GoldCall, ShownFact
from env_server.domains.research.case import Case
from env_server.domains.research.draft import Draft, proof, unknown
from env_server.domains.research.families import calls
from env_server.domains.research.families.web import answer_of, aspect, sign_of
from env_server.domains.research.wording import spoken_month
from mcp_servers.world import calendar
from mcp_servers.world.calendar import SESSIONS
from mcp_servers.world.rows import Event, Page, PageFact


@dataclass(frozen=True)
class Hidden:
    """Something that the news name and a request does not."""

    event: Event
    name: str
    missing: tuple[str, ...]
    """Names of the thing that a missing fact belongs to. Any one is enough."""

    known: bool
    """Whether the request can be answered at its time."""


CHANGES = {"opens": "open", "expands": "enlarge", "closes": "close"}


def events(case: Case, kind: str, **facts: str) -> list[Event]:
    """Return the events of a kind of the split whose company had no other of that kind in the same month."""
    found = []
    for ticker in case.library.tickers(case.split):
        alike = [event for event in case.library.of(ticker) if event["kind"] == kind]
        alike = [event for event in alike if all(event["facts"].get(n) == v for n, v in facts.items())]
        months = [event["at"][:7] for event in alike]
        found += [e for e in alike if months.count(e["at"][:7]) == 1 and e["at"] > "2023-12-01"]
    return found


def quiet(moment: datetime) -> datetime:
    """Return the next time after `moment` at which the exchanges are closed."""
    day = calendar.session_from(moment.date().isoformat()) or SESSIONS[-1]
    return max(moment, calendar.closes(day) + timedelta(minutes=40)) if calendar.opens(day) < moment else moment


def between(case: Case, begin: datetime, end: datetime) -> datetime | None:
    """Return a time of the world between two times, at which the exchanges are closed; None if there is none."""
    end = min(end, calendar.NOW)
    if end <= begin:
        return None
    return quiet((begin + (end - begin) * case.rng.random()).replace(second=0, microsecond=0))


def timed(case: Case, event: Event, page: Page, *, known: bool) -> datetime | None:
    """Return a time after an event's report at which a page exists, or does not exist yet."""
    reports = [article for article in case.library.reports.get(event["id"], []) if article.get("flaw") != "late"]
    if not reports:
        return None
    published = calendar.parse(page["published"])
    if known:
        return between(case, published + timedelta(hours=3), published + timedelta(days=250))
    now = between(case, calendar.parse(reports[0]["at"]) + timedelta(hours=1), published - timedelta(hours=2))
    return now if now is None or now < published else None


def reported(case: Case, hidden: Hidden, now: datetime) -> bool:
    """Return whether the headline or the beginning of an article that exists at `now` has the hidden name."""
    seen = case.library.seen(hidden.event, now)
    return any(hidden.name in article["title"] + article["text"].split("\n")[0] for article in seen)


def request(case: Case, hidden: Hidden, wordings: Sequence[str], fact: PageFact) -> str:
    """Return a request for a fact about something hidden."""
    event = hidden.event
    return case.say(
        wordings,
        aspect=aspect(fact["attribute"]),
        name=case.name(event["ticker"]),
        month=spoken_month(event["at"]),
        change=CHANGES.get(str(event["facts"].get("change")), ""),
    )


def drafted(
    case: Case,
    hidden: Hidden,
    ask: str,
    now: datetime,
    like: Answer,
    *,
    proofs: Sequence[ShownFact],
    looks: Sequence[GoldCall],
    pages: Sequence[str] = (),
) -> Draft:
    """Return the draft of a request about something hidden. `like` is its answer, or that of its twin."""
    event, day = hidden.event, hidden.event["at"][:10]
    return Draft(
        ask,
        now,
        like if hidden.known else unknown(like, *hidden.missing),
        tuple(proofs),
        (*calls.named(case), calls.news(event["ticker"], day, day), *looks),
        (event["ticker"], *([event["other"]] if event["other"] else [])),
        tuple(pages),
    )


def later_page(
    case: Case, hidden: Hidden, page: Page, subject: str, wordings: Sequence[str], only: str = ""
) -> Draft | None:
    """Return a draft about a fact of a page that is published some time after the news."""
    now = timed(case, hidden.event, page, known=hidden.known)
    if now is None or not reported(case, hidden, now):
        return None
    own = [fact for fact in page["facts"] if fact["subject"] == subject]
    fact = case.rng.choice([fact for fact in own if fact["attribute"] == (only or fact["attribute"])])
    values = {each["value"] for each, _ in case.library.told(subject, fact["attribute"])}
    if len(values) > 1 or bool(case.library.told(subject, fact["attribute"], now)) != hidden.known:
        return None
    ask, trace = request(case, hidden, wordings, fact), proof(hidden.name)
    search = calls.search(f"{subject} {fact['attribute']}")
    if not hidden.known:
        return drafted(case, hidden, ask, now, answer_of(fact), proofs=(trace,), looks=(search,))
    shown = proof(sign_of(subject).split(" and ")[-1], fact["text"])
    looks, url = (search, calls.page(page["url"])), page["url"]
    return drafted(case, hidden, ask, now, answer_of(fact), proofs=(trace, shown), looks=looks, pages=(url,))
