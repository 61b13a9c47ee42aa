"""Callers who change their mind when asked to confirm; gold is what they want in the end."""

from env_server.domains.kit import Move, Part, Request, Row
from env_server.domains.telecom.scenarios import phrases
from env_server.domains.telecom.scenarios.base import (
    Call,
    Carrier,
    active,
    lines,
    look_at_lines,
    look_at_usage,
    on_line,
    room,
)
from env_server.domains.telecom.scenarios.changes import CHANGE_PLAN, REFUEL, fitting_plans


def less_data(case: Call) -> Part:
    """Wants some data added, then less of it."""
    amounts = [gb for gb in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0) if gb <= room(case.line)]
    final, first = sorted(case.rng.sample(amounts, 2))
    said = phrases.line(case, case.line)
    details = {"line": said, "add": f"Please add {phrases.gb(first)} GB."}
    revise = f"Wait, that is more than I need: please add only {phrases.gb(final)} GB."
    return Part(
        requests=(Request(ask="I could do with more data this month.", details=details, revise=revise),),
        goal=f"You want {phrases.gb(first)} GB of data added to a line {phrases.in_prose(said)}. When the agent asks"
        f" you to confirm, you want only {phrases.gb(final)} GB; that is final.",
        reads=(look_at_usage(case, case.line),),
        writes=(on_line(case, "refuel_data", case.line, gb_amount=final),),
        slots={"line": case.line["line_id"], "first": first, "amount": final, "said": said},
    )


def other_plan(case: Call) -> Part:
    """Wants one plan, then another."""
    first, final = case.rng.sample(fitting_plans(case.world, case.line), 2)
    said = phrases.line(case, case.line)
    details = {"line": said, "plan": f"I'd like the plan {first['name']}."}
    revise = f"Sorry, I have changed my mind: make it {final['name']}, please."
    return Part(
        requests=(Request(ask="I'd like another plan for one of my lines.", details=details, revise=revise),),
        goal=f"You want a line {phrases.in_prose(said)} on the plan {first['name']}. When the agent asks you to"
        f" confirm, you decide for {final['name']} instead; that is final.",
        reads=(look_at_lines(case),),
        writes=(on_line(case, "change_plan", case.line, plan_id=final["plan_id"]),),
        slots={"line": case.line["line_id"], "first": first["plan_id"], "plan": final["plan_id"], "said": said},
    )


def roam_instead(case: Call) -> Part:
    """Wants a line suspended for a journey, then rather roaming on it."""
    said = phrases.line(case, case.line)
    details = {"line": said, "reason": "I am going on vacation."}
    revise = "Hold on, please do not suspend it after all. Just enable roaming for that line instead."
    return Part(
        requests=(Request(ask="I am off on a journey and want to suspend a line.", details=details, revise=revise),),
        goal=f"You want a line {phrases.in_prose(said)} suspended because you go on vacation. When the agent asks you"
        " to confirm, you decide to keep it in use and have roaming enabled for it instead; that is final.",
        reads=(look_at_lines(case),),
        writes=(on_line(case, "enable_roaming", case.line),),
        slots={"line": case.line["line_id"], "said": said},
    )


def _room_for_two(carrier: Carrier, customer: Row) -> list[str]:
    return [i for i in REFUEL.subjects(carrier, customer) if room(carrier.lines[i]) >= 1]


def _two_plans(carrier: Carrier, customer: Row) -> list[str]:
    return [i for i in CHANGE_PLAN.subjects(carrier, customer) if len(fitting_plans(carrier, carrier.lines[i])) > 1]


def _stays(carrier: Carrier, line: Row) -> bool:
    return active(carrier, line) and not line["roaming_enabled"]


LESS_DATA = Move(less_data, _room_for_two)
OTHER_PLAN = Move(other_plan, _two_plans)
ROAM_INSTEAD = Move(roam_instead, lines(_stays, own=False))
