"""Payment of bills: which bills can be paid, and with which methods."""

from typing import Any, cast

from env_server.domains.kit import refuse
from env_server.domains.telecom.checks import TelecomDb, bills_of
from env_server.domains.telecom.dialects import AWAITING, PAID
from env_server.domains.telecom.tables import BILLS, TODAY, Bill, ChargeableMethod, Customer


class PaidBill(Bill, total=False):
    """A bill that the company charged: with which payment method."""

    paid_with: str


def need_no_request(db: TelecomDb, customer: Customer) -> None:
    """Raise a ToolError where the customer is already asked to pay a bill."""
    if any(bill["status"] == AWAITING for bill in bills_of(db, customer)):
        refuse(db.dialect.already_awaiting, customer_id=customer["customer_id"])


def need_requestable(db: TelecomDb, bill: Bill) -> None:
    """Raise a ToolError if the bill cannot be paid because it is not final or already paid."""
    allowed = db.dialect.requestable
    if allowed is not None and bill["status"] not in allowed:
        refuse(db.dialect.not_requestable, bill_id=bill["bill_id"], status=bill["status"])


def need_chargeable(db: TelecomDb, bill: Bill) -> None:
    """Raise a ToolError if the bill cannot be charged. A bill with an open payment request can."""
    if bill["status"] not in (*(db.dialect.requestable or ()), AWAITING):
        refuse(db.dialect.not_requestable, bill_id=bill["bill_id"], status=bill["status"])


def method_of(db: TelecomDb, customer: Customer, payment_method_id: str) -> ChargeableMethod:
    """Return the customer's payment method with this id. Raise a ToolError if there is none, or it has expired."""
    methods: list[Any] = list(customer["payment_methods"])
    by_id: dict[str, ChargeableMethod] = {m["payment_method_id"]: m for m in methods if "payment_method_id" in m}
    method = by_id.get(payment_method_id)
    if method is None:
        customer_id, known = customer["customer_id"], ", ".join(by_id) or "none"
        refuse(db.dialect.not_their_method, customer_id=customer_id, payment_method_id=payment_method_id, known=known)
    month, year = method["expiration_date"].split("/")
    if f"{year}-{month}" < TODAY[:7]:
        refuse(
            db.dialect.method_expired,
            payment_method_id=payment_method_id,
            expiration_date=method["expiration_date"],
        )
    return method


def settle(db: TelecomDb, bill: Bill, method: ChargeableMethod) -> Bill:
    """Mark `bill` (a mutable copy) as paid with `method`, and store it."""
    paid = cast(PaidBill, bill)
    paid["status"] = PAID
    paid["paid_with"] = method["payment_method_id"]
    return db[BILLS].put(paid)
