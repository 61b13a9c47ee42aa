"""Wishes that change something and need a value worked out and told as well."""

from env_server.domains.kit import Request
from env_server.domains.retail.scenarios import phrases
from env_server.domains.retail.scenarios.base import (
    Case,
    Part,
    Spot,
    about_order,
    gift_cards,
    open_order,
    open_products,
    open_user,
    paid_with,
    total,
    write,
)
from env_server.domains.retail.scenarios.changes import (
    REASONS,
    refundable,
    return_call,
    swap_call,
    swap_details,
)


def return_total(case: Case) -> Part:
    """Return several items and hear the refund."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(2, len(order["items"])))
    method, said = case.rng.choice(refundable(case.user, order)), phrases.order(case, order)
    refund = phrases.method(case.methods[method])
    amount = phrases.money(sum(item["price"] for item in items))
    details = {
        "order": said,
        "items": f"I want to return {phrases.names(items)}.",
        "payment": f"Please refund me to {refund}.",
    }
    return Part(
        requests=(
            Request(
                ask="I'd like to return a few things, and to know the total refund.", details=details, wants=(amount,)
            ),
        ),
        goal=f"You want to return {phrases.names(items)} of an order {phrases.in_prose(said)}, refunded to {refund},"
        " and to be told the total refund.",
        proof=(open_order(order),),
        writes=(return_call(order, items, method),),
        outputs=(amount,),
        slots={"order": order["order_id"], "items": [i["item_id"] for i in items], "payment": method},
    )


def cancel_to_card(case: Case) -> Part:
    """Cancel an order paid with a gift card and hear the card's new balance."""
    order = case.order
    card, said = case.methods[paid_with(order)], phrases.order(case, order)
    reason = case.rng.choice(list(REASONS))
    after = phrases.money(card["balance"] + total(order))
    request = Request(
        ask="Please cancel an order that I paid with my gift card, and tell me the balance of the card afterwards.",
        details={"order": said, "reason": REASONS[reason]},
        wants=(after,),
    )
    return Part(
        requests=(request,),
        goal=f"You want to cancel an order {phrases.in_prose(said)} paid with your gift card and to be told the card's"
        f" balance afterwards. Asked why: {REASONS[reason]}",
        proof=(open_user(case.user),),
        reads=(open_order(order),),
        writes=(write("cancel_pending_order", order_id=order["order_id"], reason=reason),),
        outputs=(after,),
        slots={"order": order["order_id"], "reason": reason},
    )


def extreme(case: Case) -> Part:
    """Swap an item for the cheapest or dearest other variant in stock, and hear the price difference."""
    order = case.order
    item = case.rng.choice([item for item in order["items"] if case.shop.others(item)])
    which = case.rng.choice(("cheapest", "most expensive"))
    pick = min if which == "cheapest" else max
    variant = pick(case.shop.others(item), key=lambda v: v["price"])
    method, said = case.pay_with(), phrases.order(case, order)
    difference = phrases.money(abs(variant["price"] - item["price"]))
    pending = order["status"] == "pending"
    tool = "modify_pending_order_items" if pending else "exchange_delivered_order_items"
    details = swap_details(said, [item], [variant], phrases.method(case.methods[method]))
    details["new_items"] = f"I'd like the {which} other version that you have in stock, whatever its options."
    ask = "I'd like to swap something in an order for another version, and to know the price difference."
    return Part(
        requests=(Request(ask=ask, details=details, wants=(difference,)),),
        goal=f"You want {phrases.names([item])} of an order {phrases.in_prose(said)} swapped for the {which} other"
        f" version in stock, settled with {phrases.method(case.methods[method])}, and to be told the price difference.",
        proof=(open_order(order), *open_products([item])),
        writes=(swap_call(tool, order, [item], [variant], method),),
        outputs=(difference,),
        slots={"order": order["order_id"], "item": item["item_id"], "which": which, "payment": method},
    )


def card_left(case: Case) -> Part:
    """Pay a pending order from the gift card and hear what is left on it."""
    order = case.order
    said = phrases.order(case, order)
    card = next(case.methods[k] for k in gift_cards(case.user))
    left = phrases.money(card["balance"] - total(order))
    request = Request(
        ask="I want to pay for an order with my gift card instead, and to know what is left on the card then.",
        details={"order": said, "payment": "Please charge my gift card instead."},
        wants=(left,),
    )
    return Part(
        requests=(request,),
        goal=f"You want an order {phrases.in_prose(said)} paid with your gift card instead and to be told what is left"
        " on the card.",
        proof=(open_user(case.user),),
        reads=(open_order(order),),
        writes=(write("modify_pending_order_payment", order_id=order["order_id"], payment_method_id=card["id"]),),
        outputs=(left,),
        slots={"order": order["order_id"]},
    )


def _swappable(at: Spot) -> bool:
    return at.order["status"] in {"pending", "delivered"} and any(map(at.shop.others, at.order["items"]))


def _covered(at: Spot) -> bool:
    cards = [at.user["payment_methods"][k] for k in gift_cards(at.user)]
    return (
        at.order["status"] == "pending"
        and paid_with(at.order) not in gift_cards(at.user)
        and any(card["balance"] > total(at.order) for card in cards)
    )


def _paid_by_card(at: Spot) -> bool:
    return at.order["status"] == "pending" and paid_with(at.order) in gift_cards(at.user)


RETURN_TOTAL = about_order(return_total, lambda at: at.order["status"] == "delivered" and len(at.order["items"]) > 1)
CANCEL_TO_CARD = about_order(cancel_to_card, _paid_by_card)
EXTREME = about_order(extreme, _swappable)
CARD_LEFT = about_order(card_left, _covered)
