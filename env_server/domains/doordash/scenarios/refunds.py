"""Problems with delivered orders that the agent may settle: items refunded, credits for late or cold food."""

from typing import cast

from env_server.domains.doordash import pricing
from env_server.domains.doordash import refunds as rules
from env_server.domains.doordash.scenarios import phrases
from env_server.domains.doordash.scenarios.base import (
    LARGEST_REFUND,
    LATE,
    SMALLEST_TO_CARD,
    VERY_LATE,
    Case,
    Part,
    Row,
    Spot,
    about_order,
    open_order,
    order_status,
    refund_history,
    write,
)
from env_server.domains.doordash.scenarios.changes import back_to
from env_server.domains.doordash.tables import Order
from env_server.domains.kit import GoldCall, Request

LATE_CREDIT, VERY_LATE_CREDIT = 5.0, 10.0
COLD_SHARE, MOST_FOR_COLD = 20, 8.0
"""Per cent of the subtotal, and dollars."""

CONDUCT_CREDIT = 6.0

ISSUES = {"missing": "was missing", "wrong": "was not what I ordered", "damaged": "was spilled and damaged"}
WISHES = {"missing": "Something was missing.", "wrong": "I got something wrong.", "damaged": "Something was damaged."}


def amount(order: Row, lines: list[Row]) -> float:
    """What refunding all of these lines of the order gives back, in dollars."""
    wanted = {line["line_id"]: line["quantity"] for line in lines}
    return round(sum(rules.item_refunds(cast(Order, order), wanted).values()), 2)


def report_call(case: Case, lines: list[Row], issue: str, to: str) -> GoldCall:
    """The write that refunds all of these lines."""
    items = {line["line_id"]: line["quantity"] for line in lines}
    return write("report_missing_items", order_id=case.order_id, items=items, issue=issue, refund_to=to)


def concerned(lines: list[Row], issue: str) -> str:
    """Which items were affected, all of each, and how."""
    return f"The {phrases.listed(line['name'] for line in lines)}, all of what I ordered of it, {ISSUES[issue]}."


def proofs(case: Case) -> tuple[GoldCall, ...]:
    """What has to be looked at before money is given back for a problem, or refused."""
    return open_order(case), refund_history(case)


def report(case: Case) -> Part:
    """Have an item refunded that was missing, wrong or damaged, and hear the refund."""
    line = case.rng.choice(fair_lines(case.at))
    issue, (to, refund) = case.rng.choice(list(ISSUES)), back_to(case)
    said, back = phrases.order(case), phrases.money(amount(case.order, [line]))
    details = {"order": said, "items": concerned([line], issue), "payment": refund}
    return Part(
        requests=(
            Request(
                ask=f"{WISHES[issue]} I'd like a refund for that, and to know how much it is.",
                details=details,
                wants=(back,),
            ),
        ),
        goal=f"You had a problem with an order {phrases.in_prose(said)} and want a refund for the item, and to be told"
        f" how much it is. {details['items']} {refund}",
        proof=proofs(case),
        writes=(report_call(case, [line], issue, to),),
        outputs=(back,),
        slots={"order": case.order_id, "line": line["line_id"], "issue": issue, "to": to},
    )


def credit_call(case: Case, reason: str, dollars: float) -> GoldCall:
    """The write that gives credits."""
    return write("issue_credit", order_id=case.order_id, reason=reason, amount=dollars)


def for_lateness(at: Spot) -> float:
    """What the policy gives for a late order, in dollars."""
    if at.overdue < LATE:
        return 0.0
    return LATE_CREDIT if at.overdue < VERY_LATE else VERY_LATE_CREDIT


def came_late(case: Case) -> Part:
    """Get the credits for a late order, whose amount follows from the minutes, and hear by how many it was late."""
    said, minutes = phrases.order(case), str(case.at.overdue)
    ask = "My food came far too late. I want something for that, and to know how many minutes late it was."
    return Part(
        requests=(Request(ask=ask, details={"order": said}, wants=(minutes,)),),
        goal=f"An order {phrases.in_prose(said)} came late. You want what the service gives for that, and to be told by"
        " how many minutes it was late.",
        proof=(*proofs(case), order_status(case)),
        writes=(credit_call(case, "late", for_lateness(case.at)),),
        outputs=(minutes,),
        slots={"order": case.order_id},
    )


def for_cold_food(order: Row) -> float:
    """What the policy gives for cold food, in dollars."""
    share = pricing.percent(pricing.cents(order["subtotal"]), COLD_SHARE)
    return min(pricing.dollars(share), MOST_FOR_COLD)


def came_cold(case: Case) -> Part:
    """Get the credits for cold food, which are a share of the subtotal, and hear how much that is."""
    said, back = phrases.order(case), for_cold_food(case.order)
    ask = "My food arrived cold. What do I get for that?"
    wants = (phrases.money(back),)
    return Part(
        requests=(Request(ask=ask, details={"order": said}, wants=wants),),
        goal=f"The food of an order {phrases.in_prose(said)} arrived cold. You want what the service gives for that,"
        " and to be told how much it is.",
        proof=proofs(case),
        writes=(credit_call(case, "cold_food", back),),
        outputs=wants,
        slots={"order": case.order_id},
    )


def rude(case: Case) -> Part:
    """Get the credits for a courier's conduct."""
    said = phrases.order(case)
    how = case.rng.choice(
        ("The courier shouted at me.", "The courier threw the bag at my door.", "The courier was rude.")
    )
    return Part(
        requests=(Request(ask=f"{how} I'd like something for that.", details={"order": said, "reason": how}),),
        goal=f"{how} You want what the service gives for a courier's conduct. It is about an order"
        f" {phrases.in_prose(said)}.",
        proof=proofs(case),
        writes=(credit_call(case, "courier_conduct", CONDUCT_CREDIT),),
        slots={"order": case.order_id, "how": how},
    )


def fair_lines(at: Spot) -> list[Row]:
    """Lines whose refund may go anywhere, needs nobody else, and leaves enough for a credit beside it."""
    lines = list(at.order["lines"].values())
    most = min(LARGEST_REFUND, at.order["total"] - VERY_LATE_CREDIT)
    return [line for line in lines if SMALLEST_TO_CARD <= amount(at.order, [line]) <= most]


def settleable(at: Spot) -> bool:
    """Whether problems with the order can be settled."""
    return at.settleable


REPORT = about_order(report, lambda at: at.settleable and not at.on_credits and bool(fair_lines(at)))
CAME_LATE = about_order(came_late, lambda at: at.settleable and at.overdue >= LATE)
CAME_COLD = about_order(came_cold, settleable)
RUDE = about_order(rude, settleable)
