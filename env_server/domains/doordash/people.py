"""The users of the builtin world: names, addresses and payment methods."""

from datetime import date, timedelta
from random import Random
from typing import Any, cast

from env_server.domains.doordash import ids, words
from env_server.domains.doordash.clock import NOW
from env_server.domains.doordash.restaurants import zips
from env_server.domains.doordash.tables import User
from env_server.domains.kit import fresh, street

_MINORS = 0.14
"""Share of users between 18 and 20, who may buy no alcohol."""

_MEMBERS = 0.35
_YEAR = 365.25


def users(rng: Random, count: int) -> list[User]:
    """Return `count` user rows. Names may repeat. Email addresses and phone numbers are unique."""
    rows: list[User] = []
    taken: set[str] = set()
    while len(rows) < count:
        first, last = rng.choice(words.FIRST), rng.choice(words.LAST)
        user_id = f"{first}_{last}_{rng.randint(1000, 9999)}".lower()
        email = f"{first}.{last}{rng.randint(10, 9999)}@example.com".lower()
        if {user_id, email} & taken:
            continue
        taken |= {user_id, email}
        city = len(rows) % len(words.CITIES)
        addresses = _addresses(rng, user_id, city)
        row = {
            "user_id": user_id,
            "name": {"first_name": first, "last_name": last},
            "email": email,
            "phone": f"{310 + city}-{556 + len(rows) // 10000:03d}-{len(rows) % 10000:04d}",
            "date_of_birth": _birth(rng),
            "membership": "plus" if rng.random() < _MEMBERS else "none",
            "addresses": addresses,
            "default_address_id": next(iter(addresses)),
            "payment_methods": _payment_methods(rng, taken),
            "promos_used": [],
        }
        rows.append(cast(User, row))
    return rows


def address(rng: Random, city: int) -> dict[str, str]:
    """Return an address in the city with this number, without id and label."""
    name, state, _ = words.CITIES[city]
    return {
        "address1": street(rng, words.STREETS, words.ENDINGS),
        "address2": rng.choice(("", f"Apt {rng.randint(2, 98)}", f"Floor {rng.randint(2, 30)}")),
        "city": name,
        "state": state,
        "zip": rng.choice(zips(city)),
    }


def _addresses(rng: Random, user_id: str, city: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for label in words.LABELS[: rng.choice((1, 2, 2, 3))]:
        parts = address(rng, city)
        key = ids.address_id(user_id, parts, found.__contains__)
        found[key] = {"address_id": key, "label": label, **parts}
    return found


def _birth(rng: Random) -> str:
    years = rng.uniform(18.1, 20.9) if rng.random() < _MINORS else rng.uniform(21.1, 78)
    return (date.fromisoformat(NOW[:10]) - timedelta(days=round(years * _YEAR))).isoformat()


def _payment_methods(rng: Random, taken: set[str]) -> dict[str, Any]:
    """Return a card, a PayPal account or several of them, and always the credits."""
    kinds = rng.choice((["credit_card"], ["paypal"], ["credit_card", "credit_card"], ["credit_card", "paypal"]))
    methods: dict[str, Any] = {}
    fours = iter(rng.sample(range(1000, 10000), len(kinds)))
    for kind in (*kinds, "credits"):
        method: dict[str, Any] = {"source": kind, "id": f"{kind}_{fresh(rng, taken, 7)}"}
        if kind == "credit_card":
            method |= {"brand": rng.choice(words.BRANDS), "last_four": str(next(fours))}
        if kind == "credits":
            method["balance"] = rng.choice((0.0, rng.randint(100, 3000) / 100, rng.randint(3000, 15000) / 100))
        methods[method["id"]] = method
    return methods
