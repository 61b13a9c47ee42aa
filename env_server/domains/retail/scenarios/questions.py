"""Wishes that change nothing. The agent looks up or computes a value and tells it."""

from env_server.domains.kit import asked, money, told
from env_server.domains.retail.scenarios import asks, phrases, words
from env_server.domains.retail.scenarios.base import (
    Case,
    Spot,
    Wish,
    about_caller,
    about_order,
    gift_cards,
    open_order,
    open_products,
    open_user,
    total,
)

REFUND_OF = ("refund", "get back", "back to you", "money back", "return", "total", "receive")
DIFFERENCE_OF = ("differ", "difference", "more", "less", "cheaper", "dearer", "expensive", "refund", "charge", "extra")
TRACKING_OF = ("track", "tracking", "shipment", "parcel", "package", "travel")
CARD_OF = ("gift card", "balance", "card")
TOTAL_OF = ("total", "together", "sum", "altogether", "in all", "orders", "come to", "amount")
PRICE_OF = ("cheapest", "lowest", "least expensive", "starts at", "start at")


def refund_quote(case: Case) -> Wish:
    """Ask for the total refund of two or more items."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(2, len(order["items"])))
    details = {"order": phrases.order(case, order), "items": phrases.things(case, order, items)}
    amount = money(sum(item["price"] for item in items))
    return asked(
        case,
        asks.QUOTE,
        phrases.goal(case, asks.QUOTE, details, case.voice.pick(*words.NOTHING_NOW)),
        details,
        [told(amount, f"The refund for these items would be ${amount}.", *REFUND_OF)],
        (open_order(order),),
        {"order": order["order_id"], "items": [item["item_id"] for item in items]},
    )


def swap_quote(case: Case) -> Wish:
    """Ask for the price difference to another variant of an item."""
    order = case.order
    item = case.rng.choice([item for item in order["items"] if case.shop.others(item)])
    variant = case.rng.choice(case.shop.others(item))
    details = {
        "order": phrases.order(case, order),
        "items": phrases.things(case, order, [item]),
        "new_items": phrases.variants(case, [item], [variant]),
    }
    amount = money(abs(variant["price"] - item["price"]))
    return asked(
        case,
        asks.SWAP_QUOTE,
        phrases.goal(case, asks.SWAP_QUOTE, details, case.voice.pick(*words.NOTHING_NOW)),
        details,
        [told(amount, f"The price difference is ${amount}.", *DIFFERENCE_OF)],
        (open_order(order), *open_products([item])),
        {"order": order["order_id"], "item": item["item_id"], "new": variant["item_id"]},
    )


def tracking(case: Case) -> Wish:
    """Ask for the tracking number of a parcel."""
    order = case.order
    details = {"order": phrases.order(case, order)}
    number = order["fulfillments"][0]["tracking_id"][0]
    return asked(
        case,
        asks.TRACKING,
        phrases.goal(case, asks.TRACKING, details),
        details,
        [told(number, f"The tracking number is {number}.", *TRACKING_OF)],
        (open_order(order),),
        {"order": order["order_id"]},
    )


def balance(case: Case) -> Wish:
    """Ask for the balance of the caller's gift card."""
    card = case.methods[gift_cards(case.user)[0]]
    amount = money(card["balance"])
    return asked(
        case,
        asks.BALANCE,
        phrases.goal(case, asks.BALANCE, {}),
        {},
        [told(amount, f"The balance of your gift card is ${amount}.", *CARD_OF)],
        (open_user(case.user),),
        {"card": card["id"]},
    )


def all_orders_total(case: Case) -> Wish:
    """Ask for the total price of the caller's orders."""
    orders = case.shop.orders_of(case.user)
    amount = money(sum(total(o) for o in orders))
    details = {"order": case.voice.pick(*words.ALL_ORDERS)}
    return asked(
        case,
        asks.ALL_ORDERS,
        phrases.goal(case, asks.ALL_ORDERS, {}, *phrases.lines(case, details)),
        details,
        [told(amount, f"All your orders together come to ${amount}.", *TOTAL_OF)],
        (open_user(case.user), *(open_order(o) for o in orders)),
        {"orders": [o["order_id"] for o in orders], "said": details["order"]},
    )


def stock(case: Case) -> Wish:
    """Ask for the price of the cheapest variant of a product in stock."""
    bought = {item["product_id"] for order in case.shop.orders_of(case.user) for item in order["items"]}
    product = case.shop.products[case.rng.choice([key for key in case.shop.products if key not in bought])]
    amount = money(min(v["price"] for v in product["variants"].values() if v["available"]))
    bank = tuple(phrase.format(product["name"]) for phrase in asks.STOCK)
    return asked(
        case,
        bank,
        phrases.goal(case, bank, {}),
        {"items": case.voice.pick(*words.ABOUT).format(f"the {product['name']}")},
        [told(amount, f"The cheapest {product['name']} in stock costs ${amount}.", *PRICE_OF, product["name"])],
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
ALL_ORDERS_TOTAL = about_caller(all_orders_total, lambda at: 1 < len(at.user["orders"]) <= 6)
STOCK = about_caller(stock)
