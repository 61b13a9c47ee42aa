"""Plain wishes that change orders under way, and tips."""

from collections.abc import Mapping

from env_server.domains import kit
from env_server.domains.doordash import pricing
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios import goals, order_asks, wording
from env_server.domains.doordash.scenarios.base import (
    BEFORE_PICK_UP,
    LATE,
    Case,
    Row,
    Spot,
    Wish,
    about_order,
    open_order,
    open_user,
    order_status,
    write,
)
from env_server.domains.doordash.scenarios.baskets import HANDING
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.kit import GoldCall, Known, Tell, Want, WantedChange, change, shape, told, wish

REASONS = ("changed_mind", "ordered_by_mistake", "wrong_address")
CANCELLING = ("cancel", "call off", "void", "withdraw", "waive")
REDIRECTING = ("change", "redirect", "update", "send", "deliver", "reroute", "switch", "move", "set", "divert")
INSTRUCTING = ("change", "update", "set", "switch", "leave", "hand", "instruct", "have it", "adjust", "modify", "meet")
TIPPING = ("tip", "raise", "increase", "lower", "reduce", "adjust", "decrease", "bump", "bring")


def back_to(case: Case) -> tuple[str, Detail]:
    """Return the destination of a refund, in the tool's form and in the caller's words."""
    to = case.rng.choice(("original", "credits"))
    return to, said.back_to(case, to)


def fee(order: Row) -> float:
    """Return the current fee of cancelling the order, in dollars."""
    return pricing.cancellation_fee(order["status"], order["subtotal"], order["total"])


def cancel_call(case: Case, reason: str, to: str, *, waive: bool = False) -> GoldCall:
    """Return the write that cancels the order."""
    more = {"waive_fee": True} if waive else {}
    return write("cancel_order", order_id=case.order_id, reason=reason, refund_to=to, **more)


def cancelling(case: Case, answers: Mapping[str, Detail], reason: str, to: str, *, waive: bool = False) -> WantedChange:
    """Return the change that cancels the order. With `waive`, the caller agrees only without a fee."""
    order, why = answers["order"], answers["reason"]
    known = {**said.given(order, case), "reason": reason, "refund_to": to}
    return change(
        f"cancel {order.words} {why.words}, {'without any fee, ' if waive else ''}with the refund going"
        f" {answers['payment'].words}",
        f"{order.words} has been cancelled",
        verbs=CANCELLING,
        names=("order", "reason", "payment", *(("fee",) if waive else ())),
        calls=(shape("cancel_order", **known),),
    )


def cancel(case: Case) -> Wish:
    """Cancel an order before cooking begins, which costs nothing."""
    order, (to, money) = said.order(case), back_to(case)
    reason = case.rng.choice(REASONS)
    answers = {"order": order, "reason": said.reason(case, reason), "payment": money}
    cancelled = cancelling(case, answers, reason, to)
    return Wish(
        requests=(wish(case, *order_asks.CANCEL, details=said.known(answers), changes=(cancelled,)),),
        goal=goals.goal(case, order_asks.CANCEL, answers),
        reads=(open_order(case), order_status(case)),
        writes=(cancel_call(case, reason, to),),
        slots={"order": case.order_id, "reason": reason, "to": to},
    )


FEE_OF = ("fee", "costs", "cost", "charge", "charged", "cancellation", "cancelling", "canceling")
BACK_OF = ("refund", "back", "refunded", "return", "returned", "receive", "credit", "credits", "reimbursed")


def fee_told(cost: float, *, wish: int = 0) -> tuple[Want, Tell]:
    """Return the cancellation fee as a value to tell."""
    return told(kit.money(cost), f"The cancellation fee is ${kit.money(cost)}.", *FEE_OF, wish=wish)


def pays(case: Case) -> Detail:
    """Return the detail that the caller pays the fee without objection."""
    return Detail(Known(case.voice.pick(*order_asks.PAYS_FEE)), "the fee")


def cancel_at_a_cost(case: Case) -> Wish:
    """Cancel an order that is being cooked or is ready, and hear the fee."""
    order, (to, money) = said.order(case), back_to(case)
    reason = case.rng.choice(REASONS)
    answers = {"order": order, "reason": said.reason(case, reason), "payment": money, "fee": pays(case)}
    want, tell = fee_told(fee(case.order))
    cancelled = cancelling(case, answers, reason, to)
    phrases = order_asks.CANCEL_AND_FEE
    return Wish(
        requests=(wish(case, *phrases, details=said.known(answers), changes=(cancelled,), wants=(want,)),),
        goal=goals.goal(case, phrases, answers),
        proof=(order_status(case),),
        writes=(cancel_call(case, reason, to),),
        tells=(tell,),
        slots={"order": case.order_id, "reason": reason, "to": to},
    )


def cancel_overdue(case: Case) -> Wish:
    """Cancel an order that is so late that its fee is waived, and hear the refund."""
    order, (to, money) = said.order(case), back_to(case)
    total = kit.money(case.order["total"])
    answers = {"order": order, "reason": said.reason(case, "too_late"), "payment": money}
    want, tell = told(total, f"You get ${total} back.", *BACK_OF)
    cancelled = cancelling(case, answers, "too_late", to)
    phrases = order_asks.CANCEL_AND_REFUND
    return Wish(
        requests=(wish(case, *phrases, details=said.known(answers), changes=(cancelled,), wants=(want,)),),
        goal=goals.goal(case, phrases, answers),
        proof=(order_status(case),),
        writes=(cancel_call(case, "too_late", to, waive=True),),
        tells=(tell,),
        slots={"order": case.order_id, "to": to},
    )


def redirect_call(case: Case, address: Row) -> GoldCall:
    """Return the write that sends the order elsewhere."""
    return write("update_order", order_id=case.order_id, address_id=address["address_id"])


def redirecting(case: Case, answers: Mapping[str, Detail]) -> WantedChange:
    """Return the change that sends an order to a new address."""
    order = answers["order"]
    return change(
        f"send {order.words} to {answers['address'].words}",
        f"{order.words} has been redirected",
        verbs=REDIRECTING,
        names=("order", "address"),
        calls=(shape("update_order", **said.given(order, case)),),
    )


def redirected(case: Case, address: Row) -> dict[str, Detail]:
    """Return the caller's answers about a redirection. A proposal may name the current address beside the new one."""
    return {"order": said.order(case), "address": said.spot(case, address, but=(case.order["address"],))}


def redirect(case: Case) -> Wish:
    """Send an order that was not picked up to another of the caller's addresses."""
    address = case.rng.choice(reachable(case.at))
    answers = redirected(case, address)
    sent = redirecting(case, answers)
    return Wish(
        requests=(wish(case, *order_asks.REDIRECT, details=said.known(answers), changes=(sent,)),),
        goal=goals.goal(case, order_asks.REDIRECT, answers),
        reads=(open_order(case), open_user(case)),
        writes=(redirect_call(case, address),),
        slots={"order": case.order_id, "address": address["address_id"]},
    )


def instructing(case: Case, answers: Mapping[str, Detail], new: str) -> WantedChange:
    """Return the change that gives the courier other instructions."""
    order = answers["order"]
    return change(
        f"change the instructions for {order.words}, {answers['instructions'].words}",
        f"the instructions for {order.words} have been changed",
        verbs=INSTRUCTING,
        names=("order", "instructions"),
        calls=(shape("update_order", **said.given(order, case), instructions=new),),
    )


def instruct_call(case: Case, new: str) -> GoldCall:
    """Return the write that changes how an order is handed over."""
    return write("update_order", order_id=case.order_id, instructions=new)


def instruct(case: Case) -> Wish:
    """Have an order handed over in another way."""
    new = case.rng.choice([way for way in HANDING if way != case.order["instructions"]])
    answers = {"order": said.order(case), "instructions": said.handing(case, new)}
    instructed = instructing(case, answers, new)
    return Wish(
        requests=(wish(case, *order_asks.INSTRUCT, details=said.known(answers), changes=(instructed,)),),
        goal=goals.goal(case, order_asks.INSTRUCT, answers),
        reads=(open_order(case),),
        writes=(instruct_call(case, new),),
        slots={"order": case.order_id, "instructions": new},
    )


def tip_call(case: Case, tip: float) -> GoldCall:
    """Return the write that changes the order's tip."""
    return write("adjust_tip", order_id=case.order_id, tip=tip)


def more_tip(case: Case, more: float) -> Detail:
    """Return the amount by which the tip grows. The caller does not know the current tip."""
    text = case.voice.pick(*wording.MORE_TIP).format(kit.money(more))
    return Detail(Known(text, (kit.money(more),)), f"by ${kit.money(more)}")


def raising(case: Case, answers: Mapping[str, Detail]) -> WantedChange:
    """Return the change that raises the tip."""
    order = answers["order"]
    return change(
        f"raise the tip of {order.words} {answers['tip'].words}",
        f"the tip of {order.words} has been raised",
        verbs=(*TIPPING, "add"),
        names=("order", "tip"),
        calls=(shape("adjust_tip", **said.given(order, case)),),
    )


def raise_tip(case: Case) -> Wish:
    """Tip more, and hear the new total of the order."""
    more = case.rng.choice((1.0, 1.5, 2.0, 2.5, 3.0, 5.0))
    answers = {"order": said.order(case), "tip": more_tip(case, more)}
    tip, total = round(case.order["tip"] + more, 2), kit.money(case.order["total"] + more)
    want, tell = told(total, f"The new total of the order is ${total}.", "total", "in all", "comes to", "now costs")
    phrases = order_asks.RAISE_TIP_AND_TOTAL
    raised = raising(case, answers)
    return Wish(
        requests=(wish(case, *phrases, details=said.known(answers), changes=(raised,), wants=(want,)),),
        goal=goals.goal(case, phrases, answers),
        proof=(open_order(case),),
        writes=(tip_call(case, tip),),
        tells=(tell,),
        slots={"order": case.order_id, "tip": tip},
    )


def setting_tip(case: Case, answers: Mapping[str, Detail], tip: float) -> WantedChange:
    """Return the change that sets the total tip."""
    order = answers["order"]
    return change(
        f"change the tip of {order.words} to ${kit.money(tip)}",
        f"the tip of {order.words} has been changed",
        verbs=(*TIPPING, "change", "set", "update"),
        names=("order", "tip"),
        calls=(shape("adjust_tip", **said.given(order, case), tip=tip),),
    )


def lower_tip(case: Case) -> Wish:
    """Tip less, while the order was not picked up."""
    tip = round(case.order["tip"] - case.rng.choice((0.5, 1.0, 1.5, 2.0)), 2)
    answers = {"order": said.order(case), "tip": said.tip(case, tip)}
    lowered = setting_tip(case, answers, tip)
    return Wish(
        requests=(wish(case, *order_asks.LOWER_TIP, details=said.known(answers), changes=(lowered,)),),
        goal=goals.goal(case, order_asks.LOWER_TIP, answers),
        reads=(open_order(case),),
        writes=(tip_call(case, tip),),
        slots={"order": case.order_id, "tip": tip},
    )


def reachable(at: Spot) -> list[Row]:
    """Return the caller's other addresses to which the order's restaurant delivers."""
    return [a for a in at.in_range if a["address_id"] != at.order["address"]["address_id"]]


def before_pick_up(at: Spot) -> bool:
    """Return whether the order has not been picked up."""
    return at.order["status"] in BEFORE_PICK_UP


def late(at: Spot) -> bool:
    """Return whether the order is or was late by the policy's limit."""
    return at.overdue >= LATE


def costly(at: Spot) -> bool:
    """Return whether cancelling the order costs a fee without a ground for a waiver."""
    return at.order["status"] in {"preparing", "ready"} and not late(at)


def placed(at: Spot) -> bool:
    """Return whether the order can be cancelled at no cost and refunded to any method."""
    return at.order["status"] == "placed" and at.cancellable and not at.on_credits


def overdue(at: Spot) -> bool:
    """Return whether the order can be cancelled and its fee is waived because it is late."""
    return at.order["status"] in {"preparing", "ready"} and late(at) and at.cancellable and not at.on_credits


def tippable(at: Spot) -> bool:
    """Return whether the tip of the order can be lowered."""
    return before_pick_up(at) and at.order["tip"] >= 2.5


CANCEL = about_order(cancel, placed)
CANCEL_AT_A_COST = about_order(cancel_at_a_cost, lambda at: costly(at) and at.cancellable and not at.on_credits)
CANCEL_OVERDUE = about_order(cancel_overdue, overdue)
REDIRECT = about_order(redirect, lambda at: before_pick_up(at) and bool(reachable(at)))
INSTRUCT = about_order(instruct, lambda at: before_pick_up(at) and not at.strong)
RAISE_TIP = about_order(raise_tip, lambda at: at.order["status"] != "cancelled" and not at.on_credits)
LOWER_TIP = about_order(lower_tip, tippable)
