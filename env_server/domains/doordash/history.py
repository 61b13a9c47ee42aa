"""The users' past and current orders, carts and refunds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, cast

from env_server.domains.doordash import ids, pricing
from env_server.domains.doordash.carts import new_line
from env_server.domains.doordash.clock import NOW, age, is_open, later
from env_server.domains.doordash.tables import Address, Cart, Item, Line, Order, Promo, Restaurant, User

HOUR = 60
DAY = 24 * HOUR


class Stage(NamedTuple):
    """The progress of an order and its delay in minutes after the promised time. A negative delay means early."""

    status: str
    late: tuple[int, int]
    ended: tuple[int, int] = (0, 0)
    """The number of minutes since it was delivered or cancelled, as a range."""


STAGES: dict[Stage, int] = {
    Stage("placed", (-60, -8)): 16,
    Stage("preparing", (-40, -5)): 13,
    Stage("preparing", (31, 75)): 7,
    Stage("ready", (-20, -3)): 6,
    Stage("ready", (31, 75)): 5,
    Stage("picked_up", (-12, 20)): 10,
    Stage("delivered", (-12, 8), (HOUR, 45 * HOUR)): 27,
    Stage("delivered", (32, 58), (HOUR, 45 * HOUR)): 6,
    Stage("delivered", (62, 95), (HOUR, 45 * HOUR)): 5,
    Stage("delivered", (-12, 25), (52 * HOUR, 50 * DAY)): 12,
    Stage("cancelled", (-30, -10), (2 * HOUR, 50 * DAY)): 6,
}
"""Stages of orders, with weights. No order is near a limit of the policy, so that every case is clear."""

_LAST_MONTH = Stage("delivered", (-12, 25), (52 * HOUR, 28 * DAY))
_LAST_DAYS = Stage("delivered", (-12, 8), (HOUR, 45 * HOUR))
COMPLAINER = (_LAST_MONTH, _LAST_MONTH, _LAST_MONTH, _LAST_DAYS)
"""The orders of a user with refunds on three of them within 30 days."""

_COMPLAINERS = 0.12
_NEVER_ORDERED = 0.06
_REFUNDED = 0.15
_WITH_PROMO = 0.2
_WITH_CART = 0.4
_TIPS = (0.0, 2.0, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0)
_INSTRUCTIONS = ("hand_to_me", "hand_to_me", "leave_at_door", "meet_outside", "leave_with_reception")
_REASONS = ("changed_mind", "ordered_by_mistake", "wrong_address")
_ISSUES = ("missing", "wrong", "damaged")
_UNDERWAY = {"placed": range(1, 10), "preparing": range(5, 200), "ready": range(12, 200), "picked_up": range(18, 200)}
"""Status of an order -> the possible minutes since it was placed."""


@dataclass
class History:
    """The generator of past orders, carts and refunds."""

    rng: Random
    menus: dict[str, list[Item]]
    """Restaurant id -> its items."""

    promos: list[Promo]
    places: dict[str, list[Restaurant]]
    """City -> its restaurants."""

    orders: dict[str, Order] = field(default_factory=dict)

    def fill(self, users: list[User], count: int) -> None:
        """Make `count` orders. Some users never ordered, some complain often, and the others have
        one or more orders.
        """
        active = [user for user in users if self.rng.random() >= _NEVER_ORDERED]
        for user in active:
            if self.rng.random() < _COMPLAINERS:
                for stage in COMPLAINER:
                    self._add(user, stage, refunded=stage is _LAST_MONTH)
            else:
                self._add(user, self._stage(), refunded=self.rng.random() < _REFUNDED)
        while len(self.orders) < count:
            self._add(self.rng.choice(active), self._stage(), refunded=False)

    def cart(self, user: User) -> Cart | None:
        """Return the items left in some users' carts, from an open restaurant that delivers to them."""
        home = user["addresses"][user["default_address_id"]]
        near = [p for p in self.places[home["city"]] if within(p, home) and is_open(p)]
        if self.rng.random() >= _WITH_CART or not near:
            return None
        place = self.rng.choice(near)
        lines = self._lines([i for i in self.menus[place["restaurant_id"]] if i["stock"]], user, 0)
        return {"user_id": user["user_id"], "restaurant_id": place["restaurant_id"], "lines": lines}

    def _stage(self) -> Stage:
        return self.rng.choices(list(STAGES), list(STAGES.values()))[0]

    def _add(self, user: User, stage: Stage, *, refunded: bool) -> None:
        rng = self.rng
        place, address, times = self._where_and_when(user, stage)
        menu = self.menus[place["restaurant_id"]]
        lines = self._lines(menu, user, place["order_minimum"])
        held = {line["item_id"] for line in lines.values()}
        strong = any(item["alcohol"] for item in menu if item["item_id"] in held)
        past = stage.status in {"delivered", "cancelled"}
        promo = self._promo(user, place, pricing.subtotal(lines.values()), times["placed_at"]) if past else None
        miles, tip = place["miles"][address["zip"]], rng.choice(_TIPS)
        quantities = {key: line["quantity"] for key, line in lines.items()}
        order: dict[str, Any] = {
            "order_id": ids.order_id(user["user_id"], place["restaurant_id"], quantities, self.orders.__contains__),
            "user_id": user["user_id"],
            "restaurant_id": place["restaurant_id"],
            "restaurant": place["name"],
            "status": stage.status,
            "lines": lines,
            "address": dict(address),
            "instructions": "hand_to_me" if strong else rng.choice(_INSTRUCTIONS),
            **pricing.bill(lines.values(), place, miles, user["membership"], promo=promo, tip=tip),
            "payment_method_id": rng.choice(list(user["payment_methods"])),
            **times,
            "refunds": [],
        }
        if promo is not None:
            order["promo_code"] = promo["code"]
            user["promos_used"] = sorted([*user["promos_used"], promo["code"]])
        if stage.status == "cancelled":
            self._cancel(order)
        elif refunded and stage.status == "delivered":
            self._refund(order)
        self.orders[order["order_id"]] = cast(Order, order)

    def _where_and_when(self, user: User, stage: Stage) -> tuple[Restaurant, Address, dict[str, str]]:
        """Return a restaurant that was open at the order time, an address in its range, and the order's times."""
        rng, addresses = self.rng, list(user["addresses"].values())
        while True:
            address = rng.choice(addresses)
            place = rng.choice(self.places[address["city"]])
            needed, late = pricing.minutes_to_deliver(place, place["miles"][address["zip"]]), rng.randint(*stage.late)
            ago = needed + late + (rng.randint(*stage.ended) if stage.status in {"delivered", "cancelled"} else 0)
            placed = later(NOW, -ago)
            fits = ago in _UNDERWAY.get(stage.status, (ago,)) and needed + late >= 8
            if fits and within(place, address) and is_open({**place, "accepting_orders": True}, placed):
                return place, address, _times(stage.status, placed, needed, late)

    def _lines(self, menu: Sequence[Item], user: User, minimum: float) -> dict[str, Line]:
        """Return one to four items, and more until they reach `minimum` dollars. Young users get no alcohol."""
        adult = age(user["date_of_birth"]) >= 21
        items = [item for item in menu if adult or not item["alcohol"]]
        items = self.rng.sample(items, len(items))
        lines: dict[str, Line] = {}
        wanted = self.rng.choice((1, 2, 2, 3, 3, 4))
        for item in items:
            if len(lines) >= wanted and pricing.subtotal(lines.values()) >= minimum:
                break
            line = new_line(item, pick(self.rng, item), self.rng.choice((1, 1, 1, 2)))
            lines[line["line_id"]] = line
        return lines

    def _promo(self, user: User, place: Restaurant, subtotal: float, at: str) -> Promo | None:
        """Return a promo code that the user could use for the order, or none."""
        if self.rng.random() >= _WITH_PROMO:
            return None
        usable = [
            promo
            for promo in self.promos
            if at <= promo["expires_at"]
            and subtotal >= promo["minimum_subtotal"]
            and promo["code"] not in user["promos_used"]
            and promo.get("restaurant_id", place["restaurant_id"]) == place["restaurant_id"]
            and promo["audience"] in {"everyone", "members" if user["membership"] == "plus" else "everyone"}
        ]
        return self.rng.choice(usable) if usable else None

    def _cancel(self, order: dict[str, Any]) -> None:
        """Apply a cancellation to the order and refund the rest of the total."""
        fee = pricing.cancellation_fee(self.rng.choice(("placed", "preparing")), order["subtotal"], order["total"])
        back = pricing.dollars(pricing.cents(order["total"]) - pricing.cents(fee))
        order |= {"cancel_reason": self.rng.choice(_REASONS), "cancellation_fee": fee}
        if back:
            order["refunds"] = [_refund("cancelled", "", 0, back, order, order["cancelled_at"])]

    def _refund(self, order: dict[str, Any]) -> None:
        """Refund all of one line, as after a report, between the delivery and now."""
        line = self.rng.choice(list(order["lines"].values()))
        share = pricing.items_refund(line["price"], order["subtotal"], order["discount"], order["tax"])
        at = min(later(order["delivered_at"], self.rng.randint(15, 600)), later(NOW, -10))
        order["refunds"] = [_refund(self.rng.choice(_ISSUES), line["line_id"], line["quantity"], share, order, at)]


def within(place: Restaurant | Mapping[str, Any], address: Address | Mapping[str, Any]) -> bool:
    """Return whether the restaurant delivers to the address."""
    return address["zip"] in place["miles"] and bool(place["miles"][address["zip"]] <= place["delivery_radius"])


def pick(rng: Random, item: Item) -> dict[str, str]:
    """Return one choice for every option of the item."""
    return {option: rng.choice(list(choices)) for option, choices in item["options"].items()}


def _times(status: str, placed: str, needed: int, late: int) -> dict[str, str]:
    """Return the times of an order from its placing time, its duration and its delay in minutes."""
    promised = later(placed, needed)
    end = later(promised, late)
    times = {"placed_at": placed, "promised_at": promised}
    if status == "cancelled":
        return times | {"cancelled_at": end}
    if status in {"picked_up", "delivered"}:
        times["picked_up_at"] = later(end, -(needed + late) // 3)
    if status == "delivered":
        times["delivered_at"] = end
    return times


def _refund(reason: str, line_id: str, quantity: int, amount: float, order: dict[str, Any], at: str) -> dict[str, Any]:
    return {
        "reason": reason,
        "line_id": line_id,
        "quantity": quantity,
        "amount": amount,
        "payment_method_id": order["payment_method_id"],
        "at": at,
    }
