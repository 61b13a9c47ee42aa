"""Synchronisation of the company's rows and the phone after every call: the line's state and open payments."""

from env_server.domains.telecom.checks import TelecomDb, allowance, line_with_number
from env_server.domains.telecom.dialects import ACTIVE, AWAITING, PAID
from env_server.domains.telecom.parts import around_of, change_around
from env_server.domains.telecom.tables import BILLS, CUSTOMERS, USER, Bill, Line, PaymentRequest


def sync(db: TelecomDb) -> None:
    """Bring the surroundings and the books up to date with each other.

    The line's status, roaming permission and data allowance reach the surroundings; a request that was paid marks its
    bill, and the caller's first bill that awaits payment becomes the request. Nothing is stored where nothing is new.

    Raises:
        ToolError: if no line has the caller's phone number.
    """
    around = around_of(db)
    if around["phone_number"] is None:
        return
    line = line_with_number(db, around["phone_number"])
    changed = change_around(db)
    changed["line_active"] = line["status"] == ACTIVE
    changed["roaming_allowed"] = line["roaming_enabled"]
    changed["mobile_data_usage_exceeded"] = line["data_used_gb"] >= allowance(db, line)
    request = around["payment_request"]
    if request is not None and request["paid"]:
        _mark_paid(db, request["bill_id"])
    changed["payment_request"] = request if _stands(db, request) else _next_request(db, line)
    if changed != around:
        db[USER].put(changed)


def _mark_paid(db: TelecomDb, bill_id: str) -> None:
    if bill_id in db[BILLS]:
        bill = db[BILLS].edit(bill_id)
        bill["status"] = PAID
        db[BILLS].put(bill)


def _stands(db: TelecomDb, request: PaymentRequest | None) -> bool:
    """Return whether a payment request is still open. The bill may have been paid here or charged by the company."""
    bill = db[BILLS].get(request["bill_id"]) if request is not None else None
    return bill is not None and bill["status"] == AWAITING


def _next_request(db: TelecomDb, line: Line) -> PaymentRequest | None:
    owners = db[CUSTOMERS].find("line_id", line["line_id"])
    bills = [db[BILLS].get(bill_id) for bill_id in owners[0]["bill_ids"]] if owners else []
    awaiting: list[Bill] = [bill for bill in bills if bill is not None and bill["status"] == AWAITING]
    if not awaiting:
        return None
    return {"bill_id": awaiting[0]["bill_id"], "amount_due": awaiting[0]["total_due"], "paid": False}
