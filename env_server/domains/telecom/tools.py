"""Telecom's agent tools. Amounts are US dollars, data is in GB, dates are written 2025-02-25."""

from typing import Annotated, Any, Literal, cast

from pydantic import Field

from env_server.domains.kit import READ, WRITE, Table, refuse, tool
from env_server.domains.telecom.billing import method_of, need_chargeable, need_no_request, need_requestable, settle
from env_server.domains.telecom.checks import (
    TelecomDb,
    bill_of,
    bills_of,
    charge,
    customer_of,
    found,
    line_of,
    plan_of,
    rounded,
)
from env_server.domains.telecom.dialects import ACTIVE, AWAITING, SUSPENDED
from env_server.domains.telecom.tables import (
    BILLS,
    CUSTOMERS,
    CYCLE_END,
    DEVICES,
    LINES,
    PLANS,
    TODAY,
    Bill,
    Customer,
    Line,
    Plan,
)

Answer = dict[str, Any]

CUSTOMER_ALIASES = {"customer": "customer_id", "user_id": "customer_id", "id": "customer_id"}
LINE_ALIASES = {"customer": "customer_id", "user_id": "customer_id", "line": "line_id"}
BILL_ALIASES = {"customer": "customer_id", "user_id": "customer_id", "bill": "bill_id"}
HOLDING_FEE = 5.0
"""The fee for a suspended line, in dollars a month."""


class SuspendedLine(Line, total=False):
    """A line with why it was suspended."""

    suspension_reason: str


@tool(
    kind=READ,
    aliases=("find_customer_by_phone", "lookup_customer_by_phone"),
    argument_aliases={"phone": "phone_number"},
    identifies=True,
)
def get_customer_by_phone(db: TelecomDb, phone_number: str) -> Customer:
    """Find the customer with this phone number: their own, or that of one of their lines.

    Args:
        phone_number: The phone number, such as '555-123-4567'.
    """
    number = str(phone_number)  # some packs let other values through
    customers = db[CUSTOMERS].find("phone_number", number)
    for line in db[LINES].find("phone_number", number):
        customers += db[CUSTOMERS].find("line_id", line["line_id"])
    return customers[0] if customers else refuse(db.dialect.no_such_phone_number, phone_number=phone_number)


@tool(
    kind=READ,
    aliases=("get_customer", "get_customer_info", "get_customer_details"),
    argument_aliases={**CUSTOMER_ALIASES},
)
def get_customer_by_id(db: TelecomDb, customer_id: str) -> Customer:
    """Get a customer: name, contact, account status, payment methods, and the ids of their lines and bills.

    Args:
        customer_id: The customer id, such as 'C1001'.
    """
    return customer_of(db, customer_id)


@tool(
    kind=READ,
    aliases=("find_customer_by_name",),
    argument_aliases={"name": "full_name", "date_of_birth": "dob"},
    identifies=True,
)
def get_customer_by_name(db: TelecomDb, full_name: str, dob: str) -> list[Customer]:
    """List the customers with this name and date of birth; the list is empty where there are none.

    Args:
        full_name: First and last name; upper and lower case do not matter.
        dob: The date of birth, such as '1985-06-15'.
    """
    name = full_name.lower()
    return db[CUSTOMERS].find("name_dob", (name, str(dob)))  # some packs let other values through


@tool(
    kind=READ,
    aliases=("get_details", "get_line_details", "get_bill_details"),
    argument_aliases={"line_id": "id", "bill_id": "id"},
)
def get_details_by_id(db: TelecomDb, id: str) -> Any:
    """Get the record of a customer, line, bill, plan or device by its id, whose first letter says what it is.

    Args:
        id: The id: C... of a customer, L... of a line, B... of a bill, P... of a plan, D... of a device.
    """
    if id.startswith("C"):
        return customer_of(db, id)
    kinds: tuple[tuple[str, Table[Any], str], ...] = (
        ("L", LINES, db.dialect.no_such_line),
        ("D", DEVICES, db.dialect.no_such_device),
        ("B", BILLS, db.dialect.no_such_bill),
        ("P", PLANS, db.dialect.no_such_plan),
    )
    for letter, table, missing in kinds:
        if id.startswith(letter):
            return found(db, table, id) or refuse(missing, id=id)
    return refuse(db.dialect.unknown_id, id=id)


@tool(kind=WRITE, aliases=("suspend_customer_line",), argument_aliases={**LINE_ALIASES})
def suspend_line(
    db: TelecomDb,
    customer_id: str,
    line_id: str,
    reason: Literal["vacation", "lost phone", "stolen phone", "saving money"],
) -> Answer:
    """Suspend an active line: no calls and no data until it is resumed. A holding fee of $5 a month is charged.

    Ask the customer to confirm first.

    Args:
        customer_id: The id of the customer whose line it is, such as 'C1001'.
        line_id: The line id, such as 'L1001'.
        reason: Why the customer wants it.
    """
    rules = db.dialect
    line = line_of(db, customer_id, line_id)
    if line["status"] != ACTIVE:
        refuse(rules.not_active_to_suspend, line_id=line_id, status=line["status"])
    line["status"] = SUSPENDED
    line["suspension_start_date"] = TODAY
    if rules.keeps_suspension_reason:
        cast(SuspendedLine, line)["suspension_reason"] = reason
    if rules.charges_suspension:
        description = f"Suspension Fee - Line {line['phone_number']}"
        charge(db, customer_of(db, customer_id), description, HOLDING_FEE, "Fee")
    return {"message": rules.suspended, "line": db[LINES].put(line)}


@tool(kind=WRITE, aliases=("unsuspend_line", "reactivate_line"), argument_aliases={**LINE_ALIASES})
def resume_line(db: TelecomDb, customer_id: str, line_id: str) -> Answer:
    """Make a suspended line active again.

    Args:
        customer_id: The id of the customer whose line it is, such as 'C1001'.
        line_id: The line id, such as 'L1001'.
    """
    line = line_of(db, customer_id, line_id)
    if line["status"] != SUSPENDED:
        refuse(db.dialect.not_suspended, line_id=line_id, status=line["status"])
    line["status"] = ACTIVE
    line["suspension_start_date"] = None
    cast(SuspendedLine, line).pop("suspension_reason", None)
    return {"message": db.dialect.resumed, "line": db[LINES].put(line)}


@tool(kind=READ, aliases=("get_bills", "get_customer_bills"), argument_aliases={**CUSTOMER_ALIASES})
def get_bills_for_customer(db: TelecomDb, customer_id: str, limit: Annotated[int, Field(ge=1)] = 12) -> list[Bill]:
    """List a customer's bills with their line items, the newest first.

    Args:
        customer_id: The customer id, such as 'C1001'.
        limit: How many bills at most.
    """
    bills = bills_of(db, customer_of(db, customer_id))
    return sorted(bills, key=lambda bill: bill["issue_date"], reverse=True)[:limit]


@tool(kind=WRITE, aliases=("request_payment",), argument_aliases={**BILL_ALIASES})
def send_payment_request(db: TelecomDb, customer_id: str, bill_id: str) -> str:
    """Ask the customer, on their phone, to pay a bill. The bill awaits payment until they do so.

    A customer can be asked for one bill at a time.

    Args:
        customer_id: The customer id, such as 'C1001'.
        bill_id: The bill id, such as 'B1001'.
    """
    customer = customer_of(db, customer_id)
    need_no_request(db, customer)
    bill = bill_of(db, customer, bill_id)
    need_requestable(db, bill)
    bill["status"] = AWAITING
    db[BILLS].put(bill)
    return db.dialect.request_sent.format(bill_id=bill_id)


@tool(kind=READ, aliases=("get_usage_details", "get_usage"), argument_aliases={**LINE_ALIASES})
def get_data_usage(db: TelecomDb, customer_id: str, line_id: str) -> Answer:
    """Get how much data a line has used in this billing cycle, its plan's limit, and what was added to it.

    Args:
        customer_id: The id of the customer whose line it is, such as 'C1001'.
        line_id: The line id, such as 'L1001'.
    """
    line = line_of(db, customer_id, line_id)
    return _answer(
        db,
        line_id=line_id,
        data_used_gb=line["data_used_gb"],
        data_limit_gb=plan_of(db, line["plan_id"])["data_limit_gb"],
        data_refueling_gb=line["data_refueling_gb"],
        cycle_end_date=CYCLE_END,
    )


@tool(kind=WRITE, aliases=("turn_on_roaming",), argument_aliases={**LINE_ALIASES})
def enable_roaming(db: TelecomDb, customer_id: str, line_id: str) -> str:
    """Let a line use networks abroad. The phone's own data roaming has to be on as well.

    Args:
        customer_id: The id of the customer whose line it is, such as 'C1001'.
        line_id: The line id, such as 'L1001'.
    """
    return _set_roaming(db, customer_id, line_id, True)


@tool(kind=WRITE, aliases=("turn_off_roaming",), argument_aliases={**LINE_ALIASES})
def disable_roaming(db: TelecomDb, customer_id: str, line_id: str) -> str:
    """Keep a line from using networks abroad.

    Args:
        customer_id: The id of the customer whose line it is, such as 'C1001'.
        line_id: The line id, such as 'L1001'.
    """
    return _set_roaming(db, customer_id, line_id, False)


@tool(kind=WRITE, aliases=("add_data",), argument_aliases={**LINE_ALIASES, "gb": "gb_amount", "amount": "gb_amount"})
def refuel_data(db: TelecomDb, customer_id: str, line_id: str, gb_amount: float) -> Answer:
    """Add data to a line for this billing cycle, at the plan's price per GB, charged on the next bill.

    Tell the customer the price and ask them to confirm first.

    Args:
        customer_id: The id of the customer whose line it is, such as 'C1001'.
        line_id: The line id, such as 'L1001'.
        gb_amount: How many GB to add, such as 2.5.
    """
    rules = db.dialect
    line = line_of(db, customer_id, line_id)
    gb_amount = rounded(db, gb_amount)
    if not gb_amount > 0:
        refuse(rules.refuel_not_positive)
    if rules.most_refuel_gb is not None and gb_amount > rules.most_refuel_gb:
        refuse(rules.refuel_too_much, most=rules.most_refuel_gb)
    price = plan_of(db, line["plan_id"])["data_refueling_price_per_gb"]
    amount = rounded(db, gb_amount * price)
    line["data_refueling_gb"] = rounded(db, line["data_refueling_gb"] + gb_amount)
    db[LINES].put(line)
    told = {"gb_amount": gb_amount, "line_id": line_id, "price": price, "charge": amount}
    charge(db, customer_of(db, customer_id), rules.refuel_item.format(**told), amount, "Charge")
    return _answer(
        db, message=rules.refueled.format(**told), new_data_refueling_gb=line["data_refueling_gb"], charge=amount
    )


@tool(kind=READ, aliases=("list_customer_lines", "get_lines"), argument_aliases={**CUSTOMER_ALIASES})
def get_customer_lines(db: TelecomDb, customer_id: str) -> list[Line]:
    """List a customer's lines: phone number, status, plan, device, data used, roaming and contract end.

    Args:
        customer_id: The customer id, such as 'C1001'.
    """
    lines = [db[LINES].get(line_id) for line_id in customer_of(db, customer_id)["line_ids"]]
    return [line for line in lines if line is not None]


@tool(kind=READ, aliases=("get_plans", "list_available_plans"))
def list_plans(db: TelecomDb) -> list[Plan]:
    """List all plans: data limit, price per month, and price per GB of added data."""
    return list(db[PLANS])


@tool(
    kind=WRITE,
    aliases=("pay_bill", "charge_bill"),
    argument_aliases={**BILL_ALIASES, "payment_method": "payment_method_id"},
)
def process_payment(db: TelecomDb, customer_id: str, bill_id: str, payment_method_id: str) -> Bill:
    """Charge a bill to one of the customer's stored payment methods. The bill is then paid.

    Ask the customer to confirm the bill, the amount and the payment method first.

    Args:
        customer_id: The customer id, such as 'C1001'.
        bill_id: The bill id, such as 'B1001'.
        payment_method_id: The id of one of the customer's payment methods that has not expired.
    """
    customer = customer_of(db, customer_id)
    bill = bill_of(db, customer, bill_id)
    need_chargeable(db, bill)
    return settle(db, bill, method_of(db, customer, payment_method_id))


@tool(
    kind=WRITE, aliases=("switch_plan",), argument_aliases={**LINE_ALIASES, "plan": "plan_id", "new_plan_id": "plan_id"}
)
def change_plan(db: TelecomDb, customer_id: str, line_id: str, plan_id: str) -> Line:
    """Put an active line on another plan from today on.

    Tell the customer the new plan's price and ask them to confirm first.

    Args:
        customer_id: The id of the customer whose line it is, such as 'C1001'.
        line_id: The line id, such as 'L1001'.
        plan_id: The id of the new plan, such as 'P1002'.
    """
    rules = db.dialect
    line = line_of(db, customer_id, line_id)
    plan_of(db, plan_id)
    if line["status"] != ACTIVE:
        refuse(rules.not_active_to_change, line_id=line_id, status=line["status"])
    if line["plan_id"] == plan_id:
        refuse(rules.same_plan, line_id=line_id, plan_id=plan_id)
    line["plan_id"] = plan_id
    line["last_plan_change_date"] = TODAY
    return db[LINES].put(line)


def _set_roaming(db: TelecomDb, customer_id: str, line_id: str, on: bool) -> str:
    rules = db.dialect
    line = line_of(db, customer_id, line_id)
    if line["roaming_enabled"] == on:
        return (rules.roaming_enabled_already if on else rules.roaming_disabled_already).format(line_id=line_id)
    line["roaming_enabled"] = on
    db[LINES].put(line)
    return (rules.roaming_enabled if on else rules.roaming_disabled).format(line_id=line_id)


def _answer(db: TelecomDb, **values: Any) -> Answer:
    """Return an answer that is no row, with its numbers as the dialect writes them."""
    if not db.dialect.numbers_as_text:
        return values
    return {name: str(value) if isinstance(value, int | float) else value for name, value in values.items()}
