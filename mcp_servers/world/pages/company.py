"""The companies' own pages: start page, history, leadership, sites and products."""

from collections.abc import Iterator

from mcp_servers.world.chance import Stream
from mcp_servers.world.companies import words
from mcp_servers.world.companies.company import Firm, Product
from mcp_servers.world.companies.dossier import Dossier
from mcp_servers.world.companies.specifications import Figure
from mcp_servers.world.pages.draft import Draft, Pen, address, old
from mcp_servers.world.rows import Event

WELCOME = (
    "# {name}\n\nWe make {kinds}. We have done so since {founded}.",
    "# Welcome to {name}\n\n{kinds_capital}: that is our trade, and {city} is our home.",
    "# {name}\n\nFrom {city}, {state}, to wherever {kinds} are needed.",
    "# This is {name}\n\nPeople who need {kinds} have come to us since {founded}.",
)
PROMISES = (
    "A person answers our telephone: {phone}.",
    "Visitors are welcome at {address}, {city}, by appointment.",
    "Write to us at {address}, {city}, {state}, or call {phone}.",
    "Our head office is at {address} in {city}.",
)
BEGINNINGS = (
    "The company began in {year} in {place}, with {staff} and {seed} of borrowed money.",
    "In {year}, {founder} rented {place}, hired {staff} and spent {seed} on the first machine.",
    "The first address was {place}. {founder} opened it in {year} with {staff}; the money, {seed}, came from a "
    "family loan.",
    "{founder} had {seed}, {staff} and {place} when the company was entered in the register in {year}.",
)
PLACES = (
    "a former bakery", "the back room of a print shop", "an empty chapel", "a boat shed", "two rooms over a bank",
    "a disused tram depot", "a barn behind the school", "the cellar of a hotel", "an old fire station",
)  # fmt: skip
FIRST_ORDERS = (
    "The first order came from {buyer}, for {units} units.",
    "{units} units went to {buyer}; that was the first order.",
    "Nobody remembers the first customer's name, but the ledger does: {buyer}, {units} units.",
    "It took until the second winter to win {buyer} as the first customer, with an order of {units} units.",
)
BUYERS = (
    "a school district", "a ferry line", "a county hospital", "a chain of laundries", "the state archive", "a brewery",
    "a farmers' cooperative", "a military depot", "a cable company", "a theatre",
)  # fmt: skip
SETBACKS = (
    "A flood in {year} destroyed the stock.", "In {year} a fire took the roof.",
    "{year} was the year of the great strike, which lasted {weeks} weeks.",
    "In {year} the bank called its loan; {weeks} weeks later there was a new bank.",
    "The move of {year} cost {weeks} weeks of production.",
)  # fmt: skip
SITE_LINES = (
    "- **{city}, {state}** ({kind}): opened in {opened}, {jobs}, {area}; managed by {manager}",
    "- {kind_capital} in **{city}, {state}** - {jobs}, {area}, in operation since {opened}. Manager: {manager}",
    "- **{city}**, {state}: {kind}, {area}, {jobs}, since {opened}; {manager} is in charge",
)
SITE_INTROS = (
    "These are the places where we work, apart from our head office in {city}.",
    "We work in {count} places besides {city}. The figures are those of the last annual count.",
    "Where our products come from: {count} sites, each with its own manager.",
)
LEADER_LINES = (
    "**{name}**, {role}, was born in {birthplace} in {born} and studied at {school}.",
    "**{name}** is our {role}. Born in {born} in {birthplace}; degree from {school}.",
    "Our {role}, **{name}**, comes from {birthplace} (born {born}) and went to {school}.",
)
PRODUCT_INTROS = (
    "# {product}\n\nThe {product} is the {what} of {name}. What is in the data sheet, you find here.",
    "# {product}: data sheet\n\nAll figures are typical values and hold for the version that is sold now.",
    "# {product}\n\n{a_what_capital}, made by {name}. It was developed by a team under {designer}.",
    "# The {product}\n\nWho needs {a_what} looks at figures first. Here they are.",
)
CARE = (
    "Spare parts are kept for {years} after the last one was sold.",
    "We keep spare parts and records for {years}.",
    "Support ends {years} after the last sale.",
)


def company_pages(seed: int, firm: Firm, found: Dossier, events: list[Event], pen: Pen) -> Iterator[Draft]:
    """Yield the pages of a company's own site."""
    stream = Stream(seed, "pages", firm.ticker)
    launched = {str(event["facts"]["product"]): event["at"] for event in events if event["kind"] == "product"}
    products = [
        _product(stream, firm, found, product, figures, pen, launched.get(product.name))
        for product, figures in zip(firm.products, found.specifications, strict=True)
    ]
    pages = [_history(stream, firm, pen), _leadership(stream, firm, found, pen), _sites(stream, firm, found, pen)]
    yield _home(stream, firm, pen, [*pages, *products])
    yield from pages
    yield from products


def host(firm: Firm) -> str:
    """Return the host of a company's site."""
    return firm.row["website"].removeprefix("https://")


def home(firm: Firm) -> str:
    """Return the address of the start page."""
    return f"{firm.row['website']}/"


def product_url(firm: Firm, product: Product) -> str:
    """Return the address of a product's page."""
    return address(host(firm), "products", product.name)


def _home(stream: Stream, firm: Firm, pen: Pen, others: list[Draft]) -> Draft:
    row, kinds = firm.row, words.listed([words.several(product.kind) for product in firm.old])
    page = Draft(home(firm), firm.name, old(stream), [firm.ticker])
    places = {"name": firm.name, "kinds": kinds, "kinds_capital": words.capital(kinds), **row}
    page.say(pen.write(WELCOME, **places), row["description"], pen.write(PROMISES, **places))
    page.wishes = [(other.title, other.url) for other in others]
    return page


def _history(stream: Stream, firm: Firm, pen: Pen) -> Draft:
    page = Draft(address(host(firm), "history"), f"The history of {firm.name}", old(stream), [firm.ticker])
    name, year = firm.name, firm.row["founded"]
    place, buyer = stream.pick(PLACES), stream.pick(BUYERS)
    begun = pen.write(
        BEGINNINGS,
        year=year,
        founder=firm.founder["name"],
        place=page.know(name, "first premises", place),
        staff=page.know(name, "number of first employees", stream.whole(2, 19), "employees"),
        seed=page.know(name, "seed money", stream.whole(4, 240) * 500, "dollars"),
    )
    ordered = pen.write(
        FIRST_ORDERS,
        buyer=page.know(name, "first customer", buyer),
        units=page.know(name, "size of the first order", stream.whole(3, 400)),
    )
    setback = pen.write(SETBACKS, year=stream.whole(year + 2, max(year + 12, 2012)), weeks=stream.whole(3, 19))
    page.say(f"# The history of {name}", f"{begun} {ordered}", setback)
    page.say(f"The company was listed on {words.day(firm.row['listed'])}.")
    page.wishes = [(name, home(firm))]
    return page


def _leadership(stream: Stream, firm: Firm, found: Dossier, pen: Pen) -> Draft:
    page = Draft(address(host(firm), "leadership"), f"Leadership of {firm.name}", old(stream), [firm.ticker])
    page.say(f"# Leadership\n\nAs of {words.day(page.published[:10])}.")
    for person in (firm.chiefs[0], firm.finance, found.designer):
        page.say(
            pen.write(
                LEADER_LINES,
                name=person["name"],
                role=person["role"],
                birthplace=page.know(person["name"], "birthplace", person["birthplace"]),
                born=page.know(person["name"], "year of birth", person["born"], text=str(person["born"])),
                school=page.know(person["name"], "school", person["school"]),
            )
        )
    page.wishes = [(firm.name, home(firm))]
    return page


def _sites(stream: Stream, firm: Firm, found: Dossier, pen: Pen) -> Draft:
    page = Draft(address(host(firm), "sites"), f"Sites of {firm.name}", old(stream), [firm.ticker])
    page.say(f"# Our sites\n\n{pen.write(SITE_INTROS, city=firm.seat[0], count=len(found.sites))}")
    lines = [
        pen.write(
            SITE_LINES,
            city=site.city,
            state=site.state,
            kind=site.kind,
            kind_capital=words.capital(site.kind),
            opened=page.know(site.name, "opened", site.opened, text=str(site.opened)),
            jobs=page.know(site.name, "employees", site.jobs, "employees"),
            area=page.know(site.name, "floor area", site.area, "square metres"),
            manager=page.know(site.name, "manager", site.manager["name"]),
        )
        for site in found.sites
    ]
    page.say("\n".join(lines))
    page.wishes = [(firm.name, home(firm))]
    return page


def _product(
    stream: Stream,
    firm: Firm,
    found: Dossier,
    product: Product,
    figures: tuple[Figure, ...],
    pen: Pen,
    launched: str | None,
) -> Draft:
    page = Draft(product_url(firm, product), product.name, launched or old(stream), [firm.ticker])
    page.say(
        pen.write(
            PRODUCT_INTROS,
            product=product.name,
            what=product.kind,
            a_what=words.one(product.kind),
            a_what_capital=words.capital(words.one(product.kind)),
            name=firm.name,
            designer=found.designer["name"],
        )
    )
    told = [
        (figure.name, page.know(product.name, figure.name, figure.value, figure.unit, figure.text))
        for figure in figures
    ]
    if stream.chance(0.5):
        page.say("| Property | Value |\n|---|---|\n" + "\n".join(f"| {name} | {text} |" for name, text in told))
    else:
        page.say("\n".join(f"- {words.capital(name)}: {text}" for name, text in told))
    years = page.know(product.name, "time for which spare parts are kept", stream.whole(3, 15), "years")
    page.say(pen.write(CARE, years=years))
    page.wishes = [(firm.name, home(firm))]
    return page
