"""Plain wishes for food: filling a cart, changing it, and ordering what is in it."""

from math import ceil

from env_server.domains.doordash import pricing
from env_server.domains.doordash.scenarios import baskets, phrases
from env_server.domains.doordash.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
    about_caller,
    about_place,
    look,
    open_menu,
    open_user,
    write,
)
from env_server.domains.kit import GoldCall, Request

ENOUGH_CREDITS = 75.0
"""Dollars of credits that cover a small order whatever it is."""

ENOUGH = 1000.0
"""Dollars that satisfy every promo's minimum."""

ASKS = ("I'd like to order some food.", "I want to place an order.", "Can you order something to eat for me?")


def open_cart(case: Case) -> GoldCall:
    """The look-up of the caller's cart, with or without a bill."""
    return look("get_cart", "user_id", user_id=case.user_id)


def _ordered(case: Case, lines: list[Row], way: baskets.Checkout, *, told: bool) -> Part:
    """The wish for `lines` from the case's restaurant, `way` said in full."""
    answers = baskets.details(case.place, lines) | way.details()
    total = phrases.money(baskets.bill(case, lines, way.address, way.tip)["total"])
    asks = " Please also tell me the total." if told else ""
    return Part(
        requests=(
            Request(ask=phrases.one_of(case.rng, *ASKS) + asks, details=answers, wants=(total,) if told else ()),
        ),
        goal=f"You want to order food. {baskets.prose(answers)}" + (" You want to be told the total." if told else ""),
        reads=(open_menu(case),),
        proof=(open_user(case),) if told else (),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        outputs=(total,) if told else (),
        slots={"lines": baskets.slots(lines), **way.slots()},
    )


def dish(case: Case) -> Part:
    """Order one thing, or as many as the restaurant's minimum takes."""
    return _ordered(case, baskets.draw(case, 1), baskets.checkout(case), told=False)


def meal(case: Case) -> Part:
    """Order several things and hear the total."""
    return _ordered(case, baskets.draw(case, case.rng.choice((2, 3))), baskets.checkout(case), told=True)


def drinks(case: Case) -> Part:
    """Order food with something alcoholic, as a grown-up may; it is handed over in person."""
    lines = baskets.draw(case, 1)
    strong = case.rng.choice(strong_items(case.at))
    lines.append(baskets.line(case, strong, case.rng.choice((1, 2))))
    return _ordered(case, lines, baskets.checkout(case, strong=True), told=False)


def with_code(case: Case) -> Part:
    """Order with a promo code that is good, and hear the total."""
    lines, found = baskets.draw(case, 2), list[Row]()
    while not (found := baskets.codes(case.at, baskets.subtotal(lines))):
        lines = baskets.draw(case, 2 + len(lines))
    promo, way = case.rng.choice(found), baskets.checkout(case)
    answers = baskets.details(case.place, lines) | {"code": f"The promo code is {promo['code']}."} | way.details()
    total = phrases.money(baskets.bill(case, lines, way.address, way.tip, promo)["total"])
    ask = "I'd like to order some food with a promo code, and to know the total."
    return Part(
        requests=(Request(ask=ask, details=answers, wants=(total,)),),
        goal=f"You want to order food with a promo code and to be told the total. {baskets.prose(answers)}",
        proof=(open_user(case),),
        writes=(
            *baskets.adds(case, lines),
            write("apply_promo", user_id=case.user_id, code=promo["code"]),
            way.call(case.user_id),
        ),
        outputs=(total,),
        slots={"lines": baskets.slots(lines), "code": promo["code"], **way.slots()},
    )


def cheapest(case: Case) -> Part:
    """Order the cheapest or dearest main dish for a diet, which the agent has to find on the menu."""
    diet = case.rng.choice(_diets(case.at))
    which, pick = case.rng.choice((("cheapest", min), ("most expensive", max)))
    item = pick(_mains(case.at, diet), key=lambda i: i["price"])
    least = max(case.place["order_minimum"], pricing.SMALL_ORDER)
    lines = [baskets.line(case, item, max(case.rng.choice((1, 2)), ceil(least / item["price"])), {})]
    way, count = baskets.checkout(case), lines[0]["quantity"]
    answers = baskets.details(case.place, lines) | way.details()
    answers["items"] = (
        f"I would like {count} of the {which} {diet} dish among their mains that is not sold out. For every option of"
        " it I take the first choice."
    )
    price = phrases.money(item["price"])
    return Part(
        requests=(
            Request(ask="I'd like to order a main dish, and to know its price.", details=answers, wants=(price,)),
        ),
        goal=f"You want to order a main dish and to be told the price of one. {baskets.prose(answers)}",
        proof=(open_user(case), open_menu(case)),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        outputs=(price,),
        slots={"lines": baskets.slots(lines), "diet": diet, "which": which, **way.slots()},
    )


def with_credits(case: Case) -> Part:
    """Order something small on credits and hear what is left of them."""
    credits = next(m for m in case.methods.values() if m["source"] == "credits")
    way = baskets.checkout(case, method=credits)
    lines = baskets.draw(case, 1)
    while (total := baskets.bill(case, lines, way.address, way.tip)["total"]) > credits["balance"]:
        lines = baskets.draw(case, 1)
    left = phrases.money(credits["balance"] - total)
    answers = baskets.details(case.place, lines) | way.details()
    ask = "I'd like to order food and pay with my credits. How much will be left of them?"
    return Part(
        requests=(Request(ask=ask, details=answers, wants=(left,)),),
        goal=f"You want to order food on your credits and to be told what is left of them. {baskets.prose(answers)}",
        proof=(open_user(case),),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        outputs=(left,),
        slots={"lines": baskets.slots(lines), **way.slots()},
    )


def cart_lines(case: Case) -> list[Row]:
    """The lines that the caller left in their cart."""
    cart = case.at.cart or {"lines": {}}
    return list(cart["lines"].values())


def finish(case: Case) -> Part:
    """Order what is in the cart and hear the total."""
    lines, way = cart_lines(case), baskets.checkout(case, strong=True)
    total = phrases.money(baskets.bill(case, lines, way.address, way.tip)["total"])
    answers = {"items": "Just what is in my cart, nothing else."} | way.details()
    return Part(
        requests=(
            Request(ask="Please order what is in my cart, and tell me the total.", details=answers, wants=(total,)),
        ),
        goal=f"You want to order what is in your cart and to be told the total. {baskets.prose(answers)}",
        proof=(open_user(case),),
        reads=(open_cart(case),),
        writes=(way.call(case.user_id),),
        outputs=(total,),
        slots=way.slots(),
    )


def tidy(case: Case) -> Part:
    """Take one thing out of the cart, have more of another, and hear the subtotal; nothing is ordered yet."""
    out, kept = case.rng.sample(cart_lines(case), 2)
    count = kept["quantity"] + case.rng.choice((1, 2, 3))
    rest = [line for line in cart_lines(case) if line not in (out, kept)]
    after = phrases.money(
        baskets.subtotal([*rest, baskets.line(case, case.world.items[kept["item_id"]], count, kept["options"])])
    )
    items = f"Take out the {out['name']} altogether, and make it {count} of the {kept['name']}."
    return Part(
        requests=(
            Request(
                ask="I want to change what is in my cart, and to know the new subtotal. I am not ordering yet.",
                details={"items": items},
                wants=(after,),
            ),
        ),
        goal=f"You want to change your cart and to be told the new subtotal, without ordering yet. {items}",
        proof=(open_cart(case),),
        writes=(
            write("remove_item_from_cart", user_id=case.user_id, line_id=out["line_id"]),
            write("update_cart_item", user_id=case.user_id, line_id=kept["line_id"], quantity=count),
        ),
        outputs=(after,),
        slots={"out": out["line_id"], "kept": kept["line_id"], "count": count},
    )


def other_place(case: Case) -> Part:
    """Fill the cart from another restaurant, agreeing that what is in it goes; nothing is ordered yet."""
    place = case.rng.choice(elsewhere(case.at))
    lines = baskets.draw(case, 2, place=place)
    answers = baskets.details(place, lines) | {"cart": "What is in my cart now may go."}
    return Part(
        requests=(Request(ask="Please put something into my cart. I will order it later.", details=answers),),
        goal="You want your cart filled from another restaurant, without ordering yet. If you are told that the cart"
        f" has to be emptied for that, you agree. {baskets.prose(answers)}",
        reads=(open_cart(case),),
        writes=baskets.adds(case, lines, replace=True),
        slots={"lines": baskets.slots(lines)},
    )


def drop_code(case: Case) -> Part:
    """Take the promo code off the cart to keep it, and hear what the order would cost without."""
    lines = cart_lines(case)
    promo = case.rng.choice(baskets.codes(case.at, baskets.subtotal(lines)))
    address = case.rng.choice(case.at.in_range)
    total = phrases.money(baskets.bill(case, lines, address)["total"])
    where = f"It would go to {phrases.spot(address)}, without a tip."
    return Part(
        requests=(
            Request(
                ask="Please take the promo code off my cart, and tell me what the order would cost without it.",
                details={"address": where, "items": "Leave what is in the cart, I am not ordering yet."},
                wants=(total,),
            ),
        ),
        goal="You want the promo code on your cart removed, to keep it for later, and to be told the total of the order"
        f" without it, which you do not place yet. {where}",
        proof=(look("get_cart", "user_id", "address_id", user_id=case.user_id, address_id=address["address_id"]),),
        writes=(write("remove_promo", user_id=case.user_id),),
        outputs=(total,),
        slots={"code": promo["code"], "address": address["address_id"]},
        initial={"carts": {case.user_id: {"promo_code": promo["code"]}}},
    )


def strong_items(at: Spot) -> list[Row]:
    """What the restaurant has of alcohol."""
    return [item for item in at.kitchens.menu(at.place) if item["alcohol"] and item["stock"]]


def _mains(at: Spot, diet: str) -> list[Row]:
    menu = at.kitchens.menu(at.place)
    return [i for i in menu if i["category"] == "main" and i["stock"] and diet in i["dietary"]]


def _diets(at: Spot) -> list[str]:
    """The diets for which there are at least two mains, all differently priced."""
    found = {diet: _mains(at, diet) for diet in ("vegetarian", "vegan", "gluten-free")}
    return [d for d, mains in found.items() if len({i["price"] for i in mains}) == len(mains) > 1]


def elsewhere(at: Spot) -> list[Row]:
    """Other restaurants of the city that take orders now and deliver to the caller's home."""
    spots = (Spot(at.kitchens, at.user, {}, place) for place in at.kitchens.places_of(at.place["city"]))
    return [s.place for s in spots if s.open and at.addresses[0] in s.in_range and s.place is not at.place]


def orderable(at: Spot) -> bool:
    """Whether the caller's cart can be ordered as it is."""
    if at.cart is None or not at.open or not at.in_range:
        return False
    least: float = at.place["order_minimum"]
    return baskets.subtotal(list(at.cart["lines"].values())) >= least


def _tidy(at: Spot) -> bool:
    return at.cart is not None and len({line["name"] for line in at.cart["lines"].values()}) > 1


def _has_code(at: Spot) -> bool:
    return (
        orderable(at)
        and at.cart is not None
        and bool(baskets.codes(at, baskets.subtotal([*at.cart["lines"].values()])))
    )


def _rich(at: Spot) -> bool:
    return any(m["source"] == "credits" and m["balance"] >= ENOUGH_CREDITS for m in at.user["payment_methods"].values())


DISH = about_place(dish)
MEAL = about_place(meal)
DRINKS = about_place(drinks, lambda at: at.adult and bool(strong_items(at)))
WITH_CODE = about_place(with_code, lambda at: bool(baskets.codes(at, ENOUGH)))
CHEAPEST = about_place(cheapest, lambda at: bool(_diets(at)))
WITH_CREDITS = about_place(with_credits, _rich)
FINISH = about_caller(finish, orderable)
TIDY = about_caller(tidy, _tidy)
OTHER_PLACE = about_caller(other_place, lambda at: at.cart is not None and bool(elsewhere(at)))
DROP_CODE = about_caller(drop_code, _has_code)
