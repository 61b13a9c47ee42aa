"""Wishes that change nothing: a value has to be looked up, or worked out, and told."""

from env_server.domains import kit
from env_server.domains.kit import GoldCall, Move, Part, Row
from env_server.domains.telecom.plans import PHONE_PLANS
from env_server.domains.telecom.scenarios import phrases
from env_server.domains.telecom.scenarios.base import (
    OPEN,
    Call,
    Carrier,
    for_phones,
    limited,
    lines,
    look_at_bills,
    look_at_lines,
    look_at_usage,
)


def asked(
    ask: str, goal: str, details: dict[str, str], output: str, proof: tuple[GoldCall, ...], slots: dict[str, object]
) -> Part:
    """A question: the caller declines whatever is offered and waits for `output`, which only `proof` can show."""
    return kit.asked(ask, goal, details, (output,), proof, {"ask": ask, **slots})


def data_left(case: Call) -> Part:
    """How much data is left on a line."""
    said = phrases.line(case, case.line)
    return asked(
        case.rng.choice(("How much data do I have left on a line?", "I want to know how many GB a line has left.")),
        f"You want to know how many GB of data are left this month on a line {phrases.in_prose(said)}.",
        {"line": said},
        phrases.gb(_left(case.world, case.line)),
        (look_at_usage(case, case.line),),
        {"line": case.line["line_id"], "said": said},
    )


def amount_due(case: Call) -> Part:
    """What all unpaid bills come to: issued, overdue, or waiting for a payment."""
    bills = case.world.bills_of(case.customer, *OPEN)
    return asked(
        case.rng.choice(("How much do I owe you in total?", "What do all my unpaid bills come to?")),
        "You want to know the total of all your bills that are issued, overdue or awaiting payment; neither drafts nor"
        " disputed bills count.",
        {"bills": "All that are issued, overdue or awaiting payment, neither drafts nor disputed ones."},
        phrases.money(sum(bill["total_due"] for bill in bills)),
        (look_at_bills(case),),
        {},
    )


def monthly_cost(case: Call) -> Part:
    """What the plans of all active lines cost together."""
    found = [line for line in case.world.lines_of(case.customer) if line["status"] == "Active"]
    return asked(
        case.rng.choice(("What do my plans cost me a month?", "How much are the plans of my active lines together?")),
        "You want to know what the plans of all your active lines cost together per month.",
        {"lines": "I mean all my active lines together."},
        phrases.money(sum(case.world.plan_of(line)["price_per_month"] for line in found)),
        (look_at_lines(case),),
        {},
    )


def refuel_quote(case: Call) -> Part:
    """What adding some data to a line would cost."""
    amount = case.rng.choice((0.75, 1.25, 1.75, 2.25, 2.75))  # no line has such an amount left
    said = phrases.line(case, case.line)
    return asked(
        "What would it cost to add data to a line?",
        f"You only want to know what adding {phrases.gb(amount)} GB of data to a line {phrases.in_prose(said)} would"
        " cost. Nothing should be added now.",
        {"line": said, "add": f"It would be {phrases.gb(amount)} GB."},
        phrases.money(round(amount * case.plan["data_refueling_price_per_gb"], 2)),
        (look_at_lines(case),),
        {"line": case.line["line_id"], "amount": amount, "said": said},
    )


def compare_plans(case: Call) -> Part:
    """By how much another plan's monthly price differs from a line's present one."""
    other = case.world.plans[case.rng.choice([plan for plan in PHONE_PLANS if plan != case.line["plan_id"]])]
    said = phrases.line(case, case.line)
    return asked(
        "By how much would my monthly price change with another plan?",
        f"You only want to know by how much the monthly price of the plan {other['name']} differs from that of the plan"
        f" of a line {phrases.in_prose(said)}. Nothing should be changed.",
        {"line": said, "plan": f"I am thinking of {other['name']}."},
        phrases.money(abs(other["price_per_month"] - case.plan["price_per_month"])),
        (look_at_lines(case),),
        {"line": case.line["line_id"], "plan": other["plan_id"], "said": said},
    )


def bill_item(case: Call) -> Part:
    """What one entry of a bill was."""
    item = case.rng.choice([item for item in case.bill["line_items"] if item["description"] in _ITEMS])
    said = phrases.bill(case, case.bill)
    return asked(
        "I have a question about an entry on one of my bills.",
        f"You want to know how much {item['description'].lower()} cost on a bill {phrases.in_prose(said)}.",
        {"bill": said, "entry": f"I want to know how much I paid there for {item['description'].lower()}."},
        phrases.money(item["amount"]),
        (look_at_bills(case),),
        {"bill": case.bill["bill_id"], "item": item["description"], "said": said},
    )


_ITEMS = ("Calls abroad", "Calls to service numbers", "Data abroad")


def _left(carrier: Carrier, line: Row) -> float:
    allowed = carrier.plan_of(line)["data_limit_gb"] + line["data_refueling_gb"]
    return float(round(allowed - line["data_used_gb"], 2))


def _some_left(carrier: Carrier, line: Row) -> bool:
    """Whether what is left is a telling number, unlikely to be said by accident."""
    left = _left(carrier, line)
    return limited(carrier, line) and left > 0 and left != int(left)


def _owes_several(carrier: Carrier, customer: Row) -> list[str]:
    return [""] if carrier.bills_of(customer, *OPEN) else []


def _several_active(carrier: Carrier, customer: Row) -> list[str]:
    return [""] if sum(line["status"] == "Active" for line in carrier.lines_of(customer)) > 1 else []


def _with_items(carrier: Carrier, customer: Row) -> list[str]:
    bills = (carrier.bills[bill_id] for bill_id in customer["bill_ids"])
    return [b["bill_id"] for b in bills if any(item["description"] in _ITEMS for item in b["line_items"])]


DATA_LEFT = Move(data_left, lines(_some_left, debt=None))
AMOUNT_DUE = Move(amount_due, _owes_several)
MONTHLY_COST = Move(monthly_cost, _several_active)
REFUEL_QUOTE = Move(refuel_quote, lines(limited, debt=None))
COMPARE_PLANS = Move(compare_plans, lines(for_phones, debt=None))
BILL_ITEM = Move(bill_item, _with_items)
