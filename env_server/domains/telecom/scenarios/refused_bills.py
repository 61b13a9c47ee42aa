"""Wishes about bills that the rows decide. The agent refuses with the deciding fact or, in the twin, grants them."""

from env_server.domains.kit import Refusal, Row, Wish, WishKind, money, prose, wish
from env_server.domains.telecom.dialects import DRAFT, ISSUED, OVERDUE, PAID
from env_server.domains.telecom.scenarios import agreed, details, phrases, wishes
from env_server.domains.telecom.scenarios.base import Carrier, Case, can_pay, expired, in_debt, look_at_bills
from env_server.domains.telecom.scenarios.bills import (
    PAY_CURRENT,
    by_charge,
    method_id,
    paid,
    payable,
    pays_on_phone,
)
from env_server.domains.telecom.scenarios.refused import debts
from env_server.domains.telecom.scenarios.scene import bill_is, customer_is, nothing_is_overdue, settled


def pay_draft(case: Case) -> Wish:
    """A draft cannot be paid. In the twin the bill is issued and can be paid."""
    method = case.rng.choice(case.methods)
    bill, how = details.bill(case, case.bill), details.charged(case, method)
    known = {"bill": bill, "payment": how}
    issues = case.bill["issue_date"]
    part = Wish(
        requests=(wish(case, *wishes.PAY_AHEAD, details=known, changes=(agreed.pay(bill, how, by_request=False),)),),
        goal=phrases.goal(case, wishes.PAY_AHEAD, known, prose.accepts(case.voice)),
        proof=(look_at_bills(case),),
        refusals=(
            Refusal(
                f"{bill.noun} is a draft that is issued only on {issues}",
                ("draft", issues, "not yet issued", "not been issued", "not issued"),
                ("already paid", "disputed"),
                about=("bill", "payment"),
            ),
        ),
        slots={"bill": case.bill["bill_id"], "said": bill.text, "payment": method["payment_method_id"]},
    )
    issued = bill_is(case.bill, status=ISSUED, issue_date=f"2025-02-{case.rng.randint(20, 24)}")
    return settled(case, part, by_charge(case, case.bill, method), (), (issued,))


def pay_paid(case: Case) -> Wish:
    """A bill that is already paid cannot be paid again."""
    method = case.rng.choice((None, *case.methods))
    bill, how = details.bill(case, case.bill), details.paying(case, method)
    known = {"bill": bill, "payment": how}
    amount = money(case.bill["total_due"])
    part = Wish(
        requests=(wish(case, *wishes.PAY, details=known, changes=(agreed.pay(bill, how, by_request=method is None),)),),
        goal=phrases.goal(case, wishes.PAY, known, prose.accepts(case.voice), pays_on_phone(case)),
        proof=(look_at_bills(case),),
        refusals=(
            Refusal(
                f"{bill.noun} of ${amount} has been paid already",
                ("already paid", "paid already", "been paid", "is paid", "marked paid", "marked as paid", "was paid"),
                ("disputed",),
                about=("bill", "payment"),
            ),
        ),
        slots={"bill": case.bill["bill_id"], "said": bill.text, "payment": method_id(method)},
    )
    return settled(case, part, paid(case, case.bill, method), (bill_is(case.bill, status=PAID),), ())


def expired_method(case: Case) -> Wish:
    """An expired payment method cannot be charged. The caller then names another method or pays on the phone."""
    bad = case.rng.choice([method for method in case.customer["payment_methods"] if expired(method)])
    good = case.rng.choice((None, *case.methods))
    bill, first, then = details.bill(case, case.bill), details.charged(case, bad), details.paying(case, good)
    before, after = {"bill": bill, "payment": first}, {"bill": bill, "payment": then}
    gone, fresh = f"{case.rng.randint(1, 12):02d}/2024", f"{case.rng.randint(1, 12):02d}/{case.rng.randint(2026, 2028)}"
    part = Wish(
        requests=(
            wish(
                case,
                *wishes.ONE_METHOD,
                details=before,
                changes=(agreed.pay(bill, first, by_request=False),),
            ),
            wish(
                case,
                *wishes.ANOTHER_WAY,
                details=after,
                changes=(agreed.pay(bill, then, by_request=good is None),),
                instead=True,
            ),
        ),
        goal=" ".join(
            (
                phrases.goal(case, wishes.ONE_METHOD, before),
                phrases.only_then(case, wishes.ANOTHER_WAY, {"payment": then}),
            )
        ),
        proof=(look_at_bills(case),),
        writes=paid(case, case.bill, good),
        refusals=(
            Refusal(
                f"{first.noun} expired {gone}",
                (gone, "expired", "expiration", "has run out", "no longer valid"),
                about=("card", "payment", "bill", "paypal"),
            ),
        ),
        slots={
            "bill": case.bill["bill_id"],
            "bad": bad["payment_method_id"],
            "payment": method_id(good),
            "said": bill.text,
        },
    )
    return settled(
        case,
        part,
        by_charge(case, case.bill, bad),
        (customer_is(case.customer, payment_methods=_with(case, bad, gone)),),
        (customer_is(case.customer, payment_methods=_with(case, bad, fresh)),),
    )


def _with(case: Case, method: Row, expires: str) -> list[Row]:
    """Return the caller's payment methods, one of them with another expiry date."""
    methods = [dict(found) for found in case.customer["payment_methods"]]
    return [{**found, "expiration_date": expires} if found == dict(method) else found for found in methods]


def newer_first(case: Case) -> Wish:
    """Overdue bills must be paid first. The caller then pays the oldest overdue bill."""
    oldest = case.world.bills_of(case.customer, OVERDUE)[0]
    method = case.rng.choice((None, *case.methods))
    newer, how = details.bill(case, case.bill), details.paying(case, method)
    first, then = {"bill": newer, "payment": how}, {"payment": how}
    by_request = method is None
    says, because = debts(case.world.bills_of(case.customer, OVERDUE))
    part = Wish(
        requests=(
            wish(case, *wishes.NEWEST, details=first, changes=(agreed.pay(newer, how, by_request=by_request),)),
            wish(
                case,
                *wishes.OLDEST,
                details=then,
                changes=(agreed.pay(None, how, by_request=by_request, noun="the oldest overdue bill"),),
                instead=True,
            ),
        ),
        goal=f"{phrases.goal(case, wishes.NEWEST, first)} {phrases.only_then(case, wishes.OLDEST, then)}",
        proof=(look_at_bills(case),),
        writes=paid(case, oldest, method),
        refusals=(Refusal(says, because, about=("bill", "payment")),),
        slots={"bill": case.bill["bill_id"], "payment": method_id(method), "said": newer.text},
    )
    return settled(case, part, paid(case, case.bill, method), (), nothing_is_overdue(case))


def _drafts(carrier: Carrier, customer: Row) -> list[str]:
    if in_debt(carrier, customer) or not can_pay(carrier, customer):
        return []
    return [bill["bill_id"] for bill in carrier.bills_of(customer, DRAFT) if bill["total_due"]]


def _with_expired(carrier: Carrier, customer: Row) -> list[str]:
    return payable(carrier, customer) if any(map(expired, customer["payment_methods"])) else []


def _newer(carrier: Carrier, customer: Row) -> list[str]:
    if not can_pay(carrier, customer) or not carrier.bills_of(customer, OVERDUE):
        return []
    return [bill["bill_id"] for bill in carrier.bills_of(customer, ISSUED)]


PAY_DRAFT = WishKind(pay_draft, _drafts)
PAY_PAID = WishKind(pay_paid, PAY_CURRENT.subjects)
EXPIRED_METHOD = WishKind(expired_method, _with_expired)
NEWER_FIRST = WishKind(newer_first, _newer)
