"""Plain wishes that change orders under way, tips and the address book."""

from env_server.domains.doordash import people, pricing, words
from env_server.domains.doordash.ids import address_id
from env_server.domains.doordash.scenarios import phrases
from env_server.domains.doordash.scenarios.base import (
    LATE,
    Case,
    Part,
    Row,
    Spot,
    about_caller,
    about_order,
    open_order,
    open_user,
    order_status,
    write,
)
from env_server.domains.doordash.scenarios.baskets import HANDING
from env_server.domains.kit import GoldCall, Request

REASONS = {
    "changed_mind": "I have changed my mind.",
    "ordered_by_mistake": "I ordered it by mistake.",
    "wrong_address": "It is going to the wrong address.",
}
TOO_LATE = "It should have been here long ago, it is too late for me now."
BEFORE_PICK_UP = ("placed", "preparing", "ready")


def back_to(case: Case) -> tuple[str, str]:
    """Where money is to go, as the tools name it and as the caller says it."""
    to = case.rng.choice(("original", "credits"))
    paid = phrases.method(case.methods[case.order["payment_method_id"]])
    if to == "credits":
        return to, "Please give me the money back as credits."
    return to, f"Please refund me the way I paid, to {paid}."


def fee(order: Row) -> float:
    """What cancelling the order costs now, in dollars."""
    return pricing.cancellation_fee(order["status"], order["subtotal"], order["total"])


def cancel_call(case: Case, reason: str, to: str, *, waive: bool = False) -> GoldCall:
    """The write that cancels the order."""
    more = {"waive_fee": True} if waive else {}
    return write("cancel_order", order_id=case.order_id, reason=reason, refund_to=to, **more)


def cancel(case: Case) -> Part:
    """Cancel an order that nobody has begun to cook, which costs nothing."""
    said, (to, refund) = phrases.order(case), back_to(case)
    reason = case.rng.choice(list(REASONS))
    ask = phrases.one_of(case.rng, "I'd like to cancel an order.", "Please cancel an order of mine.")
    details = {"order": said, "reason": REASONS[reason], "payment": refund}
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"You want to cancel an order {phrases.in_prose(said)}. Asked why: {REASONS[reason]} {refund}",
        reads=(open_order(case), order_status(case)),
        writes=(cancel_call(case, reason, to),),
        slots={"order": case.order_id, "reason": reason, "to": to},
    )


def cancel_at_a_cost(case: Case) -> Part:
    """Cancel an order that is being cooked or is ready, and hear the fee."""
    said, (to, refund) = phrases.order(case), back_to(case)
    reason, cost = case.rng.choice(list(REASONS)), phrases.money(fee(case.order))
    details = {
        "order": said,
        "reason": REASONS[reason],
        "payment": refund,
        "fee": "If there is a fee, I will pay it.",
    }
    ask = "I need to cancel an order, whatever it costs. What is the fee?"
    return Part(
        requests=(Request(ask=ask, details=details, wants=(cost,)),),
        goal=f"You want to cancel an order {phrases.in_prose(said)}, and to be told the cancellation fee, which you"
        f" accept. Asked why: {REASONS[reason]} {refund}",
        proof=(order_status(case),),
        writes=(cancel_call(case, reason, to),),
        outputs=(cost,),
        slots={"order": case.order_id, "reason": reason, "to": to},
    )


def cancel_overdue(case: Case) -> Part:
    """Cancel an order that is so late that its fee is waived, and hear the refund."""
    said, (to, refund) = phrases.order(case), back_to(case)
    total = phrases.money(case.order["total"])
    details = {"order": said, "reason": TOO_LATE, "payment": refund}
    ask = "I want to cancel an order that has not come, and to know how much I get back."
    return Part(
        requests=(Request(ask=ask, details=details, wants=(total,)),),
        goal=f"You want to cancel an order {phrases.in_prose(said)} and to be told how much you get back. Asked why:"
        f" {TOO_LATE} {refund}",
        proof=(order_status(case),),
        writes=(cancel_call(case, "too_late", to, waive=True),),
        outputs=(total,),
        slots={"order": case.order_id, "to": to},
    )


def redirect(case: Case) -> Part:
    """Send an order that was not picked up to another of the caller's addresses."""
    address, said = case.rng.choice(reachable(case.at)), phrases.order(case)
    details = {"order": said, "address": f"It should go to {phrases.spot(address)}."}
    ask = phrases.one_of(case.rng, "An order of mine is going to the wrong place.", "I need an order sent elsewhere.")
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"You want an order {phrases.in_prose(said)} sent to {phrases.spot(address)} instead.",
        reads=(open_order(case), open_user(case)),
        writes=(write("update_order", order_id=case.order_id, address_id=address["address_id"]),),
        slots={"order": case.order_id, "address": address["address_id"]},
    )


def instruct(case: Case) -> Part:
    """Have an order handed over in another way."""
    new = case.rng.choice([way for way in HANDING if way != case.order["instructions"]])
    said = phrases.order(case)
    details = {"order": said, "instructions": phrases.handing(new)}
    return Part(
        requests=(Request(ask="I want to change the instructions for the courier.", details=details),),
        goal=f"You want other instructions for an order {phrases.in_prose(said)}: {phrases.handing(new)}",
        reads=(open_order(case),),
        writes=(write("update_order", order_id=case.order_id, instructions=new),),
        slots={"order": case.order_id, "instructions": new},
    )


def tip_call(case: Case, tip: float) -> GoldCall:
    """The write that changes the order's tip."""
    return write("adjust_tip", order_id=case.order_id, tip=tip)


def raise_tip(case: Case) -> Part:
    """Tip more, and hear the new total of the order."""
    more, said = case.rng.choice((1.0, 1.5, 2.0, 2.5, 3.0, 5.0)), phrases.order(case)
    tip = round(case.order["tip"] + more, 2)
    total = phrases.money(case.order["total"] + more)
    details = {"order": said, "tip": f"Please add ${phrases.money(more)} to the tip there is."}
    ask = "I want to tip the courier of an order more, and to know the new total."
    return Part(
        requests=(Request(ask=ask, details=details, wants=(total,)),),
        goal=f"You want ${phrases.money(more)} added to the tip of an order {phrases.in_prose(said)} and to be told the"
        " new total of the order.",
        proof=(open_order(case),),
        writes=(tip_call(case, tip),),
        outputs=(total,),
        slots={"order": case.order_id, "tip": tip},
    )


def lower_tip(case: Case) -> Part:
    """Tip less, while the order was not picked up."""
    tip, said = round(case.order["tip"] - case.rng.choice((0.5, 1.0, 1.5, 2.0)), 2), phrases.order(case)
    details = {"order": said, "tip": f"The tip should be ${phrases.money(tip)} in all."}
    return Part(
        requests=(Request(ask="I made the tip of an order too high and want it lower.", details=details),),
        goal=f"You want the tip of an order {phrases.in_prose(said)} lowered to ${phrases.money(tip)} in all.",
        reads=(open_order(case),),
        writes=(tip_call(case, tip),),
        slots={"order": case.order_id, "tip": tip},
    )


def new_address(case: Case) -> dict[str, str]:
    """An address that the caller does not have, in the city of their default one."""
    home = case.at.addresses[0]["city"]
    return people.address(case.rng, [name for name, _, _ in words.CITIES].index(home))


def address_call(case: Case, label: str, parts: dict[str, str]) -> GoldCall:
    """The write that adds an address."""
    return write("add_address", user_id=case.user_id, label=label, **parts)


def default_call(case: Case, address_id: str) -> GoldCall:
    """The write that makes an address the default one."""
    return write("set_default_address", user_id=case.user_id, address_id=address_id)


def new_id(case: Case, parts: dict[str, str]) -> str:
    """The id that a new address of the caller will have."""
    return address_id(case.user_id, parts, lambda found: found in case.user["addresses"])


def move_in(case: Case) -> Part:
    """Add an address, which becomes the default one or does not."""
    new, default = new_address(case), case.rng.choice((True, False))
    label = case.rng.choice(("home", "work", "studio", "other"))
    wish = "Please make it my default address." if default else "Keep my default address as it is."
    details = {"address": f"The new address is {phrases.parts(new)}.", "label": f'Call it "{label}".', "default": wish}
    return Part(
        requests=(Request(ask="I want to add an address to my account.", details=details),),
        goal=f"You want to add an address: {phrases.parts(new)}. Its label is {label}. {wish}",
        writes=(address_call(case, label, new), *((default_call(case, new_id(case, new)),) if default else ())),
        slots={"address": new, "label": label, "default": default},
    )


def move_out(case: Case) -> Part:
    """Make another address the default one and remove the one that was."""
    old, new = case.at.addresses[0], case.rng.choice(case.at.addresses[1:])
    details = {
        "address": f"I want {phrases.spot(old)} removed, and {phrases.spot(new)} to be my default address.",
    }
    return Part(
        requests=(Request(ask="I have moved, and an old address of mine has to go.", details=details),),
        goal=f"You have moved: you want {phrases.spot(old)} removed and {phrases.spot(new)} to be your default"
        " address.",
        reads=(open_user(case),),
        writes=(
            default_call(case, new["address_id"]),
            write("remove_address", user_id=case.user_id, address_id=old["address_id"]),
        ),
        slots={"old": old["address_id"], "new": new["address_id"]},
    )


def redirect_to_new(case: Case) -> Part:
    """Add an address that the restaurant reaches, and send an order there."""
    new = new_address(case)
    while case.place["miles"][new["zip"]] > case.place["delivery_radius"]:
        new = new_address(case)
    said = phrases.order(case)
    where = f"The address is {phrases.parts(new)}."
    details = {"order": said, "address": where, "label": 'Call it "other".', "default": "My default stays as it is."}
    ask = "An order of mine has to go to an address that is not in my account yet."
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"You want an order {phrases.in_prose(said)} sent to an address that is not in your account yet, where it"
        " is to"
        f' be added with the label "other", your default address staying as it is. {where}',
        reads=(open_order(case), open_user(case)),
        writes=(
            address_call(case, "other", new),
            write("update_order", order_id=case.order_id, address_id=new_id(case, new)),
        ),
        slots={"order": case.order_id, "address": new},
    )


def reachable(at: Spot) -> list[Row]:
    """The caller's other addresses to which the order's restaurant delivers."""
    return [a for a in at.in_range if a["address_id"] != at.order["address"]["address_id"]]


def before_pick_up(at: Spot) -> bool:
    """Whether the order was not picked up."""
    return at.order["status"] in BEFORE_PICK_UP


def late(at: Spot) -> bool:
    """Whether the order is or was late by the policy's measure."""
    return at.overdue >= LATE


def costly(at: Spot) -> bool:
    """Whether cancelling the order costs a fee that there is no ground to waive."""
    return at.order["status"] in {"preparing", "ready"} and not late(at)


def _overdue(at: Spot) -> bool:
    return at.order["status"] in {"preparing", "ready"} and late(at) and not at.on_credits


CANCEL = about_order(cancel, lambda at: at.order["status"] == "placed" and not at.on_credits)
CANCEL_AT_A_COST = about_order(cancel_at_a_cost, lambda at: costly(at) and not at.on_credits)
CANCEL_OVERDUE = about_order(cancel_overdue, _overdue)
REDIRECT = about_order(redirect, lambda at: before_pick_up(at) and bool(reachable(at)))
REDIRECT_TO_NEW = about_order(redirect_to_new, before_pick_up)
INSTRUCT = about_order(instruct, lambda at: before_pick_up(at) and not at.strong)
RAISE_TIP = about_order(raise_tip, lambda at: at.order["status"] != "cancelled" and not at.on_credits)
LOWER_TIP = about_order(lower_tip, lambda at: before_pick_up(at) and at.order["tip"] >= 2.5)
MOVE_IN = about_caller(move_in)
MOVE_OUT = about_caller(move_out, lambda at: len(at.addresses) > 1)
