"""Invariants of telecom's rows in every state."""

from collections.abc import Iterable, Iterator
from typing import Any

from env_server.domains.kit import Db, Row
from env_server.domains.telecom.dialects import ACTIVE, AWAITING, SUSPENDED
from env_server.domains.telecom.parts import DEVICE, SURROUNDINGS
from env_server.domains.telecom.tables import BILLS, CUSTOMERS, DEVICES, LINES, PLANS, USER

LINE_STATUSES = (ACTIVE, SUSPENDED, "Pending Activation", "Closed")
BILL_STATUSES = ("Draft", "Issued", AWAITING, "Paid", "Overdue", "Disputed")


def invariants(db: Db[Any]) -> Iterator[str]:
    """Return the inconsistencies of a state. The base has none, nor has any state after calls of the builtin tools."""
    customers = [*db[CUSTOMERS]]
    yield from _owned_once("line", [row["line_id"] for row in db[LINES]], [i for c in customers for i in c["line_ids"]])
    yield from _owned_once("bill", [row["bill_id"] for row in db[BILLS]], [i for c in customers for i in c["bill_ids"]])
    for customer in customers:
        yield from _customer(db, customer)
    for line in db[LINES]:
        yield from _line(db, line)
    for bill in db[BILLS]:
        yield from _bill(db, bill)
    yield from _user(db)


def _owned_once(kind: str, existing: list[str], owned: list[str]) -> Iterator[str]:
    for missing in sorted({*owned} - {*existing}):
        yield f"a customer lists {kind} {missing}, which does not exist"
    for stray in sorted({*existing} - {*owned}):
        yield f"{kind} {stray} is nobody's"
    if len({*owned}) != len(owned):
        yield f"a {kind} is listed twice"


def _customer(db: Db[Any], customer: Row) -> Iterator[str]:
    who = f"customer {customer['customer_id']}"
    bills = [db[BILLS].get(bill_id) for bill_id in customer["bill_ids"]]
    if any(bill is not None and bill["customer_id"] != customer["customer_id"] for bill in bills):
        yield f"{who} lists a bill that names another customer"
    if sum(bill is not None and bill["status"] == AWAITING for bill in bills) > 1:
        yield f"{who} is asked to pay two bills at once"
    methods = [method.get("payment_method_id") for method in customer["payment_methods"]]
    if len({*methods}) != len(methods):
        yield f"{who} has two payment methods with one id"


def _line(db: Db[Any], line: Row) -> Iterator[str]:
    which = f"line {line['line_id']}"
    if line["plan_id"] not in db[PLANS]:
        yield f"{which} is on plan {line['plan_id']}, which does not exist"
    if line.get("device_id") is not None and line["device_id"] not in db[DEVICES]:
        yield f"{which} is used in device {line['device_id']}, which does not exist"
    if line["status"] not in LINE_STATUSES:
        yield f"{which} has the unknown status {line['status']!r}"
    if (line["status"] == SUSPENDED) != (line.get("suspension_start_date") is not None):
        yield f"{which} is {line['status']!r} but its suspension began {line.get('suspension_start_date')}"
    if (line["status"] == SUSPENDED) != ("suspension_reason" in line):
        yield f"{which} is {line['status']!r} but its suspension's reason is {line.get('suspension_reason')!r}"
    if line["data_used_gb"] < 0 or line["data_refueling_gb"] < 0:
        yield f"{which} has a negative amount of data"


def _bill(db: Db[Any], bill: Row) -> Iterator[str]:
    which = f"bill {bill['bill_id']}"
    if bill["status"] not in BILL_STATUSES:
        yield f"{which} has the unknown status {bill['status']!r}"
    total = round(sum((item["amount"] for item in bill["line_items"]), 0.0), 2)
    if total != bill["total_due"]:
        yield f"{which} says {bill['total_due']} is due, but its items add up to {total}"
    if bill["total_due"] < 0:
        yield f"{which} has a negative total"
    if "paid_with" in bill:
        yield from _charged(db, bill)


def _charged(db: Db[Any], bill: Row) -> Iterator[str]:
    customer = db[CUSTOMERS].get(bill["customer_id"])
    methods: Iterable[Row] = customer["payment_methods"] if customer is not None else ()
    if bill["paid_with"] not in [method.get("payment_method_id") for method in methods]:
        yield f"bill {bill['bill_id']} was charged to {bill['paid_with']}, which is not its customer's"
    if bill["status"] != "Paid":
        yield f"bill {bill['bill_id']} was charged but is {bill['status']!r}"


def _user(db: Db[Any]) -> Iterator[str]:
    """Check that the phone and the surroundings exist, and that the surroundings agree with the company's rows."""
    around: Any = db[USER].get(SURROUNDINGS)
    if around is None or db[USER].get(DEVICE) is None:
        yield "the user has no phone or no surroundings"
        return
    if around["phone_number"] is None:
        return
    lines = db[LINES].find("phone_number", around["phone_number"])
    if not lines:
        yield f"the user's phone number {around['phone_number']} is no line's"
        return
    line: Any = lines[0]
    if around["line_active"] != (line["status"] == ACTIVE):
        yield f"the user's line is {line['status']!r}, but line_active is {around['line_active']}"
    if around["roaming_allowed"] != line["roaming_enabled"]:
        yield f"the user's line has roaming_enabled {line['roaming_enabled']}, but roaming_allowed is not the same"
    request = around["payment_request"]
    bill: Any = db[BILLS].get(request["bill_id"]) if request is not None else None
    if request is not None and (
        bill is None or bill["status"] != AWAITING or bill["total_due"] != request["amount_due"]
    ):
        yield f"the user is asked to pay {request['bill_id']}, which does not await that payment"
