"""Made-up people for the builtin world: names, addresses and payment methods, from our own short word lists."""

from random import Random
from typing import Any

from env_server.domains.kit import fresh, street

FIRST = (
    "Ada", "Bruno", "Carla", "Dario", "Elsa", "Fedor", "Greta", "Hugo", "Irina", "Jonas", "Kaja", "Lars",
    "Mira", "Nils", "Olga", "Pavel", "Rosa", "Sven", "Tilda", "Umar", "Vera", "Wanda", "Yusuf", "Zora", "Amir",
    "Bela", "Chen", "Dina", "Emil", "Farah", "Goran", "Hana", "Ivo", "Jana", "Kofi", "Lena", "Milo", "Nadia",
    "Oskar", "Priya",
)  # fmt: skip
LAST = (
    "Abel", "Brandt", "Castro", "Dahl", "Ekman", "Fontana", "Grieg", "Haas", "Ilves", "Jensen", "Kowal",
    "Lindt", "Moreau", "Nowak", "Okafor", "Petrov", "Quist", "Rossi", "Sato", "Tanaka", "Ulrich", "Vargas",
    "Weiss", "Yildiz", "Zeman",
)  # fmt: skip
STREETS = (
    "Alder", "Birchwood", "Canal", "Dovecote", "Elmhurst", "Foundry", "Granary", "Harbor", "Ironbridge",
    "Juniper", "Kestrel", "Lantern", "Millrace", "Northgate", "Orchard", "Poplar", "Quarry", "Ropewalk",
    "Saltmarsh", "Tannery",
)  # fmt: skip
ENDINGS = ("Street", "Lane", "Avenue", "Road", "Court")
UNITS = ("Suite", "Apt", "Unit")
CITIES = (
    ("Tacoma", "WA", 984), ("Tucson", "AZ", 857), ("Omaha", "NE", 681), ("Raleigh", "NC", 276),
    ("Madison", "WI", 537), ("Boise", "ID", 837), ("Albany", "NY", 122), ("Savannah", "GA", 314),
    ("Tulsa", "OK", 741), ("Fresno", "CA", 937), ("Duluth", "MN", 558), ("Mobile", "AL", 366),
    ("Reno", "NV", 895), ("Provo", "UT", 846), ("Toledo", "OH", 436), ("Spokane", "WA", 992),
)  # fmt: skip
BRANDS = ("visa", "mastercard")


def address(rng: Random) -> dict[str, str]:
    """Return a postal address in the shape of the public retail data."""
    city, state, prefix = rng.choice(CITIES)
    return {
        "address1": street(rng, STREETS, ENDINGS),
        "address2": f"{rng.choice(UNITS)} {rng.randint(101, 979)}",
        "city": city,
        "country": "USA",
        "state": state,
        "zip": f"{prefix}{rng.randint(0, 99):02d}",
    }


def users(rng: Random, count: int) -> list[dict[str, Any]]:
    """Return `count` user rows without orders. Names repeat, but never with the same zip code."""
    rows: list[dict[str, Any]] = []
    ids: set[str] = set()
    seen: set[tuple[str, str, str]] = set()
    numbers: set[str] = set()
    while len(rows) < count:
        first, last, home = rng.choice(FIRST), rng.choice(LAST), address(rng)
        handle = f"{first}_{last}".lower()
        user_id, mail = f"{handle}_{rng.randint(1000, 9999)}", f"{handle.replace('_', '.')}{rng.randint(100, 9999)}"
        identity = (first, last, home["zip"])
        if user_id in ids or mail in ids or identity in seen:
            continue
        ids |= {user_id, mail}
        seen.add(identity)
        rows.append(
            {
                "user_id": user_id,
                "name": {"first_name": first, "last_name": last},
                "address": home,
                "email": f"{mail}@example.com",
                "payment_methods": _payment_methods(rng, numbers),
                "orders": [],
            }
        )
    return rows


def _payment_methods(rng: Random, numbers: set[str]) -> dict[str, dict[str, Any]]:
    """Return one to three methods: always a card or PayPal, often also a gift card."""
    kinds = rng.choice((["credit_card"], ["paypal"], ["credit_card", "credit_card"], ["credit_card", "paypal"]))
    if rng.random() < 0.7:
        kinds = [*kinds, "gift_card"]
    kinds = rng.sample(kinds, len(kinds))
    methods: dict[str, dict[str, Any]] = {}
    for kind in kinds:
        method: dict[str, Any] = {"source": kind, "id": f"{kind}_{fresh(rng, numbers, 7)}"}
        if kind == "credit_card":
            method |= {"brand": rng.choice(BRANDS), "last_four": fresh(rng, numbers, 4)}
        if kind == "gift_card":
            method["balance"] = rng.randint(300, 32000) / 100
        methods[method["id"]] = method
    return methods
