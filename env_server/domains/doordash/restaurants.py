"""The restaurants of the builtin world: where they are, when they are open, what they sell, and the promo codes."""

from math import hypot
from random import Random
from typing import Literal

from env_server.domains.doordash import menus, words
from env_server.domains.doordash.clock import WEEKDAYS
from env_server.domains.doordash.menus import Dish
from env_server.domains.doordash.tables import (
    Audience,
    Category,
    Cuisine,
    Diet,
    Hours,
    Item,
    PriceRange,
    Promo,
    Restaurant,
    Weekday,
)

Kind = Literal["percentage", "amount_off", "free_delivery"]

PER_CUISINE = 10
ZIPS = 8
"""The number of zip codes of each city."""

TAX_RATES = (8.25, 7.375, 6.5, 7.0)
"""The tax rate of each city, in per cent."""

_WIDTH, _DEPTH = 9.0, 6.0
"""The size of a city in miles."""

_DIFFERENT = 100
"""The range in cents over which item prices are spread around the dish's price, so that they rarely repeat."""

_LEVELS: dict[PriceRange, float] = {"$": 0.85, "$$": 1.0, "$$$": 1.35}
_DAY = ("11:00", "22:30")
_HOURS = (_DAY, _DAY, _DAY, ("10:30", "22:00"), ("12:00", "23:00"), ("07:00", "15:30"), ("20:00", "23:30"))
_SOLD_OUT = 0.08


def zips(city: int) -> list[str]:
    """Return the zip codes of the city with this number."""
    prefix = words.CITIES[city][2]
    return [f"{prefix}{city * 10 + i:02d}" for i in range(ZIPS)]


def restaurants(rng: Random) -> list[Restaurant]:
    """Return the restaurants: ten of each cuisine, distributed over the cities in turn, each with a unique name."""
    maps = [{code: (rng.uniform(0, _WIDTH), rng.uniform(0, _DEPTH)) for code in zips(i)} for i in range(4)]
    numbers = iter(rng.sample(range(1000, 10000), PER_CUISINE * len(menus.CUISINES)))
    found: list[Restaurant] = []
    for cuisine in menus.CUISINES:
        named = rng.sample([f"{a} {n}" for n in words.NOUNS[cuisine] for a in words.ADJECTIVES], PER_CUISINE)
        found += [
            _restaurant(rng, f"rest_{next(numbers)}", name, cuisine, len(found) + i, maps)
            for i, name in enumerate(named)
        ]
    return found


def _restaurant(
    rng: Random, key: str, name: str, cuisine: Cuisine, number: int, maps: list[dict[str, tuple[float, float]]]
) -> Restaurant:
    city = number % len(words.CITIES)
    code = rng.choice(list(maps[city]))
    x, y = (at + rng.uniform(-0.6, 0.6) for at in maps[city][code])
    miles = {c: max(0.3, round(hypot(x - at[0], y - at[1]), 1)) for c, at in maps[city].items()}
    return {
        "restaurant_id": key,
        "name": name,
        "cuisine": cuisine,
        "city": words.CITIES[city][0],
        "zip": code,
        "phone": f"{310 + city}-555-{2000 + number:04d}",
        "price_range": rng.choice(list(_LEVELS)),
        "rating": rng.randint(32, 49) / 10,
        "dietary": [],
        "hours": _hours(rng),
        "accepting_orders": rng.random() > 0.06,
        "order_minimum": float(rng.choice((10, 12, 15, 15, 18, 20))),
        "prep_minutes": rng.choice((15, 20, 20, 25, 30)),
        "delivery_radius": rng.choice((3.5, 4.0, 4.5, 5.0, 6.0)),
        "miles": miles,
        "tax_rate": TAX_RATES[city],
    }


def _hours(rng: Random) -> dict[Weekday, Hours]:
    opens, closes = rng.choice(_HOURS)
    off = rng.choice(("monday", "tuesday", "sunday", None, None))
    return {day: {"opens": opens, "closes": closes} for day in WEEKDAYS if day != off}


def items(rng: Random, restaurant: Restaurant, taken: set[str]) -> list[Item]:
    """Return the restaurant's menu of 14 to 18 items, and set its `dietary` field."""
    own = rng.sample(menus.CUISINES[restaurant["cuisine"]], rng.randint(10, 12))
    shared = _some(rng, "drink", 2, 3) + _some(rng, "dessert", 1, 2) + _some(rng, "alcohol", 1, 2)
    order = list(menus.OPTIONS)
    dishes = sorted([*own, *shared], key=lambda dish: order.index(dish.category))
    made = [_item(rng, restaurant, dish, taken) for dish in dishes]
    diets: list[Diet] = ["vegetarian", "vegan", "gluten-free", "halal"]
    cooked = [item for item in made if item["category"] in {"starter", "main", "bowl"}]
    restaurant["dietary"] = [d for d in diets if sum(d in item["dietary"] for item in cooked) >= 3]
    return made


def _some(rng: Random, category: Category, fewest: int, most: int) -> list[Dish]:
    dishes = [dish for dish in menus.EVERYWHERE if dish.category == category]
    return rng.sample(dishes, rng.randint(fewest, most))


def _item(rng: Random, restaurant: Restaurant, dish: Dish, taken: set[str]) -> Item:
    while (key := f"item_{rng.randrange(10000, 100000)}") in taken:
        pass
    taken.add(key)
    price = round(dish.price * 100 * _LEVELS[restaurant["price_range"]]) + rng.randrange(_DIFFERENT)
    offered = menus.OPTIONS[dish.category]
    first, *rest = offered
    return {
        "item_id": key,
        "restaurant_id": restaurant["restaurant_id"],
        "name": dish.name,
        "category": dish.category,
        "price": price / 100,
        "stock": 0 if rng.random() < _SOLD_OUT else rng.randint(12, 60),
        "dietary": list(dish.dietary),
        "alcohol": dish.category == "alcohol",
        "options": {name: dict(offered[name]) for name in (first, *(r for r in rest if rng.random() < 0.7))},
    }


_PROMOS: tuple[tuple[str, Kind, float, float, Audience], ...] = (
    ("FEAST20", "percentage", 20, 30, "everyone"),
    ("TENOFF", "percentage", 10, 15, "everyone"),
    ("EVENING5", "amount_off", 5, 25, "everyone"),
    ("SUPPER8", "amount_off", 8, 40, "everyone"),
    ("FREERIDE", "free_delivery", 0, 20, "everyone"),
    ("DOORSTEP", "free_delivery", 0, 12, "everyone"),
    ("PLUS25", "percentage", 25, 20, "members"),
    ("PLUS6", "amount_off", 6, 18, "members"),
    ("INNERCIRCLE", "percentage", 15, 10, "members"),
    ("WELCOME50", "percentage", 50, 15, "first_order"),
    ("HELLO12", "amount_off", 12, 25, "first_order"),
    ("FIRSTBITE", "free_delivery", 0, 10, "first_order"),
    ("WINTER15", "percentage", 15, 15, "everyone"),
    ("NEWYEAR10", "amount_off", 10, 30, "everyone"),
    ("FROST", "free_delivery", 0, 10, "everyone"),
    ("SNOWDAY7", "amount_off", 7, 20, "everyone"),
)
EXPIRED = ("WINTER15", "NEWYEAR10", "FROST", "SNOWDAY7")
"""Codes that ended before the present moment."""

_MOST_OFF = 15.0


def promos(rng: Random, places: list[Restaurant]) -> list[Promo]:
    """Return the promo codes: those of the service, some of them expired, and one for every fifth restaurant."""
    found = [_promo(*entry, expires=_expires(rng, entry[0])) for entry in _PROMOS]
    for place in places[::5]:
        code = f"{place['name'].split()[-1].upper()}{rng.randint(10, 99)}"
        own = _promo(code, "amount_off", float(rng.randint(3, 7)), 20, "everyone", expires="2026-04-30T23:59")
        found.append({**own, "restaurant_id": place["restaurant_id"]})
    return found


def _expires(rng: Random, code: str) -> str:
    if code in EXPIRED:
        return f"2026-{rng.choice(('01', '02'))}-{rng.randint(10, 28)}T23:59"
    return f"2026-{rng.choice(('03-20', '03-31', '04-15', '05-31'))}T23:59"


def _promo(code: str, kind: Kind, value: float, minimum: float, audience: Audience, *, expires: str) -> Promo:
    promo: Promo = {
        "code": code,
        "kind": kind,
        "value": float(value),
        "minimum_subtotal": float(minimum),
        "expires_at": expires,
        "audience": audience,
    }
    if kind == "percentage":
        promo["max_discount"] = _MOST_OFF
    return promo
