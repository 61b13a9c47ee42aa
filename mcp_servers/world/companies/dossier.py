"""Further data of a company: its sites, its people and the properties of its products."""

from dataclasses import dataclass

from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm, person
from mcp_servers.world.companies.names import CITIES, Names
from mcp_servers.world.companies.roster import ROSTER
from mcp_servers.world.companies.specifications import Figure, specification
from mcp_servers.world.rows import Person

LISTED = {listed.ticker: listed for listed in ROSTER}


@dataclass(frozen=True)
class Site:
    """A site of a company."""

    company: str
    city: str
    state: str
    kind: str
    opened: int
    jobs: int
    area: int
    """The area in square metres."""
    manager: Person

    @property
    def name(self) -> str:
        """Return the name that texts use."""
        return place(self.company, self.kind, self.city)


@dataclass(frozen=True)
class Dossier:
    """The data of a company that pages publish."""

    sites: tuple[Site, ...]
    specifications: tuple[tuple[Figure, ...], ...]
    """The figures of each of the company's products, in their order."""
    designer: Person
    """The head of product development."""
    union: Person
    """The speaker of the workers at the first site."""
    mayor: Person
    """The mayor of the town of the first site."""
    names: tuple[str, ...]
    """Names of people that events still need."""


def place(company: str, kind: str, city: str) -> str:
    """Return the name of a company's site in texts: the Halvard Automation works in Netherby."""
    return f"{company} {kind} in {city}"


def dossier(seed: int, firm: Firm, names: Names) -> Dossier:
    """Return the dossier of a company."""
    stream = Stream(seed, "dossier", firm.ticker)
    listed = LISTED[firm.ticker]
    cities = [city for city in stream.some(CITIES, 5) if city[0] != firm.seat[0]]
    sites = []
    for city in cities[: stream.whole(3, 4)]:
        manager = person(stream, names.deal(), "site manager", listed, f"{stream.whole(2014, 2022)}-05-01")
        opened = stream.whole(max(firm.row["founded"], 1975) + 1, 2021)
        jobs = max(int(firm.row["employees"] * stream.between(0.02, 0.14)) // 10 * 10, 60)
        area = stream.whole(40, 990) * 100
        sites.append(Site(firm.name, city[0], city[1], firm.industry.site, opened, jobs, area, manager))
    designer = person(stream, names.deal(), "head of product", listed, f"{stream.whole(2015, 2023)}-02-01")
    union = person(stream, names.deal(), "works council speaker", listed, "")
    mayor = {
        **person(stream, names.deal(), "mayor", listed, ""),
        "employer": f"City of {sites[0].city}",
        "birthplace": sites[0].city,
    }
    return Dossier(
        sites=tuple(sites),
        specifications=tuple(specification(stream, firm.industry.form) for _ in firm.products),
        designer=designer,
        union=union,
        mayor=mayor,  # type: ignore[arg-type]
        names=tuple(names.deal() for _ in range(2)),
    )


def people(firm: Firm, found: Dossier) -> list[Person]:
    """Return all people of a company."""
    managers = [site.manager for site in found.sites]
    return [*firm.chiefs, firm.founder, firm.finance, found.designer, *managers, found.union, found.mayor]
