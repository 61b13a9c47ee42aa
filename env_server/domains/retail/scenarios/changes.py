"""Plain wishes that change something: cancel, redirect, swap, pay otherwise, return, exchange."""

from typing import Any

from env_server.domains.kit import GoldCall, Known, WishKind, wish
from env_server.domains.retail import people
from env_server.domains.retail.scenarios import agreed, asks, phrases, words
from env_server.domains.retail.scenarios.base import (
    Case,
    Row,
    Spot,
    Wish,
    about_caller,
    about_order,
    gift_cards,
    has_status,
    open_order,
    open_products,
    paid_with,
    solid,
    total,
    write,
)

REASONS = ("no longer needed", "ordered by mistake")
"""The reasons for which a pending order is cancelled."""

MOST_BY_MISTAKE = 250.0
"""The maximum price in dollars of an order that may count as placed by mistake."""


def a_reason(case: Case, order: Row) -> str:
    """Return a reason for which this order is cancelled."""
    drawn = case.rng.choice(REASONS)
    return drawn if total(order) <= MOST_BY_MISTAKE else REASONS[0]


def cancel_call(order: Row, why: str) -> GoldCall:
    """Return the write that cancels an order."""
    return write("cancel_pending_order", order_id=order["order_id"], reason=why)


def cancel(case: Case) -> Wish:
    """Cancel a pending order for one of the two accepted reasons."""
    order = case.order
    why = a_reason(case, order)
    said, reason = phrases.order(case, order), phrases.reason(case, why)
    details = {"order": said, "reason": reason}
    change = agreed.cancelling(said, order, why)
    return Wish(
        requests=(wish(case, *asks.CANCEL, details=details, changes=[change]),),
        goal=phrases.goal(case, asks.CANCEL, details),
        reads=(open_order(order),),
        writes=(cancel_call(order, why),),
        slots={"order": order["order_id"], "reason": why},
    )


def address_call(name: str, key: str, value: str, address: dict[str, str]) -> GoldCall:
    """Return the write that sets an order's or a user's address."""
    return write(name, **{key: value}, **address)


def send_call(order: Row, address: dict[str, str]) -> GoldCall:
    """Return the write that sends an order to an address."""
    return address_call("modify_pending_order_address", "order_id", order["order_id"], address)


def redirect(case: Case) -> Wish:
    """Send a pending order to a new address."""
    order, new = case.order, people.address(case.rng)
    details = {"order": phrases.order(case, order), "address": phrases.new_address(case, new)}
    change = agreed.sending(details["order"], order, new, phrases.address(new))
    return Wish(
        requests=(wish(case, *asks.REDIRECT, details=details, changes=[change]),),
        goal=phrases.goal(case, asks.REDIRECT, details),
        reads=(open_order(order),),
        writes=(send_call(order, new),),
        slots={"order": order["order_id"], "address": new},
    )


def redirect_home(case: Case) -> Wish:
    """Send a pending order to the address in the caller's profile, which the agent has to look up."""
    order, row = case.order, dict(case.user["address"])
    details = {"order": phrases.order(case, order), "address": phrases.home(case)}
    change = agreed.sending(details["order"], order, row, "the default address in your profile")
    return Wish(
        requests=(wish(case, *asks.REDIRECT_HOME, details=details, changes=[change]),),
        goal=phrases.goal(case, asks.REDIRECT_HOME, details),
        reads=(open_order(order),),
        writes=(send_call(order, row),),
        slots={"order": order["order_id"], "said": details["order"].text},
    )


def move_house(case: Case) -> Wish:
    """Change the default address in the profile."""
    new = people.address(case.rng)
    details = {"address": phrases.new_address(case, new)}
    return Wish(
        requests=(wish(case, *asks.MOVE_HOUSE, details=details, changes=[agreed.moving(case.user, new)]),),
        goal=phrases.goal(case, asks.MOVE_HOUSE, details),
        writes=(address_call("modify_user_address", "user_id", case.user["user_id"], new),),
        slots={"address": new},
    )


def swap_tool(order: Row) -> str:
    """Return the tool that replaces items of a pending or a delivered order."""
    return "modify_pending_order_items" if order["status"] == "pending" else "exchange_delivered_order_items"


def swap_call(tool: str, order: Row, items: list[Row], new: list[Row], method: str) -> GoldCall:
    """Return the write that replaces items of an order by other variants."""
    return write(
        tool,
        order_id=order["order_id"],
        item_ids=[item["item_id"] for item in items],
        new_item_ids=[variant["item_id"] for variant in new],
        payment_method_id=method,
    )


def swap_details(case: Case, said: Known, items: list[Row], new: list[Row], method: str) -> dict[str, Known]:
    """Return the caller's details of a swap or an exchange."""
    return {
        "order": said,
        "items": phrases.things(case, case.order, items),
        "new_items": phrases.variants(case, items, new),
        "payment": phrases.payment(case, method, *words.DIFFERENCE),
    }


def _swap(case: Case, tool: str, bank: tuple[str, ...]) -> Wish:
    order = case.order
    swappable = [item for item in order["items"] if case.shop.others(item)]
    items = case.rng.sample(swappable, min(len(swappable), case.rng.choice((1, 1, 2))))
    new = [case.rng.choice(case.shop.others(item)) for item in items]
    method, said = case.pay_with(), phrases.order(case, order)
    details = swap_details(case, said, items, new, method)
    call = swap_call(tool, order, items, new, method)
    noun = phrases.method(case.methods[method])
    change = agreed.swapping(said, items, phrases.versions(items, new), noun, call, "new_items")
    return Wish(
        requests=(wish(case, *bank, details=details, changes=[change]),),
        goal=phrases.goal(case, bank, details),
        reads=(open_order(order), *open_products(items)),
        writes=(call,),
        slots={"order": order["order_id"], "new": [v["item_id"] for v in new], "payment": method},
    )


def modify(case: Case) -> Wish:
    """Swap items of a pending order for other variants."""
    return _swap(case, "modify_pending_order_items", asks.MODIFY)


def exchange(case: Case) -> Wish:
    """Exchange items of a delivered order for other variants."""
    return _swap(case, "exchange_delivered_order_items", asks.EXCHANGE)


def payable(user: Row, order: Row) -> list[str]:
    """Return the methods to which the order's payment may move: any other method, but a gift card only if it covers the
    total.
    """
    enough = [k for k in gift_cards(user) if user["payment_methods"][k]["balance"] >= total(order)]
    return [k for k in solid(user) + enough if k != paid_with(order)]


def pay_call(order: Row, method: str) -> GoldCall:
    """Return the write that has an order paid with a method."""
    return write("modify_pending_order_payment", order_id=order["order_id"], payment_method_id=method)


def repay(case: Case) -> Wish:
    """Pay a pending order with another method."""
    order = case.order
    method, said = case.rng.choice(payable(case.user, order)), phrases.order(case, order)
    details = {"order": said, "payment": phrases.payment(case, method, *words.CHARGE)}
    change = agreed.paying(said, order, phrases.method(case.methods[method]), payment_method_id=method)
    return Wish(
        requests=(wish(case, *asks.REPAY, details=details, changes=[change]),),
        goal=phrases.goal(case, asks.REPAY, details),
        reads=(open_order(order),),
        writes=(pay_call(order, method),),
        slots={"order": order["order_id"], "payment": method},
    )


def refundable(user: Row, order: Row) -> list[str]:
    """Return the methods that may receive the refund: the first payment's method and the gift cards."""
    return list(dict.fromkeys([paid_with(order), *gift_cards(user)]))


def return_call(order: Row, items: list[Row], method: str) -> GoldCall:
    """Return the write that returns items."""
    ids = [item["item_id"] for item in items]
    return write("return_delivered_order_items", order_id=order["order_id"], item_ids=ids, payment_method_id=method)


def return_details(case: Case, said: Known, items: list[Row], method: str) -> dict[str, Known]:
    """Return the caller's details of a return."""
    return {
        "order": said,
        "items": phrases.things(case, case.order, items, *words.RETURNED),
        "payment": phrases.payment(case, method, *words.REFUND),
    }


def give_back(case: Case) -> Wish:
    """Return some or all items of a delivered order."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(1, len(order["items"])))
    method, said = case.rng.choice(refundable(case.user, order)), phrases.order(case, order)
    details, call = return_details(case, said, items, method), return_call(order, items, method)
    change = agreed.returning(said, items, phrases.method(case.methods[method]), call)
    slots: dict[str, Any] = {"order": order["order_id"], "items": [i["item_id"] for i in items], "payment": method}
    return Wish(
        requests=(wish(case, *asks.RETURN, details=details, changes=[change]),),
        goal=phrases.goal(case, asks.RETURN, details),
        reads=(open_order(order),),
        writes=(call,),
        slots=slots,
    )


def _swappable(status: str) -> WishKind:
    make = modify if status == "pending" else exchange

    def fits(at: Spot) -> bool:
        return at.order["status"] == status and any(at.shop.others(item) for item in at.order["items"])

    return about_order(make, fits)


CANCEL = about_order(cancel, has_status("pending"))
REDIRECT = about_order(redirect, has_status("pending"))
REDIRECT_HOME = about_order(
    redirect_home, lambda at: at.order["status"] == "pending" and at.order["address"] != at.user["address"]
)
MOVE_HOUSE = about_caller(move_house)
MODIFY = _swappable("pending")
EXCHANGE = _swappable("delivered")
REPAY = about_order(repay, lambda at: at.order["status"] == "pending" and bool(payable(at.user, at.order)))
RETURN = about_order(give_back, has_status("delivered"))
