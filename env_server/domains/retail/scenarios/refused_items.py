"""Wishes about items of an order that the rows decide. The agent refuses with the deciding fact or, in the twin, grants
them.
"""

from dataclasses import replace

from env_server.domains.kit import Form, Known, Patch, Refusal, Row, prose, wish
from env_server.domains.retail.scenarios import agreed, asks, phrases, words
from env_server.domains.retail.scenarios.base import (
    Case,
    Shop,
    Wish,
    about_order,
    open_order,
    open_products,
    paid_with,
    write,
)
from env_server.domains.retail.scenarios.changes import (
    a_reason,
    cancel_call,
    return_call,
    return_details,
    swap_call,
    swap_details,
    swap_tool,
)
from env_server.domains.retail.scenarios.scene import order_is, settled, still_pending, stocked, with_items

_BUT_ITEMS = ("item_ids",)
"""Arguments that depend on the rows and that the caller does not know: the version they have."""

NOT_IN_STOCK: tuple[Form, ...] = (
    "out of stock",
    "sold out",
    "unavailable",
    "no stock",
    "none in stock",
    *((no, there) for no in ("not", "isn't", "no longer") for there in ("stock", "available")),
)


def second_change(case: Case) -> Wish:
    """The items of an order can change only once. A second change is refused."""
    order = case.order
    item = case.rng.choice([item for item in order["items"] if case.shop.others(item)])
    new, method, said = case.rng.choice(case.shop.others(item)), case.pay_with(), phrases.order(case, order)
    details = swap_details(case, said, [item], [new], method)
    call = swap_call("modify_pending_order_items", order, [item], [new], method)
    noun = phrases.method(case.methods[method])
    change = agreed.swapping(said, [item], phrases.versions([item], [new]), noun, call, "new_items")
    part = Wish(
        requests=(wish(case, *asks.MODIFY, details=details, changes=[change]),),
        goal=phrases.goal(case, asks.MODIFY, details, prose.accepts(case.voice)),
        proof=(open_order(order),),
        refusals=(
            Refusal(
                "the records show it as pending (item modified), and items are changed only once",
                ("already", "item modified", "items modified", "once", "before", "previously", "second time"),
            ),
        ),
        slots={"order": order["order_id"], "new": new["item_id"], "payment": method},
    )
    return settled(case, part, (call,), order_is(order, status="pending (item modified)"), {})


def sold_out(case: Case) -> Wish:
    """The caller wants a variant that is out of stock, and then takes one in stock."""
    order = case.order
    item = case.rng.choice([i for i in order["items"] if _has_choice(case.shop, i)])
    wanted, other = case.rng.choice(case.shop.others(item, available=False)), case.rng.choice(case.shop.others(item))
    method, said = case.pay_with(), phrases.order(case, order)
    first = swap_details(case, said, [item], [wanted], method)
    part = _instead(case, item, first, wanted, other, method)
    part = _with(part, Refusal("that version is not in stock", NOT_IN_STOCK))
    granted = swap_call(swap_tool(order), order, [item], [wanted], method)
    return settled(case, part, (granted,), {}, stocked(item, wanted["item_id"], available=True))


def same_version(case: Case) -> Wish:
    """The caller wants the options that the item already has, and then takes others. In the twin the item has other
    options.
    """
    order = case.order
    item = case.rng.choice([i for i in order["items"] if len(case.shop.others(i)) > 1])
    ordered, other = case.rng.sample(case.shop.others(item), 2)
    method, said = case.pay_with(), phrases.order(case, order)
    text = case.voice.pick(*words.WANTED).format(phrases.versions([item], [item]))
    wanted = Known(text, says=(phrases.differing(ordered, item),))
    details = swap_details(case, said, [item], [item], method) | {"new_items": wanted}
    had = {**item, "item_id": ordered["item_id"], "price": ordered["price"], "options": dict(ordered["options"])}
    part = _instead(case, item, details, item, other, method, *_BUT_ITEMS)
    part = _with(part, Refusal("it is that very version already", ("already", "same", "very version", "identical")))
    granted = swap_call(swap_tool(order), order, [had], [item], method)
    return settled(case, part, (granted,), {}, _ordered_otherwise(order, item, had))


def part_of_order(case: Case) -> Wish:
    """One item of a delivered order can be returned. A pending order cannot be cancelled in part, so all of it is
    cancelled.
    """
    order, item = case.order, case.rng.choice(case.order["items"])
    why, said, method = a_reason(case, order), phrases.order(case, order), paid_with(order)
    first = return_details(case, said, [item], method)
    then = {"order": said, "reason": phrases.reason(case, why)}
    back, noun = return_call(order, [item], method), phrases.method(case.methods[method])
    part = Wish(
        requests=(
            wish(case, *asks.RETURN_ONE, details=first, changes=[agreed.returning(said, [item], noun, back)]),
            wish(case, *asks.CANCEL_ALL, details=then, changes=[agreed.cancelling(said, order, why)], instead=True),
        ),
        goal=f"{phrases.goal(case, asks.RETURN_ONE, first)} {phrases.only_then(case, asks.CANCEL_ALL, then)}",
        proof=(open_order(order),),
        writes=(cancel_call(order, why),),
        refusals=(
            Refusal(
                "the order is still pending and has not been delivered",
                (
                    "pending",
                    *((no, sent) for no in ("not", "hasn't", "isn't") for sent in ("delivered", "shipped", "sent")),
                ),
                ("processed",),
            ),
        ),
        slots={"order": order["order_id"], "item": item["item_id"], "reason": why},
    )
    return settled(case, part, (back,), still_pending(order), {})


def sent_back(case: Case) -> Wish:
    """An order can be returned or exchanged once. An order with a requested exchange allows neither."""
    order = case.order
    item = case.rng.choice([item for item in order["items"] if case.shop.others(item)])
    new, method, said = case.rng.choice(case.shop.others(item)), paid_with(order), phrases.order(case, order)
    details, back = return_details(case, said, [item], method), return_call(order, [item], method)
    part = Wish(
        requests=(
            wish(
                case,
                *asks.RETURN,
                details=details,
                changes=[agreed.returning(said, [item], phrases.method(case.methods[method]), back)],
            ),
        ),
        goal=phrases.goal(case, asks.RETURN, details, prose.accepts(case.voice)),
        proof=(open_order(order),),
        refusals=(
            Refusal(
                "its status is 'exchange requested', and an order is sent back only once",
                ("exchange requested", ("exchange", "requested"), ("exchange", "already"), ("exchanged", "already")),
                ("return requested",),
            ),
        ),
        slots={"order": order["order_id"], "item": item["item_id"], "new": new["item_id"]},
    )
    requested = order_is(
        order,
        status="exchange requested",
        exchange_items=[item["item_id"]],
        exchange_new_items=[new["item_id"]],
        exchange_payment_method_id=method,
        exchange_price_difference=round(new["price"] - item["price"], 2),
    )
    return settled(case, part, (back,), requested, {})


def _instead(
    case: Case, item: Row, first: dict[str, Known], wanted: Row, other: Row, method: str, *unsaid: str
) -> Wish:
    """Return a swap for `wanted` or, if refused, for `other`. The caller adds the refusal.

    `unsaid` holds arguments by which the caller would not recognise the first call.
    """
    order, noun = case.order, phrases.method(case.methods[method])
    said, tool = first["order"], swap_tool(order)
    then = swap_details(case, said, [item], [other], method)
    full = swap_call(tool, order, [item], [wanted], method)
    one = write(tool, **{name: value for name, value in full.arguments.items() if name not in unsaid})
    two = swap_call(tool, order, [item], [other], method)
    bank = asks.MODIFY if order["status"] == "pending" else asks.EXCHANGE
    changes = [
        agreed.swapping(said, [item], phrases.versions([item], [new]), noun, call, "new_items")
        for new, call in ((wanted, one), (other, two))
    ]
    return Wish(
        requests=(
            wish(case, *bank, details=first, changes=changes[:1]),
            wish(case, *asks.OTHER_THEN, details=then, changes=changes[1:], instead=True),
        ),
        goal=f"{phrases.goal(case, bank, first)} {phrases.only_then(case, asks.OTHER_THEN, then)}",
        proof=(open_order(order), *open_products([item])),
        writes=(two,),
        slots={
            "order": order["order_id"],
            "wanted": wanted["item_id"],
            "new": other["item_id"],
            "payment": method,
        },
    )


def _with(part: Wish, refusal: Refusal) -> Wish:
    return replace(part, refusals=(refusal,))


def _ordered_otherwise(order: Row, item: Row, had: Row) -> Patch:
    """Return an order that holds `had` in place of `item`, which is in stock."""
    items = [had if held["item_id"] == item["item_id"] else held for held in order["items"]]
    return {**with_items(order, items), **stocked(item, item["item_id"], available=True)}


def _has_choice(shop: Shop, item: Row) -> bool:
    return bool(shop.others(item)) and bool(shop.others(item, available=False))


def _open(order: Row) -> bool:
    return order["status"] in {"pending", "delivered"}


SECOND_CHANGE = about_order(
    second_change, lambda at: at.order["status"] == "pending" and any(map(at.shop.others, at.order["items"]))
)
SOLD_OUT = about_order(sold_out, lambda at: _open(at.order) and any(_has_choice(at.shop, i) for i in at.order["items"]))
SAME_VERSION = about_order(
    same_version,
    lambda at: at.order["status"] == "pending" and any(len(at.shop.others(item)) > 1 for item in at.order["items"]),
)
PART_OF_ORDER = about_order(part_of_order, lambda at: at.order["status"] == "delivered" and len(at.order["items"]) > 1)
SENT_BACK = about_order(
    sent_back, lambda at: at.order["status"] == "delivered" and any(map(at.shop.others, at.order["items"]))
)
