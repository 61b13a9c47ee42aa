"""Paying bills: on the caller's own phone by request, or charged to a stored payment method."""

from env_server.domains.kit import GoldCall, OwnCheck, Row, Wish, WishKind, money, told, wish
from env_server.domains.telecom.dialects import AWAITING, ISSUED, OVERDUE
from env_server.domains.telecom.scenarios import agreed, details, phrases, wishes
from env_server.domains.telecom.scenarios.base import Carrier, Case, can_pay, in_debt, look_at_bills, on_bill, own


def payable(carrier: Carrier, customer: Row) -> list[str]:
    """Return the bill to pay first: the oldest overdue one, or the issued one where none is overdue."""
    if not can_pay(carrier, customer):
        return []
    bills = carrier.bills_of(customer, OVERDUE) or carrier.bills_of(customer, ISSUED)
    return [bill["bill_id"] for bill in bills[:1]]


def by_request(case: Case, bill: Row) -> tuple[GoldCall, ...]:
    """Return the calls that request the payment, and the caller's own payment."""
    return on_bill(case, "send_payment_request", bill), own("make_payment")


def by_charge(case: Case, bill: Row, method: Row) -> tuple[GoldCall, ...]:
    """Return the call that charges a stored payment method."""
    return (on_bill(case, "process_payment", bill, payment_method_id=method["payment_method_id"]),)


def paid(case: Case, bill: Row, method: Row | None) -> tuple[GoldCall, ...]:
    """Return the calls that pay with a stored method, or by request if `method` is None."""
    return by_request(case, bill) if method is None else by_charge(case, bill, method)


def method_id(method: Row | None) -> str:
    """Return the chosen method for the slots."""
    return "request" if method is None else str(method["payment_method_id"])


def pays_on_phone(case: Case) -> str:
    """Return the sentence that the caller pays an incoming request."""
    return case.voice.pick(
        "When the agent has sent a request, you look at it on your phone and pay it.",
        "As soon as a payment request is on your phone and the agent asks you to, you pay it.",
        "Once a request has come to your phone, you pay it when told so.",
        "You pay a request that is waiting on your phone as the agent tells you.",
        "If there is a request on your phone, you look at it when asked and pay it.",
        # Kept for the held-out split.
        "A request that reaches your phone is paid by you, after a word of the agent.",
        "Your phone shows payment requests; told to, you pay what it shows.",
        "You settle a payment request on your phone as soon as the agent has you do so.",
    )


def pay_on_phone(case: Case) -> Wish:
    """Pay a bill by a request on the caller's phone."""
    bill, how = details.bill(case, case.bill), details.requested(case)
    known = {"bill": bill, "payment": how}
    return Wish(
        requests=(wish(case, *wishes.PAY, details=known, changes=(agreed.pay(bill, how, by_request=True),)),),
        goal=phrases.goal(case, wishes.PAY, known, pays_on_phone(case)),
        reads=(look_at_bills(case),),
        writes=by_request(case, case.bill),
        slots={"bill": case.bill["bill_id"], "said": bill.text},
    )


def pay_by_charge(case: Case) -> Wish:
    """Pay a bill with a stored method, and hear the amount."""
    method = case.rng.choice(case.methods)
    bill, how = details.bill(case, case.bill), details.charged(case, method)
    known = {"bill": bill, "payment": how}
    amount = money(case.bill["total_due"])
    want, tell = told(amount, f"The amount of the bill is ${amount}.", *wishes.SUMS)
    return Wish(
        requests=(
            wish(
                case,
                *wishes.PAY_TOLD,
                details=known,
                changes=(agreed.pay(bill, how, by_request=False),),
                wants=(want,),
            ),
        ),
        goal=phrases.goal(case, wishes.PAY_TOLD, known),
        proof=(look_at_bills(case),),
        writes=by_charge(case, case.bill, method),
        tells=(tell,),
        slots={"bill": case.bill["bill_id"], "said": bill.text, "payment": method["payment_method_id"]},
    )


def pay_all_overdue(case: Case) -> Wish:
    """Pay two overdue bills, the older one first, and hear their total."""
    bills = case.world.bills_of(case.customer, OVERDUE)
    method = case.rng.choice((None, *case.methods))
    how = details.paying(case, method)
    known = [{"bill": details.by_month(case, bill), "payment": how} for bill in bills]
    total = money(sum(bill["total_due"] for bill in bills))
    want, tell = told(total, f"Both bills together come to ${total}.", *wishes.TOTALS, wish=1)
    changes = [agreed.pay(of["bill"], how, by_request=method is None) for of in known]
    return Wish(
        requests=(
            wish(case, *wishes.PAY_FIRST, details=known[0], changes=changes[:1]),
            wish(case, *wishes.PAY_BOTH, details=known[1], changes=changes[1:], wants=(want,)),
        ),
        goal=" ".join(
            (
                phrases.goal(case, wishes.PAY_FIRST, known[0]),
                phrases.goal(case, wishes.PAY_BOTH, known[1], pays_on_phone(case)),
            )
        ),
        proof=(look_at_bills(case),),
        writes=tuple(call for bill in bills for call in paid(case, bill, method)),
        tells=(tell,),
        slots={"bills": [bill["bill_id"] for bill in bills], "payment": method_id(method)},
    )


def pay_what_was_asked(case: Case) -> Wish:
    """A payment request is already open. The agent makes no second one but can tell the caller to find and pay it."""
    bill, how = details.bill(case, case.bill), details.requested(case)
    known = {"bill": bill, "payment": how}
    until = OwnCheck(name="check_payment_request", says="no payment request")
    changes = (agreed.pay(bill, how, by_request=True),)
    return Wish(
        requests=(wish(case, *wishes.PAY, details=known, changes=changes, until=until),),
        goal=phrases.goal(case, wishes.PAY, known, pays_on_phone(case)),
        proof=(look_at_bills(case),),
        writes=(own("make_payment"),),
        slots={"bill": case.bill["bill_id"], "said": bill.text},
    )


def _two_overdue(carrier: Carrier, customer: Row) -> list[str]:
    bills = carrier.bills_of(customer, OVERDUE)
    return [bills[0]["bill_id"]] if len(bills) == 2 and can_pay(carrier, customer) else []


def _awaiting(carrier: Carrier, customer: Row) -> list[str]:
    return [bill["bill_id"] for bill in carrier.bills_of(customer, AWAITING)]


def _undisputed(carrier: Carrier, customer: Row) -> list[str]:
    return [] if in_debt(carrier, customer) else payable(carrier, customer)


PAY_ON_PHONE = WishKind(pay_on_phone, payable)
PAY_CURRENT_ON_PHONE = WishKind(pay_on_phone, _undisputed)
PAY_BY_CHARGE = WishKind(pay_by_charge, payable)
PAY_CURRENT = WishKind(pay_by_charge, _undisputed)
PAY_ALL_OVERDUE = WishKind(pay_all_overdue, _two_overdue)
PAY_WHAT_WAS_ASKED = WishKind(pay_what_was_asked, _awaiting)
