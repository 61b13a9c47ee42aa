"""Callers who change their mind when the agent asks for confirmation. Gold is the final wish."""

from env_server.domains.kit import Row, Wish, WishKind, prose, wish
from env_server.domains.telecom.scenarios import agreed, details, phrases, wishes
from env_server.domains.telecom.scenarios.base import (
    Carrier,
    Case,
    active,
    expired,
    look_at_bills,
    look_at_lines,
    look_at_usage,
    on_line,
    room,
)
from env_server.domains.telecom.scenarios.bills import PAY_CURRENT, by_charge
from env_server.domains.telecom.scenarios.changes import AMOUNTS, CHANGE_PLAN, REFUEL, fitting_plans


def less_data(case: Case) -> Wish:
    """The caller wants to add some data, and then less of it."""
    amounts = [gb for gb in AMOUNTS if gb <= room(case.line)]
    final, first = sorted(case.rng.sample(amounts, 2))
    line, much, less = details.line(case, case.line), details.amount(case, first), details.amount(case, final)
    known = {"line": line, "add": much}
    revise = case.voice.pick(*_LESS).format(phrases.gb(final))
    changes = (agreed.refuel(line, less),)
    return Wish(
        requests=(wish(case, *wishes.REFUEL, details=known, changes=changes, revise=revise, revised={"add": less}),),
        goal=phrases.goal(case, wishes.REFUEL, known, prose.revised(case.voice, revise)),
        reads=(look_at_usage(case, case.line),),
        writes=(on_line(case, "refuel_data", case.line, gb_amount=final),),
        slots={"line": case.line["line_id"], "first": first, "amount": final, "said": line.text},
    )


_LESS = (
    "Wait, that is more than I need: please add only {} GB.",
    "Hold on, I'd rather have just {} GB.",
    "Sorry, let us make that {} GB instead.",
    "On second thought, {} GB is enough.",
    "Actually, {} GB will do, please change that.",
    # Kept for the held-out split.
    "Stop, I have done the sums again: {} GB, no more.",
    "Hm, when I think of it, {} GB is plenty.",
    "One moment, I have changed my mind, make it {} GB.",
)


def other_plan(case: Case) -> Wish:
    """The caller wants one plan, then another."""
    first, final = case.rng.sample(fitting_plans(case.world, case.line), 2)
    line = details.line(case, case.line)
    before, after = details.plan(case, first), details.plan(case, final)
    known = {"line": line, "plan": before}
    revise = case.voice.pick(*_OTHER).format(final["name"])
    changes = (agreed.move(line, after),)
    return Wish(
        requests=(
            wish(case, *wishes.CHANGE_PLAN, details=known, changes=changes, revise=revise, revised={"plan": after}),
        ),
        goal=phrases.goal(case, wishes.CHANGE_PLAN, known, prose.revised(case.voice, revise)),
        reads=(look_at_lines(case),),
        writes=(on_line(case, "change_plan", case.line, plan_id=final["plan_id"]),),
        slots={"line": case.line["line_id"], "first": first["plan_id"], "plan": final["plan_id"], "said": line.text},
    )


_OTHER = (
    "Sorry, I have changed my mind: make it {}, please.",
    "Wait, I'd rather take {}.",
    "Hold on, {} would be better after all.",
    "On second thought, put it on {} instead.",
    "Actually, let us go for {}.",
    # Kept for the held-out split.
    "Stop, my partner says {} is the one to have.",
    "Hm, no, I think {} suits me more. That one, please.",
    "One moment. I have read it again, and it has to be {}.",
)


def other_line(case: Case) -> Wish:
    """The caller wants roaming on one line, but confused it with another."""
    final = case.rng.choice(_alike(case.world, case.customer, case.line))
    wanted = not final["roaming_enabled"]
    line, after = details.line(case, case.line, by_id=True), details.line(case, final, by_id=True)
    words = wishes.ROAM if wanted else wishes.STAY
    revise = case.voice.pick(*_OTHER_LINE).format(final["line_id"])
    changes = (agreed.roam(after, on=wanted),)
    return Wish(
        requests=(wish(case, *words, details={"line": line}, changes=changes, revise=revise, revised={"line": after}),),
        goal=phrases.goal(case, words, {"line": line}, prose.revised(case.voice, revise)),
        reads=(look_at_lines(case),),
        writes=(on_line(case, "enable_roaming" if wanted else "disable_roaming", final),),
        slots={"line": final["line_id"], "first": case.subject, "said": line.text},
    )


_OTHER_LINE = (
    "Wait, I have mixed them up: it is line {} that I mean.",
    "Sorry, wrong one. It has to be line {}.",
    "Hold on, not that one, please do it for line {} instead.",
    "Oh, I gave you the wrong line. I need it for {}.",
    "Actually, it is for line {}, not for the other one.",
    # Kept for the held-out split.
    "Stop, I have looked it up, {} is the right line.",
    "Hm, no, the other one must stay as it is. Line {} is what I need.",
    "One moment. My mistake, I should have said {}.",
)


def other_method(case: Case) -> Wish:
    """The caller wants to pay a bill with one stored method, and then with another."""
    first, final = case.rng.sample(case.methods, 2)
    bill, before = details.bill(case, case.bill), details.charged(case, first)
    after = details.charged(case, final)
    known = {"bill": bill, "payment": before}
    revise = case.voice.pick(*_OTHER_METHOD).format(f"my {phrases.method(final)}")
    changes = (agreed.pay(bill, after, by_request=False),)
    return Wish(
        requests=(wish(case, *wishes.PAY, details=known, changes=changes, revise=revise, revised={"payment": after}),),
        goal=phrases.goal(case, wishes.PAY, known, prose.revised(case.voice, revise)),
        reads=(look_at_bills(case),),
        writes=by_charge(case, case.bill, final),
        slots={"bill": case.subject, "first": first["payment_method_id"], "payment": final["payment_method_id"]},
    )


_OTHER_METHOD = (
    "Wait, please use {} instead.",
    "Sorry, I'd rather have it on {}.",
    "Hold on, take it from {} after all.",
    "On second thought, charge {}.",
    "Actually, {} is the better choice, use that.",
    # Kept for the held-out split.
    "Stop, that one is nearly empty. {} it has to be.",
    "Hm, no, let it go to {}, please.",
    "One moment. I want {} to be charged, not the other one.",
)


def _room_for_two(carrier: Carrier, customer: Row) -> list[str]:
    return [i for i in REFUEL.subjects(carrier, customer) if room(carrier.lines[i]) >= 1]


def _two_plans(carrier: Carrier, customer: Row) -> list[str]:
    return [i for i in CHANGE_PLAN.subjects(carrier, customer) if len(fitting_plans(carrier, carrier.lines[i])) > 1]


def _alike(carrier: Carrier, customer: Row, line: Row) -> list[Row]:
    """Return the other active lines that roam as this one does."""
    others = [row for row in carrier.lines_of(customer) if row["line_id"] != line["line_id"]]
    return [row for row in others if active(carrier, row) and row["roaming_enabled"] == line["roaming_enabled"]]


def _mixed_up(carrier: Carrier, customer: Row) -> list[str]:
    found = [line for line in carrier.lines_of(customer) if active(carrier, line)]
    return [line["line_id"] for line in found if _alike(carrier, customer, line)]


def _two_methods(carrier: Carrier, customer: Row) -> list[str]:
    good = [method for method in customer["payment_methods"] if not expired(method)]
    return list(PAY_CURRENT.subjects(carrier, customer)) if len(good) > 1 else []


LESS_DATA = WishKind(less_data, _room_for_two)
OTHER_PLAN = WishKind(other_plan, _two_plans)
OTHER_LINE = WishKind(other_line, _mixed_up)
OTHER_METHOD = WishKind(other_method, _two_methods)
