"""Wishes about lines that the rows decide. The agent refuses with the deciding fact or, in the twin, grants them."""

from collections.abc import Sequence

from env_server.domains.kit import Refusal, Row, WantedChange, Wish, WishKind, listed, money, prose, wish
from env_server.domains.telecom.dialects import ISSUED, OVERDUE
from env_server.domains.telecom.plans import PHONE_PLANS, UNLIMITED
from env_server.domains.telecom.scenarios import agreed, details, phrases, wishes
from env_server.domains.telecom.scenarios.base import (
    MOST_REFUEL,
    Carrier,
    Case,
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
)
from env_server.domains.telecom.scenarios.bills import method_id, paid, pays_on_phone
from env_server.domains.telecom.scenarios.changes import AMOUNTS, fitting_plans
from env_server.domains.telecom.scenarios.scene import (
    bill_is,
    line_is,
    line_is_suspended,
    nothing_is_overdue,
    refuelled,
    settled,
)


def lately(case: Case) -> str:
    """Return a past day of this month after the bills were issued."""
    return f"2025-02-{case.rng.randint(6, 24):02d}"


def resume_ended(case: Case) -> Wish:
    """A line with an ended contract cannot be resumed. In the twin the contract runs on."""
    line = details.line(case, case.line)
    gone = f"{case.rng.choice(('2024-11', '2024-12', '2025-01', '2025-02'))}-{case.rng.randint(1, 24):02d}"
    later = f"{case.rng.choice((2025, 2026, 2027))}-{case.rng.randint(4, 12):02d}-{case.rng.randint(1, 28):02d}"
    part = Wish(
        requests=(wish(case, *wishes.RESUME, details={"line": line}, changes=(agreed.resume(line),)),),
        goal=phrases.goal(case, wishes.RESUME, {"line": line}, prose.accepts(case.voice)),
        proof=(look_at_lines(case),),
        refusals=(
            Refusal(
                f"the contract of {line.noun} ended on {gone}",
                (gone, ("contract", "ended"), ("contract", "expired"), ("contract", "over"), ("contract", "end")),
                (later,),
                about=("line", "resume", "active"),
            ),
        ),
        slots={"line": case.line["line_id"], "said": line.text, "day": gone},
    )
    ends = line_is(case.line, contract_end_date=gone, suspension_start_date=gone, suspension_reason="contract ended")
    runs = line_is(case.line, contract_end_date=later, suspension_reason="vacation")
    return settled(case, part, (on_line(case, "resume_line", case.line),), (ends,), (runs,))


def debts(bills: Sequence[Row]) -> tuple[str, tuple[str | tuple[str, ...], ...]]:
    """Return the clause that `bills` are overdue, and the forms that name it."""
    named = listed([f"{phrases.month(b)} (${money(b['total_due'])})" for b in bills])
    says = f"the bill{'s' if len(bills) > 1 else ''} for {named} {'are' if len(bills) > 1 else 'is'} overdue"
    amounts = [money(bill["total_due"]) for bill in bills]
    return says, (*amounts, ("overdue", "bill"), ("unpaid", "bill"), ("past due", "bill"))


def resume_in_debt(case: Case) -> Wish:
    """No line is resumed while bills are overdue. The caller pays them, and then the line is resumed."""
    bill = case.world.bills_of(case.customer, ISSUED)[0]
    method = case.rng.choice((None, *case.methods))
    line, how = details.line(case, case.line), details.paying(case, method)
    first, then = {"line": line}, {"payment": how, "line": line}
    pay = agreed.pay(None, how, by_request=method is None, noun="the overdue bill")
    says, because = debts([bill])
    again = on_line(case, "resume_line", case.line)
    part = Wish(
        requests=(
            wish(case, *wishes.RESUME, details=first, changes=(agreed.resume(line),)),
            wish(case, *wishes.CATCH_UP, details=then, changes=(pay, agreed.resume(line)), instead=True),
        ),
        goal=" ".join(
            (
                phrases.goal(case, wishes.RESUME, first),
                phrases.only_then(case, wishes.CATCH_UP, {"payment": how}),
                pays_on_phone(case),
            )
        ),
        proof=(look_at_lines(case), look_at_bills(case)),
        writes=(*paid(case, bill, method), again),
        refusals=(Refusal(says, because, about=("line", "resume", "active")),),
        slots={"bill": bill["bill_id"], "line": case.line["line_id"], "payment": method_id(method), "said": line.text},
    )
    late = bill_is(bill, status=OVERDUE, due_date="2025-02-19")
    return settled(case, part, (again,), (late,), ())


def suspend_in_debt(case: Case) -> Wish:
    """While bills are overdue no line is suspended at the customer's wish."""
    why = case.rng.choice(details.SOFT_REASONS)
    line, reason = details.line(case, case.line), details.reason(case, why)
    known = {"line": line, "reason": reason}
    says, because = debts(case.world.bills_of(case.customer, OVERDUE))
    part = Wish(
        requests=(wish(case, *wishes.SUSPEND, details=known, changes=(agreed.suspend(line, reason),)),),
        goal=phrases.goal(case, wishes.SUSPEND, known, prose.accepts(case.voice)),
        proof=(look_at_lines(case), look_at_bills(case)),
        refusals=(Refusal(says, because, about=("suspension",)),),
        slots={"line": case.line["line_id"], "reason": why, "said": line.text},
    )
    granted = on_line(case, "suspend_line", case.line, reason=why)
    return settled(case, part, (granted,), (), nothing_is_overdue(case))


def refuel_in_debt(case: Case) -> Wish:
    """While a bill is overdue no data is added."""
    amount = case.rng.choice(AMOUNTS)
    line, much = details.line(case, case.line), details.amount(case, amount)
    known = {"line": line, "add": much}
    says, because = debts(case.world.bills_of(case.customer, OVERDUE))
    part = Wish(
        requests=(wish(case, *wishes.REFUEL, details=known, changes=(agreed.refuel(line, much),)),),
        goal=phrases.goal(case, wishes.REFUEL, known, prose.accepts(case.voice)),
        proof=(look_at_usage(case, case.line), look_at_bills(case)),
        refusals=(Refusal(says, because, about=("data",)),),
        slots={"line": case.line["line_id"], "amount": amount, "said": line.text},
    )
    granted = on_line(case, "refuel_data", case.line, gb_amount=amount)
    none = refuelled(case, 0.0)
    return settled(case, part, (granted,), none, (*none, *nothing_is_overdue(case)))


def plan_in_debt(case: Case) -> Wish:
    """While a bill is overdue no plan is changed."""
    plan = case.rng.choice(fitting_plans(case.world, case.line))
    line, which = details.line(case, case.line), details.plan(case, plan)
    known = {"line": line, "plan": which}
    says, because = debts(case.world.bills_of(case.customer, OVERDUE))
    part = Wish(
        requests=(wish(case, *wishes.CHANGE_PLAN, details=known, changes=(agreed.move(line, which),)),),
        goal=phrases.goal(case, wishes.CHANGE_PLAN, known, prose.accepts(case.voice)),
        proof=(look_at_lines(case), look_at_bills(case)),
        refusals=(Refusal(says, because, about=("plan",)),),
        slots={"line": case.line["line_id"], "plan": plan["plan_id"], "said": line.text},
    )
    granted = on_line(case, "change_plan", case.line, plan_id=plan["plan_id"])
    return settled(case, part, (granted,), (), nothing_is_overdue(case))


def suspend_twice(case: Case) -> Wish:
    """A suspended line cannot be suspended again."""
    why, since = case.rng.choice(details.SOFT_REASONS), lately(case)
    line, reason = details.line(case, case.line), details.reason(case, why)
    known = {"line": line, "reason": reason}
    part = Wish(
        requests=(wish(case, *wishes.SUSPEND, details=known, changes=(agreed.suspend(line, reason),)),),
        goal=phrases.goal(case, wishes.SUSPEND, known, prose.accepts(case.voice)),
        proof=(look_at_lines(case),),
        refusals=(_suspended_since(line, since, "suspension"),),
        slots={"line": case.line["line_id"], "reason": why, "said": line.text, "since": since},
    )
    granted = on_line(case, "suspend_line", case.line, reason=why)
    return settled(case, part, (granted,), (line_is_suspended(case.line, since, why),), ())


def _suspended_since(line: details.Named, since: str, *about: str) -> Refusal:
    says = f"{line.noun} is suspended, since {since}"
    forms = (since, "is suspended", "already suspended", "been suspended", "currently suspended", "not active")
    return Refusal(says, forms, ("closed", "pending activation"), about=about)


def roam_suspended(case: Case) -> Wish:
    """Roaming is enabled for active lines only."""
    why, since = case.rng.choice(details.SOFT_REASONS), lately(case)
    line = details.line(case, case.line)
    part = Wish(
        requests=(wish(case, *wishes.ROAM, details={"line": line}, changes=(agreed.roam(line),)),),
        goal=phrases.goal(case, wishes.ROAM, {"line": line}, prose.accepts(case.voice)),
        proof=(look_at_lines(case),),
        refusals=(_suspended_since(line, since, "roaming"),),
        slots={"line": case.line["line_id"], "said": line.text, "since": since, "why": why},
    )
    granted = on_line(case, "enable_roaming", case.line)
    return settled(case, part, (granted,), (line_is_suspended(case.line, since, why),), ())


def refuel_too_much(case: Case) -> Wish:
    """A line may not hold this much added data. The caller takes the maximum instead."""
    already = case.rng.choice((0.5, 1.0, 1.5, 2.0, 2.5))
    rest = MOST_REFUEL - already
    amount = case.rng.choice([gb for gb in AMOUNTS if gb > rest])
    line, much = details.line(case, case.line), details.amount(case, amount)
    first, then = {"line": line, "add": much}, {"line": line}
    part = Wish(
        requests=(
            wish(case, *wishes.REFUEL, details=first, changes=(agreed.refuel(line, much),)),
            wish(case, *wishes.AS_MUCH, details=then, changes=(agreed.refuel(line, None),), instead=True),
        ),
        goal=f"{phrases.goal(case, wishes.REFUEL, first)} {phrases.only_then(case, wishes.AS_MUCH, {})}",
        proof=(look_at_usage(case, case.line),),
        writes=(on_line(case, "refuel_data", case.line, gb_amount=rest),),
        refusals=(
            Refusal(
                f"{line.noun} holds {phrases.gb(already)} GB of added data already, so only {phrases.gb(rest)} GB more"
                " are possible",
                (phrases.gb(already), phrases.gb(rest)),
                about=("data", "GB"),
            ),
        ),
        slots={"line": case.line["line_id"], "wish": amount, "already": already, "said": line.text},
    )
    granted = on_line(case, "refuel_data", case.line, gb_amount=amount)
    return settled(case, part, (granted,), refuelled(case, already), refuelled(case, 0.0))


def refuel_full(case: Case) -> Wish:
    """A line with the maximum of added data, or with unlimited data, gets no more data."""
    amount, full = case.rng.choice(AMOUNTS), case.rng.random() < 0.5
    line, much = details.line(case, case.line), details.amount(case, amount)
    known = {"line": line, "add": much}
    unlimited = case.world.plans[UNLIMITED]["name"]
    reason = (
        Refusal(
            f"{line.noun} holds {phrases.gb(MOST_REFUEL)} GB of added data already",
            (("3", "already"), ("3", "added"), ("3", "holds"), ("3", "has"), ("full",), ("maximum", "already")),
            ("unlimited",),
            about=("data", "GB"),
        )
        if full
        else Refusal(
            f"{line.noun} is on the plan {unlimited}, which is unlimited", ("unlimited",), about=("data", "GB")
        )
    )
    part = Wish(
        requests=(wish(case, *wishes.REFUEL, details=known, changes=(agreed.refuel(line, much),)),),
        goal=phrases.goal(case, wishes.REFUEL, known, prose.accepts(case.voice)),
        proof=(look_at_usage(case, case.line),),
        refusals=(reason,),
        slots={"line": case.line["line_id"], "wish": amount, "full": full, "said": line.text},
    )
    granted = on_line(case, "refuel_data", case.line, gb_amount=amount)
    moved = (*refuelled(case, 0.0), line_is(case.line, plan_id=UNLIMITED, last_plan_change_date="2025-02-12"))
    return settled(case, part, (granted,), refuelled(case, MOST_REFUEL) if full else moved, refuelled(case, 0.0))


def plan_too_small(case: Case) -> Wish:
    """A plan with less data than was already used is refused. The caller takes one that fits."""
    small = case.rng.choice(_too_small(case.world, case.line))
    plan = case.rng.choice(fitting_plans(case.world, case.line))
    line, low, high = details.line(case, case.line), details.plan(case, small), details.plan(case, plan)
    used = phrases.gb(case.line["data_used_gb"])
    less = round(small["data_limit_gb"] * case.rng.randint(20, 80) / 100, 1)
    first, then = {"line": line, "plan": low}, {"line": line, "plan": high}
    moves: tuple[WantedChange, ...] = (agreed.move(line, low),)
    part = Wish(
        requests=(
            wish(case, *wishes.CHANGE_PLAN, details=first, changes=moves),
            wish(case, *wishes.FITTING, details=then, changes=(agreed.move(line, high),), instead=True),
        ),
        goal=" ".join(
            (
                phrases.goal(case, wishes.CHANGE_PLAN, first),
                phrases.only_then(case, wishes.FITTING, {"plan": high}),
            )
        ),
        proof=(look_at_lines(case),),
        writes=(on_line(case, "change_plan", case.line, plan_id=plan["plan_id"]),),
        refusals=(Refusal(f"{line.noun} has used {used} GB in this cycle", (used,), about=("plan", small["name"])),),
        slots={"line": case.line["line_id"], "small": small["plan_id"], "plan": plan["plan_id"], "said": line.text},
    )
    granted = on_line(case, "change_plan", case.line, plan_id=small["plan_id"])
    return settled(case, part, (granted,), (), (line_is(case.line, data_used_gb=less),))


def _over(_: Carrier, line: Row) -> bool:
    return paused(_, line) or (line["status"] == "Suspended" and ended(line))


def _paying(carrier: Carrier, customer: Row) -> list[str]:
    if not can_pay(carrier, customer) or len(carrier.bills_of(customer, ISSUED)) != 1:
        return []
    return lines(paused, own=False)(carrier, customer)


def _too_small(carrier: Carrier, line: Row) -> list[Row]:
    plans = [carrier.plans[plan_id] for plan_id in PHONE_PLANS if plan_id != line["plan_id"]]
    return [plan for plan in plans if plan["data_limit_gb"] < line["data_used_gb"]]


def _shrinkable(carrier: Carrier, line: Row) -> bool:
    fits = for_phones(carrier, line) and _too_small(carrier, line) and fitting_plans(carrier, line)
    return bool(fits)


def _movable(carrier: Carrier, line: Row) -> bool:
    return for_phones(carrier, line) and bool(fitting_plans(carrier, line))


def _stays(carrier: Carrier, line: Row) -> bool:
    return active(carrier, line) and not line["roaming_enabled"]


def _on_phone_plan(carrier: Carrier, line: Row) -> bool:
    return limited(carrier, line) and for_phones(carrier, line)


def _pausable(carrier: Carrier, customer: Row) -> list[str]:
    return lines(active, debt=True, own=False)(carrier, customer) if in_debt(carrier, customer) else []


RESUME_ENDED = WishKind(resume_ended, lines(_over, own=False))
RESUME_IN_DEBT = WishKind(resume_in_debt, _paying)
SUSPEND_IN_DEBT = WishKind(suspend_in_debt, _pausable)
REFUEL_IN_DEBT = WishKind(refuel_in_debt, lines(limited, debt=True))
PLAN_IN_DEBT = WishKind(plan_in_debt, lines(_movable, debt=True))
SUSPEND_TWICE = WishKind(suspend_twice, lines(active, own=False))
ROAM_SUSPENDED = WishKind(roam_suspended, lines(_stays, own=False, debt=None))
REFUEL_TOO_MUCH = WishKind(refuel_too_much, lines(limited, own=False))
REFUEL_FULL = WishKind(refuel_full, lines(_on_phone_plan, own=False))
PLAN_TOO_SMALL = WishKind(plan_too_small, lines(_shrinkable, own=False))
