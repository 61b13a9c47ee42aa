"""Wishes about bills that a rule forbids: the agent has to look, refuse, and settle what the caller takes instead."""

from env_server.domains.kit import Move, Part, Request, Row
from env_server.domains.telecom.dialects import DRAFT, ISSUED, OVERDUE
from env_server.domains.telecom.scenarios import phrases
from env_server.domains.telecom.scenarios.base import Call, Carrier, can_pay, expired, look_at_bills
from env_server.domains.telecom.scenarios.bills import BY_REQUEST, by_charge, by_request, payable


def pay_draft(case: Call) -> Part:
    """A draft cannot be paid yet."""
    said = phrases.bill(case, case.bill)
    method = case.rng.choice(case.methods)
    how = f"Please charge {phrases.method(method)}."
    ask = case.rng.choice(("I want to pay the next bill ahead.", "I'd like to pay a bill before it comes."))
    return Part(
        requests=(Request(ask=ask, details={"bill": said, "payment": how} | phrases.AS_SAID),),
        goal=f"You want to pay a bill {phrases.in_prose(said)} ahead. Asked how: {how} You accept a refusal.",
        proof=(look_at_bills(case),),
        slots={"bill": case.bill["bill_id"], "ask": ask, "said": said, "payment": method["payment_method_id"]},
    )


def expired_method(case: Call) -> Part:
    """A payment method that has expired is not charged; the caller then names another, or pays on the phone."""
    bad = case.rng.choice([method for method in case.customer["payment_methods"] if expired(method)])
    good = case.rng.choice((None, *case.methods))
    said = phrases.bill(case, case.bill)
    first = {"bill": said, "payment": f"Please charge {phrases.method(bad)}."}
    how = BY_REQUEST if good is None else f"Please charge {phrases.method(good)}."
    return Part(
        requests=(
            Request(ask="I want to pay a bill with a stored payment method.", details=first | phrases.AS_SAID),
            Request(ask=f"Then let me pay it another way. {how}", details={"bill": said, "payment": how}),
        ),
        goal=f"You want to pay a bill {phrases.in_prose(said)} with {phrases.method(bad, whose='your')}. Only if"
        f" that is refused, you say: {how}",
        proof=(look_at_bills(case),),
        writes=by_request(case, case.bill) if good is None else by_charge(case, case.bill, good),
        slots={"bill": case.bill["bill_id"], "bad": bad["payment_method_id"], "payment": how, "said": said},
    )


def newer_first(case: Call) -> Part:
    """What is overdue is paid before what is not; the caller then pays the oldest overdue bill."""
    newer, said = case.bill, phrases.bill(case, case.bill)
    oldest = case.world.bills_of(case.customer, OVERDUE)[0]
    method = case.rng.choice((None, *case.methods))
    how = BY_REQUEST if method is None else f"Please charge {phrases.method(method)}."
    instead = {"bill": f"The one for {phrases.month(oldest)}, then, and no other.", "payment": how}
    return Part(
        requests=(
            Request(ask="I want to pay my newest bill.", details={"bill": said, "payment": how} | phrases.AS_SAID),
            Request(ask="Then I'd rather pay the oldest overdue one today, and only that.", details=instead),
        ),
        goal=f"You want to pay a bill {phrases.in_prose(said)}. Only if that is refused because others are overdue, you"
        f" want to pay the oldest overdue one, and only that. Asked how: {how}",
        proof=(look_at_bills(case),),
        writes=by_request(case, oldest) if method is None else by_charge(case, oldest, method),
        slots={"bill": newer["bill_id"], "payment": how, "said": said},
    )


def _drafts(carrier: Carrier, customer: Row) -> list[str]:
    return [bill["bill_id"] for bill in carrier.bills_of(customer, DRAFT)]


def _with_expired(carrier: Carrier, customer: Row) -> list[str]:
    return payable(carrier, customer) if any(map(expired, customer["payment_methods"])) else []


def _newer(carrier: Carrier, customer: Row) -> list[str]:
    if not can_pay(carrier, customer) or not carrier.bills_of(customer, OVERDUE):
        return []
    return [bill["bill_id"] for bill in carrier.bills_of(customer, ISSUED)]


PAY_DRAFT = Move(pay_draft, _drafts)
EXPIRED_METHOD = Move(expired_method, _with_expired)
NEWER_FIRST = Move(newer_first, _newer)
