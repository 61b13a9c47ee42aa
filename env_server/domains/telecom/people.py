"""Made-up people for the builtin world: names, birthdays, addresses, telephone numbers, from our own word lists."""

from datetime import date
from random import Random

from env_server.domains.kit import born, street

FIRST = (
    "Adela", "Alaric", "Anouk", "Arvid", "Beatrix", "Benno", "Calum", "Carmen", "Clara", "Cosmo", "Daria",
    "Dimitri", "Eamon", "Elin", "Enzo", "Ezra", "Flora", "Frida", "Gaspar", "Gloria", "Henrik", "Ilse", "Ingrid",
    "Jorge", "Juno", "Karim", "Katya", "Levi", "Lucia", "Malik", "Marta", "Maxim", "Mina", "Nestor", "Nora",
    "Octavia", "Otto", "Paloma", "Piotr", "Ramona", "Remy", "Rufus", "Saskia", "Selma", "Tariq", "Thea", "Ulla",
    "Vasco", "Willa", "Zelda",
)  # fmt: skip
LAST = (
    "Aldridge", "Amato", "Bergman", "Bianchi", "Blackwood", "Carver", "Cheng", "Dvorak", "Ellery", "Engel",
    "Ferreira", "Forsyth", "Gardner", "Gruber", "Hakala", "Hollis", "Ivanov", "Joyce", "Karlsen", "Keane",
    "Lombardi", "Lowell", "Maas", "Mercer", "Nair", "Novak", "Orlov", "Osborn", "Pereira", "Pruitt", "Radek",
    "Rourke", "Santos", "Strand", "Tamm", "Torres", "Underhill", "Varga", "Wexler", "Zhou",
)  # fmt: skip
STREETS = (
    "Anchor", "Beacon", "Cedar", "Copper", "Delta", "Falcon", "Fern", "Glen", "Hazel", "Indigo", "Jasmine",
    "Linden", "Maple", "Osprey", "Prairie", "Quartz", "Ridge", "Signal", "Tower", "Walnut",
)  # fmt: skip
ENDINGS = ("Street", "Lane", "Avenue", "Road", "Way")
CITIES = (
    ("Ashford", "WA", 981), ("Brightwater", "OR", 974), ("Cold Harbor", "ME", 41), ("Dunmere", "MN", 554),
    ("Eastlake", "OH", 440), ("Foxhollow", "VA", 229), ("Granite Falls", "CO", 803), ("Hartsville", "TN", 370),
    ("Irondale", "AL", 352), ("Juniper", "NM", 871), ("Kingsbridge", "NY", 104), ("Lakemont", "GA", 305),
)  # fmt: skip

_FIRST_BIRTHDAY = date(1946, 1, 1)
_BIRTHDAYS = 21_500
"""Days from the first birthday to the last, in 2004."""


def birthday(rng: Random) -> str:
    """Return a date of birth of a grown-up."""
    return born(rng, _FIRST_BIRTHDAY, _BIRTHDAYS)


def address(rng: Random) -> dict[str, str]:
    """Return a postal address."""
    city, state, prefix = rng.choice(CITIES)
    return {
        "street": street(rng, STREETS, ENDINGS),
        "city": city,
        "state": state,
        "zip_code": f"{prefix:03d}{rng.randint(0, 99):02d}",
    }


def phone_number(rng: Random, taken: set[str]) -> str:
    """Return an unused telephone number, such as `555-214-0938`."""
    while True:
        found = f"555-{rng.randint(200, 989)}-{rng.randint(0, 9999):04d}"
        if found not in taken:
            taken.add(found)
            return found
