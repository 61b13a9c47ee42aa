"""Wishes for refunds that the rows grant or forbid. The same words lead to a refund or to a refusal."""

from dataclasses import replace
from math import ceil

from env_server.domains import kit
from env_server.domains.doordash.clock import NOW, minutes_between
from env_server.domains.doordash.scenarios import baskets, goals, order_asks, patches
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios.base import (
    LARGEST_REFUND,
    LATE,
    MOST_REFUNDED_ORDERS,
    SMALLEST_TO_CARD,
    WINDOW,
    Case,
    Fate,
    Row,
    Spot,
    Wish,
    about_order,
    decided,
    open_order,
    order_status,
)
from env_server.domains.doordash.scenarios.changes import BACK_OF, back_to
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.doordash.scenarios.refunds import (
    CREDITS_OF,
    ISSUES,
    MOST_FOR_COLD,
    VERY_LATE_CREDIT,
    amount,
    clear,
    credit_call,
    crediting,
    fair_lines,
    for_cold_food,
    for_lateness,
    problem,
    proofs,
    report_call,
    reportable,
    reporting,
    wanted,
)
from env_server.domains.kit import Known, Patch, Refusal, listed, prose, told, wish


def _refunded(case: Case, line: Row, due: Fate, otherwise: Fate, *, issue: str, to: str, money: Detail) -> Wish:
    """Return the wish to refund a line, without an alternative."""
    answers, phrases = wanted(case, [line], issue, money), order_asks.REFUND[issue]
    report = report_call(case, [line], issue, to)
    return decided(
        case,
        (wish(case, *phrases, details=said.known(answers), changes=(reporting(case, answers, issue, to),)),),
        f"{goals.goal(case, phrases, answers)} {prose.accepts(case.voice)}",
        proofs(case),
        {"order": case.order_id, "line": line["line_id"], "issue": issue, "to": to},
        due=Fate(writes=(report,), initial=due.initial),
        otherwise=otherwise,
    )


def reported_too_late(case: Case) -> Wish:
    """A problem reported more than 48 hours after the delivery is not refunded."""
    issue, (to, money) = case.rng.choice(ISSUES), back_to(case)
    line = case.rng.choice(fair_lines(case.at))
    earlier = patches.days_ago(case.order, case.rng.randint(3, 45))
    day = earlier["delivered_at"][:10]
    days = minutes_between(earlier["delivered_at"], NOW) // (24 * 60)
    refusal = Refusal(f"the order was delivered on {day}", (day, (str(days), "days ago")), about=("refund",))
    otherwise = Fate(refusals=(refusal,), initial=patches.order(case, **earlier))
    part = _refunded(case, line, Fate(), otherwise, issue=issue, to=to, money=money)
    return part if case.due else replace(part, proof=(open_order(case),))  # the date alone decides


def too_many(case: Case) -> Wish:
    """A user with refunds for three other orders within 30 days gets no more."""
    issue, (to, money) = case.rng.choice(ISSUES), back_to(case)
    line = case.rng.choice(fair_lines(case.at))
    others = [o for o in case.world.orders_of(case.user) if o is not case.order and o["refunds"]]
    numbers = [order["order_id"] for order in others]
    refusal = Refusal(
        f"within 30 days you had money back for {len(numbers)} other orders ({listed(numbers)})",
        ((str(len(numbers)), "order"), *numbers),
        about=("refund",),
    )
    fewer: Patch = {"orders": {number: {"refunds": []} for number in numbers[1:]}}
    due = Fate(initial=fewer)
    return _refunded(case, line, due, Fate(refusals=(refusal,)), issue=issue, to=to, money=money)


def credits_only(case: Case) -> Wish:
    """A small refund goes only to the credits. The caller accepts that and hears the amount."""
    line, issue = case.rng.choice(_small_lines(case.at)), case.rng.choice(ISSUES)
    money = said.back_to(case, "original")
    many = patches.count(line, line["quantity"] * (1 + ceil(SMALLEST_TO_CARD / amount(case.order, [line]))))
    back = kit.money(amount(case.order, [line]))
    answers = wanted(case, [line], issue, money)
    rather = answers | {"payment": said.back_to(case, "credits")}
    want, tell = told(back, f"The refund is ${back}.", *BACK_OF, *CREDITS_OF, wish=1)
    phrases = order_asks.REFUND[issue]
    requests = (
        wish(
            case,
            *phrases,
            details=said.known(answers),
            changes=(reporting(case, answers, issue, "original"),),
        ),
        wish(
            case,
            *order_asks.TAKE_CREDITS,
            details=said.known(rather),
            changes=(reporting(case, rather, issue, "credits"),),
            wants=(want,),
            instead=True,
        ),
    )
    refusal = Refusal(f"the refund is only ${back}", (back,), about=("refund", "card", "PayPal"))
    return decided(
        case,
        requests,
        f"{goals.goal(case, phrases, answers)} {goals.instead(case, order_asks.TAKE_CREDITS)}",
        proofs(case),
        {"order": case.order_id, "line": line["line_id"], "issue": issue},
        due=Fate(
            writes=(report_call(case, [many], issue, "original"),),
            initial=patches.order(case, **patches.billed(case, [many])),
        ),
        otherwise=Fate(writes=(report_call(case, [line], issue, "credits"),), tells=(tell,), refusals=(refusal,)),
    )


def not_late(case: Case) -> Wish:
    """An order that came on time gets no credits for lateness."""
    minutes = case.rng.choice((*range(33, 58), *range(63, 95)))
    answers = {"order": said.order(case), "reason": problem(case, "late")}
    came, promised = case.order["delivered_at"][11:], case.order["promised_at"][11:]
    refusal = Refusal(
        f"the order was promised for {promised} and delivered at {came}",
        (promised, came, (str(max(0, case.at.overdue)), "minute")),
        about=("late", "credit"),
    )
    return decided(
        case,
        (wish(case, *order_asks.LATE, details=said.known(answers), changes=(crediting(case, answers, "late"),)),),
        f"{goals.goal(case, order_asks.LATE, answers)} {prose.accepts(case.voice)}",
        (*proofs(case), order_status(case)),
        {"order": case.order_id},
        due=Fate(
            writes=(credit_call(case, "late", for_lateness(minutes)),),
            initial=patches.order(case, **patches.was_late_by(case.order, minutes)),
        ),
        otherwise=Fate(refusals=(refusal,)),
    )


def asks_for_more(case: Case) -> Wish:
    """The policy sets the credits for late or cold food, whatever sum the caller asks for."""
    late = case.at.overdue >= LATE
    return _wants_sum(case, "late") if late else _wants_sum(case, "cold_food")


def _wants_sum(case: Case, reason: str) -> Wish:
    """Return the wish for the maximum credits for late or cold food, and for the amount due if that is refused."""
    most, what = (VERY_LATE_CREDIT, "came late") if reason == "late" else (MOST_FOR_COLD, "came cold")
    less, more = case.rng.randint(32, 57), case.rng.randint(63, 94)
    text = case.voice.pick(*order_asks.THAT_SUM).format(kit.money(most))
    answers = {"order": said.order(case), "reason": problem(case, reason)}
    sum_wanted = answers | {"amount": Detail(Known(text, (kit.money(most),)), "the amount")}
    given = for_lateness(less) if reason == "late" else for_cold_food(case.order)
    want, tell = told(kit.money(given), f"For that you get ${kit.money(given)} in credits.", *CREDITS_OF, wish=1)
    phrases = tuple(phrase.format(what, kit.money(most)) for phrase in order_asks.CERTAIN_SUM)
    requests = (
        wish(case, *phrases, details=said.known(sum_wanted), changes=(crediting(case, answers, reason, most),)),
        wish(
            case,
            *order_asks.WHAT_IS_GIVEN,
            details=said.known(answers),
            changes=(crediting(case, answers, reason),),
            wants=(want,),
            instead=True,
        ),
    )
    if reason == "late":
        because: tuple[str, ...] = (str(less),)
        says = f"the order came {less} minutes late"
        rows, other = patches.was_late_by(case.order, less), patches.was_late_by(case.order, more)
    else:
        food, share = kit.money(case.order["subtotal"]), kit.money(given)
        because, says = (food, share), f"the food cost ${food}, of which 20 per cent are ${share}"
        rows, other = {}, patches.billed(case, _grown(case))
    return decided(
        case,
        requests,
        f"{goals.goal(case, phrases, sum_wanted)} {goals.instead(case, order_asks.WHAT_IS_GIVEN)}",
        (*proofs(case), order_status(case)) if reason == "late" else proofs(case),
        {"order": case.order_id, "reason": reason},
        due=Fate(writes=(credit_call(case, reason, most),), initial=patches.order(case, **other)),
        otherwise=Fate(
            writes=(credit_call(case, reason, given),),
            tells=(tell,),
            refusals=(Refusal(says, because, about=("credit", kit.money(most))),),
            initial=patches.order(case, **rows) if rows else {},
        ),
    )


def _grown(case: Case) -> list[Row]:
    """Return the lines of the order in quantities for which cold food gets the maximum credits."""
    lines = list(case.order["lines"].values())
    least = MOST_FOR_COLD / 0.2
    factor = ceil(least / baskets.subtotal(lines))
    return [patches.count(line, line["quantity"] * factor) for line in lines]


def _small_lines(at: Spot) -> list[Row]:
    lines = list(at.order["lines"].values())
    return [line for line in clear(lines) if 1 < amount(at.order, [line]) < SMALLEST_TO_CARD]


def _complains_often(at: Spot) -> bool:
    recent = at.order["status"] == "delivered" and minutes_between(at.order["delivered_at"], NOW) < WINDOW
    often = at.kitchens.refunded_orders(at.user) >= MOST_REFUNDED_ORDERS
    return recent and often and not at.order["refunds"] and not at.on_credits and bool(fair_lines(at))


def _for_more(at: Spot) -> bool:
    """Return whether the credits are below the maximum, for lateness with other times than the order's or for cold food
    with its own.
    """
    return at.settleable and at.order["total"] > LARGEST_REFUND / 2 and for_cold_food(at.order) < MOST_FOR_COLD


REPORTED_TOO_LATE = about_order(reported_too_late, reportable)
TOO_MANY = about_order(too_many, _complains_often)
CREDITS_ONLY = about_order(credits_only, lambda at: at.settleable and bool(_small_lines(at)) and not at.on_credits)
NOT_LATE = about_order(not_late, lambda at: at.settleable and at.overdue < LATE)
ASKS_FOR_MORE = about_order(asks_for_more, _for_more)
