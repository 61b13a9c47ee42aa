"""Wishes that the rows leave to human agents, and that other rows let the agent grant."""

from env_server.domains.kit import Form, Known, Refusal, fresh, handover, prose, wish
from env_server.domains.retail import people
from env_server.domains.retail.scenarios import agreed, asks, phrases, words
from env_server.domains.retail.scenarios.base import (
    Case,
    Wish,
    about_order,
    has_status,
    open_order,
    open_products,
    open_user,
)
from env_server.domains.retail.scenarios.changes import REASONS, a_reason, cancel_call, pay_call, send_call, swap_call
from env_server.domains.retail.scenarios.refused_items import NOT_IN_STOCK
from env_server.domains.retail.scenarios.scene import cancelled_before, settled, still_pending, stocked

_NO = ("no", "not", "don't", "isn't", "cannot", "can't", "doesn't", "only", "unable")
NO_SUCH_CARD: tuple[Form, ...] = tuple(
    (no, word) for no in _NO for word in ("profile", "account", "on file", "listed", "registered", "saved", "see")
)


def _yes(case: Case) -> dict[str, Known | str]:
    """Return the answer to an offer of a transfer."""
    return {"transfer": case.voice.pick(*words.TRANSFER)}


def lost_parcel(case: Case) -> Wish:
    """An order did not arrive. If it is delivered according to the rows, a human agent handles it. If it is pending, it
    is cancelled.
    """
    order, why = case.order, REASONS[0]
    said = phrases.order(case, order)
    reason = Known(case.voice.pick(*words.NEVER_CAME), says=words.REASON_FORMS[why])
    details = {"order": said, "reason": reason}
    change = agreed.cancelling(said, order, why)
    part = Wish(
        requests=(wish(case, *asks.NEVER_CAME, details=details | _yes(case), changes=[change]),),
        goal=phrases.goal(case, asks.NEVER_CAME, details, prose.transferred(case.voice)),
        proof=(open_order(order),),
        handover=handover(f"The user never received order {order['order_id']}, which is shown as delivered."),
        reason=Refusal("the order is shown as delivered although it did not reach you", ("delivered",), ("processed",)),
        slots={"order": order["order_id"], "reason": reason.text},
    )
    return settled(case, part, (cancel_call(order, why),), {}, still_pending(order))


def reinstate(case: Case) -> Wish:
    """The caller still wants an order, at another address. A human agent handles a cancelled order; a pending one is
    redirected.
    """
    order, new = case.order, people.address(case.rng)
    said, why = phrases.order(case, order), a_reason(case, order)
    details = {"order": said, "address": phrases.new_address(case, new)}
    change = agreed.sending(said, order, new, phrases.address(new))
    part = Wish(
        requests=(wish(case, *asks.STILL_WANTED, details=details | _yes(case), changes=[change]),),
        goal=phrases.goal(case, asks.STILL_WANTED, details, prose.transferred(case.voice)),
        proof=(open_order(order),),
        handover=handover(f"The user wants cancelled order {order['order_id']} brought back."),
        reason=Refusal(
            "the order shows as cancelled in our records", ("cancelled", "canceled", "cancellation"), ("processed",)
        ),
        slots={"order": order["order_id"], "address": new},
    )
    return settled(case, part, (send_call(order, new),), cancelled_before(order, why), {})


def new_card(case: Case) -> Wish:
    """The caller wants to pay with a card. The profile has it, or a human agent must add it."""
    order, said = case.order, phrases.order(case, case.order)
    taken = set(case.methods) | {str(row.get("last_four")) for row in case.methods.values()}
    key = f"credit_card_{fresh(case.rng, taken, 7)}"
    card = {
        "source": "credit_card",
        "id": key,
        "brand": case.rng.choice(people.BRANDS),
        "last_four": fresh(case.rng, taken, 4),
    }
    details = {"order": said, "payment": phrases.paying(case, card, list(case.methods.values()), *words.CHARGE)}
    change = agreed.paying(said, order, phrases.method(card))
    part = Wish(
        requests=(wish(case, *asks.NEW_CARD, details=details | _yes(case), changes=[change]),),
        goal=phrases.goal(case, asks.NEW_CARD, details, prose.transferred(case.voice)),
        proof=(open_user(case.user),),
        handover=handover(f"The user wants order {order['order_id']} on a card that is not in the profile."),
        reason=Refusal("that card is not in your profile", NO_SUCH_CARD),
        slots={"order": order["order_id"], "card": key},
    )
    added = {"users": {case.user["user_id"]: {"payment_methods": {key: card}}}}
    return settled(case, part, (pay_call(order, key),), {}, added)


def broken(case: Case) -> Wish:
    """An item arrived broken. If it is in stock it is exchanged for the same version; otherwise a human agent handles
    the claim.
    """
    order = case.order
    item, method, said = case.rng.choice(order["items"]), case.pay_with(), phrases.order(case, order)
    details = {
        "order": said,
        "items": phrases.things(case, order, [item]),
        "new_items": Known(case.voice.pick(*words.SAME_AGAIN)),
        "payment": phrases.payment(case, method, *words.DIFFERENCE),
    }
    call = swap_call("exchange_delivered_order_items", order, [item], [item], method)
    noun = phrases.method(case.methods[method])
    change = agreed.swapping(said, [item], "the very same version", noun, call)
    part = Wish(
        requests=(wish(case, *asks.BROKEN, details=details | _yes(case), changes=[change]),),
        goal=phrases.goal(case, asks.BROKEN, details, prose.transferred(case.voice)),
        proof=(open_order(order), *(() if case.due else open_products([item]))),
        handover=handover(f"The user claims a replacement for broken goods of order {order['order_id']}."),
        reason=Refusal("the version that you have is not in stock", NOT_IN_STOCK),
        slots={"order": order["order_id"], "item": item["item_id"], "payment": method},
    )
    gone, there = (stocked(item, item["item_id"], available=available) for available in (False, True))
    return settled(case, part, (call,), gone, there)


LOST_PARCEL = about_order(lost_parcel, has_status("delivered"))
REINSTATE = about_order(reinstate, has_status("pending"))
NEW_CARD = about_order(new_card, has_status("pending"))
BROKEN = about_order(broken, has_status("delivered"))
