"""Wishes that the rows leave to the agent or to a human agent. The same words lead to a change or to a transfer."""

from collections.abc import Mapping
from math import ceil

from env_server.domains import kit
from env_server.domains.doordash.clock import NOW, later
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios import goals, order_asks, patches, wording
from env_server.domains.doordash.scenarios.base import (
    LARGEST_CANCELLATION,
    LARGEST_REFUND,
    LOST,
    Case,
    Fate,
    Row,
    Spot,
    Wish,
    about_order,
    decided,
    look,
    open_order,
    order_status,
)
from env_server.domains.doordash.scenarios.changes import (
    REASONS,
    back_to,
    cancel_call,
    cancelling,
    overdue,
    placed,
)
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.doordash.scenarios.refunds import (
    CONDUCT_CREDIT,
    ISSUES,
    amount,
    credit_call,
    crediting,
    fair_lines,
    problem,
    proofs,
    report_call,
    reportable,
    reporting,
    wanted,
)
from env_server.domains.kit import GoldCall, Known, Refusal, WantedChange, prose, wish


def _people(
    case: Case,
    phrases: tuple[str, ...],
    answers: Mapping[str, Detail],
    wanted: WantedChange,
    proof: tuple[GoldCall, ...],
    slots: dict[str, object],
    *,
    due: Fate,
    otherwise: Fate,
) -> Wish:
    """Return the wish with the caller's consent to a transfer."""
    details = said.known(answers) | {"transfer": case.voice.pick(*wording.TRANSFER)}
    return decided(
        case,
        (wish(case, *phrases, details=details, changes=(wanted,)),),
        goals.goal(case, phrases, answers, prose.transferred(case.voice)),
        proof,
        slots,
        due=due,
        otherwise=otherwise,
    )


def not_mine(case: Case) -> Wish:
    """The caller did not place an order. It is cancelled before cooking begins; later it needs a human agent."""
    to, money = back_to(case)
    why = Detail(
        Known(
            case.voice.pick(*order_asks.NOT_MINE),
            ("mistake", "not place", "never placed", "did not order", "didn't place", "didn't order", "somebody else"),
        ),
        "as ordered by mistake",
    )
    answers = {"order": said.order(case, numbered=True), "reason": why, "payment": money}
    status, ago = case.rng.choice((("preparing", 14), ("ready", 27), ("preparing", 19)))
    placed_at = later(NOW, -ago - case.rng.randint(0, 6))
    rows = patches.order(case, status=status, placed_at=placed_at, promised_at=later(NOW, case.rng.randint(6, 18)))
    words = {"preparing": "the restaurant is preparing it already", "ready": "it is ready for the courier already"}
    because = {"preparing": ("preparing", "prepared", "cooking", "cooked"), "ready": ("ready",)}
    reason = Refusal(f"you did not place the order, and {words[status]}", because[status], about=("order",))
    cancelled = cancelling(case, answers, "ordered_by_mistake", to)
    return _people(
        case,
        order_asks.NOT_PLACED,
        answers,
        cancelled,
        (open_order(case),),
        {"order": case.order_id, "to": to},
        due=Fate(writes=(cancel_call(case, "ordered_by_mistake", to),)),
        otherwise=Fate(reason=reason, initial=rows),
    )


def too_large(case: Case) -> Wish:
    """A refund above the agent's limit needs a human agent."""
    issue, (to, money) = case.rng.choice(ISSUES), back_to(case)
    line = case.rng.choice(fair_lines(case.at))
    back = amount(case.order, [line])
    many = patches.count(line, line["quantity"] * (1 + ceil(LARGEST_REFUND / back)))
    grown = patches.billed(case, [many])
    large = kit.money(amount(patches.after(case.order, grown), [many]))
    answers = wanted(case, [line], issue, money)
    reason = Refusal(f"the refund would come to ${large}, which is more than I may give", (large,), about=("refund",))
    quantity = many["quantity"] if not case.due else line["quantity"]
    quote = look("quote_item_refund", "order_id", order_id=case.order_id, items={line["line_id"]: quantity})
    return _people(
        case,
        order_asks.REFUND[issue],
        answers,
        reporting(case, answers, issue, to),
        (*proofs(case), quote),
        {"order": case.order_id, "line": line["line_id"], "issue": issue},
        due=Fate(writes=(report_call(case, [line], issue, to),)),
        otherwise=Fate(reason=reason, initial=patches.order(case, **grown)),
    )


def rude(case: Case) -> Wish:
    """The caller gets credits for a courier's conduct. A second courier within 30 days goes to a human agent."""
    answers = {"order": said.order(case), "reason": problem(case, "courier_conduct")}
    other = case.rng.choice(_others(case.at))
    at = later(NOW, -case.rng.randint(3 * 24 * 60, 20 * 24 * 60))
    before = later(at, -case.rng.randint(60, 600))
    credits = next(m["id"] for m in case.methods.values() if m["source"] == "credits")
    refund = {
        "reason": "courier_conduct",
        "line_id": "",
        "quantity": 0,
        "amount": CONDUCT_CREDIT,
        "payment_method_id": credits,
        "at": at,
    }
    delivered = patches.delivered_at(other, before)
    day = at[:10]
    reason = Refusal(
        f"you had credits for a courier's conduct with order {other['order_id']} on {day} already",
        (day, other["order_id"]),
        about=("conduct", "courier"),
    )
    return _people(
        case,
        order_asks.RUDE,
        answers,
        crediting(case, answers, "courier_conduct"),
        proofs(case),
        {"order": case.order_id, "other": other["order_id"]},
        due=Fate(writes=(credit_call(case, "courier_conduct", CONDUCT_CREDIT),)),
        otherwise=Fate(reason=reason, initial={"orders": {other["order_id"]: {**delivered, "refunds": [refund]}}}),
    )


def lost_order(case: Case) -> Wish:
    """A late order is cancelled without a fee. An order two hours late goes to a human agent."""
    to, money = back_to(case)
    answers = {"order": said.order(case), "reason": said.reason(case, "too_late"), "payment": money}
    minutes = case.rng.randint(LOST + 6, LOST + 95)
    reason = Refusal(
        f"the order is {minutes} minutes past the time promised",
        (str(minutes), later(NOW, -minutes)[11:]),
        about=("order",),
    )
    return _people(
        case,
        order_asks.CANCEL_OVERDUE,
        answers,
        cancelling(case, answers, "too_late", to),
        (order_status(case),),
        {"order": case.order_id, "to": to, "minutes": minutes},
        due=Fate(writes=(cancel_call(case, "too_late", to, waive=True),)),
        otherwise=Fate(reason=reason, initial=patches.order(case, **patches.late_by(minutes))),
    )


def large_order(case: Case) -> Wish:
    """A human agent cancels an order that cost more than 100 dollars."""
    (to, money), cause = back_to(case), case.rng.choice(REASONS)
    answers = {"order": said.order(case), "reason": said.reason(case, cause), "payment": money}
    factor = ceil((LARGEST_CANCELLATION + case.rng.randint(4, 40)) / case.order["subtotal"])
    grown = patches.billed(
        case, [patches.count(line, line["quantity"] * factor) for line in case.order["lines"].values()]
    )
    total = kit.money(grown["total"])
    reason = Refusal(f"the order cost ${total}, which is more than I may cancel", (total,), about=("order",))
    return _people(
        case,
        order_asks.CANCEL,
        answers,
        cancelling(case, answers, cause, to),
        (open_order(case),),
        {"order": case.order_id, "reason": cause},
        due=Fate(writes=(cancel_call(case, cause, to),)),
        otherwise=Fate(reason=reason, initial=patches.order(case, **grown)),
    )


def _others(at: Spot) -> list[Row]:
    """Return other delivered orders of the caller that may have had a problem too."""
    orders = (o for o in at.kitchens.orders_of(at.user) if o is not at.order)
    return [o for o in orders if o["status"] == "delivered" and o["total"] > CONDUCT_CREDIT and not o["refunds"]]


NOT_MINE = about_order(not_mine, placed)
TOO_LARGE = about_order(too_large, reportable)
RUDE = about_order(rude, lambda at: at.settleable and bool(_others(at)))
LOST_ORDER = about_order(lost_order, overdue)
LARGE_ORDER = about_order(large_order, placed)
