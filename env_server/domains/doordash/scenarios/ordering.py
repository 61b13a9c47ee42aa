"""Plain wishes for food: filling a cart and ordering what is in it."""

from math import ceil

from env_server.domains.doordash import pricing
from env_server.domains.doordash.scenarios import asks, baskets, goals, wording
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios.base import (
    Case,
    Row,
    Spot,
    Wish,
    about_caller,
    about_place,
    open_cart,
    open_menu,
    open_user,
)
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.kit import Known, money, told, wish

ENOUGH_CREDITS = 75.0
"""Dollars of credits that cover any small order."""

ENOUGH = 1000.0
"""A subtotal in dollars that satisfies every promo's minimum."""


def _ordered(case: Case, lines: list[Row], way: baskets.Checkout, phrases: tuple[str, ...], *, hear: bool) -> Wish:
    """Return the wish for `lines` from the case's restaurant, with all details of the checkout `way`."""
    answers = baskets.food(case, lines) | way.details(case)
    total = money(baskets.bill(case, lines, way.address, way.tip)["total"])
    want, tell = baskets.total_told(total)
    basket = baskets.ordering(answers, [*baskets.shapes(lines), way.shape()])
    request = wish(case, *phrases, details=said.known(answers), changes=(basket,), wants=(want,) if hear else ())
    return Wish(
        requests=(request,),
        goal=goals.goal(case, phrases, answers),
        reads=(open_menu(case),),
        proof=(open_user(case),) if hear else (),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        tells=(tell,) if hear else (),
        slots={"lines": baskets.slots(lines), **way.slots()},
    )


def dish(case: Case) -> Wish:
    """Order one thing, or as many as the restaurant's minimum takes."""
    return _ordered(case, baskets.draw(case, 1), baskets.checkout(case), asks.FOOD, hear=False)


def meal(case: Case) -> Wish:
    """Order several things and hear the total."""
    lines = baskets.draw(case, case.rng.choice((2, 3)))
    return _ordered(case, lines, baskets.checkout(case), asks.FOOD_AND_TOTAL, hear=True)


def drinks(case: Case) -> Wish:
    """Order food with alcohol as an adult. It is handed over in person."""
    lines = baskets.draw(case, 1)
    strong = case.rng.choice(strong_items(case.at))
    lines.append(baskets.line(case, strong, case.rng.choice((1, 2))))
    return _ordered(case, lines, baskets.checkout(case, strong=True), asks.FOOD_AND_DRINK, hear=False)


def with_code(case: Case) -> Wish:
    """Order with a promo code that is good, and hear the total."""
    lines, found = baskets.draw(case, 2), list[Row]()
    while not (found := baskets.codes(case.at, baskets.subtotal(lines))):
        lines = baskets.draw(case, 2 + len(lines))
    promo, way = case.rng.choice(found), baskets.checkout(case)
    answers = baskets.food(case, lines) | {"code": said.code(case, promo)} | way.details(case)
    want, tell = baskets.total_told(money(baskets.bill(case, lines, way.address, way.tip, promo)["total"]))
    basket = baskets.ordering(answers, [*baskets.shapes(lines), baskets.code_shape(promo), way.shape()])
    return Wish(
        requests=(
            wish(case, *asks.WITH_CODE_AND_TOTAL, details=said.known(answers), changes=(basket,), wants=(want,)),
        ),
        goal=goals.goal(case, asks.WITH_CODE_AND_TOTAL, answers),
        proof=(open_user(case),),
        writes=(*baskets.adds(case, lines), baskets.code_call(case, promo), way.call(case.user_id)),
        tells=(tell,),
        slots={"lines": baskets.slots(lines), "code": promo["code"], **way.slots()},
    )


def cheapest(case: Case) -> Wish:
    """Order the cheapest or dearest main dish for a diet, which the agent has to find on the menu."""
    diet = case.rng.choice(_diets(case.at))
    which, pick = case.rng.choice((("cheapest", min), ("most expensive", max)))
    item = pick(_mains(case.at, diet), key=lambda i: i["price"])
    least = max(case.place["order_minimum"], pricing.SMALL_ORDER)
    lines = [baskets.line(case, item, max(case.rng.choice((1, 2)), ceil(least / item["price"])), {})]
    way, count = baskets.checkout(case), lines[0]["quantity"]
    text = case.voice.pick(*asks.SUPERLATIVES).format(count, which, diet)
    words = f"{count} of the {which} {diet} main, with the first choice of every option"
    items = Detail(Known(text, (str(count),) if count > 1 else ()), words)
    answers = {"restaurant": said.restaurant(case, case.place), "items": items} | way.details(case)
    price = money(item["price"])
    want, tell = told(price, f"One of it costs ${price}.", "cost", "price", "priced", "each", "piece", "for one", "at")
    basket = baskets.ordering(answers, [*baskets.shapes(lines), way.shape()])
    return Wish(
        requests=(wish(case, *asks.MAIN_AND_PRICE, details=said.known(answers), changes=(basket,), wants=(want,)),),
        goal=goals.goal(case, asks.MAIN_AND_PRICE, answers),
        proof=(open_user(case), open_menu(case)),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        tells=(tell,),
        slots={"lines": baskets.slots(lines), "diet": diet, "which": which, **way.slots()},
    )


def with_credits(case: Case) -> Wish:
    """Order something small on credits and hear what is left of them."""
    credits = next(m for m in case.methods.values() if m["source"] == "credits")
    way = baskets.checkout(case, method=credits)
    lines = baskets.draw(case, 1)
    while (total := baskets.bill(case, lines, way.address, way.tip)["total"]) > credits["balance"]:
        lines = baskets.draw(case, 1)
    left = money(credits["balance"] - total)
    answers = baskets.food(case, lines) | way.details(case)
    words = ("left", "remain", "balance", "remaining", "remains", "still have", "leaves", "afterwards")
    want, tell = told(left, f"Of your credits ${left} will be left.", *words)
    basket = baskets.ordering(answers, [*baskets.shapes(lines), way.shape()])
    return Wish(
        requests=(wish(case, *asks.FOOD_AND_CREDITS, details=said.known(answers), changes=(basket,), wants=(want,)),),
        goal=goals.goal(case, asks.FOOD_AND_CREDITS, answers),
        proof=(open_user(case),),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        tells=(tell,),
        slots={"lines": baskets.slots(lines), **way.slots()},
    )


def cart_lines(case: Case) -> list[Row]:
    """Return the lines that the caller left in their cart."""
    cart = case.at.cart or {"lines": {}}
    return list(cart["lines"].values())


def in_cart(case: Case, lines: list[Row]) -> Detail:
    """Return the detail that the cart is to be ordered. A proposal names the cart or the dishes."""
    names = tuple(dict.fromkeys(line["name"] for line in lines))
    return Detail(Known(case.voice.pick(*wording.IN_CART), ("cart", "basket", names)), "what is in your cart")


def finish(case: Case) -> Wish:
    """Order what is in the cart and hear the total."""
    lines, way = cart_lines(case), baskets.checkout(case, strong=True)
    want, tell = baskets.total_told(money(baskets.bill(case, lines, way.address, way.tip)["total"]))
    answers = {"items": in_cart(case, lines)} | way.details(case)
    basket = baskets.ordering(answers, [way.shape()])
    return Wish(
        requests=(wish(case, *asks.CART_AND_TOTAL, details=said.known(answers), changes=(basket,), wants=(want,)),),
        goal=goals.goal(case, asks.CART_AND_TOTAL, answers),
        proof=(open_user(case),),
        reads=(open_cart(case),),
        writes=(way.call(case.user_id),),
        tells=(tell,),
        slots=way.slots(),
    )


def strong_items(at: Spot) -> list[Row]:
    """Return the restaurant's alcoholic items."""
    return [item for item in at.kitchens.menu(at.place) if item["alcohol"] and item["stock"]]


def _mains(at: Spot, diet: str) -> list[Row]:
    menu = at.kitchens.menu(at.place)
    return [i for i in menu if i["category"] == "main" and i["stock"] and diet in i["dietary"]]


def _diets(at: Spot) -> list[str]:
    """Return the diets for which there are at least two mains, all with different prices."""
    found = {diet: _mains(at, diet) for diet in ("vegetarian", "vegan", "gluten-free")}
    return [d for d, mains in found.items() if len({i["price"] for i in mains}) == len(mains) > 1]


def elsewhere(at: Spot) -> list[Row]:
    """Return other restaurants of the city that take orders now and deliver to the caller's home."""
    spots = (Spot(at.kitchens, at.user, {}, place) for place in at.kitchens.places_of(at.place["city"]))
    return [s.place for s in spots if s.open and at.addresses[0] in s.in_range and s.place is not at.place]


def orderable(at: Spot) -> bool:
    """Return whether the caller's cart can be ordered as it is."""
    if at.cart is None or not at.open or not at.in_range:
        return False
    least: float = at.place["order_minimum"]
    return baskets.subtotal(list(at.cart["lines"].values())) >= least


def _rich(at: Spot) -> bool:
    return any(m["source"] == "credits" and m["balance"] >= ENOUGH_CREDITS for m in at.user["payment_methods"].values())


DISH = about_place(dish)
MEAL = about_place(meal)
DRINKS = about_place(drinks, lambda at: at.adult and bool(strong_items(at)))
WITH_CODE = about_place(with_code, lambda at: bool(baskets.codes(at, ENOUGH)))
CHEAPEST = about_place(cheapest, lambda at: bool(_diets(at)))
WITH_CREDITS = about_place(with_credits, _rich)
FINISH = about_caller(finish, orderable)
