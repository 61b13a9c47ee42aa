"""Wishes that change something and also ask for a computed value."""

from env_server.domains.kit import Known, money, told, wish
from env_server.domains.retail.scenarios import agreed, asks, phrases, words
from env_server.domains.retail.scenarios.base import (
    Case,
    Spot,
    Wish,
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
    a_reason,
    cancel_call,
    pay_call,
    refundable,
    return_call,
    return_details,
    swap_call,
    swap_details,
    swap_tool,
)
from env_server.domains.retail.scenarios.questions import CARD_OF, DIFFERENCE_OF, REFUND_OF


def return_total(case: Case) -> Wish:
    """Return several items and hear the refund."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(2, len(order["items"])))
    method, said = case.rng.choice(refundable(case.user, order)), phrases.order(case, order)
    amount = money(sum(item["price"] for item in items))
    details, call = return_details(case, said, items, method), return_call(order, items, method)
    change = agreed.returning(said, items, phrases.method(case.methods[method]), call)
    want, tell = told(amount, f"The total refund is ${amount}.", *REFUND_OF)
    return Wish(
        requests=(wish(case, *asks.RETURN_TOTAL, details=details, changes=[change], wants=[want]),),
        goal=phrases.goal(case, asks.RETURN_TOTAL, details),
        proof=(open_order(order),),
        writes=(call,),
        tells=(tell,),
        slots={"order": order["order_id"], "items": [i["item_id"] for i in items], "payment": method},
    )


def cancel_to_card(case: Case) -> Wish:
    """Cancel an order paid with a gift card and hear the card's new balance."""
    order = case.order
    card, said, why = case.methods[paid_with(order)], phrases.order(case, order), a_reason(case, order)
    after = money(card["balance"] + total(order))
    details = {"order": said, "reason": phrases.reason(case, why)}
    want, tell = told(after, f"The balance of your gift card is now ${after}.", *CARD_OF)
    change = agreed.cancelling(said, order, why)
    return Wish(
        requests=(wish(case, *asks.CANCEL_TO_CARD, details=details, changes=[change], wants=[want]),),
        goal=phrases.goal(case, asks.CANCEL_TO_CARD, details),
        proof=(open_user(case.user),),
        reads=(open_order(order),),
        writes=(cancel_call(order, why),),
        tells=(tell,),
        slots={"order": order["order_id"], "reason": why},
    )


def extreme(case: Case) -> Wish:
    """Swap an item for the cheapest or dearest other variant in stock, and hear the price difference."""
    order = case.order
    item = case.rng.choice([item for item in order["items"] if case.shop.others(item)])
    which = case.rng.choice(("cheapest", "most expensive"))
    pick = min if which == "cheapest" else max
    variant = pick(case.shop.others(item), key=lambda v: v["price"])
    method, said = case.pay_with(), phrases.order(case, order)
    amount = money(abs(variant["price"] - item["price"]))
    wanted = Known(case.voice.pick(*words.WHICH[which]))
    details = swap_details(case, said, [item], [variant], method) | {"new_items": wanted}
    call = swap_call(swap_tool(order), order, [item], [variant], method)
    known = write(call.name, **{k: v for k, v in call.arguments.items() if k != "new_item_ids"})
    noun = phrases.method(case.methods[method])
    change = agreed.swapping(said, [item], f"the {which} other version in stock", noun, known)
    want, tell = told(amount, f"The price difference is ${amount}.", *DIFFERENCE_OF)
    return Wish(
        requests=(wish(case, *asks.EXTREME, details=details, changes=[change], wants=[want]),),
        goal=phrases.goal(case, asks.EXTREME, details),
        proof=(open_order(order), *open_products([item])),
        writes=(call,),
        tells=(tell,),
        slots={"order": order["order_id"], "item": item["item_id"], "which": which, "payment": method},
    )


def card_left(case: Case) -> Wish:
    """Pay a pending order from the gift card and hear what is left on it."""
    order = case.order
    said, card = phrases.order(case, order), case.methods[gift_cards(case.user)[0]]
    left = money(card["balance"] - total(order))
    details = {"order": said, "payment": phrases.payment(case, card["id"], *words.CHARGE)}
    change = agreed.paying(said, order, "the gift card", payment_method_id=card["id"])
    want, tell = told(left, f"There is ${left} left on your gift card.", *CARD_OF)
    return Wish(
        requests=(wish(case, *asks.CARD_LEFT, details=details, changes=[change], wants=[want]),),
        goal=phrases.goal(case, asks.CARD_LEFT, details),
        proof=(open_user(case.user),),
        reads=(open_order(order),),
        writes=(pay_call(order, card["id"]),),
        tells=(tell,),
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
