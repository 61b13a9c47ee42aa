"""Changes to a line that the agent can make: suspend, resume, roaming, more data, another plan."""

from env_server.domains.kit import Details, Row, Wish, WishKind, money, told, wish
from env_server.domains.telecom.plans import PHONE_PLANS
from env_server.domains.telecom.scenarios import agreed, details, phrases, wishes
from env_server.domains.telecom.scenarios.base import (
    Carrier,
    Case,
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

AMOUNTS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)


def suspend(case: Case) -> Wish:
    """Suspend a line."""
    line = details.line(case, case.line)
    reasons = details.REASONS if phrases.kind(case, case.line) == "phone" else details.SOFT_REASONS
    why = case.rng.choice(reasons)
    known = {"line": line, "reason": details.reason(case, why)}
    return Wish(
        requests=(wish(case, *wishes.SUSPEND, details=known, changes=(agreed.suspend(line, known["reason"]),)),),
        goal=phrases.goal(case, wishes.SUSPEND, known),
        reads=(look_at_lines(case),),
        writes=(on_line(case, "suspend_line", case.line, reason=why),),
        slots={"line": case.line["line_id"], "reason": why, "said": line.text},
    )


def resume(case: Case) -> Wish:
    """Resume a line that was suspended at the customer's wish."""
    line = details.line(case, case.line)
    return Wish(
        requests=(wish(case, *wishes.RESUME, details={"line": line}, changes=(agreed.resume(line),)),),
        goal=phrases.goal(case, wishes.RESUME, {"line": line}),
        reads=(look_at_lines(case),),
        writes=(on_line(case, "resume_line", case.line),),
        slots={"line": case.line["line_id"], "said": line.text},
    )


def roam(case: Case) -> Wish:
    """Have a line enabled for roaming, or kept from it."""
    wanted = not case.line["roaming_enabled"]
    line = details.line(case, case.line)
    words = wishes.ROAM if wanted else wishes.STAY
    return Wish(
        requests=(wish(case, *words, details={"line": line}, changes=(agreed.roam(line, on=wanted),)),),
        goal=phrases.goal(case, words, {"line": line}, "Your phone's own settings are to stay as they are."),
        reads=(look_at_lines(case),),
        writes=(on_line(case, "enable_roaming" if wanted else "disable_roaming", case.line),),
        slots={"line": case.line["line_id"], "wanted": wanted, "said": line.text},
    )


def refuel(case: Case) -> Wish:
    """Add data to a line."""
    amount = case.rng.choice([gb for gb in AMOUNTS if gb <= room(case.line)])
    line, much = details.line(case, case.line), details.amount(case, amount)
    known = {"line": line, "add": much}
    return Wish(
        requests=(wish(case, *wishes.REFUEL, details=known, changes=(agreed.refuel(line, much),)),),
        goal=phrases.goal(case, wishes.REFUEL, known),
        reads=(look_at_usage(case, case.line),),
        writes=(on_line(case, "refuel_data", case.line, gb_amount=amount),),
        slots={"line": case.line["line_id"], "amount": amount, "said": line.text},
    )


def refuel_told(case: Case) -> Wish:
    """Add data and hear the price."""
    amount = case.rng.choice([gb for gb in AMOUNTS if gb <= room(case.line)])
    line, much = details.line(case, case.line), details.amount(case, amount)
    known = {"line": line, "add": much}
    price = money(round(amount * case.plan["data_refueling_price_per_gb"], 2))
    want, tell = told(price, f"The added data costs ${price}.", *wishes.PRICES)
    return Wish(
        requests=(wish(case, *wishes.REFUEL_TOLD, details=known, changes=(agreed.refuel(line, much),), wants=(want,)),),
        goal=phrases.goal(case, wishes.REFUEL_TOLD, known),
        proof=(look_at_lines(case),),
        writes=(on_line(case, "refuel_data", case.line, gb_amount=amount),),
        tells=(tell,),
        slots={"line": case.line["line_id"], "amount": amount, "said": line.text},
    )


def fitting_plans(carrier: Carrier, line: Row) -> list[Row]:
    """Return the other phone plans that hold the data used in this cycle, sorted by price."""
    plans = [carrier.plans[plan_id] for plan_id in PHONE_PLANS if plan_id != line["plan_id"]]
    return [plan for plan in plans if plan["data_limit_gb"] > line["data_used_gb"]]


def change_plan(case: Case) -> Wish:
    """Put a line on a plan that the caller names."""
    plan = case.rng.choice(fitting_plans(case.world, case.line))
    line, which = details.line(case, case.line), details.plan(case, plan)
    known = {"line": line, "plan": which}
    return Wish(
        requests=(wish(case, *wishes.CHANGE_PLAN, details=known, changes=(agreed.move(line, which),)),),
        goal=phrases.goal(case, wishes.CHANGE_PLAN, known),
        reads=(look_at_lines(case),),
        writes=(on_line(case, "change_plan", case.line, plan_id=plan["plan_id"]),),
        slots={"line": case.line["line_id"], "plan": plan["plan_id"], "said": line.text},
    )


def plan_for_need(case: Case) -> Wish:
    """Put a line on the cheapest other phone plan with enough data, and hear the difference in price."""
    plan = case.rng.choice(_bounded(case.world, case.line))
    need = phrases.gb(plan["data_limit_gb"] - case.rng.choice((0, 1)))
    line = details.line(case, case.line)
    known: Details = {"line": line, "plan": case.voice.pick(*wishes.NEEDS).format(need)}
    difference = money(abs(plan["price_per_month"] - case.plan["price_per_month"]))
    want, tell = told(difference, f"The price per month differs by ${difference}.", *wishes.DIFFERENCES)
    return Wish(
        requests=(wish(case, *wishes.PLAN_FOR_NEED, details=known, changes=(agreed.move(line, None),), wants=(want,)),),
        goal=phrases.goal(case, wishes.PLAN_FOR_NEED, known),
        proof=(look_at_lines(case),),
        writes=(on_line(case, "change_plan", case.line, plan_id=plan["plan_id"]),),
        tells=(tell,),
        slots={"line": case.line["line_id"], "need": need, "said": line.text},
    )


def _bounded(carrier: Carrier, line: Row) -> list[Row]:
    """Return the plans that a number of GB identifies. The unlimited plan has no such number."""
    return [plan for plan in fitting_plans(carrier, line) if plan["data_limit_gb"] < 900]


def _refuelable(carrier: Carrier, line: Row) -> bool:
    return limited(carrier, line) and room(line) >= 0.5


def _changeable(carrier: Carrier, line: Row) -> bool:
    return for_phones(carrier, line) and bool(_bounded(carrier, line))


SUSPEND = WishKind(suspend, lines(active, own=False))
RESUME = WishKind(resume, lines(paused, own=False))
ROAM = WishKind(roam, lines(active, debt=None))
ROAM_OTHER = WishKind(roam, lines(active, debt=None, own=False))
REFUEL = WishKind(refuel, lines(_refuelable))
REFUEL_OTHER = WishKind(refuel, lines(_refuelable, own=False))
REFUEL_TOLD = WishKind(refuel_told, lines(_refuelable))
CHANGE_PLAN = WishKind(change_plan, lines(_changeable))
CHANGE_PLAN_OTHER = WishKind(change_plan, lines(_changeable, own=False))
PLAN_FOR_NEED = WishKind(plan_for_need, lines(_changeable))
