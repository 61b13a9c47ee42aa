"""Wishes that change nothing. The agent looks up or computes a value and tells it."""

from typing import cast

from env_server.domains.doordash import pricing
from env_server.domains.doordash.clock import NOW, minutes_between
from env_server.domains.doordash.scenarios import baskets, goals
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios import question_asks as asks
from env_server.domains.doordash.scenarios.base import (
    MONTH,
    Case,
    Row,
    Spot,
    Wish,
    about_caller,
    about_order,
    about_place,
    check_way,
    look,
    open_cart,
    open_menu,
    order_status,
    read,
    refund_history,
)
from env_server.domains.doordash.scenarios.changes import BACK_OF, costly, fee, fee_told
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.doordash.scenarios.ordering import cart_lines, orderable
from env_server.domains.doordash.scenarios.refunds import amount, clear
from env_server.domains.doordash.tables import Promo, Restaurant
from env_server.domains.kit import GoldCall, Known, Tell, Want, asked, money, told


def _question(
    case: Case,
    phrases: tuple[str, ...],
    answers: dict[str, Detail],
    values: list[tuple[Want, Tell]],
    proof: tuple[GoldCall, ...],
    slots: dict[str, object],
) -> Wish:
    return asked(case, phrases, goals.goal(case, phrases, answers), said.known(answers), values, proof, slots)


def _plain(text: str) -> Detail:
    """Return a detail that a proposal need not repeat."""
    return Detail(Known(text), text)


def cart_bill(case: Case) -> Wish:
    """Ask for the price of ordering the cart to one of the caller's addresses."""
    address, tip = case.rng.choice(case.at.in_range), case.rng.choice(baskets.TIPS)
    total = money(baskets.bill(case, cart_lines(case), address, tip)["total"])
    proof = look("get_cart", "user_id", "address_id", user_id=case.user_id, address_id=address["address_id"], tip=tip)
    answers = {"address": said.spot(case, address), "tip": said.tip(case, tip)}
    slots: dict[str, object] = {"address": address["address_id"], "tip": tip}
    return _question(case, asks.CART_BILL, answers, [baskets.total_told(total)], (proof,), slots)


def code_value(case: Case) -> Wish:
    """Ask for the discount of a promo code on the cart."""
    promo = case.rng.choice(_saving(case.at))
    off = money(pricing.discount(cast(Promo, promo), baskets.subtotal(cart_lines(case))))
    value = told(off, f"The code takes ${off} off.", "off", "discount", "save", "saving", "less", "reduce", "worth")
    proof = (look("get_promo_details", code=promo["code"]), open_cart(case))
    answers = {"code": said.code(case, promo)}
    return _question(case, asks.CODE_VALUE, answers, [value], proof, {"code": promo["code"]})


def cancelling_cost(case: Case) -> Wish:
    """Ask for the current fee of cancelling an order."""
    answers = {"order": said.order(case)}
    values = [fee_told(fee(case.order))]
    slots: dict[str, object] = {"order": case.order_id}
    return _question(case, asks.CANCELLING_COST, answers, values, (order_status(case),), slots)


def refund_value(case: Case) -> Wish:
    """Ask for the refund of an item before deciding."""
    line = case.rng.choice(clear(list(case.order["lines"].values())))
    text = case.voice.pick(*asks.WHOLE_ITEM).format(line["name"])
    back = money(amount(case.order, [line]))
    items = {line["line_id"]: line["quantity"]}
    return _question(
        case,
        asks.REFUND_VALUE,
        {"order": said.order(case), "items": _plain(text)},
        [told(back, f"You would get ${back} back for it.", *BACK_OF)],
        (look("quote_item_refund", "order_id", order_id=case.order_id, items=items),),
        {"order": case.order_id, "line": line["line_id"]},
    )


def spent(case: Case) -> Wish:
    """Ask for the total price of the caller's latest orders."""
    orders = _newest(case.world.orders_of(case.user))
    count = case.rng.randint(2, min(4, len(orders)))
    total = money(pricing.dollars(sum(pricing.cents(order["total"]) for order in orders[:count])))
    phrases = tuple(phrase.format(count) for phrase in asks.SPENT)
    which = _plain(case.voice.pick(*asks.WHATEVER_BECAME).format(count))
    value = told(total, f"Together they cost ${total}.", "together", "sum", "combined", "add", *baskets.TOTAL_OF)
    proof = look("get_user_order_history", "user_id", user_id=case.user_id, limit=count)
    return _question(case, phrases, {"order": which}, [value], (proof,), {"count": count})


def got_back(case: Case) -> Wish:
    """Ask for the caller's refunds within the last 30 days."""
    found = _refunds(case.world.orders_of(case.user))
    total = money(pricing.dollars(sum(pricing.cents(refund["amount"]) for refund in found)))
    value = told(total, f"You got ${total} back in the last 30 days.", *BACK_OF)
    which = _plain(case.voice.pick(*asks.ALL_REFUNDS))
    return _question(case, asks.GOT_BACK, {"order": which}, [value], (refund_history(case),), {"refunds": len(found)})


def way(case: Case) -> Wish:
    """Ask for the distance and delivery time between a restaurant and an address."""
    address = case.rng.choice(case.at.addresses)
    miles = case.place["miles"][address["zip"]]
    minutes = pricing.minutes_to_deliver(cast(Restaurant, case.place), miles)
    values = [
        told(str(miles), f"It is {miles} miles away.", "mile", "mi", "away", "distance", "far"),
        told(str(minutes), f"A delivery takes {minutes} minutes.", "minute", "min", "mins", "deliver", "time"),
    ]
    answers = {
        "restaurant": said.restaurant(case, case.place, *asks.AT_PLACE),
        "address": said.spot(case, address, *asks.FROM_ADDRESS),
    }
    slots: dict[str, object] = {"place": case.place["restaurant_id"], "address": address["address_id"]}
    return _question(case, asks.WAY, answers, values, (check_way(case, address),), slots)


def menu_price(case: Case) -> Wish:
    """Ask for the price of a dish with certain options, before fees."""
    items = [item for item in case.world.menu(case.place) if len(item["options"]) > 1]
    line = baskets.line(case, case.rng.choice(items), case.rng.randint(2, 5))
    price = money(line["price"])
    answers = {
        "restaurant": said.restaurant(case, case.place, *asks.AT_PLACE),
        "items": said.dishes(case, [line], *asks.HOW_MUCH_OF_IT),
    }
    value = told(price, f"All together that costs ${price}.", "cost", "price", "priced", "come", *baskets.TOTAL_OF)
    proof = (open_menu(case), read("get_item_details", item_id=line["item_id"]))
    slots: dict[str, object] = {"line": line["line_id"], "count": line["quantity"]}
    return _question(case, asks.MENU_PRICE, answers, [value], proof, slots)


def _newest(orders: list[Row]) -> list[Row]:
    return sorted(orders, key=lambda order: str(order["placed_at"]), reverse=True)


def _refunds(orders: list[Row]) -> list[Row]:
    found = [refund for order in orders for refund in order["refunds"]]
    return [refund for refund in found if minutes_between(refund["at"], NOW) <= MONTH]


def _saving(at: Spot) -> list[Row]:
    """Return the promos that take a percentage off the caller's cart."""
    lines = at.cart["lines"].values() if at.cart is not None else ()
    return [p for p in baskets.codes(at, baskets.subtotal(list(lines))) if p["kind"] == "percentage"]


def _told_apart(at: Spot) -> bool:
    """Return whether the caller has several orders, all at different minutes, so that the latest
    ones are unambiguous.
    """
    placed = [order["placed_at"] for order in at.kitchens.orders_of(at.user)]
    return len(placed) > 1 and len(set(placed)) == len(placed)


def _clear(at: Spot) -> bool:
    """Return whether the caller got a refund lately, and none near the end of the 30 days."""
    orders = at.kitchens.orders_of(at.user)
    ages = [minutes_between(refund["at"], NOW) for order in orders for refund in order["refunds"]]
    return any(a < MONTH for a in ages) and not any(abs(a - MONTH) < 24 * 60 for a in ages)


CART_BILL = about_caller(cart_bill, orderable)
CODE_VALUE = about_caller(code_value, lambda at: at.cart is not None and bool(_saving(at)))
CANCELLING_COST = about_order(cancelling_cost, costly)
REFUND_VALUE = about_order(refund_value, lambda at: at.settleable and bool(clear([*at.order["lines"].values()])))
SPENT = about_caller(spent, _told_apart)
GOT_BACK = about_caller(got_back, _clear)
WAY = about_place(way)
MENU_PRICE = about_place(menu_price)
