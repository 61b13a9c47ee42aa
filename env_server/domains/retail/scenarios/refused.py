"""Wishes that a rule forbids: the agent has to look, refuse, and settle what the caller takes instead.

Where the caller takes nothing instead (`bad_reason`, `short_card`, `friends_order`), the score shows that the agent
looked, changed nothing and handed nobody over. It does not show that the agent refused in words: one that looks and
then says nothing useful until the caller gives up ends in the same state with the same calls, and scores the same.
"""

from env_server.domains.kit import ONLY_ASKING, Request
from env_server.domains.retail import people
from env_server.domains.retail.scenarios import phrases
from env_server.domains.retail.scenarios.base import (
    Case,
    Part,
    Row,
    Shop,
    Spot,
    about_caller,
    about_order,
    anywhere,
    gift_cards,
    has_status,
    open_order,
    open_products,
    open_user,
    paid_with,
    solid,
    total,
    write,
)
from env_server.domains.retail.scenarios.changes import REASONS, return_call, swap_call, swap_details

AS_SAID = {"confirm": "Only if it is done just as I said."}
"""What callers answer to a question for a yes while they wish something forbidden: it accepts no alternative."""

BAD_REASONS = ("I found it cheaper elsewhere.", "It takes too long to arrive.", "A friend advised me against it.")


def cancel_delivered(case: Case) -> Part:
    """Cancelling a delivered order is impossible; the caller then returns all of it."""
    order = case.order
    said, method = phrases.order(case, order), paid_with(order)
    reason = REASONS[case.rng.choice(list(REASONS))]
    refund = phrases.method(case.methods[method])
    instead = {
        "order": said,
        "items": "I want to return everything in that order.",
        "payment": f"Please refund me to {refund}.",
    }
    return Part(
        requests=(
            Request(ask="I want to cancel an order.", details={"order": said, "reason": reason} | AS_SAID),
            Request(ask="In that case I'd like to return everything in that order instead.", details=instead),
        ),
        goal=f"You want to cancel an order {phrases.in_prose(said)}. Asked why: {reason} Only if that is refused, you"
        f" want to return everything in it, refunded to {refund}.",
        proof=(open_order(order),),
        writes=(return_call(order, list(order["items"]), method),),
        slots={"order": order["order_id"], "reason": reason},
    )


def too_late(case: Case) -> Part:
    """A processed order can be neither cancelled nor redirected; the caller then wants its tracking number."""
    order = case.order
    said, wish = phrases.order(case, order), case.rng.choice(("cancelled", "sent to another address"))
    new = f"The new address is {phrases.address(people.address(case.rng))}."
    more = {"reason": REASONS["no longer needed"]} if wish == "cancelled" else {"address": new}
    number = order["fulfillments"][0]["tracking_id"][0]
    track = Request(
        ask="Then at least give me its tracking number, please.",
        details={"order": said, "confirm": ONLY_ASKING},
        wants=(number,),
    )
    return Part(
        requests=(Request(ask=f"I need an order {wish}.", details={"order": said} | more | AS_SAID), track),
        goal=f"You want an order {phrases.in_prose(said)} {wish}. {next(iter(more.values()))} If that is refused, you"
        " want its tracking number.",
        proof=(open_order(order),),
        outputs=(number,),
        slots={"order": order["order_id"], "wish": wish, **more},
    )


def second_change(case: Case) -> Part:
    """Items of an order can be changed once; a second change is refused."""
    order = case.order
    one, two = case.rng.sample([item for item in order["items"] if case.shop.others(item)], 2)
    new, later = case.rng.choice(case.shop.others(one)), case.rng.choice(case.shop.others(two))
    method, said = case.pay_with(), phrases.order(case, order)
    paying = phrases.method(case.methods[method])
    first = swap_details(said, [one], [new], paying)
    second = swap_details(said, [two], [later], paying)
    again = "Oh, there is another item in the same order that I want in another version."
    return Part(
        requests=(
            Request(ask="I'd like another version of an item in a pending order.", details=first),
            Request(ask=again, details=second | AS_SAID),
        ),
        goal=f"You want to change one item of an order {phrases.in_prose(said)}. {' '.join(list(first.values())[1:])}"
        " Only when that is done, you think of a second item in it."
        f" {' '.join(list(second.values())[1:])} You accept it if that is refused.",
        proof=(open_order(order),),
        writes=(swap_call("modify_pending_order_items", order, [one], [new], method),),
        slots={"order": order["order_id"], "new": [new["item_id"], later["item_id"]], "payment": method},
    )


def wrong_refund(case: Case) -> Part:
    """A refund goes to the original method or a gift card, not to another card or account."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(1, len(order["items"])))
    wrong = case.rng.choice([k for k in solid(case.user) if k != paid_with(order)])
    said, wanted = phrases.order(case, order), phrases.method(case.methods[wrong])
    right = phrases.method(case.methods[paid_with(order)])
    details = {
        "order": said,
        "items": f"I want to return {phrases.names(items)}.",
        "payment": f"I want the refund on {wanted}.",
    }
    instead = details | {"payment": f"Please refund me to {right}."}
    return Part(
        requests=(
            Request(ask=f"I'd like to return something and get the money on {wanted}.", details=details | AS_SAID),
            Request(ask=f"Then refund it to {right}, with which I paid.", details=instead),
        ),
        goal=f"You want to return {phrases.names(items)} of an order {phrases.in_prose(said)}, refunded to {wanted}."
        f" Only if that is refused, you take the refund to {right}.",
        proof=(open_order(order),),
        writes=(return_call(order, items, paid_with(order)),),
        slots={"order": order["order_id"], "items": [i["item_id"] for i in items], "wrong": wrong},
    )


def sold_out(case: Case) -> Part:
    """Wants a variant that is not in stock, then takes one that is."""
    order = case.order
    item = case.rng.choice([i for i in order["items"] if _has_choice(case.shop, i)])
    wish = phrases.options(case.rng.choice(case.shop.others(item, available=False)))
    return _settle_for(case, order, item, f"the one with {wish}")


def other_product(case: Case) -> Part:
    """Wants another type of product in exchange, then takes a variant of the same one."""
    order = case.order
    item = case.rng.choice([i for i in order["items"] if case.shop.others(i)])
    return _settle_for(case, order, item, f"the {case.shop.exotic[item['product_id']]}")


def _settle_for(case: Case, order: Row, item: Row, wish: str) -> Part:
    pending = order["status"] == "pending"
    tool = "modify_pending_order_items" if pending else "exchange_delivered_order_items"
    variant, method = case.rng.choice(case.shop.others(item)), case.pay_with()
    said, paying = phrases.order(case, order), phrases.method(case.methods[method])
    instead = swap_details(said, [item], [variant], paying)
    details = instead | {"new_items": f"I would like {wish} in its place."}
    return Part(
        requests=(
            Request(ask="I'd like to swap something I ordered for something else.", details=details | AS_SAID),
            Request(ask=f"Then I'll take the same thing with {phrases.options(variant)}.", details=instead),
        ),
        goal=f"You want {phrases.names([item])} of an order {phrases.in_prose(said)} swapped for {wish}, settled with"
        f" {paying}. Only if that is refused, you take the same product with {phrases.options(variant)}.",
        proof=(open_order(order), *open_products([item])),
        writes=(swap_call(tool, order, [item], [variant], method),),
        slots={"order": order["order_id"], "wish": wish, "new": variant["item_id"], "payment": method},
    )


def part_of_order(case: Case) -> Part:
    """One item cannot be taken out of a pending order; the caller then cancels all of it."""
    order = case.order
    said, wish = phrases.order(case, order), case.rng.choice(("cancel", "return"))
    items, reason = [case.rng.choice(order["items"])], case.rng.choice(list(REASONS))
    details = {"order": said, "items": f"I only mean {phrases.names(items)}.", "reason": REASONS[reason]}
    instead = {"order": said, "items": "I mean the whole order.", "reason": REASONS[reason]}
    return Part(
        requests=(
            Request(ask=f"I want to {wish} one item of an order.", details=details | AS_SAID),
            Request(ask="Then please cancel the whole order.", details=instead),
        ),
        goal=f"You want to {wish} only {phrases.names(items)} of an order {phrases.in_prose(said)}. Only if that is"
        f" refused, you want the whole order cancelled. Asked why: {REASONS[reason]}",
        proof=(open_order(order),),
        writes=(write("cancel_pending_order", order_id=order["order_id"], reason=reason),),
        slots={"order": order["order_id"], "wish": wish, "item": items[0]["item_id"], "reason": reason},
    )


def bad_reason(case: Case) -> Part:
    """Wants to cancel a pending order for a reason that is not accepted, and says no other."""
    order = case.order
    said, reason = phrases.order(case, order), case.rng.choice(BAD_REASONS)
    details = {"order": said, "reason": reason, "confirm": f"Only for the reason that I gave. {reason}"}
    return Part(
        requests=(Request(ask="I want to cancel an order.", details=details),),
        goal=f"You want to cancel an order {phrases.in_prose(said)}. Your only reason: {reason} You give no other and"
        " accept it if you are refused.",
        proof=(open_order(order),),
        slots={"order": order["order_id"], "reason": reason},
    )


def short_card(case: Case) -> Part:
    """Wants to pay an order from a gift card that does not cover it."""
    order = case.order
    said = phrases.order(case, order)
    details = {
        "order": said,
        "payment": "I want to use my gift card for all of it.",
        "confirm": "Only if my gift card pays for all of it.",
    }
    return Part(
        requests=(Request(ask="I'd like to pay an order with my gift card instead.", details=details),),
        goal=f"You want an order {phrases.in_prose(said)} paid with your gift card. If that is refused, leave it.",
        proof=(open_user(case.user), open_order(order)),
        slots={"order": order["order_id"]},
    )


def friends_order(case: Case) -> Part:
    """Wants to cancel somebody else's order, one that the caller's details do not list."""
    peers = (case.shop.users[p] for p in case.peers if p != case.user["user_id"])
    foreign = case.rng.choice([order_id for peer in peers for order_id in peer["orders"]])
    reason = REASONS[case.rng.choice(list(REASONS))]
    details = {"order": f"The order number is {foreign}. It is a friend's.", "reason": reason} | AS_SAID
    return Part(
        requests=(Request(ask="Please cancel an order for a friend of mine.", details=details),),
        goal=f"You want order {foreign} cancelled, which a friend placed with their own account. Asked why: {reason}"
        " You accept it if you are refused.",
        proof=(open_user(case.user),),
        slots={"order": foreign, "reason": reason},
    )


def _has_choice(shop: Shop, item: Row) -> bool:
    return bool(shop.others(item)) and bool(shop.others(item, available=False))


def _open(order: Row) -> bool:
    return order["status"] in {"pending", "delivered"}


def _too_dear(at: Spot) -> bool:
    cards = [at.user["payment_methods"][k] for k in gift_cards(at.user)]
    unpaid = paid_with(at.order) not in gift_cards(at.user)
    return bool(cards) and unpaid and at.order["status"] == "pending" and cards[0]["balance"] < total(at.order)


CANCEL_DELIVERED = about_order(cancel_delivered, has_status("delivered"))
TOO_LATE = about_order(too_late, lambda at: at.order["status"] == "processed" and len(at.order["fulfillments"]) == 1)
SECOND_CHANGE = about_order(
    second_change,
    lambda at: at.order["status"] == "pending" and sum(map(bool, map(at.shop.others, at.order["items"]))) > 1,
)
WRONG_REFUND = about_order(
    wrong_refund,
    lambda at: at.order["status"] == "delivered" and bool(set(solid(at.user)) - {paid_with(at.order)}),
)
SOLD_OUT = about_order(sold_out, lambda at: _open(at.order) and any(_has_choice(at.shop, i) for i in at.order["items"]))
OTHER_PRODUCT = about_order(other_product, lambda at: _open(at.order) and any(map(at.shop.others, at.order["items"])))
PART_OF_ORDER = about_order(part_of_order, lambda at: at.order["status"] == "pending" and len(at.order["items"]) > 1)
BAD_REASON = about_order(bad_reason, has_status("pending"))
SHORT_CARD = about_order(short_card, _too_dear)
FRIENDS_ORDER = about_caller(friends_order, anywhere)
