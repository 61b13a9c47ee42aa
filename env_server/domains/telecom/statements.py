"""The bills of the builtin world: three months and the draft of the next. Each bill adds up."""

from collections.abc import Mapping
from random import Random
from typing import Any

from env_server.domains.kit import fresh
from env_server.domains.telecom.checks import NEXT_CYCLE, NEXT_DUE, NEXT_ISSUE
from env_server.domains.telecom.dialects import AWAITING, BUILTIN, DRAFT, ISSUED, OVERDUE, PAID
from env_server.domains.telecom.plans import Row
from env_server.domains.telecom.tables import TODAY
from env_server.domains.telecom.tools import HOLDING_FEE

DISPUTED = "Disputed"
MONTHS = (("2024-12", 31), ("2025-01", 31), ("2025-02", 28))
"""Month -> its last day; the last is the current one."""

STEADY, DEBTOR, DEEP_DEBTOR, ASKED, DISPUTING = "steady", "debtor", "deep debtor", "asked", "disputing"
_STATUSES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    STEADY: (PAID, PAID, (ISSUED, ISSUED, PAID)),
    DEBTOR: (PAID, OVERDUE, (ISSUED,)),
    DEEP_DEBTOR: (OVERDUE, OVERDUE, (ISSUED,)),
    ASKED: (PAID, PAID, (AWAITING,)),
    DISPUTING: (PAID, DISPUTED, (ISSUED, PAID)),
}
"""How a customer pays -> the status of each month's bill, the last one drawn from several."""

_EXTRAS = (
    ("Calls abroad", "Charge", 120, 3400),
    ("Calls to service numbers", "Charge", 90, 1200),
    ("Data abroad", "Overage", 250, 4100),
    ("Paper bill", "Fee", 195, 195),
)
"""Description, type, and the least and most cents of what comes on top of the plans."""

_LATE_FEE = 7.5


def statements(
    rng: Random, taken: set[str], customer_id: str, payer: str, lines: list[Row], plans: Mapping[str, Row]
) -> list[Row]:
    """Return the customer's bill rows, oldest first, the draft last."""
    first, second, last = _STATUSES[payer]
    bills: list[Row] = []
    for (month, days), status in zip(MONTHS, (first, second, rng.choice(last)), strict=True):
        day = f"{month}-05"
        items = [_plan_item(plans, line, day) for line in lines if line["status"] in {"Active", "Suspended"}]
        items += [_holding_item(line, day) for line in lines if (line["suspension_start_date"] or day) < day]
        items += _extras(rng, day)
        if bills and bills[-1]["status"] == OVERDUE:
            items.append(_item("Late payment", _LATE_FEE, day, "Fee"))
        period = {"period_start": f"{month}-01", "period_end": f"{month}-{days}"}
        dates = {"issue_date": day, "due_date": f"{month}-{28 if status in {ISSUED, AWAITING} else 26}"}
        bills.append(_bill(fresh(rng, taken, 6, "B"), customer_id, status, items, **period, **dates))
    draft = [refuel_item(plans[line["plan_id"]], line) for line in lines if line["data_refueling_gb"]]
    dates = {**NEXT_CYCLE, "issue_date": NEXT_ISSUE, "due_date": NEXT_DUE}
    return [*bills, _bill(fresh(rng, taken, 6, "B"), customer_id, DRAFT, draft, **dates)]


def _bill(bill_id: str, customer_id: str, status: str, items: list[Row], **dates: str) -> Row:
    return {
        "bill_id": bill_id,
        "customer_id": customer_id,
        "period_start": dates["period_start"],
        "period_end": dates["period_end"],
        "issue_date": dates["issue_date"],
        "total_due": round(sum((item["amount"] for item in items), 0.0), 2),
        "due_date": dates["due_date"],
        "line_items": items,
        "status": status,
    }


def _item(description: str, amount: float, date: str, item_type: str) -> dict[str, Any]:
    return {"description": description, "amount": amount, "date": date, "item_type": item_type}


def _plan_item(plans: Mapping[str, Row], line: Row, day: str) -> Row:
    plan = plans[line["plan_id"]]
    return _item(f"{plan['name']}, line {line['line_id']}", plan["price_per_month"], day, "Plan Charge")


def _holding_item(line: Row, day: str) -> Row:
    return _item(f"Suspension Fee - Line {line['phone_number']}", HOLDING_FEE, day, "Fee")


def _extras(rng: Random, day: str) -> list[Row]:
    chosen = rng.sample(_EXTRAS, rng.choice((0, 1, 1, 2)))
    return [_item(text, rng.randint(least, most) / 100, day, kind) for text, kind, least, most in chosen]


def refuels(item: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
    """Return whether an item of a bill is for data added to the line."""
    return bool(item["description"].startswith(f"Data refueling, line {line['line_id']}:"))


def refuel_item(plan: Mapping[str, Any], line: Mapping[str, Any]) -> Row:
    """Return the bill item for data added to a line."""
    amount, price = line["data_refueling_gb"], plan["data_refueling_price_per_gb"]
    text = BUILTIN.refuel_item.format(line_id=line["line_id"], gb_amount=amount, price=price)
    return _item(text, round(amount * price, 2), TODAY, "Charge")
