"""Changes to a line that the agent can make: suspend, resume, roaming, more data, another plan."""

from env_server.domains.kit import Move, Part, Request, Row
from env_server.domains.telecom.plans import PHONE_PLANS
from env_server.domains.telecom.scenarios import phrases
from env_server.domains.telecom.scenarios.base import (
    Call,
    Carrier,
    active,
    for_phones,
    limited,
    lines,
    look_at_lines,
    look_at_usage,
    on_line,
    paused,
    room,
)

REASONS = {
    "vacation": ("I am going on vacation.", "Because I am away on vacation."),
    "lost phone": ("The phone it is in is lost.", "I have lost the phone."),
    "stolen phone": ("The phone was stolen.", "Somebody has stolen the phone."),
    "saving money": ("To save money, nobody needs it right now.", "I want to save money."),
}
"""Reason as the tool takes it -> how callers say it."""

_SOFT = ("vacation", "saving money")
"""The reasons that fit a line in whatever device."""


def suspend(case: Call) -> Part:
    """Suspend a line."""
    said = phrases.line(case, case.line)
    reason = case.rng.choice(tuple(REASONS) if phrases.kind(case, case.line) == "phone" else _SOFT)
    why = case.rng.choice(REASONS[reason])
    ask = case.rng.choice(("I'd like to suspend a line.", "Please put one of my lines on hold."))
    return Part(
        requests=(Request(ask=ask, details={"line": said, "reason": why}),),
        goal=f"You want one of your lines suspended {phrases.in_prose(said)}. Asked why: {why}",
        reads=(look_at_lines(case),),
        writes=(on_line(case, "suspend_line", case.line, reason=reason),),
        slots={"line": case.line["line_id"], "reason": why, "ask": ask, "said": said},
    )


def resume(case: Call) -> Part:
    """Resume a line that was suspended at the customer's wish."""
    said = phrases.line(case, case.line)
    ask = case.rng.choice(("I want a suspended line to work again.", "Please bring one of my lines back into use."))
    return Part(
        requests=(Request(ask=ask, details={"line": said}),),
        goal=f"You want a suspended line of yours resumed {phrases.in_prose(said)}.",
        reads=(look_at_lines(case),),
        writes=(on_line(case, "resume_line", case.line),),
        slots={"line": case.line["line_id"], "ask": ask, "said": said},
    )


def roam(case: Call) -> Part:
    """Have a line enabled for roaming, or kept from it."""
    wanted = not case.line["roaming_enabled"]
    said = phrases.line(case, case.line)
    ask = (
        "I am going to travel abroad and need roaming." if wanted else "I want roaming switched off for a line of mine."
    )
    tool = "enable_roaming" if wanted else "disable_roaming"
    return Part(
        requests=(Request(ask=ask, details={"line": said}),),
        goal=f"You want the company to {'enable' if wanted else 'disable'} roaming for a line {phrases.in_prose(said)}."
        " Your phone's own settings are to stay as they are.",
        reads=(look_at_lines(case),),
        writes=(on_line(case, tool, case.line),),
        slots={"line": case.line["line_id"], "wanted": wanted, "said": said},
    )


def refuel(case: Call) -> Part:
    """Add data to a line."""
    amount = case.rng.choice([gb for gb in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0) if gb <= room(case.line)])
    said, much = phrases.line(case, case.line), f"Please add {phrases.gb(amount)} GB."
    return Part(
        requests=(Request(ask="I'd like more data for this month.", details={"line": said, "add": much}),),
        goal=f"You want {phrases.gb(amount)} GB of data added to a line {phrases.in_prose(said)}.",
        reads=(look_at_usage(case, case.line),),
        writes=(on_line(case, "refuel_data", case.line, gb_amount=amount),),
        slots={"line": case.line["line_id"], "amount": amount, "said": said},
    )


def refuel_told(case: Call) -> Part:
    """Add data and hear what it costs."""
    amount = case.rng.choice([gb for gb in (0.5, 1.0, 1.5, 2.0, 2.5) if gb <= room(case.line)])
    said, much = phrases.line(case, case.line), f"Please add {phrases.gb(amount)} GB."
    price = phrases.money(round(amount * case.plan["data_refueling_price_per_gb"], 2))
    ask = "I'd like more data for this month, and to know what it costs."
    return Part(
        requests=(Request(ask=ask, details={"line": said, "add": much}, wants=(price,)),),
        goal=f"You want {phrases.gb(amount)} GB of data added to a line {phrases.in_prose(said)}, and to hear"
        " the price.",
        proof=(look_at_lines(case),),
        writes=(on_line(case, "refuel_data", case.line, gb_amount=amount),),
        outputs=(price,),
        slots={"line": case.line["line_id"], "amount": amount, "said": said},
    )


def fitting_plans(carrier: Carrier, line: Row) -> list[Row]:
    """The other phone plans that hold what the line has used in this cycle, by price."""
    plans = [carrier.plans[plan_id] for plan_id in PHONE_PLANS if plan_id != line["plan_id"]]
    return [plan for plan in plans if plan["data_limit_gb"] > line["data_used_gb"]]


def change_plan(case: Call) -> Part:
    """Put a line on a plan that the caller names."""
    plan = case.rng.choice(fitting_plans(case.world, case.line))
    said, wish = phrases.line(case, case.line), f"I'd like the plan {plan['name']}."
    return Part(
        requests=(Request(ask="I want to change the plan of a line.", details={"line": said, "plan": wish}),),
        goal=f"You want a line {phrases.in_prose(said)} on the plan {plan['name']}.",
        reads=(look_at_lines(case),),
        writes=(on_line(case, "change_plan", case.line, plan_id=plan["plan_id"]),),
        slots={"line": case.line["line_id"], "plan": plan["plan_id"], "said": said},
    )


def plan_for_need(case: Call) -> Part:
    """Put a line on the cheapest other phone plan with enough data, and hear the difference in price."""
    plan = case.rng.choice(_bounded(case.world, case.line))
    need = phrases.gb(plan["data_limit_gb"] - case.rng.choice((0, 1)))
    said = phrases.line(case, case.line)
    difference = phrases.money(abs(plan["price_per_month"] - case.plan["price_per_month"]))
    wish = f"The cheapest other phone plan with at least {need} GB."
    ask = "I want another plan for a line, and to know by how much its price per month differs."
    return Part(
        requests=(Request(ask=ask, details={"line": said, "plan": wish}, wants=(difference,)),),
        goal=f"You want a line {phrases.in_prose(said)} on the cheapest other phone plan with at least {need} GB, and"
        " to be told how much the monthly price differs.",
        proof=(look_at_lines(case),),
        writes=(on_line(case, "change_plan", case.line, plan_id=plan["plan_id"]),),
        outputs=(difference,),
        slots={"line": case.line["line_id"], "need": need, "said": said},
    )


def _bounded(carrier: Carrier, line: Row) -> list[Row]:
    """The plans that a number of GB singles out; the unlimited one has none to name."""
    return [plan for plan in fitting_plans(carrier, line) if plan["data_limit_gb"] < 900]


def _refuelable(carrier: Carrier, line: Row) -> bool:
    return limited(carrier, line) and room(line) >= 0.5


def _changeable(carrier: Carrier, line: Row) -> bool:
    return for_phones(carrier, line) and bool(_bounded(carrier, line))


SUSPEND = Move(suspend, lines(active, own=False))
RESUME = Move(resume, lines(paused, own=False))
ROAM = Move(roam, lines(active, debt=None))
REFUEL = Move(refuel, lines(_refuelable))
REFUEL_TOLD = Move(refuel_told, lines(_refuelable))
CHANGE_PLAN = Move(change_plan, lines(_changeable))
PLAN_FOR_NEED = Move(plan_for_need, lines(_changeable))
