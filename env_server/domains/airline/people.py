"""Made-up customers of the builtin world: names, birthdays, homes, payment methods and travel companions."""

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Any

from env_server.domains.kit import born, fresh

Row = dict[str, Any]

FIRST = (
    "Alma", "Benno", "Cyril", "Daria", "Edgar", "Flora", "Gideon", "Helga", "Ismael", "Judit", "Keiko", "Ludvik",
    "Marta", "Nestor", "Odile", "Piotr", "Quinn", "Renata", "Samir", "Thea", "Ugo", "Violet", "Walid", "Xenia",
    "Yara", "Zoltan", "Arvid", "Bibi", "Casper", "Dalia", "Enzo", "Freya", "Gustav", "Hedda", "Imre", "Jolie",
    "Kamal", "Lotte", "Marek", "Nuria",
)  # fmt: skip
LAST = (
    "Adler", "Barros", "Calvert", "Dorn", "Eriksen", "Farkas", "Galli", "Holm", "Ivanov", "Joshi", "Keller",
    "Lund", "Mendes", "Nilsen", "Ortega", "Pohl", "Quayle", "Rahman", "Silveira", "Tamm", "Urban", "Vidal",
    "Winter", "Yamada", "Zoric",
)  # fmt: skip
_STREETS = (
    "Aspen", "Bellevue", "Clocktower", "Driftwood", "Eastlake", "Fairmont", "Garnet", "Hillcrest", "Indigo",
    "Jasper", "Kingfisher", "Larkspur", "Meadow", "Nightingale", "Oakmoss", "Pinecone",
)  # fmt: skip
_ENDINGS = ("Way", "Drive", "Place", "Terrace", "Boulevard")
_CITIES = (
    ("San Jose", "CA", 951), ("Brooklyn", "NY", 112), ("Plano", "TX", 750), ("Aurora", "CO", 800),
    ("Tacoma", "WA", 984), ("Marietta", "GA", 300), ("Hialeah", "FL", 330), ("Quincy", "MA", 21),
    ("Mesa", "AZ", 852), ("Henderson", "NV", 890), ("Newark", "NJ", 71), ("Gastonia", "NC", 280),
    ("Saint Paul", "MN", 551), ("Dearborn", "MI", 481), ("Camden", "NJ", 81), ("Evanston", "IL", 602),
)  # fmt: skip
_MEMBERSHIPS = {"regular": 48, "silver": 28, "gold": 24}
_OLDEST, _SPAN = date(1944, 1, 1), 62 * 365
"""Birthdays fall from 1944 to 2005, so that no passenger is a child."""


def person(rng: Random) -> Row:
    """Return a passenger: first name, last name and date of birth."""
    return {"first_name": rng.choice(FIRST), "last_name": rng.choice(LAST), "dob": birthday(rng)}


def birthday(rng: Random) -> str:
    """Return a date of birth, `YYYY-MM-DD`."""
    return born(rng, _OLDEST, _SPAN)


def users(rng: Random, count: int) -> list[Row]:
    """Return `count` user rows without reservations."""
    ids: set[str] = set()
    numbers: set[str] = set()
    return [_user(rng, ids, numbers) for _ in range(count)]


def _user(rng: Random, ids: set[str], numbers: set[str]) -> Row:
    me = person(rng)
    handle = f"{me['first_name']}_{me['last_name']}".lower()
    while (user_id := f"{handle}_{rng.randint(1000, 9999)}") in ids:
        pass
    ids.add(user_id)
    return {
        "user_id": user_id,
        "name": {"first_name": me["first_name"], "last_name": me["last_name"]},
        "address": _address(rng),
        "email": f"{user_id.replace('_', '.')}@example.org",
        "dob": me["dob"],
        "payment_methods": {method["id"]: method for method in _methods(rng, numbers)},
        "saved_passengers": _companions(rng, me),
        "membership": rng.choices(list(_MEMBERSHIPS), list(_MEMBERSHIPS.values()))[0],
        "reservations": [],
    }


def _address(rng: Random) -> Row:
    city, state, prefix = rng.choice(_CITIES)
    return {
        "address1": f"{rng.randint(12, 980)} {rng.choice(_STREETS)} {rng.choice(_ENDINGS)}",
        "address2": f"Apt {rng.randint(11, 99)}",
        "city": city,
        "country": "USA",
        "state": state,
        "zip": f"{prefix:03d}{rng.randint(0, 99):02d}",
    }


def _methods(rng: Random, numbers: set[str]) -> Iterator[Row]:
    """Yield one or two credit cards, and up to two gift cards and two travel certificates of different amounts."""
    for last_four in rng.sample(range(1000, 10000), rng.choice((1, 1, 2))):
        card = {"source": "credit_card", "id": f"credit_card_{fresh(rng, numbers, 7)}"}
        yield card | {"brand": rng.choice(("visa", "mastercard")), "last_four": str(last_four)}
    for amount in rng.sample(range(35, 1200), rng.choice((0, 1, 1, 2))):
        yield {"source": "gift_card", "id": f"gift_card_{fresh(rng, numbers, 7)}", "amount": float(amount)}
    for amount in rng.sample(range(50, 425, 25), rng.choice((0, 1, 2, 2))):
        yield {"source": "certificate", "id": f"certificate_{fresh(rng, numbers, 7)}", "amount": float(amount)}


def _companions(rng: Random, me: Row) -> list[Row]:
    """Return one to four people. Each has a name of their own."""
    names = {(me["first_name"], me["last_name"])}
    found: list[Row] = []
    wanted = rng.choice((1, 2, 3, 3, 4))
    while len(found) < wanted:
        one = person(rng)
        if (one["first_name"], one["last_name"]) not in names:
            names.add((one["first_name"], one["last_name"]))
            found.append(one)
    return found
