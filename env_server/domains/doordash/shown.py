"""Output of doordash's tools that is not a row: short forms and computed values."""

from collections.abc import Iterable, Mapping
from typing import Any

from env_server.domains.doordash import pricing
from env_server.domains.doordash.carts import bill_of
from env_server.domains.doordash.checks import DashDb, miles_to, restaurant_of
from env_server.domains.doordash.clock import NOW, is_open, later, minutes_between
from env_server.domains.doordash.tables import (
    RESTAURANTS,
    Address,
    Cart,
    Cuisine,
    Diet,
    Item,
    Order,
    PriceRange,
    Restaurant,
    User,
)


def restaurants(db: DashDb, city: str, cuisine: Cuisine | None) -> list[Restaurant]:
    """Return the restaurants of a city (and cuisine), the best rated first, then by name."""
    place = city.strip().lower()
    index, value = ("city_cuisine", (place, cuisine)) if cuisine else ("city", place)
    return sorted(db[RESTAURANTS].find(index, value), key=lambda r: (-r["rating"], r["name"], r["restaurant_id"]))


def fits(
    restaurant: Restaurant,
    price_range: PriceRange | None,
    min_rating: float | None,
    diet: Diet | None,
    *,
    open_now: bool,
) -> bool:
    """Return whether the restaurant matches a search. None matches any value. `open_now` requires
    that it takes orders.
    """
    return (
        price_range in (None, restaurant["price_range"])
        and (min_rating is None or restaurant["rating"] >= min_rating)
        and (diet is None or diet in restaurant["dietary"])
        and (not open_now or is_open(restaurant))
    )


def short_restaurant(restaurant: Restaurant) -> dict[str, Any]:
    """Return the search result for a restaurant."""
    return {
        "restaurant_id": restaurant["restaurant_id"],
        "name": restaurant["name"],
        "cuisine": restaurant["cuisine"],
        "price_range": restaurant["price_range"],
        "rating": restaurant["rating"],
        "dietary": restaurant["dietary"],
        "order_minimum": restaurant["order_minimum"],
        "open_now": is_open(restaurant),
    }


def short_item(item: Item) -> dict[str, Any]:
    """Return the menu entry for an item."""
    return {
        "item_id": item["item_id"],
        "name": item["name"],
        "price": item["price"],
        "stock": item["stock"],
        "dietary": item["dietary"],
    }


def short_order(order: Order) -> dict[str, Any]:
    """Return the history entry for an order."""
    return {
        "order_id": order["order_id"],
        "restaurant": order["restaurant"],
        "status": order["status"],
        "placed_at": order["placed_at"],
        "items": {line_id: f"{line['quantity']} x {line['name']}" for line_id, line in order["lines"].items()},
        "total": order["total"],
    }


def delivery(restaurant: Restaurant, address: Address) -> dict[str, Any]:
    """Return the distance to an address against the restaurant's radius, the fee without membership, and the delivery
    time.

    Raises:
        ToolError: if no courier can go there at all.
    """
    miles = miles_to(restaurant, address)
    return {
        "miles": miles,
        "delivery_radius": restaurant["delivery_radius"],
        "within_radius": miles <= restaurant["delivery_radius"],
        "delivery_fee": pricing.delivery_fee(miles, "none", 0.0),
        "minutes": pricing.minutes_to_deliver(restaurant, miles),
    }


def priced_cart(db: DashDb, user: User, cart: Cart, address: Address, tip: float) -> dict[str, Any]:
    """Return the cart with the price of ordering it to the address.

    Raises:
        ToolError: if no courier can go there, or the cart's promo is no longer usable.
    """
    restaurant = restaurant_of(db, cart["restaurant_id"])
    way, bill = delivery(restaurant, address), bill_of(db, user, cart, address, tip)
    return {**cart, "order_minimum": restaurant["order_minimum"], **way, **bill}


def order_status(order: Order) -> dict[str, Any]:
    """Return the progress of the order. `cancellation_fee` is null if it cannot be cancelled."""
    end = order.get("delivered_at", order.get("cancelled_at", NOW))
    can_cancel = order["status"] in pricing.CANCELLATION_SHARE
    fee = pricing.cancellation_fee(order["status"], order["subtotal"], order["total"]) if can_cancel else None
    return {
        "order_id": order["order_id"],
        "status": order["status"],
        "now": NOW,
        "promised_at": order["promised_at"],
        **({"delivered_at": order["delivered_at"]} if "delivered_at" in order else {}),
        "minutes_late": max(0, minutes_between(order["promised_at"], end)),
        "cancellation_fee": fee,
    }


def newest(orders: Iterable[Order]) -> list[Order]:
    """Return the orders, newest first, and by id within the same minute."""
    return sorted(sorted(orders, key=lambda o: o["order_id"]), key=lambda o: o["placed_at"], reverse=True)


def refunds_since(orders: Iterable[Order], days: int) -> list[dict[str, Any]]:
    """Return the refunds of the last `days` days, each with its order, newest first."""
    since = later(NOW, -days * 24 * 60)
    recent = [(order, refund) for order in newest(orders) for refund in order["refunds"] if refund["at"] >= since]
    recent.sort(key=lambda pair: pair[1]["at"], reverse=True)
    return [{"order_id": order["order_id"], **refund} for order, refund in recent]


def item_refunds(amounts: Mapping[str, float]) -> dict[str, Any]:
    """Return the refund of each line and the total."""
    return {"lines": dict(amounts), "amount": pricing.dollars(sum(map(pricing.cents, amounts.values())))}
