"""The builtin base: a seeded shop with products, users and orders. The same rows in every process."""

from random import Random
from typing import Any

from env_server.domains.kit import fresh
from env_server.domains.retail.catalogue import products
from env_server.domains.retail.people import address, users

SEED = 20240515
USERS = 500
ORDERS = 1000
_STATUSES = {"pending": 42, "delivered": 35, "processed": 13, "cancelled": 10}
_REASONS = ("no longer needed", "ordered by mistake")
_SPLIT_SHIPMENT = 0.15

Row = dict[str, Any]


def world(*, scale: int = 1) -> dict[str, list[Row]]:
    """Return the rows of `products`, `users` and `orders`, keys in order of first use. `scale` multiplies the users and
    orders.

    Every key resolves, an order's items carry their variant's price and options, payments add up to the items, and
    each user lists exactly their own orders.
    """
    rng = Random(SEED)
    shelf = products(rng)
    people = users(rng, scale * USERS)
    taken: set[str] = set()
    orders = [_order(rng, _buyer(rng, people, i), shelf, taken) for i in range(scale * ORDERS)]
    return {"products": shelf, "users": people, "orders": orders}


def _buyer(rng: Random, people: list[Row], number: int) -> Row:
    """Return the buyer of an order. Each user buys once in turn. Later orders go to random users, so that some users
    have many.
    """
    return people[number] if number < len(people) else rng.choice(people)


def _order(rng: Random, user: Row, shelf: list[Row], taken: set[str]) -> Row:
    order_id = f"#W{fresh(rng, taken, 7)}"
    items = [_item(rng, product) for product in rng.sample(shelf, rng.choice((1, 2, 2, 3, 3, 4, 5)))]
    total = round(sum(item["price"] for item in items), 2)
    status = rng.choices(list(_STATUSES), list(_STATUSES.values()))[0]
    method = rng.choice(list(user["payment_methods"]))
    row: Row = {
        "order_id": order_id,
        "user_id": user["user_id"],
        "address": dict(user["address"]) if rng.random() < 0.7 else address(rng),
        "items": items,
        "status": status,
        "fulfillments": _fulfillments(rng, items, taken) if status in {"processed", "delivered"} else [],
        "payment_history": [_entry("payment", total, method)],
    }
    if status == "cancelled":
        row["payment_history"].append(_entry("refund", total, method))
        row["cancel_reason"] = rng.choice(_REASONS)
    user["orders"].append(order_id)
    return row


def _item(rng: Random, product: Row) -> Row:
    variant = rng.choice(list(product["variants"].values()))
    return {
        "name": product["name"],
        "product_id": product["product_id"],
        "item_id": variant["item_id"],
        "price": variant["price"],
        "options": dict(variant["options"]),
    }


def _fulfillments(rng: Random, items: list[Row], taken: set[str]) -> list[Row]:
    """Return one parcel, or two if the order was split."""
    ids = [item["item_id"] for item in items]
    cut = rng.randrange(1, len(ids)) if len(ids) > 1 and rng.random() < _SPLIT_SHIPMENT else len(ids)
    parcels = [part for part in (ids[:cut], ids[cut:]) if part]
    return [{"tracking_id": [fresh(rng, taken, 12)], "item_ids": part} for part in parcels]


def _entry(kind: str, amount: float, method: str) -> Row:
    return {"transaction_type": kind, "amount": amount, "payment_method_id": method}
