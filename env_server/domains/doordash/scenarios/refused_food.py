"""Wishes for food that the rows grant or forbid. The same words lead to an order, or to a refusal after a look-up."""

from math import ceil
from typing import cast

from env_server.domains.doordash.clock import NOW, WEEKDAYS, age
from env_server.domains.doordash.scenarios import asks, baskets, goals, patches, wording
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios.base import (
    Case,
    Fate,
    Row,
    Spot,
    Wish,
    about_place,
    check_way,
    decided,
    open_cart,
    open_place,
    open_user,
)
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.doordash.scenarios.ordering import elsewhere, strong_items
from env_server.domains.doordash.scenarios.refused import in_range, out_of_range
from env_server.domains.doordash.tables import Restaurant
from env_server.domains.kit import Form, Known, Patch, Refusal, change, money, wish

TODAY = WEEKDAYS[4]
"""The weekday of the present moment."""

GROWN_UP = "1991-04-17"
"""The date of birth of a person who may have alcohol."""


def under_age(case: Case) -> Wish:
    """Alcohol is only for adults. The caller then orders the food alone."""
    lines = baskets.draw(case, 1)
    strong = baskets.line(case, case.rng.choice(strong_items(case.at)), 1)
    way, both = baskets.checkout(case, strong=True), [*lines, strong]
    answers = baskets.food(case, both) | way.details(case)
    alone = answers | {"items": said.dishes(case, lines, but=(strong["name"],))}
    order = (*baskets.adds(case, both), way.call(case.user_id))
    years, born = age(case.user["date_of_birth"]), case.user["date_of_birth"]
    young: tuple[Form, ...] = (
        *(born, str(years), "under 21", "under the age of 21", "underage", "under age", "younger than 21"),
        *("not yet 21", "not 21", "below 21", "below the age of 21", "at least 21", "21 or older", "minor"),
    )
    requests = (
        wish(
            case,
            *asks.FOOD_AND_DRINK,
            details=said.known(answers),
            changes=(baskets.ordering(answers, [*baskets.shapes(both), way.shape()]),),
        ),
        wish(
            case,
            *asks.JUST_FOOD,
            details=said.known(alone),
            changes=(baskets.ordering(alone, [*baskets.shapes(lines), way.shape()]),),
            instead=True,
        ),
    )
    return decided(
        case,
        requests,
        f"{goals.goal(case, asks.FOOD_AND_DRINK, answers)} {goals.instead(case, asks.JUST_FOOD)}",
        (open_user(case),),
        {"lines": baskets.slots(lines), "strong": strong["line_id"], **way.slots()},
        due=Fate(writes=order, initial=patches.user(case, date_of_birth=GROWN_UP)),
        otherwise=Fate(
            writes=(*baskets.adds(case, lines), way.call(case.user_id)),
            refusals=(
                Refusal(
                    f"the {strong['name']} is alcohol, and by your date of birth you are {years}",
                    young,
                    about=(strong["name"], "alcohol", "drink"),
                ),
            ),
        ),
    )


def below_minimum(case: Case) -> Wish:
    """A cart below the restaurant's minimum cannot be ordered. The caller then adds to it."""
    one = baskets.line(case, case.rng.choice(_cheap(case.at)), 1)
    held, least = baskets.subtotal([one]), case.place["order_minimum"]
    many = baskets.line(case, case.world.items[one["item_id"]], ceil(least / held) + 1, one["options"])
    items = [i for i in case.world.menu(case.place) if _plain(i) and i["item_id"] != one["item_id"]]
    dear = case.rng.choice([i for i in items if i["price"] * 2 + held >= least])
    more, way = baskets.line(case, dear, 2), baskets.checkout(case)
    content = Detail(Known(case.voice.pick(*wording.IN_CART), ("cart", "basket", one["name"])), "what is in your cart")
    answers = {"items": content} | way.details(case)
    fuller = answers | {"items": said.dishes(case, [more], but=(one["name"],))}
    requests = (
        wish(
            case,
            *asks.CART,
            details=said.known(answers),
            changes=(baskets.ordering(answers, [way.shape()]),),
        ),
        wish(
            case,
            *asks.ADD_AND_ORDER,
            details=said.known(fuller),
            changes=(baskets.ordering(fuller, [*baskets.shapes([more]), way.shape()]),),
            instead=True,
        ),
    )
    refusal = Refusal(
        f"the cart comes to ${money(held)}, and {case.place['name']} takes no order below ${money(least)}",
        (money(held), money(least)),
        about=("cart", "minimum"),
    )
    goal = " ".join(
        (
            goals.goal(case, asks.CART, answers),
            goals.instead(case, asks.ADD_AND_ORDER, {"items": fuller["items"]}),
        )
    )
    return decided(
        case,
        requests,
        goal,
        (open_cart(case),),
        {"lines": baskets.slots([one, more]), **way.slots()},
        due=Fate(writes=(way.call(case.user_id),), initial=baskets.cart(case, [many])),
        otherwise=Fate(
            writes=(baskets.add(case, more), way.call(case.user_id)),
            refusals=(refusal,),
            initial=baskets.cart(case, [one]),
        ),
    )


def too_far(case: Case) -> Wish:
    """An address beyond the restaurant's radius gets no delivery. The caller then orders to their home."""
    lines, near = baskets.draw(case, 2), baskets.checkout(case)
    address = case.rng.choice(_out_of_range(case.at))
    far = baskets.Checkout(address, near.method, near.tip, near.instructions)
    answers = baskets.food(case, lines) | far.details(case)
    home = answers | {"address": said.spot(case, near.address)}
    requests = (
        wish(
            case,
            *asks.FOOD,
            details=said.known(answers),
            changes=(baskets.ordering(answers, [*baskets.shapes(lines), far.shape()]),),
        ),
        wish(
            case,
            *asks.SEND_HOME,
            details=said.known(home),
            changes=(baskets.ordering(home, [*baskets.shapes(lines), near.shape()]),),
            instead=True,
        ),
    )
    goal = " ".join(
        (goals.goal(case, asks.FOOD, answers), goals.instead(case, asks.SEND_HOME, {"address": home["address"]}))
    )
    fill = baskets.adds(case, lines)
    return decided(
        case,
        requests,
        goal,
        (open_user(case), check_way(case, address)),
        {"lines": baskets.slots(lines), "far": address["address_id"], **near.slots()},
        due=Fate(
            writes=(*fill, far.call(case.user_id)),
            initial=patches.place(case.place, **in_range(case, address)),
        ),
        otherwise=Fate(
            writes=(*fill, near.call(case.user_id)),
            refusals=(out_of_range(case, address, "deliver", "address"),),
        ),
    )


def not_for_you(case: Case) -> Wish:
    """A code for members or first orders is not valid for every caller. The caller then orders without one."""
    lines = baskets.draw(case, 2)
    while not (found := _others_codes(case.at, baskets.subtotal(lines))):
        lines = baskets.draw(case, 2 + len(lines))
    promo = case.rng.choice(found)
    orders = case.world.orders_of(case.user)
    if promo["audience"] == "members":
        says = f"the code {promo['code']} is for customers with the plus membership, which you do not have"
        because: tuple[Form, ...] = ("plus", "membership", "members", "member")
        becomes = patches.user(case, membership="plus")
    else:
        says = f"the code {promo['code']} is for a first order, and you have ordered before ({len(orders)} times)"
        because = (
            *("first order", "first orders", "first time", "ordered before", "new customer", "first_order"),
            *("already ordered", "never ordered", "previous order", "past order", "earlier order"),
        )
        becomes = {"orders": dict.fromkeys(order["order_id"] for order in orders)}
    return _coded(case, lines, promo, Refusal(says, because, ("expired",), ("code", promo["code"])), becomes)


def run_out(case: Case) -> Wish:
    """An expired code gives no discount. The caller then orders without one."""
    over = [p for p in case.world.promos.values() if _over(case.at, p)]
    lines, found = baskets.draw(case, 2), list[Row]()
    while not (found := [p for p in over if p["minimum_subtotal"] <= baskets.subtotal(lines)]):
        lines = baskets.draw(case, 2 + len(lines))
    promo = case.rng.choice(found)
    ended = promo["expires_at"][:10]
    refusal = Refusal(f"the code {promo['code']} expired on {ended}", (ended,), about=("code", promo["code"]))
    lasts = {"promos": {promo["code"]: {"expires_at": "2026-04-30T23:59"}}}
    return _coded(case, lines, promo, refusal, lasts)


def _coded(case: Case, lines: list[Row], promo: Row, refusal: Refusal, good: Patch) -> Wish:
    """Return the wish for `lines` with a code. The code is valid if the rows are `good`; otherwise the caller orders
    without it.
    """
    way = baskets.checkout(case)
    answers = baskets.food(case, lines) | {"code": said.code(case, promo)} | way.details(case)
    plain = {topic: detail for topic, detail in answers.items() if topic != "code"}
    total = money(baskets.bill(case, lines, way.address, way.tip)["total"])
    want, tell = baskets.total_told(total, wish=1)
    fill = baskets.adds(case, lines)
    requests = (
        wish(
            case,
            *asks.WITH_CODE,
            details=said.known(answers),
            changes=(baskets.ordering(answers, [*baskets.shapes(lines), baskets.code_shape(promo), way.shape()]),),
        ),
        wish(
            case,
            *asks.NO_CODE,
            details=said.known(plain),
            changes=(baskets.ordering(plain, [*baskets.shapes(lines), way.shape()]),),
            wants=(want,),
            instead=True,
        ),
    )
    return decided(
        case,
        requests,
        f"{goals.goal(case, asks.WITH_CODE, answers)} {goals.instead(case, asks.NO_CODE)}",
        (open_user(case), baskets.look_at(promo)),
        {"lines": baskets.slots(lines), "code": promo["code"], **way.slots()},
        due=Fate(writes=(*fill, baskets.code_call(case, promo), way.call(case.user_id)), initial=good),
        otherwise=Fate(writes=(*fill, way.call(case.user_id)), tells=(tell,), refusals=(refusal,)),
    )


def second_code(case: Case) -> Wish:
    """An order takes one code. If the cart has one already, the caller keeps only that code."""
    lines = baskets.draw(case, 3)
    while len(found := baskets.codes(case.at, baskets.subtotal(lines))) < 2:
        lines = baskets.draw(case, 3 + len(lines))
    (one, two), way = case.rng.sample(found, 2), baskets.checkout(case)
    total = money(baskets.bill(case, lines, way.address, way.tip, one)["total"])
    want, tell = baskets.total_told(total, wish=1)
    names = tuple(dict.fromkeys(line["name"] for line in lines))
    content = Detail(Known(case.voice.pick(*wording.IN_CART), ("cart", "basket", names)), "what is in your cart")
    plain = {"items": content} | way.details(case)
    answers = plain | {"code": said.code(case, two, *asks.EXTRA_CODE)}
    requests = (
        wish(
            case,
            *asks.TWO_CODES,
            details=said.known(answers),
            changes=(baskets.ordering(answers, [baskets.code_shape(two), way.shape()]),),
        ),
        wish(
            case,
            *asks.ONE_CODE,
            details=said.known(plain),
            changes=(baskets.ordering(plain, [way.shape()]),),
            wants=(want,),
            instead=True,
        ),
    )
    refusal = Refusal(
        f"the code {one['code']} is on the cart already, and an order takes one code",
        (one["code"],),
        about=("code", two["code"]),
    )
    return decided(
        case,
        requests,
        f"{goals.goal(case, asks.TWO_CODES, answers)} {goals.instead(case, asks.ONE_CODE)}",
        (open_cart(case),),
        {"lines": baskets.slots(lines), "codes": [one["code"], two["code"]], **way.slots()},
        due=Fate(
            writes=(baskets.code_call(case, two), way.call(case.user_id)),
            initial=baskets.cart(case, lines),
        ),
        otherwise=Fate(
            writes=(way.call(case.user_id),),
            tells=(tell,),
            refusals=(refusal,),
            initial=baskets.cart(case, lines, one),
        ),
    )


def two_places(case: Case) -> Wish:
    """A cart holds food from one restaurant. If it holds another's food, the caller then has it emptied."""
    place = case.rng.choice(elsewhere(case.at))
    new = baskets.draw(case, 1, place=place, minimum=0.0)[:1]
    held = baskets.draw(case, 2, minimum=0.0)
    beside = [i for i in case.world.menu(place) if _plain(i) and i["item_id"] != new[0]["item_id"]]
    same = [baskets.line(case, case.rng.choice(beside), 1)]
    stays = Detail(Known(case.voice.pick(*asks.ALL_STAYS)), "all of your cart staying")
    food = baskets.food(case, new, place=place)
    answers = food | {"cart": stays}
    requests = (
        wish(
            case,
            *asks.ADD_TO_CART,
            details=said.known(answers),
            changes=(
                change(
                    f"add {food['items'].words} from {place['name']} to your cart",
                    "it has been added to your cart",
                    verbs=("add", "put"),
                    names=("restaurant", "items"),
                    calls=baskets.shapes(new),
                ),
            ),
        ),
        wish(
            case,
            *asks.EMPTY_AND_FILL,
            details=said.known(food),
            changes=(
                change(
                    f"empty your cart and put {food['items'].words} from {place['name']} into it",
                    "your cart has been emptied and filled anew",
                    verbs=baskets.FILLING,
                    names=("restaurant", "items"),
                    calls=baskets.shapes(new),
                ),
            ),
            instead=True,
        ),
    )
    refusal = Refusal(
        f"your cart holds food of {case.place['name']}, and a cart is for one restaurant",
        (case.place["name"], *(line["name"] for line in held)),
        about=("cart", "add"),
    )
    return decided(
        case,
        requests,
        f"{goals.goal(case, asks.ADD_TO_CART, answers)} {goals.instead(case, asks.EMPTY_AND_FILL)}",
        (open_cart(case),),
        {"wish": baskets.slots(new), "held": baskets.slots(held)},
        due=Fate(writes=baskets.adds(case, new), initial=baskets.cart(case, same, place=place)),
        otherwise=Fate(
            writes=baskets.adds(case, new, replace=True),
            refusals=(refusal,),
            initial=baskets.cart(case, held),
        ),
    )


def closed(case: Case) -> Wish:
    """A closed restaurant takes no order. The caller then orders from another."""
    place = case.rng.choice(_closed(case.at))
    first, lines, way = baskets.draw(case, 1, place=place), baskets.draw(case, 2), baskets.checkout(case)
    shared = way.details(case)
    answers = baskets.food(case, first, place=place) | shared
    other = baskets.food(case, lines) | shared
    requests = (
        wish(
            case,
            *asks.FOOD,
            details=said.known(answers),
            changes=(baskets.ordering(answers, [*baskets.shapes(first), way.shape()]),),
        ),
        wish(
            case,
            *asks.OTHER_RESTAURANT,
            details=said.known(other),
            changes=(baskets.ordering(other, [*baskets.shapes(lines), way.shape()]),),
            instead=True,
        ),
    )
    goal = " ".join(
        (
            goals.goal(case, asks.FOOD, answers),
            goals.instead(case, asks.OTHER_RESTAURANT, {t: other[t] for t in ("restaurant", "items")}),
        )
    )
    hours = {TODAY: {"opens": "11:00", "closes": "22:30"}}
    return decided(
        case,
        requests,
        goal,
        (open_user(case), open_place(case, place)),
        {"wish": baskets.slots(first), "lines": baskets.slots(lines), **way.slots()},
        due=Fate(
            writes=(*baskets.adds(case, first), way.call(case.user_id)),
            initial=patches.place(place, hours=hours, accepting_orders=True),
        ),
        otherwise=Fate(
            writes=(*baskets.adds(case, lines), way.call(case.user_id)),
            refusals=(_closing(place),),
        ),
    )


def _closing(place: Row) -> Refusal:
    """Return the reason why the restaurant takes no order now: today's hours, or a pause."""
    hours, name = cast(Restaurant, place)["hours"].get(TODAY), place["name"]
    about = (name, "restaurant")
    if hours is not None and not hours["opens"] <= NOW[11:] < hours["closes"]:
        says = f"{name} is open from {hours['opens']} to {hours['closes']} today"
        return Refusal(says, (hours["opens"], hours["closes"]), about=about)
    because = ("not accepting", "takes no orders", "not taking", "paused", "no orders now", "does not accept")
    return Refusal(f"{name} is not accepting orders now", because, about=about)


def _over(at: Spot, promo: Row) -> bool:
    """Return whether the code has expired and would otherwise be valid for the caller and the restaurant."""
    return promo["expires_at"] < NOW and promo["code"] not in at.user["promos_used"] and promo["audience"] == "everyone"


def _plain(item: Row) -> bool:
    return bool(item["stock"]) and not item["alcohol"]


def _cheap(at: Spot) -> list[Row]:
    """Return items of which one is below the restaurant's minimum and a few reach it."""
    least = at.place["order_minimum"]
    menu = (i for i in at.kitchens.menu(at.place) if _plain(i))
    return [i for i in menu if _dearest(i) < least <= 4 * i["price"]]


def _dearest(item: Row) -> float:
    extras: float = sum(max(choices.values()) for choices in item["options"].values())
    return float(item["price"]) + extras


def _out_of_range(at: Spot) -> list[Row]:
    return [address for address in at.addresses if address not in at.in_range]


def _others_codes(at: Spot, amount: float) -> list[Row]:
    """Return codes that the tools accept but that are not meant for the caller."""
    ordered = bool(at.kitchens.orders_of(at.user))
    shut = {"members": at.user["membership"] == "none", "first_order": ordered, "everyone": False}
    return [p for p in at.kitchens.promos.values() if baskets.takes(at, p, amount) and shut[p["audience"]]]


def _closed(at: Spot) -> list[Row]:
    """Return the restaurants that take no orders now, but deliver to all addresses of the caller that this one
    delivers to.
    """
    spots = [Spot(at.kitchens, at.user, {}, place) for place in at.kitchens.places_of(at.place["city"])]
    return [s.place for s in spots if not s.open and all(address in s.in_range for address in at.in_range)]


ENOUGH = 1000.0
"""A subtotal in dollars that satisfies every promo's minimum."""

UNDER_AGE = about_place(under_age, lambda at: not at.adult and bool(strong_items(at)))
BELOW_MINIMUM = about_place(below_minimum, lambda at: bool(_cheap(at)))
TOO_FAR = about_place(too_far, lambda at: bool(_out_of_range(at)))
NOT_FOR_YOU = about_place(not_for_you, lambda at: bool(_others_codes(at, ENOUGH)))
RUN_OUT = about_place(run_out, lambda at: any(_over(at, p) for p in at.kitchens.promos.values()))
SECOND_CODE = about_place(second_code, lambda at: len(baskets.codes(at, ENOUGH)) > 1)
TWO_PLACES = about_place(two_places, lambda at: bool(elsewhere(at)))
CLOSED = about_place(closed, lambda at: bool(_closed(at)))
