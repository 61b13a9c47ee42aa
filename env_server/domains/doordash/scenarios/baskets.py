"""The food that callers want: lines drawn from a menu, and the calls and words of an order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from env_server.domains.doordash import pricing
from env_server.domains.doordash.carts import new_line
from env_server.domains.doordash.clock import NOW
from env_server.domains.doordash.history import pick
from env_server.domains.doordash.scenarios import details
from env_server.domains.doordash.scenarios.base import Case, Row, Spot, look, write
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.doordash.tables import Item, Line, Promo, Restaurant
from env_server.domains.kit import GoldCall, Tell, Want, WantedChange, change, shape, told

TIPS = (0.0, 1.5, 2.0, 2.5, 3.0, 4.0, 4.5, 5.0, 6.5)
HANDING = ("hand_to_me", "leave_at_door", "meet_outside", "leave_with_reception")


@dataclass(frozen=True)
class Checkout:
    """The choices of an order: address, payment method, tip and handing over."""

    address: Row
    method: Row
    tip: float
    instructions: str

    def call(self, user_id: str) -> GoldCall:
        """Return the write that orders the cart."""
        return write(
            "create_order",
            user_id=user_id,
            address_id=self.address["address_id"],
            payment_method_id=self.method["id"],
            tip=self.tip,
            instructions=self.instructions,
        )

    def details(self, case: Case) -> dict[str, Detail]:
        """Return the caller's answers about the order."""
        return {
            "address": details.spot(case, self.address),
            "payment": details.method(case, self.method),
            "tip": details.tip(case, self.tip),
            "instructions": details.handing(case, self.instructions),
        }

    def shape(self) -> GoldCall:
        """Return the part of the order call that the caller recognises."""
        return shape("create_order", tip=self.tip, **self._handing())

    def _handing(self) -> dict[str, str]:
        """Return the instructions, unless they are the default."""
        return {} if self.instructions == "hand_to_me" else {"instructions": self.instructions}

    def slots(self) -> dict[str, Any]:
        """Return the slots that identify it."""
        return {"address": self.address["address_id"], "payment": self.method["id"], "tip": self.tip}


def checkout(case: Case, *, method: Row | None = None, strong: bool = False) -> Checkout:
    """Return a way to place an order from the case's restaurant. An order that is `strong` (alcohol) is handed over in
    person.
    """
    rng = case.rng
    return Checkout(
        address=rng.choice(case.at.in_range),
        method=method or case.pay_with(),
        tip=rng.choice(TIPS),
        instructions="hand_to_me" if strong else rng.choice(HANDING),
    )


def draw(case: Case, count: int, *, place: Row | None = None, minimum: float | None = None) -> list[Row]:
    """Return `count` lines of food and drinks in stock, and more until they reach the restaurant's
    (or this) minimum.
    """
    place = case.place if place is None else place
    least = place["order_minimum"] if minimum is None else minimum
    items = [item for item in case.world.menu(place) if item["stock"] and not item["alcohol"]]
    lines: list[Row] = []
    for item in case.rng.sample(items, len(items)):
        if len(lines) >= count and subtotal(lines) >= least:
            break
        lines.append(line(case, item, case.rng.choice((1, 1, 2, 3))))
    return lines


def line(case: Case, item: Row, quantity: int, options: Mapping[str, str] | None = None) -> Row:
    """Return a line of one item. Options that are not given are drawn."""
    plain = cast(Item, item)
    return cast(Row, new_line(plain, pick(case.rng, plain) if options is None else options, quantity))


def subtotal(lines: Sequence[Row]) -> float:
    """Return the total price of the lines, in dollars."""
    return pricing.subtotal(cast("Sequence[Line]", lines))


def bill(case: Case, lines: Sequence[Row], address: Row, tip: float = 0.0, promo: Row | None = None) -> pricing.Bill:
    """Return the bill of ordering the lines from the case's restaurant."""
    place = cast(Restaurant, case.place)
    return pricing.bill(
        cast("Sequence[Line]", lines),
        place,
        place["miles"][address["zip"]],
        case.user["membership"],
        promo=cast("Promo | None", promo),
        tip=tip,
    )


def cart(case: Case, lines: Sequence[Row], promo: Row | None = None, *, place: Row | None = None) -> dict[str, Any]:
    """Return a patch that gives the caller's cart `lines` from the case's restaurant or `place`."""
    row: dict[str, Any] = {
        "user_id": case.user_id,
        "restaurant_id": (case.place if place is None else place)["restaurant_id"],
        "lines": {each["line_id"]: dict(each) for each in lines},
    }
    return {"carts": {case.user_id: row | ({} if promo is None else {"promo_code": promo["code"]})}}


def add(case: Case, each: Row, *, replace: bool = False) -> GoldCall:
    """Return the write that puts a line into the cart."""
    return write(
        "add_item_to_cart",
        user_id=case.user_id,
        item_id=each["item_id"],
        quantity=each["quantity"],
        options=dict(each["options"]),
        **({"replace_cart": True} if replace else {}),
    )


def code_call(case: Case, promo: Row) -> GoldCall:
    """Return the write that puts a promo code on the cart."""
    return write("apply_promo", user_id=case.user_id, code=promo["code"])


def look_at(promo: Row) -> GoldCall:
    """Return the look-up of a promo code."""
    return look("get_promo_details", code=promo["code"])


def code_shape(promo: Row) -> GoldCall:
    """Return the part of the promo code call that the caller recognises."""
    return shape("apply_promo", code=promo["code"])


def adds(case: Case, lines: Sequence[Row], *, replace: bool = False) -> tuple[GoldCall, ...]:
    """Return the writes that fill the cart. The first empties it if it is to be replaced."""
    return tuple(add(case, each, replace=replace and i == 0) for i, each in enumerate(lines))


ORDERING = ("order", "place", "buy", "submit", "purchase", "check out", "checkout", "send")
FILLING = ("add", "put", "fill", "place", "replace", "empty", "clear")


def food(case: Case, lines: Sequence[Row], *, place: Row | None = None, but: Sequence[str] = ()) -> dict[str, Detail]:
    """Return the caller's answers about the food."""
    place = case.place if place is None else place
    return {
        "restaurant": details.restaurant(case, place),
        "items": details.dishes(case, lines, place=place, but=but),
    }


def shapes(lines: Sequence[Row]) -> list[GoldCall]:
    """Return the writes that fill the cart, each with the arguments that the caller recognises. Lines with a quantity
    above one come first.
    """
    counts = sorted((each["quantity"] for each in lines), reverse=True)
    return [shape("add_item_to_cart", **({"quantity": count} if count > 1 else {})) for count in counts]


def ordering(answers: Mapping[str, Detail], calls: Sequence[GoldCall], *, names: Sequence[str] = ()) -> WantedChange:
    """Return the single change that fills and orders a basket that is named in full."""
    words = {topic: detail.words for topic, detail in answers.items()}
    start = f"order {words['items']}"
    start += f" from {words['restaurant']}" if "restaurant" in words else ""
    start += f" with {words['code']}" if "code" in words else ""
    rest = f", to go to {words['address']}, paid with {words['payment']}, with {words['tip']}, {words['instructions']}"
    known = [topic for topic, detail in answers.items() if detail.known.says]
    return change(
        start + rest, "the order has been placed", verbs=ORDERING, names=tuple(names) or tuple(known), calls=calls
    )


TOTAL_OF = (
    *("total", "in all", "altogether", "pay", "cost", "comes to", "charge", "charged", "all in", "sum", "amount"),
    *("price", "bill"),
)


def total_told(total: str, *, wish: int = 0) -> tuple[Want, Tell]:
    """Return the total of an order as a value to tell."""
    return told(total, f"The total is ${total}.", *TOTAL_OF, wish=wish)


def slots(lines: Sequence[Row]) -> dict[str, int]:
    """Return line id -> its quantity."""
    return {each["line_id"]: each["quantity"] for each in lines}


def usable(at: Spot, promo: Row, amount: float) -> bool:
    """Return whether the caller may use the promo for a subtotal of `amount` dollars, by the tools' rules and the
    policy's.
    """
    audience = {"everyone", "members"} if at.user["membership"] == "plus" else {"everyone"}
    return takes(at, promo, amount) and promo["audience"] in audience


def takes(at: Spot, promo: Row, amount: float) -> bool:
    """Return whether the tools accept the promo on a cart of `amount` dollars of the caller."""
    return (
        promo["expires_at"] >= NOW
        and promo["code"] not in at.user["promos_used"]
        and promo["minimum_subtotal"] <= amount
        and promo.get("restaurant_id", at.place["restaurant_id"]) == at.place["restaurant_id"]
    )


def codes(at: Spot, amount: float) -> list[Row]:
    """Return the promos that the caller may use and that reduce a subtotal of `amount` dollars."""
    return [p for p in at.kitchens.promos.values() if usable(at, p, amount) and p["kind"] != "free_delivery"]
