"""Callers who change their mind when asked to confirm; gold is what they want in the end."""

from env_server.domains.kit import Request
from env_server.domains.retail import people
from env_server.domains.retail.scenarios import phrases
from env_server.domains.retail.scenarios.base import (
    Case,
    Part,
    Spot,
    about_caller,
    about_order,
    anywhere,
    has_status,
    open_order,
    open_products,
    paid_with,
)
from env_server.domains.retail.scenarios.changes import (
    REASONS,
    address_call,
    return_call,
    swap_call,
    swap_details,
)


def other_version(case: Case) -> Part:
    """Wants one variant, then another."""
    order = case.order
    item = case.rng.choice([item for item in order["items"] if len(case.shop.others(item)) > 1])
    first, final = case.rng.sample(case.shop.others(item), 2)
    method, said = case.pay_with(), phrases.order(case, order)
    details = swap_details(said, [item], [first], phrases.method(case.methods[method]))
    revise = f"Wait, I have changed my mind: please make it {phrases.options(final)} instead."
    pending = order["status"] == "pending"
    tool = "modify_pending_order_items" if pending else "exchange_delivered_order_items"
    return Part(
        requests=(Request(ask="I'd like another version of something I ordered.", details=details, revise=revise),),
        goal=f"You want another version of something in an order {phrases.in_prose(said)}."
        f" {' '.join(list(details.values())[1:])} When the agent asks you to confirm, you change your mind and want"
        f" {phrases.options(final)} instead; that is final.",
        reads=(open_order(order), *open_products([item])),
        writes=(swap_call(tool, order, [item], [final], method),),
        slots={"order": order["order_id"], "first": first["item_id"], "new": final["item_id"], "payment": method},
    )


def fewer_items(case: Case) -> Part:
    """Wants to return several items, then keeps one of them."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(2, len(order["items"])))
    kept, rest = items[-1], items[:-1]
    method, said = paid_with(order), phrases.order(case, order)
    refund = phrases.method(case.methods[method])
    details = {
        "order": said,
        "items": f"I want to return {phrases.names(items)}.",
        "payment": f"Please refund me to {refund}.",
    }
    revise = f"Actually, I will keep {phrases.names([kept])}. Please return only {phrases.names(rest)}."
    return Part(
        requests=(Request(ask="I'd like to return a few things.", details=details, revise=revise),),
        goal=f"You want to return {phrases.names(items)} of an order {phrases.in_prose(said)}, refunded to {refund}."
        f" When the agent asks you to confirm, you decide to keep {phrases.names([kept])} and return only the rest.",
        reads=(open_order(order),),
        writes=(return_call(order, rest, method),),
        slots={"order": order["order_id"], "items": [i["item_id"] for i in rest], "kept": kept["item_id"]},
    )


def redirect_instead(case: Case) -> Part:
    """Wants to cancel, then only to have the order sent elsewhere."""
    order = case.order
    new, said = people.address(case.rng), phrases.order(case, order)
    reason = case.rng.choice(list(REASONS))
    revise = (
        "Wait, please do not cancel it after all. Just send that order to another address instead:"
        f" {phrases.address(new)}."
    )
    details = {"order": said, "reason": REASONS[reason]}
    return Part(
        requests=(Request(ask="I think I want to cancel an order.", details=details, revise=revise),),
        goal=f"You want to cancel an order {phrases.in_prose(said)}. Asked why: {REASONS[reason]} When the agent asks"
        f" you to confirm, you decide to keep the order and have it sent to {phrases.address(new)} instead.",
        reads=(open_order(order),),
        writes=(address_call("modify_pending_order_address", "order_id", order["order_id"], new),),
        slots={"order": order["order_id"], "reason": reason, "address": new},
    )


def corrected_address(case: Case) -> Part:
    """Gives a new default address, then corrects it."""
    first, other = people.address(case.rng), people.address(case.rng)
    final = first | {"address1": other["address1"], "address2": other["address2"]}
    revise = f"Sorry, I made a mistake. The correct address is {phrases.address(final)}."
    details = {"address": f"The new address is {phrases.address(first)}."}
    return Part(
        requests=(Request(ask="Please change the address in my profile.", details=details, revise=revise),),
        goal=f"You want your default address changed to {phrases.address(first)}. When the agent asks you to confirm,"
        f" you notice a mistake: the correct address is {phrases.address(final)}.",
        writes=(address_call("modify_user_address", "user_id", case.user["user_id"], final),),
        slots={"first": first, "address": final},
    )


def _two_others(at: Spot) -> bool:
    choices = (at.shop.others(item) for item in at.order["items"])
    return at.order["status"] in {"pending", "delivered"} and any(len(others) > 1 for others in choices)


OTHER_VERSION = about_order(other_version, _two_others)
FEWER_ITEMS = about_order(fewer_items, lambda at: at.order["status"] == "delivered" and len(at.order["items"]) > 1)
REDIRECT_INSTEAD = about_order(redirect_instead, has_status("pending"))
CORRECTED_ADDRESS = about_caller(corrected_address, anywhere)
