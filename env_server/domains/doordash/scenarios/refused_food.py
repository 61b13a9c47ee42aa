"""Wishes for food that a rule forbids: the agent has to look, refuse, and order what the caller takes instead."""

from env_server.domains.doordash.clock import NOW
from env_server.domains.doordash.scenarios import baskets, phrases
from env_server.domains.doordash.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
    about_caller,
    about_place,
    look,
    open_user,
    write,
)
from env_server.domains.doordash.scenarios.ordering import ENOUGH, elsewhere, open_cart, strong_items
from env_server.domains.doordash.scenarios.refused import AS_SAID
from env_server.domains.kit import Request


def under_age(case: Case) -> Part:
    """Alcohol is for grown-ups; the caller then orders the food alone."""
    lines = baskets.draw(case, 1)
    strong = baskets.line(case, case.rng.choice(strong_items(case.at)), 1)
    way = baskets.checkout(case)
    food = baskets.details(case.place, lines) | way.details()
    both = food | baskets.details(case.place, [*lines, strong])
    return Part(
        requests=(
            Request(ask="I'd like to order some food and a drink.", details=both | AS_SAID),
            Request(ask=f"Then leave out the {strong['name']} and order the rest.", details=food),
        ),
        goal=f"You want to order food. {baskets.prose(both)} Only if the {strong['name']} is refused, you order the"
        " rest without it.",
        proof=(open_user(case),),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        slots={"lines": baskets.slots(lines), "strong": strong["line_id"], **way.slots()},
    )


def below_minimum(case: Case) -> Part:
    """A cart below the restaurant's minimum is not ordered; the caller then adds to it."""
    lines = [baskets.line(case, case.rng.choice(_cheap(case.at)), 1)]
    held = baskets.subtotal(lines)
    items = [i for i in case.world.menu(case.place) if _plain(i) and i["item_id"] != lines[0]["item_id"]]
    dear = case.rng.choice([i for i in items if i["price"] * 2 + held >= case.place["order_minimum"]])
    more, way = baskets.line(case, dear, 2), baskets.checkout(case)
    only = {"items": "Just what is in my cart."} | way.details()
    instead = {"items": f"Please add {phrases.dish(more)}, and order it all."} | way.details()
    return Part(
        requests=(
            Request(ask="Please order what is in my cart.", details=only | AS_SAID),
            Request(ask="Then add something to it and order it.", details=instead),
        ),
        goal=f"You want to order what is in your cart. {baskets.prose(way.details())} Only if that is refused, you want"
        f" {phrases.dish(more)} added, and all of it ordered.",
        proof=(open_cart(case),),
        writes=(baskets.add(case, more), way.call(case.user_id)),
        slots={"lines": baskets.slots([*lines, more]), **way.slots()},
        initial=baskets.cart(case, lines),
    )


def too_far(case: Case) -> Part:
    """An address beyond the restaurant's radius gets no delivery; the caller then has it sent home."""
    lines, near = baskets.draw(case, 2), baskets.checkout(case)
    far = baskets.Checkout(case.rng.choice(_out_of_range(case.at)), near.method, near.tip, near.instructions)
    food = baskets.details(case.place, lines)
    return Part(
        requests=(
            Request(ask="I'd like to order some food.", details=food | far.details() | AS_SAID),
            Request(ask=f"Then have it sent to {phrases.spot(near.address)}.", details=food | near.details()),
        ),
        goal=f"You want to order food. {baskets.prose(food | far.details())} Only if delivery there is refused, you"
        f" have it sent to {phrases.spot(near.address)} instead.",
        proof=(open_user(case),),
        writes=(*baskets.adds(case, lines), near.call(case.user_id)),
        slots={"lines": baskets.slots(lines), "far": far.address["address_id"], **near.slots()},
    )


def not_for_you(case: Case) -> Part:
    """A code for members or first orders is not for everybody; the caller then orders without one."""
    lines = baskets.draw(case, 2)
    while not (found := _others_codes(case.at, baskets.subtotal(lines))):
        lines = baskets.draw(case, 2 + len(lines))
    return _without_code(case, lines, case.rng.choice(found))


def run_out(case: Case) -> Part:
    """A code that has expired takes nothing off; the caller then orders without one."""
    over = [p for p in case.world.promos.values() if p["expires_at"] < NOW]
    return _without_code(case, baskets.draw(case, 2), case.rng.choice(over))


def _without_code(case: Case, lines: list[Row], promo: Row) -> Part:
    way = baskets.checkout(case)
    total = phrases.money(baskets.bill(case, lines, way.address, way.tip)["total"])
    answers = baskets.details(case.place, lines) | way.details()
    coded = {"code": f"The promo code is {promo['code']}."}
    return Part(
        requests=(
            Request(ask="I'd like to order food with a promo code.", details=answers | coded | AS_SAID),
            Request(
                ask="Then order it without a code, and tell me the total.",
                details=answers | {"code": "Without any code."},
                wants=(total,),
            ),
        ),
        goal=f"You want to order food with the promo code {promo['code']}. {baskets.prose(answers)} Only if the code is"
        " refused, you order without one, and want to know the total.",
        proof=(open_user(case), look("get_promo_details", code=promo["code"])),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        outputs=(total,),
        slots={"lines": baskets.slots(lines), "code": promo["code"], **way.slots()},
    )


def second_code(case: Case) -> Part:
    """An order takes one code; the caller then keeps the one that is on the cart."""
    lines = baskets.draw(case, 3)
    while len(found := baskets.codes(case.at, baskets.subtotal(lines))) < 2:
        lines = baskets.draw(case, 3 + len(lines))
    one, two = case.rng.sample(found, 2)
    way = baskets.checkout(case)
    total = phrases.money(baskets.bill(case, lines, way.address, way.tip, one)["total"])
    answers = {"items": "Just what is in my cart."} | way.details()
    both = {"code": f"The second code is {two['code']}. I want both."}
    return Part(
        requests=(
            Request(
                ask="Please order what is in my cart. There is a promo code on it, and I have a second one to add.",
                details=answers | both | {"confirm": "Only if both codes count."},
            ),
            Request(
                ask="Then keep the code that is on it, order it, and tell me the total.",
                details=answers | {"code": f"Only the one that is on it, {one['code']}."},
                wants=(total,),
            ),
        ),
        goal=f"You want to order what is in your cart, on which there is the promo code {one['code']}, and to use the"
        f" code {two['code']} as well. {baskets.prose(way.details())} Only if that is refused, you keep {one['code']}"
        " alone, and want to know the total.",
        proof=(open_cart(case),),
        writes=(way.call(case.user_id),),
        outputs=(total,),
        slots={"lines": baskets.slots(lines), "codes": [one["code"], two["code"]], **way.slots()},
        initial=baskets.cart(case, lines, one),
    )


def two_places(case: Case) -> Part:
    """A cart is for one restaurant; the caller then keeps it and has more of what is in it."""
    at = case.at
    place = case.rng.choice(elsewhere(at))
    wish = baskets.draw(case, 1, place=place, minimum=0.0)[:1]
    kept = case.rng.choice(list(at.cart["lines"].values()) if at.cart else [])
    count = kept["quantity"] + case.rng.choice((1, 2, 3))
    stays = {"cart": "All that is in my cart has to stay.", "confirm": "Only if what is in my cart stays there."}
    return Part(
        requests=(
            Request(
                ask="Please add something to my cart, next to what is in it. I will order later.",
                details=baskets.details(place, wish) | stays,
            ),
            Request(
                ask="Then let me just have more of what is in my cart.",
                details={"items": f"Make it {count} of the {kept['name']} in all."},
            ),
        ),
        goal=f"You want {phrases.dishes(wish)} from {place['name']} in {place['city']} put into your cart, where"
        f" everything has to stay. Only if that is refused, you want the {kept['name']} in it made {count} in all. You"
        " order later.",
        proof=(open_cart(case),),
        writes=(write("update_cart_item", user_id=case.user_id, line_id=kept["line_id"], quantity=count),),
        slots={"wish": baskets.slots(wish), "kept": kept["line_id"], "count": count},
    )


def closed(case: Case) -> Part:
    """A restaurant that is closed takes no order; the caller then orders from another."""
    place = case.rng.choice(_closed(case.at))
    wish, lines, way = baskets.draw(case, 1, place=place), baskets.draw(case, 2), baskets.checkout(case)
    first, second = baskets.details(place, wish), baskets.details(case.place, lines)
    return Part(
        requests=(
            Request(ask="I'd like to order some food.", details=first | way.details() | AS_SAID),
            Request(ask=f"Then I'd like something from {case.place['name']}.", details=second | way.details()),
        ),
        goal=f"You want to order food. {baskets.prose(first | way.details())} Only if that is refused, you order"
        f" elsewhere, to be sent and paid in the same way. {baskets.prose(second)}",
        proof=(open_user(case),),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        slots={"wish": baskets.slots(wish), "lines": baskets.slots(lines), **way.slots()},
    )


def _plain(item: Row) -> bool:
    return bool(item["stock"]) and not item["alcohol"]


def _cheap(at: Spot) -> list[Row]:
    """Food and drinks of which one alone, whatever its options, stays below the restaurant's minimum."""
    least = at.place["order_minimum"]
    return [i for i in at.kitchens.menu(at.place) if _plain(i) and _dearest(i) < least]


def _dearest(item: Row) -> float:
    extras: float = sum(max(choices.values()) for choices in item["options"].values())
    return float(item["price"]) + extras


def _out_of_range(at: Spot) -> list[Row]:
    return [address for address in at.addresses if address not in at.in_range]


def _others_codes(at: Spot, amount: float) -> list[Row]:
    """Codes that the tools would take but that are not meant for the caller."""
    ordered = bool(at.kitchens.orders_of(at.user))
    shut = {"members": at.user["membership"] == "none", "first_order": ordered, "everyone": False}
    return [p for p in at.kitchens.promos.values() if baskets.takes(at, p, amount) and shut[p["audience"]]]


def _closed(at: Spot) -> list[Row]:
    """Restaurants that take no orders now, but would deliver to the caller's home."""
    spots = [Spot(at.kitchens, at.user, {}, place) for place in at.kitchens.places_of(at.place["city"])]
    return [s.place for s in spots if not s.open and at.addresses[0] in s.in_range]


UNDER_AGE = about_place(under_age, lambda at: not at.adult and bool(strong_items(at)))
BELOW_MINIMUM = about_place(below_minimum, lambda at: bool(_cheap(at)))
TOO_FAR = about_place(too_far, lambda at: bool(_out_of_range(at)))
NOT_FOR_YOU = about_place(not_for_you, lambda at: bool(_others_codes(at, ENOUGH)))
RUN_OUT = about_place(run_out)
SECOND_CODE = about_place(second_code, lambda at: len(baskets.codes(at, ENOUGH)) > 1)
TWO_PLACES = about_caller(two_places, lambda at: at.cart is not None and bool(elsewhere(at)))
CLOSED = about_place(closed, lambda at: bool(_closed(at)))
