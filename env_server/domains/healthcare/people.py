"""Made-up people for the builtin world: names, birthdays, addresses and telephone numbers, from our own word lists."""

from datetime import date, timedelta
from random import Random
from typing import Any

from env_server.domains.kit import born, street

FIRST = (
    "Agnes", "Albin", "Amara", "Anselm", "Asha", "Bettina", "Boris", "Cedric", "Celia", "Conrad", "Dagny",
    "Desmond", "Edda", "Elio", "Esther", "Fabian", "Fiona", "Gideon", "Gwen", "Harald", "Helga", "Idris",
    "Imani", "Isolde", "Jasper", "Judith", "Kamal", "Kirsten", "Leander", "Lilja", "Magnus", "Maren", "Matteo",
    "Nell", "Noor", "Odette", "Orson", "Petra", "Quentin", "Ravi", "Renata", "Ruben", "Salma", "Sigrid",
    "Tobias", "Ursula", "Viktor", "Winona", "Xenia", "Yara", "Zeno",
)  # fmt: skip
LAST = (
    "Achterberg", "Alvarado", "Barros", "Beaumont", "Calder", "Corvin", "Delacroix", "Dunmore", "Eastman",
    "Falk", "Farrow", "Galvan", "Hartwell", "Holm", "Ibarra", "Jansson", "Kaplan", "Kessler", "Lachance",
    "Lundgren", "Marchetti", "Mbeki", "Nakamura", "Norwood", "Oyelaran", "Pascal", "Quigley", "Ramaswamy",
    "Rinaldi", "Sandoval", "Silva", "Thornton", "Ulloa", "Vance", "Whitlock", "Yamada", "Zielinski",
)  # fmt: skip
DOCTORS = (
    "Abara", "Acheson", "Ashdown", "Bellweather", "Birk", "Brennan", "Calloway", "Castellano", "Chandra",
    "Cho", "Dalgaard", "Demir", "Dressler", "Eklund", "Esposito", "Fairbanks", "Feldman", "Fujita", "Gallagher",
    "Ghosh", "Greer", "Hadley", "Hakimi", "Halloran", "Hendricks", "Iverson", "Jankowski", "Joshi", "Kimura",
    "Kowalczyk", "Laurent", "Leclerc", "Lindqvist", "Lockhart", "Maddox", "Mensah", "Molina", "Montague",
    "Navarro", "Nyberg", "Obradovic", "Osei", "Paredes", "Pemberton", "Quintero", "Rahman", "Reinholt",
    "Rosario", "Sadler", "Salazar", "Sinclair", "Sorensen", "Tremblay", "Tolland", "Uchida", "Valdez",
    "Voss", "Wainwright", "Yilmaz", "Zapata",
)  # fmt: skip
STREETS = (
    "Amber", "Briar", "Chapel", "Clover", "Cooper", "Drover", "Fallow", "Garnet", "Heron", "Ivy", "Larch",
    "Meadow", "Mulberry", "Oakham", "Pinecrest", "Rosewood", "Sparrow", "Thistle", "Vineyard", "Willow",
)  # fmt: skip
ENDINGS = ("Street", "Lane", "Avenue", "Road", "Drive")
TOWNS = (("Larkfield", 970), ("Millbrook", 971), ("Stonebridge", 973), ("Fernhill", 974))
"""The towns with a clinic, and the first digits of their zip codes."""

STATE = "OR"
AREA_CODES = (458, 503, 541, 971)


def name(rng: Random) -> dict[str, str]:
    """Return a random first and last name."""
    return {"first_name": rng.choice(FIRST), "last_name": rng.choice(LAST)}


def address(rng: Random) -> dict[str, str]:
    """Return a postal address in or near a town with a clinic."""
    town, prefix = rng.choice(TOWNS)
    return {
        "street": street(rng, STREETS, ENDINGS),
        "city": town,
        "state": STATE,
        "zip": f"{prefix}{rng.randint(0, 99):02d}",
    }


def phone(rng: Random) -> str:
    """Return a telephone number, such as `541-555-0142`."""
    return f"{rng.choice(AREA_CODES)}-555-{rng.randint(0, 9999):04d}"


def birthday(rng: Random, today: str, youngest: int, oldest: int) -> str:
    """Return the date of birth of a person whose age on `today` is from `youngest` to `oldest` years."""
    this_year = date.fromisoformat(today)
    first = this_year.replace(year=this_year.year - oldest - 1) + timedelta(days=1)
    last = this_year.replace(year=this_year.year - youngest)
    return born(rng, first, (last - first).days + 1)


def patients(rng: Random, count: int, ages: list[tuple[int, int]], today: str) -> list[dict[str, Any]]:
    """Return `count` patients without medical data. The n-th patient has an age (in years) in the
    n-th range of `ages`.
    """
    rows: list[dict[str, Any]] = []
    taken: set[object] = set()
    while len(rows) < count:
        who, home, number = name(rng), address(rng), phone(rng)
        dob = birthday(rng, today, *ages[len(rows)])
        if len(rows) % 60 == 59 and ages[len(rows)] == ages[len(rows) - 40]:
            who, dob = dict(rows[-40]["name"]), rows[-40]["dob"]  # a namesake born on the same day, who lives elsewhere
        handle = f"{who['first_name']}.{who['last_name']}{rng.randint(10, 9999)}".lower()
        identity = (*who.values(), dob, home["zip"])
        if {number, handle, identity} & taken:
            continue
        taken |= {number, handle, identity}
        patient_id = f"P{20000 + 7 * len(rows) + rng.randint(0, 6)}"
        contact = {"phone": number, "email": f"{handle}@example.com", "address": home}
        rows.append({"patient_id": patient_id, "name": who, "dob": dob} | contact)
    return rows
