"""Wishes about whole orders that the rows decide. The agent refuses with the deciding fact or, in the twin, grants the
wish.
"""

from typing import Any

from env_server.domains.kit import Form, Refusal, money, prose, told, wish
from env_server.domains.retail import people
from env_server.domains.retail.scenarios import agreed, asks, phrases, words
from env_server.domains.retail.scenarios.base import (
    Case,
    Spot,
    Wish,
    about_caller,
    about_order,
    gift_cards,
    has_status,
    open_order,
    open_user,
    paid_with,
    solid,
    total,
)
from env_server.domains.retail.scenarios.changes import (
    MOST_BY_MISTAKE,
    REASONS,
    a_reason,
    cancel_call,
    pay_call,
    payable,
    return_call,
    return_details,
    send_call,
)
from env_server.domains.retail.scenarios.questions import TRACKING_OF
from env_server.domains.retail.scenarios.scene import entry, first_paid, order_is, settled, still_pending, with_items

ELSEWHERE: tuple[Form, ...] = (
    *(("not", word) for word in ("among", "one of your", "yours", "listed", "belong", "your account", "your orders")),
    *(("no", word) for word in ("your account", "your orders", "your profile")),
    *(("isn't", word) for word in ("among", "one of your", "yours", "listed", "your account", "your orders")),
    *(("doesn't", word) for word in ("belong", "appear", "your account", "your orders")),
    "different account",
    "another account",
    "other account",
    "someone else",
    "somebody else",
    "another customer",
)


def cancel_delivered(case: Case) -> Wish:
    """A delivered order cannot be cancelled. The caller then returns all of it."""
    order = case.order
    said, method, why = phrases.order(case, order), paid_with(order), a_reason(case, order)
    first = {"order": said, "reason": phrases.reason(case, why)}
    everything = list(order["items"])
    then = return_details(case, said, everything, method)
    then["items"] = phrases.things(case, order, everything, *words.EVERYTHING)
    back = return_call(order, everything, method)
    returning = agreed.returning(said, everything, phrases.method(case.methods[method]), back)
    part = Wish(
        requests=(
            wish(case, *asks.CANCEL, details=first, changes=[agreed.cancelling(said, order, why)]),
            wish(case, *asks.RETURN_ALL, details=then, changes=[returning], instead=True),
        ),
        goal=f"{phrases.goal(case, asks.CANCEL, first)} {phrases.only_then(case, asks.RETURN_ALL, then)}",
        proof=(open_order(order),),
        writes=(back,),
        refusals=(Refusal("it has already been delivered", ("delivered", "arrived"), ("processed",)),),
        slots={"order": order["order_id"], "reason": why},
    )
    return settled(case, part, (cancel_call(order, why),), {}, still_pending(order))


def too_late(case: Case) -> Wish:
    """A processed order can be neither cancelled nor redirected. The caller then wants its tracking number."""
    order, new = case.order, people.address(case.rng)
    said, which, why = phrases.order(case, order), case.rng.choice(("cancel", "send")), a_reason(case, order)
    number = order["fulfillments"][0]["tracking_id"][0]
    bank: tuple[str, ...] = asks.CANCEL
    if which == "cancel":
        first = {"order": said, "reason": phrases.reason(case, why)}
        change, granted = agreed.cancelling(said, order, why), cancel_call(order, why)
    else:
        bank, first = asks.REDIRECT, {"order": said, "address": phrases.new_address(case, new)}
        change, granted = agreed.sending(said, order, new, phrases.address(new)), send_call(order, new)
    want, tell = told(number, f"The tracking number is {number}.", *TRACKING_OF, wish=1)
    then = {"order": said}
    part = Wish(
        requests=(
            wish(case, *bank, details=first, changes=[change]),
            wish(case, *asks.TRACK_THEN, details=then, wants=[want], instead=True),
        ),
        goal=f"{phrases.goal(case, bank, first)} {phrases.only_then(case, asks.TRACK_THEN, then)}",
        proof=(open_order(order),),
        tells=(tell,),
        refusals=(
            Refusal(
                "it has been processed and handed to the carrier",
                ("processed", "carrier", "shipped", "on its way", "dispatched"),
                ("delivered",),
            ),
        ),
        slots={"order": order["order_id"], "wish": which, "said": next(reversed(first.values())).text},
    )
    return settled(case, part, (granted,), {}, still_pending(order))


def mistake(case: Case) -> Wish:
    """A large order does not count as placed by mistake. The caller then sends it elsewhere."""
    order, new, why = case.order, people.address(case.rng), REASONS[1]
    kept = case.rng.choice([item for item in order["items"] if item["price"] <= MOST_BY_MISTAKE])
    said = phrases.by_number(case, order) if case.rng.random() < 0.6 else phrases.by_item(case, order, kept["name"])
    first = {"order": said, "reason": phrases.reason(case, why)}
    then = {"order": said, "address": phrases.new_address(case, new)}
    sending = agreed.sending(said, order, new, phrases.address(new))
    price, limit = money(total(order)), money(MOST_BY_MISTAKE)
    part = Wish(
        requests=(
            wish(case, *asks.CANCEL, details=first, changes=[agreed.cancelling(said, order, why)]),
            wish(case, *asks.REDIRECT_THEN, details=then, changes=[sending], instead=True),
        ),
        goal=f"{phrases.goal(case, asks.CANCEL, first)} {phrases.only_then(case, asks.REDIRECT_THEN, then)}",
        proof=(open_order(order),),
        writes=(send_call(order, new),),
        refusals=(
            Refusal(f"it comes to ${price}, and orders of more than ${limit} do not count as mistakes", (price,)),
        ),
        slots={"order": order["order_id"], "kept": kept["item_id"], "address": new},
    )
    return settled(case, part, (cancel_call(order, why),), {}, with_items(order, [kept]))


def second_payment(case: Case) -> Wish:
    """The payment of an order can change only once. A second change is refused."""
    order = case.order
    method, said = case.rng.choice(solid_payable(case.user, order)), phrases.order(case, order)
    details = {"order": said, "payment": phrases.payment(case, method, *words.CHARGE)}
    change = agreed.paying(said, order, phrases.method(case.methods[method]), payment_method_id=method)
    price, now = total(order), paid_with(order)
    history = [entry("payment", price, method), entry("payment", price, now), entry("refund", price, method)]
    part = Wish(
        requests=(wish(case, *asks.REPAY, details=details, changes=[change]),),
        goal=phrases.goal(case, asks.REPAY, details, prose.accepts(case.voice)),
        proof=(open_order(order),),
        refusals=(
            Refusal(
                "its history shows more than one payment, and a payment is changed only once",
                ("already", "once", "before", "second time", "previously", "more than one", "three"),
                about=("pay",),
            ),
        ),
        slots={"order": order["order_id"], "payment": method},
    )
    return settled(case, part, (pay_call(order, method),), order_is(order, payment_history=history), {})


def solid_payable(user: Any, order: Any) -> list[str]:
    """Return the cards and accounts that an order's payment may be moved to."""
    return [k for k in payable(user, order) if k in solid(user)]


def short_card(case: Case) -> Wish:
    """The caller wants to pay an order from a gift card. The card covers it only in one twin."""
    order = case.order
    said, card = phrases.order(case, order), case.methods[gift_cards(case.user)[0]]
    details = {"order": said, "payment": phrases.payment(case, card["id"], *words.CHARGE)}
    holds, price = money(card["balance"]), money(total(order))
    enough = round(total(order) + case.rng.randint(100, 9000) / 100, 2)
    change = agreed.paying(said, order, "the gift card", payment_method_id=card["id"])
    part = Wish(
        requests=(wish(case, *asks.REPAY, details=details, changes=[change]),),
        goal=phrases.goal(case, asks.REPAY, details, prose.accepts(case.voice)),
        proof=(open_user(case.user), open_order(order)),
        refusals=(
            Refusal(f"the gift card holds only ${holds}, and the order costs ${price}", (holds,), about=("gift card",)),
        ),
        slots={"order": order["order_id"], "said": details["payment"].text},
    )
    filled = {"users": {case.user["user_id"]: {"payment_methods": {card["id"]: {"balance": enough}}}}}
    return settled(case, part, (pay_call(order, card["id"]),), {}, filled)


def wrong_refund(case: Case) -> Wish:
    """A refund goes to the original payment method or to a gift card, not to another card or account."""
    order, now = case.order, paid_with(case.order)
    items = case.rng.sample(order["items"], case.rng.randint(1, len(order["items"])))
    wrong = case.rng.choice([k for k in solid(case.user) if k != now])
    said, paid = phrases.order(case, order), case.methods[now]
    first = return_details(case, said, items, wrong)
    then = first | {"payment": phrases.payment(case, now, *words.REFUND)}
    one, two = return_call(order, items, wrong), return_call(order, items, now)
    others = [row for k, row in case.methods.items() if k not in (wrong, now)]
    part = Wish(
        requests=(
            wish(
                case,
                *asks.RETURN,
                details=first,
                changes=[agreed.returning(said, items, phrases.method(case.methods[wrong]), one)],
            ),
            wish(
                case,
                *asks.REFUND_THEN,
                details=then,
                changes=[agreed.returning(said, items, phrases.method(paid), two)],
                instead=True,
            ),
        ),
        goal=f"{phrases.goal(case, asks.RETURN, first)} {phrases.only_then(case, asks.REFUND_THEN, then)}",
        proof=(open_order(order),),
        writes=(two,),
        refusals=(
            Refusal(
                f"the first payment of the order is on {phrases.method(paid)}",
                first_forms(paid, others),
                tuple(row["last_four"] for row in others if row["source"] == "credit_card"),
                about=("refund",),
            ),
        ),
        slots={"order": order["order_id"], "items": [i["item_id"] for i in items], "wrong": wrong},
    )
    return settled(case, part, (one,), {}, first_paid(order, wrong))


def first_forms(row: Any, others: list[Any]) -> tuple[str, ...]:
    """Return the phrases for the order's original payment method. The brand alone suffices if no other card has it."""
    brands = {other.get("brand") for other in others}
    forms = phrases.method_forms(row)
    return (*forms, row["brand"]) if row["source"] == "credit_card" and row["brand"] not in brands else forms


def not_theirs(case: Case) -> Wish:
    """The caller wants to cancel an order of another account. In the twin the order is their own."""
    peers = (case.shop.users[p] for p in case.peers if p != case.user["user_id"])
    pending = [o for peer in peers for o in case.shop.orders_of(peer) if o["status"] == "pending"]
    foreign = case.rng.choice(pending)
    why, said = a_reason(case, foreign), phrases.by_number(case, foreign)
    details = {"order": said, "reason": phrases.reason(case, why)}
    owner, method = case.shop.users[foreign["user_id"]], case.rng.choice(list(case.methods))
    part = Wish(
        requests=(wish(case, *asks.CANCEL, details=details, changes=[agreed.cancelling(said, foreign, why)]),),
        goal=phrases.goal(case, asks.CANCEL, details, prose.accepts(case.voice)),
        proof=(open_user(case.user),),
        refusals=(Refusal("it is not among the orders in your account", ELSEWHERE),),
        slots={"order": foreign["order_id"], "reason": why},
    )
    theirs = {
        "users": {
            case.user["user_id"]: {"orders": [*case.user["orders"], foreign["order_id"]]},
            owner["user_id"]: {"orders": [o for o in owner["orders"] if o != foreign["order_id"]]},
        },
        **order_is(foreign, user_id=case.user["user_id"], payment_history=[entry("payment", total(foreign), method)]),
    }
    return settled(case, part, (cancel_call(foreign, why),), {}, theirs)


def _large(at: Spot) -> bool:
    affordable = any(item["price"] <= MOST_BY_MISTAKE for item in at.order["items"])
    return bool(at.order["status"] == "pending" and total(at.order) > MOST_BY_MISTAKE and affordable)


def _too_dear(at: Spot) -> bool:
    cards = [at.user["payment_methods"][k] for k in gift_cards(at.user)]
    unpaid = paid_with(at.order) not in gift_cards(at.user)
    return bool(cards) and unpaid and at.order["status"] == "pending" and cards[0]["balance"] < total(at.order)


CANCEL_DELIVERED = about_order(cancel_delivered, has_status("delivered"))
TOO_LATE = about_order(too_late, lambda at: at.order["status"] == "processed" and len(at.order["fulfillments"]) == 1)
MISTAKE = about_order(mistake, _large)
SECOND_PAYMENT = about_order(
    second_payment, lambda at: at.order["status"] == "pending" and bool(solid_payable(at.user, at.order))
)
SHORT_CARD = about_order(short_card, _too_dear)
WRONG_REFUND = about_order(
    wrong_refund,
    lambda at: at.order["status"] == "delivered" and bool(set(solid(at.user)) - {paid_with(at.order)}),
)
NOT_THEIRS = about_caller(not_theirs)
