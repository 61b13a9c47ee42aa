"""Wishes for money back that a rule forbids: the agent has to look, refuse, and give what the policy gives.

Where the caller takes nothing instead, what the score shows is as `refused` says.
"""

from env_server.domains.doordash.clock import NOW, minutes_between
from env_server.domains.doordash.scenarios import phrases
from env_server.domains.doordash.scenarios.base import (
    LATE,
    MOST_REFUNDED_ORDERS,
    SMALLEST_TO_CARD,
    WINDOW,
    Case,
    Part,
    Row,
    Spot,
    about_order,
    open_order,
    order_status,
)
from env_server.domains.doordash.scenarios.changes import back_to
from env_server.domains.doordash.scenarios.refunds import (
    ISSUES,
    WISHES,
    amount,
    concerned,
    credit_call,
    for_cold_food,
    for_lateness,
    proofs,
    report_call,
)
from env_server.domains.doordash.scenarios.refused import AS_SAID
from env_server.domains.kit import Request


def _wanted(case: Case, lines: list[Row], issue: str, refund: str) -> dict[str, str]:
    return {"order": phrases.order(case), "items": concerned(lines, issue), "payment": refund}


def reported_too_late(case: Case) -> Part:
    """A problem that is reported more than 48 hours after the delivery is not refunded."""
    issue, (to, refund) = case.rng.choice(list(ISSUES)), back_to(case)
    line = case.rng.choice(list(case.order["lines"].values()))
    details = _wanted(case, [line], issue, refund)
    return Part(
        requests=(Request(ask=f"{WISHES[issue]} I'd like a refund for that.", details=details | AS_SAID),),
        goal=f"You had a problem with an order {phrases.in_prose(details['order'])} and want a refund."
        f" {details['items']} {refund} You accept it if you are refused.",
        proof=(open_order(case),),
        slots={"order": case.order_id, "line": line["line_id"], "issue": issue, "to": to},
    )


def too_many(case: Case) -> Part:
    """Whoever had refunds for three orders within 30 days gets no more."""
    issue, (to, refund) = case.rng.choice(list(ISSUES)), back_to(case)
    line = case.rng.choice(list(case.order["lines"].values()))
    details = _wanted(case, [line], issue, refund)
    return Part(
        requests=(Request(ask=f"{WISHES[issue]} I'd like my money back for it.", details=details | AS_SAID),),
        goal=f"You had a problem with an order {phrases.in_prose(details['order'])} and want a refund."
        f" {details['items']} {refund} You accept it if you are refused.",
        proof=proofs(case),
        slots={"order": case.order_id, "line": line["line_id"], "issue": issue, "to": to},
    )


def credits_only(case: Case) -> Part:
    """A small refund goes to the credits alone; the caller takes that, and hears how much it is."""
    line, issue = case.rng.choice(_small_lines(case.at)), case.rng.choice(list(ISSUES))
    paid = phrases.method(case.methods[case.order["payment_method_id"]])
    details = _wanted(case, [line], issue, f"Please refund me the way I paid, to {paid}.")
    back = phrases.money(amount(case.order, [line]))
    instead = details | {"payment": "Please give me the money back as credits."}
    return Part(
        requests=(
            Request(ask=f"{WISHES[issue]} I want the money back on {paid}.", details=details | AS_SAID),
            Request(ask="Then give it to me as credits, and tell me how much it is.", details=instead, wants=(back,)),
        ),
        goal=f"You had a problem with an order {phrases.in_prose(details['order'])} and want a refund."
        f" {details['items']} {details['payment']} Only if that is refused, you take credits, and want to know how much"
        " they are.",
        proof=proofs(case),
        writes=(report_call(case, [line], issue, "credits"),),
        outputs=(back,),
        slots={"order": case.order_id, "line": line["line_id"], "issue": issue},
    )


def not_late(case: Case) -> Part:
    """An order that came in time earns nothing for lateness."""
    said = phrases.order(case)
    return Part(
        requests=(Request(ask="My food came late, and I want credits for that.", details={"order": said} | AS_SAID),),
        goal=f"You think that an order {phrases.in_prose(said)} came late and want credits for that. You accept it if"
        " you are refused.",
        proof=(order_status(case),),
        slots={"order": case.order_id},
    )


def asks_for_more(case: Case) -> Part:
    """What is given for late or cold food is set by the policy, however much the caller asks for."""
    cold = case.at.overdue < LATE
    what, reason = ("came cold", "cold_food") if cold else ("came far too late", "late")
    right = for_cold_food(case.order) if cold else for_lateness(case.at)
    wish, said = f"${phrases.money(case.rng.choice((15.0, 18.0, 20.0)))}", phrases.order(case)
    given = phrases.money(right)
    return Part(
        requests=(
            Request(
                ask=f"My food {what}. I want {wish} for that.",
                details={"order": said, "confirm": f"Only if it is {wish}."},
            ),
            Request(
                ask="Then give me what I can get for it, and tell me how much that is.",
                details={"order": said},
                wants=(given,),
            ),
        ),
        goal=f"The food of an order {phrases.in_prose(said)} {what}, and you want {wish} for that. Only if that is"
        " refused, you take what the service gives, and want to know how much it is.",
        proof=proofs(case),
        writes=(credit_call(case, reason, right),),
        outputs=(given,),
        slots={"order": case.order_id, "wish": wish},
    )


def _small_lines(at: Spot) -> list[Row]:
    lines = at.order["lines"].values()
    return [line for line in lines if 0 < amount(at.order, [line]) < SMALLEST_TO_CARD]


def _expired(at: Spot) -> bool:
    fair = at.order["status"] == "delivered" and not at.order["refunds"]
    few = at.kitchens.refunded_orders(at.user) < MOST_REFUNDED_ORDERS
    return fair and few and minutes_between(at.order["delivered_at"], NOW) > WINDOW


def _complains_often(at: Spot) -> bool:
    recent = at.order["status"] == "delivered" and minutes_between(at.order["delivered_at"], NOW) < WINDOW
    often = at.kitchens.refunded_orders(at.user) >= MOST_REFUNDED_ORDERS
    return recent and often and not at.order["refunds"]


REPORTED_TOO_LATE = about_order(reported_too_late, _expired)
TOO_MANY = about_order(too_many, _complains_often)
CREDITS_ONLY = about_order(credits_only, lambda at: at.settleable and bool(_small_lines(at)) and not at.on_credits)
NOT_LATE = about_order(not_late, lambda at: at.settleable and at.overdue < LATE)
ASKS_FOR_MORE = about_order(asks_for_more, lambda at: at.settleable)
