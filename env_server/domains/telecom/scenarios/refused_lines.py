"""Wishes about a line that is not the caller's or not in a phone. The agent refuses or, in the twin, grants them."""

from env_server.domains.kit import Refusal, Row, Wish, WishKind, prose, wish
from env_server.domains.telecom.plans import OTHER_PLANS
from env_server.domains.telecom.scenarios import agreed, details, phrases, wishes
from env_server.domains.telecom.scenarios.base import (
    Carrier,
    Case,
    active,
    for_phones,
    lines,
    look_at_lines,
    on_line,
)
from env_server.domains.telecom.scenarios.changes import fitting_plans
from env_server.domains.telecom.scenarios.scene import customer_is, device_is, line_is, settled


def strangers_line(case: Case) -> Wish:
    """A line that the caller's record does not list is not theirs, whatever the caller says."""
    why = case.rng.choice(details.SOFT_REASONS)
    line, reason = details.line(case, case.line, by_id=True), details.reason(case, why)
    known = {"line": line, "reason": reason}
    other = case.world.customers[case.rng.choice([peer for peer in case.peers if peer != case.customer["customer_id"]])]
    part = Wish(
        requests=(wish(case, *wishes.SUSPEND, details=known, changes=(agreed.suspend(line, reason),)),),
        goal=phrases.goal(case, wishes.SUSPEND, known, prose.accepts(case.voice)),
        proof=(look_at_lines(case),),
        refusals=(
            Refusal(
                f"{line.noun} is not listed on your account",
                _NOT_THEIRS,
                about=("line", "suspension"),
            ),
        ),
        slots={"line": case.line["line_id"], "reason": why, "said": line.text, "other": other["customer_id"]},
    )
    left = [line_id for line_id in case.customer["line_ids"] if line_id != case.subject]
    moved = (
        customer_is(case.customer, line_ids=left),
        customer_is(other, line_ids=[*other["line_ids"], case.subject]),
    )
    return settled(case, part, (on_line(case, "suspend_line", case.line, reason=why),), moved, ())


_NOT_THEIRS = (
    ("not", "your account"),
    ("not", "your record"),
    ("not", "your lines"),
    ("no such line",),
    ("no line",),
    ("not", "yours"),
    ("belong", "not"),
    ("belong", "doesn't"),
    ("belongs", "another"),
    ("belongs", "someone else"),
    ("belongs", "somebody else"),
    ("isn't", "your"),
    ("not", "listed"),
    ("isn't", "listed"),
    ("aren't", "your"),
)


def wrong_device(case: Case) -> Wish:
    """A line in a device that is not a phone keeps its plan."""
    kind = case.rng.choice(tuple(OTHER_PLANS))
    plan = case.rng.choice(fitting_plans(case.world, case.line))
    line, which = details.line(case, case.line, by_id=True), details.plan(case, plan)
    known = {"line": line, "plan": which}
    present = case.world.plans[OTHER_PLANS[kind]]
    part = Wish(
        requests=(wish(case, *wishes.CHANGE_PLAN, details=known, changes=(agreed.move(line, which),)),),
        goal=phrases.goal(case, wishes.CHANGE_PLAN, known, prose.accepts(case.voice)),
        proof=(look_at_lines(case),),
        refusals=(
            Refusal(
                f"{line.noun} is the line of a {kind}, on the plan {present['name']}",
                (kind, present["name"]),
                about=("plan",),
            ),
        ),
        slots={"line": case.line["line_id"], "plan": plan["plan_id"], "kind": kind, "said": line.text},
    )
    used = round(present["data_limit_gb"] * case.rng.randint(20, 80) / 100, 1)
    changed = (
        line_is(case.line, plan_id=present["plan_id"], data_used_gb=used),
        device_is(case.line, device_type=kind, model=_MODELS[kind]),
    )
    return settled(case, part, (on_line(case, "change_plan", case.line, plan_id=plan["plan_id"]),), changed, ())


_MODELS = {"tablet": "Slate 11", "watch": "Wristling", "router": "Hearth Router"}


def _phones(carrier: Carrier, line: Row) -> bool:
    return for_phones(carrier, line) and not line["data_refueling_gb"] and bool(fitting_plans(carrier, line))


STRANGERS_LINE = WishKind(strangers_line, lines(active, own=False))
WRONG_DEVICE = WishKind(wrong_device, lines(_phones, own=False))
