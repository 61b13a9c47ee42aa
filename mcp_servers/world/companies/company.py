"""The companies: their public data, and the traits from which the rest of the world follows."""

from dataclasses import dataclass

from mcp_servers.world.calendar import SESSIONS
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies import words
from mcp_servers.world.companies.industries import INDUSTRIES, Industry
from mcp_servers.world.companies.names import CITIES, ENDINGS, SCHOOLS, STREETS, Names, slug
from mcp_servers.world.companies.roster import ROSTER, Listed
from mcp_servers.world.rows import Company, Person

RATIOS = ((1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (1, 10), (1, 2), (1, 3), (1, 4), (1, 2))
"""Shares before and after the one split of each circle."""

REVERSE = ((8, 1), (10, 1))
"""Shares before and after the reverse splits of companies with low prices."""

BRANDS_A = (
    "Al", "Bel", "Cor", "Dar", "El", "Fen", "Gal", "Hy", "Is", "Jor", "Kes", "Lor", "Mar", "Nov", "Or", "Pel", "Quil",
    "Ros", "Sel", "Tor", "Ul", "Ver", "Wes", "Xan", "Yar", "Zel",
)  # fmt: skip
BRANDS_B = (
    "adine", "ara", "ento", "ica", "ilo", "isse", "ivo", "oma", "ondra", "oria", "ova", "une", "unda", "yra", "ethos",
    "ivane",
)  # fmt: skip


@dataclass(frozen=True)
class Product:
    """A product of a company."""

    brand: str
    kind: str

    @property
    def name(self) -> str:
        """Return the name that texts use."""
        return f"{self.brand} {self.kind}"


@dataclass(frozen=True)
class Firm:
    """A company and its traits."""

    row: Company
    industry: Industry
    seat: tuple[str, str]
    products: tuple[Product, ...]
    founder: Person
    finance: Person
    chiefs: tuple[Person, ...]
    """The chief executives during the world, in order: one or two."""
    price: float
    """The price on the day before the world begins."""
    drift: float
    """The mean of the daily idiosyncratic return."""
    beta: float
    split: tuple[str, str, int, int] | None
    """Announcement, date, shares before and shares after."""
    dividend: float
    """The yearly dividend yield at the start, or 0."""
    gross: float
    """The gross margin in a typical quarter."""
    growth: float
    """The revenue growth in a typical year."""
    sales: int
    """Revenue of the year before the world begins, in dollars."""
    goodwill: float
    """Goodwill at the first balance sheet, as a share of `sales`."""

    @property
    def old(self) -> tuple[Product, Product]:
        """Return the products that the company sells before the world begins. The other two are launched during it."""
        return self.products[0], self.products[3]

    @property
    def coming(self) -> tuple[Product, Product]:
        """Return the products that the company launches during the world."""
        return self.products[1], self.products[2]

    @property
    def ticker(self) -> str:
        """Return the ticker."""
        return self.row["ticker"]

    @property
    def name(self) -> str:
        """Return the name."""
        return self.row["name"]

    def chief(self, day: str) -> str:
        """Return the name of the chief executive on `day`."""
        return next(person["name"] for person in reversed(self.chiefs) if person["since"] <= day)


def firms(seed: int, names: Names) -> list[Firm]:
    """Return all companies of the world of `seed`."""
    brands = _brands(seed)
    splits = _splits(seed)
    return [_firm(seed, listed, names, splits.get(listed.ticker), brands) for listed in ROSTER]


def _brands(seed: int) -> list[str]:
    return Stream(seed, "brands").shuffled([a + b for a in BRANDS_A for b in BRANDS_B])


def _splits(seed: int) -> dict[str, tuple[str, str, int, int]]:
    """Return one split of each circle, and a few reverse splits: announcement, date, shares before and after."""
    stream = Stream(seed, "splits")
    found = {}
    for circle, (before, after) in enumerate(RATIOS, 1):
        members = [listed.ticker for listed in ROSTER if listed.circle == circle]
        found[stream.pick(members)] = (before, after)
    left = [listed.ticker for listed in ROSTER if listed.ticker not in found]
    found.update(zip(stream.some(left, len(REVERSE)), REVERSE, strict=True))
    dated = {}
    for ticker, (before, after) in found.items():
        at = stream.whole(120, len(SESSIONS) - 80)
        dated[ticker] = (SESSIONS[at - stream.whole(12, 25)], SESSIONS[at], before, after)
    return dated


def _firm(seed: int, listed: Listed, names: Names, split: tuple[str, str, int, int] | None, brands: list[str]) -> Firm:
    stream = Stream(seed, "company", listed.ticker)
    industry = INDUSTRIES[listed.industry]
    gross = industry.gross * stream.between(0.96, 1.08)
    kinds = stream.some(industry.makes, 4)
    products = tuple(Product(brands.pop(), kind) for kind in kinds)
    seat = stream.pick(CITIES)
    founded = stream.whole(1958, 2009)
    price, drift = _price(stream, split)
    size = stream.between(1.2, 9.2)
    value = round(size * size, 2) * 1e9
    chiefs = _chiefs(stream, names, listed)
    founder = person(stream, names.deal(), "founder", listed, f"{founded}-01-01", born=founded - stream.whole(26, 44))
    finance = person(stream, names.deal(), "finance chief", listed, f"{stream.whole(2012, 2022)}-03-01")
    site = slug(listed.name)
    row: Company = {
        "ticker": listed.ticker,
        "name": listed.name,
        "description": _description(stream, listed, industry, (products[0], products[3]), seat, founded),
        "sector": industry.sector,
        "industry": listed.industry,
        "exchange": "XNAS" if stream.chance(0.5) else "XNYS",
        "cik": f"{stream.whole(1_100_000, 1_999_999):010d}",
        "ceo": chiefs[0]["name"],
        "city": seat[0],
        "state": seat[1],
        "address": f"{stream.whole(1, 980)} {stream.pick(STREETS)} {stream.pick(ENDINGS)}",
        "phone": f"{seat[2]}-555-{stream.whole(100, 9899):04d}",
        "website": f"https://www.{site}.example",
        "employees": int(value / 1e6 * stream.between(0.5, 3.2)) // 10 * 10 + 240,
        "founded": founded,
        "listed": f"{max(founded + stream.whole(6, 14), 1984)}-{stream.whole(1, 12):02d}-{stream.whole(2, 27):02d}",
        "fiscal_end": stream.pick((12, 12, 12, 12, 9, 6)),
        "circle": listed.circle,
        "shares": max(int(value / price) // 1000 * 1000, 8_000_000),
    }
    pays = stream.chance(0.86 if industry.payer else 0.06)
    return Firm(
        row=row,
        industry=industry,
        seat=seat[:2],
        products=products,
        founder=founder,
        finance=finance,
        chiefs=chiefs,
        price=price,
        drift=drift,
        beta=round(stream.between(0.6, 1.5), 2),
        split=split,
        dividend=round(stream.between(0.006, 0.036), 4) if pays else 0.0,
        gross=round(gross, 4),
        growth=0.8 * industry.growth + stream.between(-0.035, 0.045),
        sales=int(value / stream.between(13.0, 29.0) / net_margin(industry, gross)) // 1_000_000 * 1_000_000,
        goodwill=stream.between(0.08, 0.4),
    )


def depreciation_rate(industry: Industry) -> float:
    """Return yearly depreciation as a share of property. Heavier property lasts longer."""
    return 0.02 + 0.14 / (1.0 + 4.0 * industry.plant)


def net_margin(industry: Industry, gross: float) -> float:
    """Return net income as a share of revenue in a typical year."""
    depreciation = depreciation_rate(industry) * industry.plant
    interest = 0.03 * 0.4 * industry.plant
    return max(0.79 * (gross - industry.research - industry.selling - depreciation - interest), 0.02)


def _price(stream: Stream, split: tuple[str, str, int, int] | None) -> tuple[float, float]:
    """Return the first price and the mean of the daily idiosyncratic return.

    A share is expensive and rises before a split. It is cheap before a reverse split.
    """
    if split is None:
        return round(stream.between(14, 165), 2), stream.between(-0.0003, 0.0005)
    _, _, before, after = split
    if after > before:
        return round(stream.between(60, 95) * after / before * 0.8, 2), stream.between(0.0004, 0.0008)
    return round(stream.between(3.0, 5.5), 2), stream.between(-0.0012, -0.0008)


def person(stream: Stream, name: str, role: str, listed: Listed, since: str, *, born: int = 0) -> Person:  # noqa: D103
    return {
        "id": f"{listed.ticker}:{slug(name)}",
        "name": name,
        "role": role,
        "ticker": listed.ticker,
        "employer": listed.name,
        "since": since,
        "until": "",
        "born": born or stream.whole(1957, 1981),
        "birthplace": stream.pick(CITIES)[0],
        "school": stream.pick(SCHOOLS),
    }


def _chiefs(stream: Stream, names: Names, listed: Listed) -> tuple[Person, ...]:
    first = person(
        stream, names.deal(), "chief executive", listed, f"{stream.whole(2008, 2022)}-{stream.whole(1, 12):02d}-01"
    )
    if not stream.chance(0.45):
        return (first,)
    until = SESSIONS[stream.whole(40, len(SESSIONS) - 60)]
    second = person(stream, names.deal(), "chief executive", listed, until)
    return ({**first, "until": until}, second)


def _description(
    stream: Stream,
    listed: Listed,
    industry: Industry,
    products: tuple[Product, ...],
    seat: tuple[str, ...],
    founded: int,
) -> str:
    made = words.listed([words.several(product.kind) for product in products])
    first = stream.pick(
        (
            f"{listed.name} makes and sells {made}.",
            f"{listed.name} is a company in {industry.sector.lower()} whose offer comprises {made}.",
            f"{listed.name} develops and supplies {made} to customers in North America and Europe.",
            f"Through its own {words.several(industry.site)} and partners, {listed.name} provides {made}.",
        )
    )
    second = stream.pick(
        (
            f"The {products[0].name} is its best-known product.",
            f"Its main brands are {products[0].brand} and {products[1].brand}.",
            f"It sells under the names {products[0].brand} and {products[1].brand}.",
        )
    )
    third = stream.pick(
        (
            f"The company was founded in {founded} and has its headquarters in {seat[0]}, {seat[1]}.",
            f"Founded in {founded}, it is based in {seat[0]}, {seat[1]}.",
            f"It was founded in {founded}; its head office is in {seat[0]}, {seat[1]}.",
        )
    )
    return f"{first} {second} {third}"
