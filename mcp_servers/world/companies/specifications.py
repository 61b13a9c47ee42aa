"""Product specifications on the web: figures that no other service has."""

from typing import NamedTuple

from mcp_servers.world.chance import Stream


class Figure(NamedTuple):
    """A property of a product, such as a weight of 2.4 kg."""

    name: str
    value: float | int
    unit: str

    @property
    def text(self) -> str:
        """Return the value with its unit, in the format of pages."""
        number = f"{self.value:,}" if isinstance(self.value, int) else f"{self.value:.1f}"
        return f"{number} {self.unit}" if self.unit else number


class Range(NamedTuple):
    """The range of a product property."""

    name: str
    low: float
    high: float
    unit: str
    whole: bool = True


WARRANTY = Range("warranty", 12, 84, "months")
FORMS = {
    "device": (
        Range("weight", 0.4, 14.0, "kg", False),
        Range("power draw", 4, 320, "watts"),
        Range("service life", 4, 18, "years"),
        Range("highest operating temperature", 40, 95, "degrees Celsius"),
        Range("noise level", 19, 58, "decibels"),
        WARRANTY,
    ),
    "machine": (
        Range("weight", 18, 2_900, "kg"),
        Range("rated power", 1.2, 75.0, "kilowatts", False),
        Range("maintenance interval", 900, 12_000, "hours"),
        Range("delivery time", 3, 30, "weeks"),
        Range("number of parts", 140, 6_400, "parts"),
        WARRANTY,
    ),
    "service": (
        Range("guaranteed response time", 2, 48, "hours"),
        Range("notice period", 14, 180, "days"),
        Range("regions served", 3, 44, "regions"),
        Range("backup retention", 14, 400, "days"),
        Range("languages supported", 4, 38, "languages"),
        Range("free trial", 7, 60, "days"),
    ),
    "show": (
        Range("production time", 7, 40, "months"),
        Range("languages at release", 3, 26, "languages"),
        Range("crew", 60, 900, "people"),
        Range("shooting or capture days", 18, 190, "days"),
        Range("original songs", 2, 24, "songs"),
    ),
    "drug": (
        Range("storage temperature", 2, 8, "degrees Celsius"),
        Range("shelf life", 9, 48, "months"),
        Range("dose", 5, 600, "milligrams"),
        Range("doses in a pack", 4, 60, "doses"),
        Range("half-life", 5, 70, "hours"),
    ),
    "goods": (
        Range("recycled content", 12, 95, "per cent"),
        Range("pack weight", 0.2, 6.5, "kg", False),
        Range("suggested price", 3, 240, "dollars"),
        Range("shelf life", 5, 60, "months"),
        Range("units in a case", 4, 48, "units"),
    ),
    "material": (
        Range("purity", 91.0, 99.9, "per cent", False),
        Range("smallest order", 2, 80, "tonnes"),
        Range("melting point", 120, 1_480, "degrees Celsius"),
        Range("lead time", 2, 18, "weeks"),
        Range("density", 0.9, 8.9, "grams per cubic centimetre", False),
    ),
    "vehicle": (
        Range("range", 210, 780, "km"),
        Range("kerb weight", 880, 2_700, "kg"),
        Range("towing capacity", 400, 3_500, "kg"),
        Range("charging time to 80 per cent", 16, 55, "minutes"),
        Range("battery capacity", 38.0, 128.0, "kilowatt-hours", False),
        WARRANTY,
    ),
    "policy": (
        Range("waiting period", 5, 90, "days"),
        Range("entry fee", 10, 450, "dollars"),
        Range("notice period", 14, 180, "days"),
        Range("longest term", 3, 30, "years"),
        Range("branches that offer it", 12, 640, "branches"),
    ),
    "lease": (
        Range("lettable area", 3_200, 96_000, "square metres"),
        Range("units", 12, 880, "units"),
        Range("parking spaces", 20, 1_400, "spaces"),
        Range("shortest lease", 6, 120, "months"),
        Range("ceiling height", 2.7, 14.0, "metres", False),
    ),
    "route": (
        Range("length", 240, 9_800, "km"),
        Range("weekly departures", 2, 56, "departures"),
        Range("transit time", 14, 700, "hours"),
        Range("capacity for each departure", 240, 9_200, "tonnes"),
        Range("crew", 3, 32, "people"),
    ),
    "works": (
        Range("capacity", 14, 940, "megawatts or equivalent"),
        Range("construction time", 14, 62, "months"),
        Range("permanent staff", 8, 240, "people"),
        Range("design life", 18, 60, "years"),
        Range("site area", 6, 820, "hectares"),
    ),
}


def specification(stream: Stream, form: str) -> tuple[Figure, ...]:
    """Return four figures of a product of this form."""
    return tuple(figure(stream, one) for one in stream.some(FORMS[form], 4))


def figure(stream: Stream, one: Range) -> Figure:
    """Return a figure within a range."""
    value = stream.whole(int(one.low), int(one.high)) if one.whole else round(stream.between(one.low, one.high), 1)
    return Figure(one.name, value, one.unit)
