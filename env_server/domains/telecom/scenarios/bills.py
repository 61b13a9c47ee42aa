"""Paying bills: on the caller's own phone by request, or charged to a stored payment method."""

from env_server.domains.kit import GoldCall, Move, OwnCheck, Part, Request, Row
from env_server.domains.telecom.dialects import AWAITING, ISSUED, OVERDUE
from env_server.domains.telecom.scenarios import phrases
from env_server.domains.telecom.scenarios.base import Call, Carrier, can_pay, in_debt, look_at_bills, on_bill, own

BY_REQUEST = "Please send me a payment request, I will pay on my phone."


def payable(carrier: Carrier, customer: Row) -> list[str]:
    """The bill to pay first: the oldest overdue one, or the issued one where none is overdue."""
    if not can_pay(carrier, customer):
        return []
    bills = carrier.bills_of(customer, OVERDUE) or carrier.bills_of(customer, ISSUED)
    return [bill["bill_id"] for bill in bills[:1]]


def by_request(case: Call, bill: Row) -> tuple[GoldCall, ...]:
    """Ask for the payment, and the caller's own payment."""
    return on_bill(case, "send_payment_request", bill), own("make_payment")


def by_charge(case: Call, bill: Row, method: Row) -> tuple[GoldCall, ...]:
    """Charge a stored payment method."""
    return (on_bill(case, "process_payment", bill, payment_method_id=method["payment_method_id"]),)


def pay_on_phone(case: Call) -> Part:
    """Pay a bill by a request on the caller's phone."""
    said = phrases.bill(case, case.bill)
    ask = case.rng.choice(("I'd like to pay a bill.", "I want to settle one of my bills."))
    return Part(
        requests=(Request(ask=ask, details={"bill": said, "payment": BY_REQUEST}),),
        goal=f"You want to pay a bill {phrases.in_prose(said)}. Asked how: {BY_REQUEST} When the agent has sent the"
        " request, you look at it on your phone and pay it.",
        reads=(look_at_bills(case),),
        writes=by_request(case, case.bill),
        slots={"bill": case.bill["bill_id"], "ask": ask, "said": said},
    )


def pay_by_charge(case: Call) -> Part:
    """Pay a bill with a stored method, and hear the amount."""
    said, method = phrases.bill(case, case.bill), case.rng.choice(case.methods)
    how = f"Please charge {phrases.method(method)}."
    amount = phrases.money(case.bill["total_due"])
    ask = "Please charge a bill to one of my stored payment methods, and tell me how much it was."
    return Part(
        requests=(Request(ask=ask, details={"bill": said, "payment": how}, wants=(amount,)),),
        goal=f"You want to pay a bill {phrases.in_prose(said)} and to be told its amount. Asked how: {how}",
        proof=(look_at_bills(case),),
        writes=by_charge(case, case.bill, method),
        outputs=(amount,),
        slots={"bill": case.bill["bill_id"], "said": said, "payment": method["payment_method_id"]},
    )


def pay_all_overdue(case: Call) -> Part:
    """Pay two overdue bills, one request after the other, and hear what they come to."""
    bills = case.world.bills_of(case.customer, OVERDUE)
    total = phrases.money(sum(bill["total_due"] for bill in bills))
    ask = case.rng.choice(
        ("I want to pay everything that is overdue.", "I got behind and want to pay my overdue bills.")
    )
    request = Request(
        ask=f"{ask} Please also tell me what that is in total.", details={"payment": BY_REQUEST}, wants=(total,)
    )
    return Part(
        requests=(request,),
        goal=f"You want to pay all your overdue bills and to be told their total. Asked how: {BY_REQUEST} You pay each"
        " request on your phone when it has come.",
        proof=(look_at_bills(case),),
        writes=tuple(call for bill in bills for call in by_request(case, bill)),
        outputs=(total,),
        slots={"bills": [bill["bill_id"] for bill in bills], "ask": ask},
    )


def pay_what_was_asked(case: Call) -> Part:
    """A request is waiting already: no second one, but the caller can be told to look and pay it."""
    said = phrases.bill(case, case.bill)
    ask = case.rng.choice(("I want to pay a bill.", "There is a bill that I have not paid yet, I think."))
    until = OwnCheck(name="check_payment_request", says="no payment request")
    how = "Send me a request for it, please; I prefer to pay on my phone."
    return Part(
        requests=(Request(ask=ask, details={"bill": said, "payment": how}, until=until),),
        goal=f"You want to pay a bill {phrases.in_prose(said)}. Asked how: {how} If the agent says that a request is"
        " waiting on your phone already, you look at it and pay it.",
        proof=(look_at_bills(case),),
        writes=(own("make_payment"),),
        slots={"bill": case.bill["bill_id"], "ask": ask, "said": said},
    )


def _two_overdue(carrier: Carrier, customer: Row) -> list[str]:
    bills = carrier.bills_of(customer, OVERDUE)
    return [bills[0]["bill_id"]] if len(bills) > 1 and can_pay(carrier, customer) else []


def _awaiting(carrier: Carrier, customer: Row) -> list[str]:
    return [bill["bill_id"] for bill in carrier.bills_of(customer, AWAITING)]


def _undisputed(carrier: Carrier, customer: Row) -> list[str]:
    return [] if in_debt(carrier, customer) else payable(carrier, customer)


PAY_ON_PHONE = Move(pay_on_phone, payable)
PAY_BY_CHARGE = Move(pay_by_charge, payable)
PAY_CURRENT = Move(pay_by_charge, _undisputed)
PAY_ALL_OVERDUE = Move(pay_all_overdue, _two_overdue)
PAY_WHAT_WAS_ASKED = Move(pay_what_was_asked, _awaiting)
