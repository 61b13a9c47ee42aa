"""The local press: reports about local production sites, and about the plans and strikes of companies."""

from collections.abc import Iterator
from datetime import date

from mcp_servers.world.chance import Stream
from mcp_servers.world.companies import words
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.companies.dossier import Dossier, place
from mcp_servers.world.companies.names import STREETS, slug
from mcp_servers.world.pages.company import home, host
from mcp_servers.world.pages.draft import Draft, Pen, address, later, old
from mcp_servers.world.rows import Event

VISITS = (
    "# {kind_capital} with neighbours\n\nWho lives in {city} knows somebody who works for {company}.",
    "# A visit to the {kind}\n\nThe {kind} of {company} stands on {street} Road, behind the school.",
    "# What {company} means for {city}\n\nThe {kind} has been here since {opened}, longer than the bypass.",
    "# {city} and its {kind}\n\nOn {street} Road, everybody sets the clock by the shifts of {company}.",
)
TAXES = (
    "Of the town's trade tax, {share} comes from the {kind}.", "The {kind} pays {share} of all trade tax in {city}.",
    "Without the {kind}, {city} would lack {share} of its trade tax, the treasurer has worked out.",
)  # fmt: skip
YOUNG = (
    "{count} apprentices learn their trade there.", "There are {count} apprentices at present.",
    "This year's intake brings the number of apprentices to {count}.",
)  # fmt: skip
CANTEEN = (
    "The canteen serves {meals} meals a day.", "At noon, {meals} meals are served.",
    "{meals} meals leave the kitchen every day, {potatoes} of them with potatoes.",
)  # fmt: skip
MAYORS = (
    '"We have never had to look for a sponsor of the town run," says {mayor}, the mayor.',
    "Mayor {mayor} would like the night lorries to take the bypass.",
    '"A town with one large employer sleeps lightly," says mayor {mayor}.',
    "{mayor}, mayor since the last election, worked there as a student.",
)
MANAGERS = (
    "{manager}, who manages it, came from the quality department.", "{manager} runs it and lives two streets away.",
    "The manager is {manager}; the door stands open.",
)  # fmt: skip
PLANS = {
    "opens": (
        "# {city} gets {a_site}\n\nThe council voted {yes} to {no} for the {site} of {company}.",
        "# Yes to the {site}\n\nWith {yes} votes to {no}, the council of {city} cleared the way for {company}.",
    ),
    "expands": (
        "# More traffic for {city}?\n\n{company} wants to build. The council agreed with {yes} votes to {no}.",
        "# {site_capital} to grow\n\nBy {yes} votes to {no}, the council of {city} let {company} expand.",
    ),
    "closes": (
        "# {city} without its {site}\n\nThe council condemned the closing with {yes} votes to {no}.",
        "# The last shift\n\n{company} will leave {city}. The council asked it to stay, with {yes} votes to {no}.",
    ),
}
GROUNDS = (
    "The ground covers {area} and belonged to {owner}.", "It is about {area}, which {owner} used to own.",
    "What is concerned are {area} that once belonged to {owner}.",
)  # fmt: skip
OWNERS = (
    "the railway", "a family of farmers", "the diocese", "a brick works", "the water board", "a lost airline",
    "the county", "a nursery",
)  # fmt: skip
NUMBERS = (
    "The company speaks of {jobs} jobs.", "{jobs} jobs are at stake, by the company's own count.",
    "According to the company it is about {jobs} jobs.",
)  # fmt: skip
STRIKES = (
    "# {days} days at the gate\n\nThey stood in the rain at the {site} of {company}, {workers} of them.",
    "# What the strike cost {city}\n\n{workers} people were out for {days} days at the {site} of {company}.",
)
FUNDS = (
    "The strike fund paid {pay} a day to each of them.", "Each striker got {pay} a day out of the fund.",
    "{pay} a day: that is what the strike fund paid.",
)  # fmt: skip
SOUPS = (
    "The bakery on {street} Road gave away {loaves} loaves.", "{loaves} loaves came from the bakery on {street} Road.",
)  # fmt: skip


def gazette(city: str) -> str:
    """Return the host of a town's newspaper."""
    return f"{slug(city)}-gazette.example"


def local_pages(seed: int, firm: Firm, found: Dossier, events: list[Event], pen: Pen) -> Iterator[Draft]:
    """Yield the pages of local newspapers about a company."""
    stream = Stream(seed, "local", firm.ticker)
    yield _visit(stream, firm, found, pen)
    for event in events:
        if event["kind"] == "works":
            yield _plan(stream, firm, event, pen)
        elif event["kind"] == "strike" and event["facts"]["stage"] == "ended":
            yield _strike(stream, firm, event, pen)


def _visit(stream: Stream, firm: Firm, found: Dossier, pen: Pen) -> Draft:
    site = found.sites[0]
    page = Draft(
        address(gazette(site.city), "business", f"{firm.name} {site.kind}"),
        f"{firm.name} in {site.city}",
        old(stream),
        [firm.ticker],
    )
    places = {
        "city": site.city, "kind": site.kind, "kind_capital": words.capital(site.kind), "company": firm.name,
        "street": stream.pick(STREETS), "opened": page.know(site.name, "opened", site.opened, text=str(site.opened)),
        "mayor": found.mayor["name"], "manager": page.know(site.name, "manager", site.manager["name"]),
    }  # fmt: skip
    intro = pen.write(VISITS, **places)
    if places["opened"] not in intro:
        intro += f" It opened in {places['opened']}."
    share = page.know(site.name, "share of the town's trade tax", stream.whole(4, 46), "per cent")
    young = page.know(site.name, "number of apprentices", stream.whole(6, 140))
    meals = stream.whole(80, 900)
    page.say(
        intro,
        f"{pen.write(TAXES, share=share, **places)} {pen.write(YOUNG, count=young)}",
        f"{pen.write(MANAGERS, **places)} "
        + pen.write(CANTEEN, meals=page.know(site.name, "number of meals a day", meals), potatoes=meals // 3),
        pen.write(MAYORS, **places),
    )
    page.wishes = [(firm.name, home(firm)), ("Sites", address(host(firm), "sites"))]
    return page


def _plan(stream: Stream, firm: Firm, event: Event, pen: Pen) -> Draft:
    facts = event["facts"]
    city, change, site = str(facts["city"]), str(facts["change"]), str(facts["site"])
    page = Draft(
        address(gazette(city), "council", event["at"][:10], f"{firm.name} {change}"),
        f"Council debates {firm.name}",
        later(event["at"], stream, 2, 14),
        [firm.ticker],
    )
    subject = place(firm.name, site, city)
    yes, no = stream.whole(9, 24), stream.whole(0, 8)
    page.say(
        pen.write(
            PLANS[change],
            city=city,
            site=site,
            a_site=words.one(site),
            site_capital=words.capital(site),
            company=firm.name,
            yes=page.know(subject, "number of council votes in favour", yes),
            no=page.know(subject, "number of council votes against", no),
        ),
        pen.write(NUMBERS, jobs=f"{facts['jobs']:,}"),
    )
    if change != "closes":
        owner = page.know(subject, "former owner of the ground", stream.pick(OWNERS))
        page.say(
            pen.write(
                GROUNDS,
                area=page.know(subject, "area of the ground", stream.whole(2, 88), "hectares"),
                owner=owner,
            )
        )
    page.wishes = [(firm.name, home(firm))]
    return page


def _strike(stream: Stream, firm: Firm, event: Event, pen: Pen) -> Draft:
    facts = event["facts"]
    city = str(facts["city"])
    subject = place(firm.name, str(facts["site"]), city)
    page = Draft(
        address(gazette(city), "work", event["at"][:10], f"{firm.name} strike"),
        f"After the strike at {firm.name}",
        later(event["at"], stream, 1, 9),
        [firm.ticker],
    )
    days = (date.fromisoformat(event["at"][:10]) - date.fromisoformat(str(facts["began"]))).days
    page.say(
        pen.write(
            STRIKES, days=days, site=facts["site"], company=firm.name, workers=f"{facts['workers']:,}", city=city
        ),
        pen.write(FUNDS, pay=page.know(subject, "strike pay a day", stream.whole(22, 95), "dollars")),
        pen.write(
            SOUPS,
            loaves=page.know(subject, "number of loaves given away", stream.whole(120, 2400)),
            street=stream.pick(STREETS),
        ),
        f"{facts['speaker']} spoke for the workers; in the end there were {facts['agreed']} per cent more.",
    )
    page.wishes = [(firm.name, home(firm))]
    return page
