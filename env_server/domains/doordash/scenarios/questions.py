"""Wishes that change nothing: a value has to be looked up, or worked out, and told."""

from typing import cast

from env_server.domains.doordash import pricing
from env_server.domains.doordash.clock import NOW, minutes_between
from env_server.domains.doordash.scenarios import baskets, phrases
from env_server.domains.doordash.scenarios.base import (
    MONTH,
    Case,
    Part,
    Row,
    Spot,
    about_caller,
    about_order,
    about_place,
    look,
    open_menu,
    order_status,
    read,
    refund_history,
)
from env_server.domains.doordash.scenarios.changes import costly, fee
from env_server.domains.doordash.scenarios.ordering import cart_lines, open_cart, orderable
from env_server.domains.doordash.scenarios.refunds import amount
from env_server.domains.doordash.tables import Promo, Restaurant
from env_server.domains.kit import asked


def cart_bill(case: Case) -> Part:
    """What ordering the cart to one of the caller's addresses would cost."""
    address, tip = case.rng.choice(case.at.in_range), case.rng.choice(baskets.TIPS)
    total = phrases.money(baskets.bill(case, cart_lines(case), address, tip)["total"])
    where = f"It would go to {phrases.spot(address)}."
    proof = look("get_cart", "user_id", "address_id", user_id=case.user_id, address_id=address["address_id"], tip=tip)
    return asked(
        "How much would I pay in all if I ordered what is in my cart?",
        f"You only want to know the total if you ordered what is in your cart. {where} {phrases.tip(tip)}",
        {"address": where, "tip": phrases.tip(tip)},
        (total,),
        (proof,),
        {"address": address["address_id"], "tip": tip},
    )


def code_value(case: Case) -> Part:
    """How much a promo code would take off the cart."""
    lines = cart_lines(case)
    promo = case.rng.choice(_saving(case.at))
    off = phrases.money(pricing.discount(cast(Promo, promo), baskets.subtotal(lines)))
    return asked(
        "How many dollars would a promo code take off what is in my cart?",
        f"You only want to know how many dollars the promo code {promo['code']} would take off what is in your cart."
        " You do not want it used yet.",
        {"code": f"I mean the promo code {promo['code']}."},
        (off,),
        (look("get_promo_details", code=promo["code"]), open_cart(case)),
        {"code": promo["code"]},
    )


def cancelling_cost(case: Case) -> Part:
    """What cancelling an order would cost now."""
    said = phrases.order(case)
    return asked(
        "What would it cost me to cancel an order now?",
        f"You only want to know what it would cost to cancel an order {phrases.in_prose(said)}. You keep it.",
        {"order": said},
        (phrases.money(fee(case.order)),),
        (order_status(case),),
        {"order": case.order_id},
    )


def refund_value(case: Case) -> Part:
    """What refunding an item would bring, before the caller makes up their mind."""
    said, line = phrases.order(case), case.rng.choice(list(case.order["lines"].values()))
    items = {line["line_id"]: line["quantity"]}
    return asked(
        "How much would I get back for something that was missing?",
        f"Everything of one item was missing from an order {phrases.in_prose(said)}: the {line['name']}. You only want"
        " to know how much you would get back, to decide later.",
        {"order": said, "items": f"It is the {line['name']}, all of what I ordered of it."},
        (phrases.money(amount(case.order, [line])),),
        (look("quote_item_refund", "order_id", order_id=case.order_id, items=items),),
        {"order": case.order_id, "line": line["line_id"]},
    )


def spent(case: Case) -> Part:
    """What the caller's latest orders cost together."""
    orders = _newest(case.world.orders_of(case.user))
    count = case.rng.randint(2, min(4, len(orders)))
    total = pricing.dollars(sum(pricing.cents(order["total"]) for order in orders[:count]))
    return asked(
        f"What did my latest {count} orders cost together?",
        f"You want to know what your latest {count} orders, whatever became of them, cost together by their totals.",
        {"order": f"The latest {count}, whatever became of them, by their totals.", "items": "All of them."},
        (phrases.money(total),),
        (look("get_user_order_history", "user_id", user_id=case.user_id, limit=count),),
        {"count": count},
    )


def got_back(case: Case) -> Part:
    """What the caller got back within the last 30 days."""
    found = _refunds(case.world.orders_of(case.user))
    total = pricing.dollars(sum(pricing.cents(refund["amount"]) for refund in found))
    return asked(
        "How much money did I get back from you over the last 30 days?",
        "You want to know how much money you got back within the last 30 days, cancelled orders included.",
        {"order": "For all orders, please, cancelled ones included."},
        (phrases.money(total),),
        (refund_history(case),),
        {"refunds": len(found)},
    )


def way(case: Case) -> Part:
    """How far a restaurant is from an address, and how long it would take."""
    address = case.rng.choice(case.at.addresses)
    miles = case.place["miles"][address["zip"]]
    minutes = pricing.minutes_to_deliver(cast(Restaurant, case.place), miles)
    proof = read(
        "check_delivery",
        restaurant_id=case.place["restaurant_id"],
        user_id=case.user_id,
        address_id=address["address_id"],
    )
    return asked(
        "How many miles is a restaurant from me, and within how many minutes would it deliver?",
        f"You want to know how many miles {case.place['name']} in {case.place['city']} is from {phrases.spot(address)},"
        " and within how many minutes they would deliver.",
        {
            "restaurant": f"I mean {case.place['name']} in {case.place['city']}.",
            "address": f"I mean {phrases.spot(address)}.",
        },
        (str(miles), str(minutes)),
        (proof,),
        {"place": case.place["restaurant_id"], "address": address["address_id"]},
    )


def menu_price(case: Case) -> Part:
    """What some of a dish with certain options would cost, before fees."""
    items = [item for item in case.world.menu(case.place) if len(item["options"]) > 1]
    line = baskets.line(case, case.rng.choice(items), case.rng.randint(2, 5))
    return asked(
        "What would a dish cost me, before fees and tax?",
        f"You want to know what {phrases.dish(line)} from {case.place['name']} in {case.place['city']} would cost,"
        " before fees and tax.",
        {
            "restaurant": f"At {case.place['name']} in {case.place['city']}.",
            "items": f"I mean {phrases.dish(line)}, all together.",
        },
        (phrases.money(line["price"]),),
        (open_menu(case), read("get_item_details", item_id=line["item_id"])),
        {"line": line["line_id"], "count": line["quantity"]},
    )


def _newest(orders: list[Row]) -> list[Row]:
    return sorted(orders, key=lambda order: str(order["placed_at"]), reverse=True)


def _refunds(orders: list[Row]) -> list[Row]:
    found = [refund for order in orders for refund in order["refunds"]]
    return [refund for refund in found if minutes_between(refund["at"], NOW) <= MONTH]


def _saving(at: Spot) -> list[Row]:
    """Promos whose percentage of the caller's cart is to be worked out."""
    lines = at.cart["lines"].values() if at.cart is not None else ()
    return [p for p in baskets.codes(at, baskets.subtotal(list(lines))) if p["kind"] == "percentage"]


def _told_apart(at: Spot) -> bool:
    """Whether the caller has several orders, no two of the same minute, so that it is clear which are the latest."""
    placed = [order["placed_at"] for order in at.kitchens.orders_of(at.user)]
    return len(placed) > 1 and len(set(placed)) == len(placed)


def _clear(at: Spot) -> bool:
    """Whether the caller got something back lately, and nothing near the end of the 30 days."""
    orders = at.kitchens.orders_of(at.user)
    ages = [minutes_between(refund["at"], NOW) for order in orders for refund in order["refunds"]]
    return any(a < MONTH for a in ages) and not any(abs(a - MONTH) < 24 * 60 for a in ages)


CART_BILL = about_caller(cart_bill, orderable)
CODE_VALUE = about_caller(code_value, lambda at: at.cart is not None and bool(_saving(at)))
CANCELLING_COST = about_order(cancelling_cost, costly)
REFUND_VALUE = about_order(refund_value, lambda at: at.settleable)
SPENT = about_caller(spent, _told_apart)
GOT_BACK = about_caller(got_back, _clear)
WAY = about_place(way)
MENU_PRICE = about_place(menu_price)
