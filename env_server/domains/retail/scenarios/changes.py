"""Plain wishes that change something: cancel, redirect, swap, pay otherwise, return, exchange."""

from typing import Any

from env_server.domains.kit import GoldCall, Move, Request
from env_server.domains.retail import people
from env_server.domains.retail.scenarios import phrases
from env_server.domains.retail.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
    about_caller,
    about_order,
    anywhere,
    gift_cards,
    has_status,
    open_order,
    open_products,
    paid_with,
    solid,
    total,
    write,
)

REASONS = {
    "no longer needed": "I no longer need it.",
    "ordered by mistake": "I ordered it by mistake.",
}


def cancel(case: Case) -> Part:
    """Cancel a pending order for one of the two accepted reasons."""
    order = case.order
    reason = case.rng.choice(list(REASONS))
    said = phrases.order(case, order)
    ask = phrases.one_of(
        case.rng, "I'd like to cancel an order.", "Please cancel one of my orders.", "I want an order cancelled."
    )
    return Part(
        requests=(Request(ask=ask, details={"order": said, "reason": REASONS[reason]}),),
        goal=f"You want to cancel an order {phrases.in_prose(said)}. Asked why: {REASONS[reason]}",
        reads=(open_order(order),),
        writes=(write("cancel_pending_order", order_id=order["order_id"], reason=reason),),
        slots={"order": order["order_id"], "reason": reason},
    )


def address_call(name: str, key: str, value: str, address: dict[str, str]) -> GoldCall:
    """The write that sets an order's or a user's address."""
    return write(name, **{key: value}, **address)


def redirect(case: Case) -> Part:
    """Send a pending order to a new address."""
    order = case.order
    new, said = people.address(case.rng), phrases.order(case, order)
    ask = phrases.one_of(
        case.rng,
        "I need to change the shipping address of an order.",
        "An order of mine should go to a different address.",
    )
    details = {"order": said, "address": f"The new address is {phrases.address(new)}."}
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"You want a pending order {phrases.in_prose(said)} sent to {phrases.address(new)}.",
        reads=(open_order(order),),
        writes=(address_call("modify_pending_order_address", "order_id", order["order_id"], new),),
        slots={"order": order["order_id"], "address": new},
    )


def redirect_home(case: Case) -> Part:
    """Send a pending order to the address in the caller's profile, which the agent has to look up."""
    order = case.order
    said, home = phrases.order(case, order), case.user["address"]
    details = {"order": said, "address": "Please use the default address in my profile."}
    return Part(
        requests=(Request(ask="One of my orders is going to the wrong address.", details=details),),
        goal=f"You want a pending order {phrases.in_prose(said)} sent to the default address in your profile.",
        reads=(open_order(order),),
        writes=(address_call("modify_pending_order_address", "order_id", order["order_id"], dict(home)),),
        slots={"order": order["order_id"]},
    )


def move_house(case: Case) -> Part:
    """Change the default address in the profile."""
    new = people.address(case.rng)
    ask = phrases.one_of(case.rng, "I have moved; please update my default address.", "My profile has an old address.")
    details = {"address": f"The new address is {phrases.address(new)}."}
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"You have moved and want your default address changed to {phrases.address(new)}.",
        writes=(address_call("modify_user_address", "user_id", case.user["user_id"], new),),
        slots={"address": new},
    )


def swap_call(tool: str, order: Row, items: list[Row], new: list[Row], method: str) -> GoldCall:
    """The write that replaces items of an order by other variants."""
    return write(
        tool,
        order_id=order["order_id"],
        item_ids=[item["item_id"] for item in items],
        new_item_ids=[variant["item_id"] for variant in new],
        payment_method_id=method,
    )


def swap_details(said: str, items: list[Row], new: list[Row], paying: str) -> dict[str, str]:
    """What a caller answers about a swap or an exchange."""
    wanted = "; ".join(f"for the {i['name']}: {phrases.options(v)}" for i, v in zip(items, new, strict=True))
    return {
        "order": said,
        "items": f"It is about {phrases.names(items)}.",
        "new_items": f"I would like {wanted}.",
        "payment": f"Please use {paying} for the price difference.",
    }


def _swap(case: Case, order: Row, tool: str, ask: str, verb: str) -> Part:
    swappable = [item for item in order["items"] if case.shop.others(item)]
    items = case.rng.sample(swappable, min(len(swappable), case.rng.choice((1, 1, 2))))
    new = [case.rng.choice(case.shop.others(item)) for item in items]
    method, said = case.pay_with(), phrases.order(case, order)
    details = swap_details(said, items, new, phrases.method(case.methods[method]))
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"You want to {verb} of an order {phrases.in_prose(said)}. {' '.join(list(details.values())[1:])}",
        reads=(open_order(order), *open_products(items)),
        writes=(swap_call(tool, order, items, new, method),),
        slots={"order": order["order_id"], "new": [v["item_id"] for v in new], "payment": method},
    )


def modify(case: Case) -> Part:
    """Swap items of a pending order for other variants."""
    order = case.order
    ask = phrases.one_of(
        case.rng, "I'd like to change something in an order I placed.", "I picked the wrong options in an order."
    )
    return _swap(case, order, "modify_pending_order_items", ask, "change items")


def exchange(case: Case) -> Part:
    """Exchange items of a delivered order for other variants."""
    order = case.order
    ask = phrases.one_of(
        case.rng, "I received something that I'd like to exchange.", "I want to exchange part of an order."
    )
    return _swap(case, order, "exchange_delivered_order_items", ask, "exchange items")


def payable(user: Row, order: Row) -> list[str]:
    """The methods that the order's payment may be moved to: others than now, a gift card only if it covers all."""
    enough = [k for k in gift_cards(user) if user["payment_methods"][k]["balance"] >= total(order)]
    return [k for k in solid(user) + enough if k != paid_with(order)]


def repay(case: Case) -> Part:
    """Pay a pending order with another method."""
    order = case.order
    method, said = case.rng.choice(payable(case.user, order)), phrases.order(case, order)
    paying = phrases.method(case.methods[method])
    details = {"order": said, "payment": f"Please charge {paying} instead."}
    return Part(
        requests=(Request(ask="I'd like to pay for an order in a different way.", details=details),),
        goal=f"You want a pending order {phrases.in_prose(said)} paid with {paying} instead.",
        reads=(open_order(order),),
        writes=(write("modify_pending_order_payment", order_id=order["order_id"], payment_method_id=method),),
        slots={"order": order["order_id"], "payment": method},
    )


def refundable(user: Row, order: Row) -> list[str]:
    """Where a return may be refunded to: the first payment, or a gift card."""
    return list(dict.fromkeys([paid_with(order), *gift_cards(user)]))


def return_call(order: Row, items: list[Row], method: str) -> GoldCall:
    """The write that returns items."""
    ids = [item["item_id"] for item in items]
    return write("return_delivered_order_items", order_id=order["order_id"], item_ids=ids, payment_method_id=method)


def give_back(case: Case) -> Part:
    """Return some or all items of a delivered order."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(1, len(order["items"])))
    method, said = case.rng.choice(refundable(case.user, order)), phrases.order(case, order)
    refund = phrases.method(case.methods[method])
    details = {
        "order": said,
        "items": f"I want to return {phrases.names(items)}.",
        "payment": f"Please refund me to {refund}.",
    }
    ask = phrases.one_of(case.rng, "I'd like to return something.", "I want to send part of an order back.")
    slots: dict[str, Any] = {"order": order["order_id"], "items": [i["item_id"] for i in items], "payment": method}
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"You want to return {phrases.names(items)} of an order {phrases.in_prose(said)}, refunded to {refund}.",
        reads=(open_order(order),),
        writes=(return_call(order, items, method),),
        slots=slots,
    )


def _swappable(status: str) -> Move:
    make = modify if status == "pending" else exchange

    def fits(at: Spot) -> bool:
        return at.order["status"] == status and any(at.shop.others(item) for item in at.order["items"])

    return about_order(make, fits)


CANCEL = about_order(cancel, has_status("pending"))
REDIRECT = about_order(redirect, has_status("pending"))
REDIRECT_HOME = about_order(
    redirect_home, lambda at: at.order["status"] == "pending" and at.order["address"] != at.user["address"]
)
MOVE_HOUSE = about_caller(move_house, anywhere)
MODIFY = _swappable("pending")
EXCHANGE = _swappable("delivered")
REPAY = about_order(repay, lambda at: at.order["status"] == "pending" and bool(payable(at.user, at.order)))
RETURN = about_order(give_back, has_status("delivered"))
