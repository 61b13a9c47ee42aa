"""The builtin base: a seeded food delivery service. The same rows in every process."""

from random import Random
from typing import Any

from env_server.domains.doordash import people
from env_server.domains.doordash import restaurants as catalogue
from env_server.domains.doordash.history import History
from env_server.domains.doordash.tables import Restaurant

SEED = 20260313
USERS = 680
ORDERS = 2200


def world(*, scale: int = 1) -> dict[str, list[Any]]:
    """Return the rows of all tables. `scale` multiplies the users, carts and orders; the number of restaurants is
    fixed.
    """
    rng = Random(SEED)
    places = catalogue.restaurants(rng)
    taken: set[str] = set()
    menus = {place["restaurant_id"]: catalogue.items(rng, place, taken) for place in places}
    promos = catalogue.promos(rng, places)
    users = people.users(rng, USERS * scale)
    history = History(rng, menus, promos, _by_city(places))
    history.fill(users, ORDERS * scale)
    carts = [cart for user in users if (cart := history.cart(user)) is not None]
    return {
        "restaurants": places,
        "items": [item for menu in menus.values() for item in menu],
        "promos": promos,
        "users": users,
        "carts": carts,
        "orders": list(history.orders.values()),
    }


def _by_city(places: list[Restaurant]) -> dict[str, list[Restaurant]]:
    found: dict[str, list[Restaurant]] = {}
    for place in places:
        found.setdefault(place["city"], []).append(place)
    return found
