"""Wishes about lines that a rule forbids: the agent has to look, refuse, and settle what the caller takes instead.

Where the caller takes nothing instead, the score shows that the agent looked, changed nothing and handed nobody over.
It does not show that the agent refused in words.
"""

from env_server.domains.kit import Move, Part, Request, Row
from env_server.domains.telecom.dialects import OVERDUE
from env_server.domains.telecom.plans import PHONE_PLANS, UNLIMITED
from env_server.domains.telecom.scenarios import phrases
from env_server.domains.telecom.scenarios.base import (
    Call,
    Carrier,
    active,
    can_pay,
    ended,
    for_phones,
    in_debt,
    limited,
    lines,
    look_at_bills,
    look_at_lines,
    look_at_usage,
    on_line,
    paused,
    room,
)
from env_server.domains.telecom.scenarios.bills import BY_REQUEST, by_charge, by_request
from env_server.domains.telecom.scenarios.changes import REASONS, fitting_plans


def resume_ended(case: Call) -> Part:
    """A line whose contract has ended is not resumed."""
    said = phrases.line(case, case.line)
    ask = case.rng.choice(("Please bring a suspended line of mine back.", "One of my lines is off, and I want it on."))
    return Part(
        requests=(Request(ask=ask, details={"line": said} | phrases.AS_SAID),),
        goal=f"You want a suspended line resumed {phrases.in_prose(said)}. You accept it if that is refused.",
        proof=(look_at_lines(case),),
        slots={"line": case.line["line_id"], "ask": ask, "said": said},
    )


def resume_in_debt(case: Call) -> Part:
    """While bills are overdue no line is resumed; the caller pays them all, and then it is."""
    bills, said = case.world.bills_of(case.customer, OVERDUE), phrases.line(case, case.line)
    method = case.rng.choice((None, *case.methods))
    how = BY_REQUEST if method is None else f"Please charge {phrases.method(method)}."
    pay = [call for b in bills for call in (by_charge(case, b, method) if method else by_request(case, b))]
    instead = f"Then I will pay all that is overdue first, and you resume the line after that. {how}"
    return Part(
        requests=(
            Request(ask="I want a suspended line of mine to work again.", details={"line": said} | phrases.AS_SAID),
            Request(ask=instead, details={"line": said, "payment": how}),
        ),
        goal=f"You want a suspended line resumed {phrases.in_prose(said)}. Only if that is refused because of overdue"
        f" bills, you want to pay them all and then have the line resumed. Asked how: {how}",
        proof=(look_at_lines(case), look_at_bills(case)),
        writes=(*pay, on_line(case, "resume_line", case.line)),
        slots={"line": case.line["line_id"], "payment": how, "said": said},
    )


def suspend_in_debt(case: Call) -> Part:
    """While bills are overdue no line is suspended at the customer's wish."""
    said = phrases.line(case, case.line)
    why = case.rng.choice(REASONS[case.rng.choice(("vacation", "saving money"))])
    return Part(
        requests=(
            Request(ask="I want to put a line on hold.", details={"line": said, "reason": why} | phrases.AS_SAID),
        ),
        goal=f"You want one of your lines suspended {phrases.in_prose(said)}. Asked why: {why} You do not want to pay"
        " anything today, and accept it if the wish is refused.",
        proof=(look_at_bills(case),),
        slots={"line": case.line["line_id"], "reason": why, "said": said},
    )


def suspend_twice(case: Call) -> Part:
    """A line that is suspended cannot be suspended again."""
    said = phrases.line(case, case.line)
    why = case.rng.choice(REASONS[case.rng.choice(("vacation", "saving money"))])
    return Part(
        requests=(
            Request(ask="Please suspend a line of mine.", details={"line": said, "reason": why} | phrases.AS_SAID),
        ),
        goal=f"You want one of your lines suspended {phrases.in_prose(said)}. Asked why: {why} You do not remember that"
        " it is suspended already, and accept it when told so.",
        proof=(look_at_lines(case),),
        slots={"line": case.line["line_id"], "reason": why, "said": said},
    )


def refuel_too_much(case: Call) -> Part:
    """More data than a line may hold is refused; the caller takes as much as is possible."""
    rest, said = room(case.line), phrases.line(case, case.line)
    wish = case.rng.choice([gb for gb in (4.0, 5.0, 6.0, 8.0, 10.0) if gb > rest])
    much, less = f"Please add {phrases.gb(wish)} GB.", "Please add as much as the rules allow for this line."
    return Part(
        requests=(
            Request(
                ask="I need a lot more data for this month.", details={"line": said, "add": much} | phrases.AS_SAID
            ),
            Request(ask="Then add as much as I can still get.", details={"line": said, "add": less}),
        ),
        goal=f"You want {phrases.gb(wish)} GB of data added to a line {phrases.in_prose(said)}. Only if that is"
        " refused, you take as much as the rules still allow.",
        proof=(look_at_usage(case, case.line),),
        writes=(on_line(case, "refuel_data", case.line, gb_amount=rest),),
        slots={"line": case.line["line_id"], "wish": wish, "said": said},
    )


def refuel_full(case: Call) -> Part:
    """A line that holds as much added data as it may, or has unlimited data, gets none."""
    wish, said = case.rng.choice((0.5, 1.0, 1.5, 2.0)), phrases.line(case, case.line)
    much = f"Please add {phrases.gb(wish)} GB."
    return Part(
        requests=(Request(ask="I want more data on a line.", details={"line": said, "add": much} | phrases.AS_SAID),),
        goal=f"You want {phrases.gb(wish)} GB of data added to a line {phrases.in_prose(said)}. You accept it if that"
        " is refused.",
        proof=(look_at_usage(case, case.line),),
        slots={"line": case.line["line_id"], "wish": wish, "said": said},
    )


def plan_too_small(case: Call) -> Part:
    """A plan that holds less than was used already is refused; the caller takes one that fits."""
    small = case.rng.choice(_too_small(case.world, case.line))
    plan, said = case.rng.choice(fitting_plans(case.world, case.line)), phrases.line(case, case.line)
    first = {"line": said, "plan": f"I want the plan {small['name']}."}
    second = {"line": said, "plan": f"I'd like the plan {plan['name']} then."}
    return Part(
        requests=(
            Request(ask="I want a smaller plan for a line.", details=first | phrases.AS_SAID),
            Request(ask=f"Then put the line on the plan {plan['name']}.", details=second),
        ),
        goal=f"You want a line {phrases.in_prose(said)} on the plan {small['name']}. Only if that is refused, you want"
        f" {plan['name']}.",
        proof=(look_at_lines(case),),
        writes=(on_line(case, "change_plan", case.line, plan_id=plan["plan_id"]),),
        slots={"line": case.line["line_id"], "small": small["plan_id"], "plan": plan["plan_id"], "said": said},
    )


def roam_suspended(case: Call) -> Part:
    """Roaming is enabled for active lines only."""
    said = phrases.line(case, case.line)
    return Part(
        requests=(Request(ask="I need roaming for a line of mine.", details={"line": said} | phrases.AS_SAID),),
        goal=f"You want roaming enabled for a line {phrases.in_prose(said)}. You accept it if that is refused.",
        proof=(look_at_lines(case),),
        slots={"line": case.line["line_id"], "said": said},
    )


def friends_line(case: Call) -> Part:
    """A wish about the line of somebody else; what the caller's own record lists is seen when they are found."""
    other = case.world.customers[case.rng.choice([peer for peer in case.peers if peer != case.customer["customer_id"]])]
    line_id = case.rng.choice(other["line_ids"])
    wish = case.rng.choice(("suspended", "resumed", "enabled for roaming"))
    who = case.rng.choice(("friend", "colleague", "neighbor"))
    said = f"It is line {line_id}, the one of my {who}."
    more = {"reason": "Because they are away."} if wish == "suspended" else {}
    ask = f"I want the line of my {who} {wish}."
    return Part(
        requests=(Request(ask=ask, details={"line": said} | more | phrases.AS_SAID),),
        goal=f"You want line {line_id}, which belongs to your {who} {other['full_name']}, {wish}. You accept it if"
        " that is refused.",
        slots={"line": line_id, "wish": wish, "who": who},
    )


def _ended(_: Carrier, line: Row) -> bool:
    return line["status"] == "Suspended" and ended(line)


def _paying(carrier: Carrier, customer: Row) -> list[str]:
    return lines(paused, debt=True, own=False)(carrier, customer) if can_pay(carrier, customer) else []


def _with_room(carrier: Carrier, line: Row) -> bool:
    return limited(carrier, line) and room(line) > 0


def _full(carrier: Carrier, line: Row) -> bool:
    return active(carrier, line) and (line["plan_id"] == UNLIMITED or room(line) <= 0)


def _too_small(carrier: Carrier, line: Row) -> list[Row]:
    plans = [carrier.plans[plan_id] for plan_id in PHONE_PLANS if plan_id != line["plan_id"]]
    return [plan for plan in plans if plan["data_limit_gb"] < line["data_used_gb"]]


def _shrinkable(carrier: Carrier, line: Row) -> bool:
    fits = for_phones(carrier, line) and _too_small(carrier, line) and fitting_plans(carrier, line)
    return bool(fits)


def _suspended(_: Carrier, line: Row) -> bool:
    return bool(line["status"] == "Suspended")


def _pausable(carrier: Carrier, customer: Row) -> list[str]:
    return lines(active, debt=True)(carrier, customer) if in_debt(carrier, customer) else []


RESUME_ENDED = Move(resume_ended, lines(_ended, debt=None))
RESUME_IN_DEBT = Move(resume_in_debt, _paying)
SUSPEND_IN_DEBT = Move(suspend_in_debt, _pausable)
SUSPEND_TWICE = Move(suspend_twice, lines(_suspended, debt=False, own=False))
REFUEL_TOO_MUCH = Move(refuel_too_much, lines(_with_room))
REFUEL_FULL = Move(refuel_full, lines(_full))
PLAN_TOO_SMALL = Move(plan_too_small, lines(_shrinkable))
ROAM_SUSPENDED = Move(roam_suspended, lines(_suspended, debt=None, own=False))
FRIENDS_LINE = Move(friends_line)
