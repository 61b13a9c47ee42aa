"""Problems with delivered orders that the agent may settle: items refunded, credits for late or cold food."""

from collections.abc import Mapping
from typing import cast

from env_server.domains import kit
from env_server.domains.doordash import pricing
from env_server.domains.doordash import refunds as rules
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios import goals, order_asks, wording
from env_server.domains.doordash.scenarios.base import (
    LARGEST_REFUND,
    LATE,
    SMALLEST_TO_CARD,
    VERY_LATE,
    Case,
    Row,
    Spot,
    Wish,
    about_order,
    open_order,
    order_status,
    refund_history,
    write,
)
from env_server.domains.doordash.scenarios.changes import BACK_OF, back_to
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.doordash.tables import Order
from env_server.domains.kit import Form, GoldCall, Known, WantedChange, change, shape, told, wish

LATE_CREDIT, VERY_LATE_CREDIT = 5.0, 10.0
COLD_SHARE, MOST_FOR_COLD = 20, 8.0
"""The credits for cold food: per cent of the subtotal, and the maximum in dollars."""

CONDUCT_CREDIT = 6.0
ISSUES = ("missing", "wrong", "damaged")
REFUNDING = ("refund", "report", "give", "return", "reimburse", "credit", "pay", "compensate", "file")
CREDITING = ("credit", "issue", "give", "add", "compensate", "grant", "refund", "apply", "put")


def amount(order: Row, lines: list[Row]) -> float:
    """Return the refund of all of these lines of the order, in dollars."""
    wanted = {line["line_id"]: line["quantity"] for line in lines}
    return round(sum(rules.item_refunds(cast(Order, order), wanted).values()), 2)


def report_call(case: Case, lines: list[Row], issue: str, to: str) -> GoldCall:
    """Return the write that refunds all of these lines."""
    items = {line["line_id"]: line["quantity"] for line in lines}
    return write("report_missing_items", order_id=case.order_id, items=items, issue=issue, refund_to=to)


def reporting(case: Case, answers: Mapping[str, Detail], issue: str, to: str) -> WantedChange:
    """Return the change that refunds items."""
    order, items, money = answers["order"], answers["items"], answers["payment"]
    return change(
        f"refund {items.words} of {order.words} as {issue}, with the money going {money.words}",
        f"{items.words} of {order.words} has been refunded",
        verbs=REFUNDING,
        names=("order", "items", "payment"),
        calls=(shape("report_missing_items", **said.given(order, case), issue=issue, refund_to=to),),
    )


def wanted(case: Case, lines: list[Row], issue: str, money: Detail) -> dict[str, Detail]:
    """Return the caller's answers about the items to refund."""
    return {"order": said.order(case), "items": said.affected(case, lines, issue), "payment": money}


def proofs(case: Case) -> tuple[GoldCall, ...]:
    """Return the look-ups that are required before a refund for a problem is given or refused."""
    return open_order(case), refund_history(case)


def report(case: Case) -> Wish:
    """Ask for the refund of an item that was missing, wrong or damaged, and hear the amount."""
    line = case.rng.choice(fair_lines(case.at))
    issue, (to, money) = case.rng.choice(ISSUES), back_to(case)
    back = kit.money(amount(case.order, [line]))
    answers = wanted(case, [line], issue, money)
    want, tell = told(back, f"The refund is ${back}.", *BACK_OF)
    phrases, refunded = order_asks.REFUND_AND_AMOUNT[issue], reporting(case, answers, issue, to)
    return Wish(
        requests=(wish(case, *phrases, details=said.known(answers), changes=(refunded,), wants=(want,)),),
        goal=goals.goal(case, phrases, answers),
        proof=proofs(case),
        writes=(report_call(case, [line], issue, to),),
        tells=(tell,),
        slots={"order": case.order_id, "line": line["line_id"], "issue": issue, "to": to},
    )


def credit_call(case: Case, reason: str, dollars: float) -> GoldCall:
    """Return the write that gives credits."""
    return write("issue_credit", order_id=case.order_id, reason=reason, amount=dollars)


_PROBLEMS: dict[str, tuple[Form, ...]] = {
    "late": ("late", "delay", "delayed", "lateness", "overdue", "behind time"),
    "cold_food": ("cold", "cold_food"),
    "courier_conduct": (
        *("conduct", "misconduct", "rude", "rudeness", "behavior", "behaviour", "behaved", "courier", "driver"),
        *("courier_conduct", "treated", "manners"),
    ),
}


def problem(case: Case, reason: str) -> Detail:
    """Return the problem of an order for which credits are given."""
    return Detail(Known(case.voice.pick(*wording.PROBLEMS[reason]), _PROBLEMS[reason]), _FOR[reason])


_FOR = {"late": "for the late delivery", "cold_food": "for the cold food", "courier_conduct": "for the conduct"}


def crediting(case: Case, answers: Mapping[str, Detail], reason: str, dollars: float | None = None) -> WantedChange:
    """Return the change that gives credits for a problem: the amount due, or this many dollars."""
    order = answers["order"]
    known = {**said.given(order, case), "reason": reason} | ({} if dollars is None else {"amount": dollars})
    return change(
        f"give you {'the credits' if dollars is None else f'${kit.money(dollars)} in credits'} due {_FOR[reason]}"
        f" of {order.words}",
        f"the credits {_FOR[reason]} of {order.words} have been issued",
        verbs=CREDITING,
        names=("order", "reason", *(() if dollars is None else ("amount",))),
        calls=(shape("issue_credit", **known),),
    )


def for_lateness(minutes: int) -> float:
    """Return the policy's credits in dollars for an order this many minutes late."""
    if minutes < LATE:
        return 0.0
    return LATE_CREDIT if minutes < VERY_LATE else VERY_LATE_CREDIT


def came_late(case: Case) -> Wish:
    """Get the credits for a late order, whose amount follows from the minutes, and hear by how many it was late."""
    minutes = str(case.at.overdue)
    answers = {"order": said.order(case), "reason": problem(case, "late")}
    want, tell = told(minutes, f"The order came {minutes} minutes late.", "minute", "min", "mins", "late")
    phrases, credited = order_asks.LATE_AND_MINUTES, crediting(case, answers, "late")
    return Wish(
        requests=(wish(case, *phrases, details=said.known(answers), changes=(credited,), wants=(want,)),),
        goal=goals.goal(case, phrases, answers),
        proof=(*proofs(case), order_status(case)),
        writes=(credit_call(case, "late", for_lateness(case.at.overdue)),),
        tells=(tell,),
        slots={"order": case.order_id},
    )


def for_cold_food(order: Row) -> float:
    """Return the policy's credits in dollars for cold food."""
    share = pricing.percent(pricing.cents(order["subtotal"]), COLD_SHARE)
    return min(pricing.dollars(share), MOST_FOR_COLD)


CREDITS_OF = ("credit", "credits", "get", "give", "receive", "amount", "compensation", "refund", "back")


def came_cold(case: Case) -> Wish:
    """Get the credits for cold food, which are a share of the subtotal, and hear how much that is."""
    back = for_cold_food(case.order)
    answers = {"order": said.order(case), "reason": problem(case, "cold_food")}
    want, tell = told(kit.money(back), f"For that you get ${kit.money(back)} in credits.", *CREDITS_OF)
    phrases, credited = order_asks.COLD_AND_AMOUNT, crediting(case, answers, "cold_food")
    return Wish(
        requests=(wish(case, *phrases, details=said.known(answers), changes=(credited,), wants=(want,)),),
        goal=goals.goal(case, phrases, answers),
        proof=proofs(case),
        writes=(credit_call(case, "cold_food", back),),
        tells=(tell,),
        slots={"order": case.order_id},
    )


def fair_lines(at: Spot) -> list[Row]:
    """Return lines whose refund may go to any method, needs no human agent, and leaves enough for a credit."""
    lines = list(at.order["lines"].values())
    most = min(LARGEST_REFUND, at.order["total"] - VERY_LATE_CREDIT)
    return [line for line in clear(lines) if SMALLEST_TO_CARD <= amount(at.order, [line]) <= most]


def clear(lines: list[Row]) -> list[Row]:
    """Return the lines whose dish occurs on one line only, so that its name is unambiguous."""
    names = [line["name"] for line in lines]
    return [line for line in lines if names.count(line["name"]) == 1]


def settleable(at: Spot) -> bool:
    """Return whether problems with the order can be settled."""
    return at.settleable


def reportable(at: Spot) -> bool:
    """Return whether an item of the order can be refunded in any way."""
    return at.settleable and not at.on_credits and bool(fair_lines(at))


REPORT = about_order(report, reportable)
CAME_LATE = about_order(came_late, lambda at: at.settleable and at.overdue >= LATE)
CAME_COLD = about_order(came_cold, settleable)
