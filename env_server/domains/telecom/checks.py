"""Checks shared by telecom's agent tools: look-ups that fail with the dialect's text, and charges on a bill."""

from typing import Any, TypeVar

from env_server.domains.kit import Db, Table, refuse
from env_server.domains.telecom.dialects import DRAFT, TelecomDialect
from env_server.domains.telecom.tables import (
    BILLS,
    CUSTOMERS,
    LINES,
    PLANS,
    TODAY,
    Bill,
    Customer,
    Line,
    Plan,
)

TelecomDb = Db[TelecomDialect]
R = TypeVar("R")

NEXT_CYCLE = {"period_start": "2025-03-01", "period_end": "2025-03-31"}
NEXT_ISSUE, NEXT_DUE = "2025-03-01", "2025-03-15"


def found(db: TelecomDb, table: Table[R], key: Any) -> R | None:
    """Return the row with this key. Return None also if the key is not text, which some packs allow."""
    return db[table].get(key) if isinstance(key, str) else None


def customer_of(db: TelecomDb, customer_id: str) -> Customer:
    """Return the customer with this id. Raise a ToolError where there is none."""
    return found(db, CUSTOMERS, customer_id) or refuse(db.dialect.no_such_customer, customer_id=customer_id)


def line_of(db: TelecomDb, customer_id: str, line_id: str) -> Line:
    """Return a mutable copy of the line. Raise a ToolError unless it belongs to the customer."""
    customer = customer_of(db, customer_id)
    if line_id not in customer["line_ids"]:
        known = ", ".join(customer["line_ids"])
        refuse(db.dialect.not_their_line, customer_id=customer_id, line_id=line_id, known=known)
    if line_id not in db[LINES]:
        refuse(db.dialect.no_such_line, id=line_id)
    return db[LINES].edit(line_id)


def bill_of(db: TelecomDb, customer: Customer, bill_id: str) -> Bill:
    """Return a mutable copy of the bill. Raise a ToolError unless it belongs to the customer."""
    if bill_id not in customer["bill_ids"]:
        refuse(db.dialect.not_their_bill, customer_id=customer["customer_id"], bill_id=bill_id)
    if bill_id not in db[BILLS]:
        refuse(db.dialect.no_such_bill, id=bill_id)
    return db[BILLS].edit(bill_id)


def bills_of(db: TelecomDb, customer: Customer) -> list[Bill]:
    """Return the customer's bills, read-only, in the order of creation."""
    bills = [db[BILLS].get(bill_id) for bill_id in customer["bill_ids"]]
    return [bill for bill in bills if bill is not None]


def plan_of(db: TelecomDb, plan_id: str) -> Plan:
    """Return the plan with this id. Raise a ToolError where there is none."""
    return found(db, PLANS, plan_id) or refuse(db.dialect.no_such_plan, id=plan_id)


def line_with_number(db: TelecomDb, phone_number: str) -> Line:
    """Return the line with this phone number, read-only. Raise a ToolError if there is none."""
    lines = db[LINES].find("phone_number", phone_number)
    return lines[0] if lines else refuse(db.dialect.no_line_with_number, phone_number=phone_number)


def allowance(db: TelecomDb, line: Line) -> float:
    """Return the GB that the line may use in a cycle: the plan's data and the added data."""
    return plan_of(db, line["plan_id"])["data_limit_gb"] + line["data_refueling_gb"]


def rounded(db: TelecomDb, amount: float) -> float:
    """Return `amount` rounded to two decimals if the dialect rounds."""
    return round(amount, 2) if db.dialect.rounds else amount


def charge(db: TelecomDb, customer: Customer, description: str, amount: float, item_type: str) -> None:
    """Put `amount` dollars on the customer's next bill: their draft, or a new one."""
    drafts = [bill["bill_id"] for bill in bills_of(db, customer) if bill["status"] == DRAFT]
    bill = db[BILLS].edit(drafts[0]) if drafts else _new_draft(db, customer)
    bill["line_items"].append({"description": description, "amount": amount, "date": TODAY, "item_type": item_type})
    bill["total_due"] = rounded(db, bill["total_due"] + amount)
    db[BILLS].put(bill)


def _new_draft(db: TelecomDb, customer: Customer) -> Bill:
    """Return a draft bill for the next cycle, listed with the customer but not yet stored."""
    number = 1
    while (bill_id := f"B{number:08d}") in db[BILLS]:
        number += 1
    changed = db[CUSTOMERS].edit(customer["customer_id"])
    changed["bill_ids"].append(bill_id)
    db[CUSTOMERS].put(changed)
    return {
        "bill_id": bill_id,
        "customer_id": customer["customer_id"],
        "period_start": NEXT_CYCLE["period_start"],
        "period_end": NEXT_CYCLE["period_end"],
        "issue_date": NEXT_ISSUE,
        "total_due": 0.0,
        "due_date": NEXT_DUE,
        "line_items": [],
        "status": DRAFT,
    }


def owner(db: TelecomDb, value: str) -> str | None:
    """Return the id of the customer who owns this customer, line, bill or device id."""
    if value in db[CUSTOMERS]:
        return value
    bill = db[BILLS].get(value)
    if bill is not None:
        return bill["customer_id"]
    lines = [value] if value in db[LINES] else [line["line_id"] for line in db[LINES].find("device_id", value)]
    owners = [customer["customer_id"] for line_id in lines for customer in db[CUSTOMERS].find("line_id", line_id)]
    return owners[0] if owners else None
