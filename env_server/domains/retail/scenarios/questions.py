"""Wishes that change nothing: a value has to be looked up, or worked out, and told."""

from env_server.domains.kit import asked
from env_server.domains.retail.scenarios import phrases
from env_server.domains.retail.scenarios.base import (
    Case,
    Part,
    Spot,
    about_caller,
    about_order,
    anywhere,
    gift_cards,
    open_order,
    open_products,
    open_user,
    total,
)


def refund_quote(case: Case) -> Part:
    """What returning two or more items would bring: their sum."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(2, len(order["items"])))
    said = phrases.order(case, order)
    return asked(
        "How much money would I get back if I returned some things?",
        f"You only want to know how much you would get back for returning {phrases.names(items)} of an order"
        f" {phrases.in_prose(said)}. You do not want to return them now.",
        {"order": said, "items": f"It would be {phrases.names(items)}."},
        (phrases.money(sum(item["price"] for item in items)),),
        (open_order(order),),
        {"order": order["order_id"], "items": [item["item_id"] for item in items]},
    )


def swap_quote(case: Case) -> Part:
    """The price difference to another variant of an item."""
    order = case.order
    item = case.rng.choice([item for item in order["items"] if case.shop.others(item)])
    variant, said = case.rng.choice(case.shop.others(item)), phrases.order(case, order)
    return asked(
        "I'd like to know what the price difference would be if I had taken another version of something.",
        f"You only want to know the price difference between {phrases.names([item])} of your order"
        f" {phrases.in_prose(said)} and the version with {phrases.options(variant)}. Nothing should be changed.",
        {
            "order": said,
            "items": f"It is about {phrases.names([item])}.",
            "new_items": f"The other version has {phrases.options(variant)}.",
        },
        (phrases.money(abs(variant["price"] - item["price"])),),
        (open_order(order), *open_products([item])),
        {"order": order["order_id"], "item": item["item_id"], "new": variant["item_id"]},
    )


def tracking(case: Case) -> Part:
    """The tracking number of a parcel."""
    order = case.order
    said = phrases.order(case, order)
    ask = phrases.one_of(case.rng, "Could you give me a tracking number?", "I'd like to track a parcel of mine.")
    return asked(
        ask,
        f"You want the tracking number of an order {phrases.in_prose(said)}.",
        {"order": said},
        (order["fulfillments"][0]["tracking_id"][0],),
        (open_order(order),),
        {"order": order["order_id"]},
    )


def balance(case: Case) -> Part:
    """What is left on the caller's gift card."""
    card = case.methods[gift_cards(case.user)[0]]
    return asked(
        "How much is left on my gift card?",
        "You want to know the balance of your gift card.",
        {},
        (phrases.money(card["balance"]),),
        (open_user(case.user),),
        {"card": card["id"]},
    )


def all_orders_total(case: Case) -> Part:
    """What the caller's orders cost together."""
    orders = case.shop.orders_of(case.user)
    return asked(
        "What do all the orders in my account come to, taken together?",
        "You want to know what all your orders (whatever their status) cost together.",
        {"items": "All of my orders please, whatever their status.", "order": "All of the orders in my account."},
        (phrases.money(sum(total(o) for o in orders)),),
        (open_user(case.user), *(open_order(o) for o in orders)),
        {"orders": [o["order_id"] for o in orders]},
    )


def stock(case: Case) -> Part:
    """How many variants of a product are in stock, and the price of the cheapest."""
    product = case.shop.products[case.rng.choice(list(case.shop.products))]
    in_stock = [v for v in product["variants"].values() if v["available"]]
    return asked(
        f"How many versions of the {product['name']} do you have in stock, and what does the cheapest one cost?",
        f"You want to know how many versions of the {product['name']} are in stock and the price of the cheapest.",
        {"items": f"I mean the {product['name']}."},
        (str(len(in_stock)), phrases.money(min(v["price"] for v in in_stock))),
        open_products([product]),
        {"product": product["product_id"]},
    )


def _sent_whole(at: Spot) -> bool:
    return len(at.order["fulfillments"]) == 1


REFUND_QUOTE = about_order(refund_quote, lambda at: at.order["status"] == "delivered" and len(at.order["items"]) > 1)
SWAP_QUOTE = about_order(
    swap_quote,
    lambda at: at.order["status"] == "pending" and any(map(at.shop.others, at.order["items"])),
)
TRACKING = about_order(tracking, _sent_whole)
BALANCE = about_caller(balance, lambda at: bool(gift_cards(at.user)))
ALL_ORDERS_TOTAL = about_caller(all_orders_total, lambda at: len(at.user["orders"]) > 1)
STOCK = about_caller(stock, anywhere)
