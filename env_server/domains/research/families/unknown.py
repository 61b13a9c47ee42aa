"""Say that a fact cannot be known. Each template has a twin with the same requests, which can be answered.

A request names its subject by a look-up (`the product that X presented in May`), so that the missing fact can be named
only by those who looked.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from env_server.domains.research.case import Case
from env_server.domains.research.draft import Draft, Template, number, proof
from env_server.domains.research.families import calls
from env_server.domains.research.families.hidden import (
    Hidden,
    between,
    drafted,
    events,
    later_page,
    reported,
    request,
    timed,
)
from env_server.domains.research.families.web import answer_of
from env_server.domains.research.wording import short, spoken_month
from mcp_servers.world import calendar
from mcp_servers.world.rows import Event, PageFact, Statement

CARE = "time for which spare parts are kept"
"""The property that every product has."""

PRODUCT = (
    "What is the {aspect} of the product that {name} presented in {month}?",
    "{name} presented a new product in {month}. I need its {aspect}.",
    "Find out which product {name} launched in {month}, and tell me its {aspect}.",
    "The newest product of {name} as of {month}: what {aspect} does it have?",
)


def product(case: Case, *, known: bool) -> Draft | None:
    """Ask for a property of a product that the news name. For the unknown variant, no page states the property."""
    event = case.rng.choice(events(case, "product"))
    name = str(event["facts"]["product"])
    hidden = Hidden(event, name, (name, first_word(name)), known)
    page = next(p for p in case.library.pages.values() if p["title"] == name and "/products/" in p["url"])
    now = timed(case, event, page, known=True)
    if now is None or not reported(case, hidden, now):
        return None
    own = [fact for fact in page["facts"] if fact["attribute"] != CARE]
    options = own if known else _absent(case, name)
    if not options:
        return None
    wanted = case.rng.choice(options)
    shown = wanted if known else page["facts"][0]
    ask = request(case, hidden, PRODUCT, wanted)
    proofs = (proof(short(case.library.title(event["ticker"])), name), proof(name, shown["text"]))
    looks = (calls.search(f"{name} {wanted['attribute']}"), calls.page(page["url"]))
    pages = (page["url"],)
    return drafted(case, hidden, ask, now, answer_of(wanted), proofs=proofs, looks=looks, pages=pages)


def _absent(case: Case, name: str) -> list[PageFact]:
    """Return properties that other products of the split have, and that no text on the product mentions."""
    own, text = set(case.library.tickers(case.split)), case.library.naming(name)
    found = dict[str, PageFact]()
    for page in case.library.pages.values():
        if "/products/" in page["url"] and page["tickers"][0] in own:
            found.update({fact["attribute"]: fact for fact in page["facts"] if fact["attribute"] != CARE})
    return [fact for attribute, fact in sorted(found.items()) if attribute not in text]


CONTRACT = (
    "What is the {aspect} in the supply contract that {name} won in {month}?",
    "{name} won a contract in {month}. Which {aspect} was agreed in it?",
    "In {month}, {name} found a large customer. I need the {aspect} in that contract.",
    "Details, please, of the contract that {name} announced as supplier in {month}: the {aspect}.",
)


def contract(case: Case, *, known: bool) -> Draft | None:
    """Ask for a term of a contract; at some times the page on it does not exist yet."""
    event = case.rng.choice(events(case, "contract"))
    customer, goods = case.library.title(event["other"]), str(event["facts"]["product"])
    subject = f"contract of {case.library.title(event['ticker'])} and {customer}"
    pages = [page for fact, page in case.library.facts.get(subject, []) if fact["attribute"] == "place of signing"]
    if len(pages) != 1:
        return None
    hidden = Hidden(event, customer, (customer, short(customer), event["other"], goods), known)
    return later_page(case, hidden, pages[0], subject, CONTRACT)


TOWN = (
    "{name} announced in {month} that it would {change} a site. What does the newspaper of that town give as the "
    "{aspect}?",
    "{name} announced plans for one of its places of work in {month}. On what the town made of it: the {aspect}, "
    "please.",
    "In {month} {name} said that it would {change} a site. Find the town, and what its newspaper gives as the "
    "{aspect}.",
    "Which {aspect} did the local paper report after {name} had announced in {month} that it would {change} a site?",
)


def town(case: Case, *, known: bool) -> Draft | None:
    """Ask what a local newspaper says about a plan; at some times it has not written yet."""
    event = case.rng.choice(events(case, "works"))
    city, path = str(event["facts"]["city"]), f"/council/{event['at'][:10]}/"
    pages = [p for p in case.library.pages.values() if path in p["url"] and p["tickers"] == [event["ticker"]]]
    if len(pages) != 1:
        return None
    subject = pages[0]["facts"][0]["subject"]
    return later_page(case, Hidden(event, city, (city,), known), pages[0], subject, TOWN)


CHIEF = (
    "What is the {aspect} of the person whom {name} named as its next chief executive in {month}?",
    "{name} chose a new chief executive in {month}. I need that person's {aspect}.",
    "Who was named chief executive of {name} in {month}, and what is known as that person's {aspect}? Give the latter.",
    "Find the person that {name} announced as chief executive in {month}; then find that person's {aspect}.",
)


def chief(case: Case, *, known: bool) -> Draft | None:
    """Ask for a fact about a new chief executive; at some times no portrait exists yet."""
    event = case.rng.choice(events(case, "chief"))
    person = str(event["facts"]["arriving"])
    pages = [page for page in case.library.pages.values() if page["title"] == f"Who is {person}?"]
    if len(pages) != 1:
        return None
    hidden = Hidden(event, person, (person, person.rsplit(maxsplit=1)[-1]), known)
    return later_page(case, hidden, pages[0], person, CHIEF)


GRADE = (
    "Which grade did independent testers give to the product that {name} presented in {month}?",
    "{name} presented a product in {month}. What grade did it get in the test?",
    "Find the product that {name} launched in {month}, and the grade that testers gave it.",
    "How was the product graded by testers that {name} brought out in {month}?",
)


def grade(case: Case, *, known: bool) -> Draft | None:
    """Ask for the grade of a new product; some have not been tested yet."""
    event = case.rng.choice(events(case, "product"))
    name = str(event["facts"]["product"])
    pages = [page for fact, page in case.library.facts[name] if fact["attribute"] == "grade"]
    if len(pages) != 1:
        return None
    return later_page(case, Hidden(event, name, (name, first_word(name)), known), pages[0], name, GRADE, "grade")


QUARTER = (
    "From whom did {name} agree in {month} to buy a business unit? I need the revenue which that company has filed for "
    "the quarter that ended on {day}.",
    "In {month} {name} agreed to buy a unit of another listed company. Give the revenue in the seller's filed income "
    "statement for the quarter to {day}.",
    "Find the listed company that agreed in {month} to sell a unit to {name}. What revenue has it filed for the "
    "quarter that ended on {day}?",
    "{name} announced the purchase of a unit in {month}. Look up the seller's filed revenue of the quarter that ended "
    "on {day}.",
)


def quarter(case: Case, *, known: bool) -> Draft | None:
    """Ask for the revenue of a company that the news name; at some times the quarter is not filed yet."""
    event = case.rng.choice(events(case, "acquisition", stage="agreed"))
    seller, day = event["other"], event["at"][:10]
    title = case.library.title(seller)
    hidden = Hidden(event, title, (seller, title, short(title)), known)
    row = case.rng.choice([row for row in case.library.filed(seller) if row["ends"] > day][:4] or [None])
    now = _around_filing(case, event, row, known=known) if row is not None else None
    if row is None or now is None or not reported(case, hidden, now):
        return None
    shown = row if known else case.library.quarters(seller, now)[0]
    month, ended = spoken_month(event["at"]), case.day(row["ends"])
    ask = case.say(QUARTER, name=case.name(event["ticker"]), month=month, day=ended)
    proofs = (proof(title), proof(seller, shown["ends"], shown["income"]["revenue"]))
    looks = (calls.income(seller, quarterly=True, limit=3),)
    return drafted(case, hidden, ask, now, number(row["income"]["revenue"], "USD"), proofs=proofs, looks=looks)


def _around_filing(case: Case, event: Event, row: Statement, *, known: bool) -> datetime | None:
    """Return a time after a quarter was filed, or one after its end at which its results were not announced yet."""
    filed = calendar.parse(row["accepted"])
    if known:
        return between(case, filed + timedelta(hours=3), filed + timedelta(days=60))
    same = (row["year"], row["quarter"])
    results = [e for e in case.library.results(row["ticker"]) if (e["facts"]["year"], e["facts"]["quarter"]) == same]
    begin = max(datetime.fromisoformat(f"{row['ends']}T23:00:00Z"), calendar.parse(event["at"]) + timedelta(days=1))
    end = min(calendar.parse(result["at"]) for result in results) - timedelta(days=1) if results else begin
    return between(case, begin + timedelta(hours=2), end)


def first_word(name: str) -> str:
    """Return the brand in the name of a product."""
    return name.split(maxsplit=1)[0]


def twins() -> Iterator[Template]:
    """Yield each template that cannot be answered, after its twin that can."""
    for name, make in (
        ("product-figure", product), ("contract-term", contract), ("town-vote", town), ("new-chief", chief),
        ("test-grade", grade), ("partner-quarter", quarter),
    ):  # fmt: skip
        yield Template(name, "find on the web", "medium", partial(make, known=True))
        yield Template(f"{name}-unknown", "cannot be known", "medium", partial(make, known=False), twin=name)


TEMPLATES = tuple(twins())
