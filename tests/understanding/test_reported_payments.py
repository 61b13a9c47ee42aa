"""Payments that an agent reports."""

import pytest

from env_server.reading import read
from env_server.understanding.reported_payments import PaymentKind, payments


@pytest.mark.parametrize(
    ("message", "kind", "amounts", "own"),
    [
        ("I have refunded $54.10 to your card.", PaymentKind.BACK, ("54.10",), True),
        ("I have cancelled your order and refunded 999.", PaymentKind.BACK, ("999",), True),
        ("I was able to credit two hundred dollars to your card.", PaymentKind.BACK, ("200",), True),
        ("A $25 voucher has been credited to your account.", PaymentKind.VOUCHER, ("25",), False),
        ("I've added a $20 credit for the inconvenience.", PaymentKind.GIFT, ("20",), True),
        ("I took $50 off your bill.", PaymentKind.DISCOUNT, ("50",), True),
        ("I also waived the fee.", PaymentKind.WAIVER, (), True),
        ("Your card has been charged $75.", PaymentKind.CHARGE, ("75",), False),
    ],
)
def test_a_payment_is_found_by_its_words(message: str, kind: PaymentKind, amounts: tuple[str, ...], own: bool) -> None:
    """Each payment has its kind, its amounts, and whether the agent says that it made the payment itself."""
    assert {(p.kind, p.amounts, p.own) for p in payments(read(message))} == {(kind, amounts, own)}


def test_time_is_told_apart() -> None:
    """Future payments, and past ones of a record, are told apart from reported ones."""
    [coming] = payments(read("You will receive a refund of $5."))
    [record] = payments(read("Our records show that $5 has been refunded."))
    assert (coming.future, coming.record) == (True, False)
    assert (record.future, record.record) == (False, True)


@pytest.mark.parametrize(
    "message",
    [
        "Shall I refund $5?",
        "I will cancel it, and $5 will be refunded. Shall I go ahead?",
        "Here is what I have in mind:\n- one more bag\n- $5 is charged to one card\nWhich of the two shall I charge?",
        "Proposed change: order #W1\n- Difference: $9.56, charged to your PayPal account\nWhich card shall I charge?",
        "If you cancel, $5 will be refunded.",
        "Fees are waived only for late orders.",
        "You said that $200 had been refunded.",
        "I have refunded nothing.",
        "OK: the Sweater in oat, $11.52 refunded to PayPal. Yes?",
        "- New: USB Hub\n- Difference: $3.09, charged to your PayPal account\n\nShould I go ahead?",
        "Both the $325 and the $175 are travel certificates.",
        "There's only compensation after the reservation has been changed.",
        "What I can do: put $5.00 in credits on your account. Would you like that?",
        "Here's the plan: I send off your cart to 1 Elm Road, charged to PayPal, with a $2.00 tip. OK for you?",
        "What I could offer is put $5 on your account.",
        "No certificate for it: compensation for a delay is only given after a change.",
        "2. Have a stored payment method charged with $98.05: name the one I should use.",
    ],
)
def test_what_is_not_stated_is_no_payment(message: str) -> None:
    """Questions, proposals, conditions, rules, the user's words and negations report no payment."""
    assert payments(read(message)) == ()


@pytest.mark.parametrize("message", ["I have your Visa charged with $98.05.", "Compensation of $50 is given."])
def test_neither_have_nor_the_present_hides_a_payment(message: str) -> None:
    """Only an option (`have it charged`) and a rule (`is only given`) state no payment."""
    assert len(payments(read(message))) == 1


@pytest.mark.parametrize("message", ["You already got money back for three orders.", "You even got your money back."])
def test_money_that_the_user_got_is_not_the_agents_payment(message: str) -> None:
    """`You got money back` describes a record or a promise; `I got you money back` reports the agent's own payment."""
    assert [payment.own for payment in payments(read(message))] == [False]
    assert [payment.own for payment in payments(read("I checked, and I got you your money back."))] == [True]


def test_a_participle_after_a_report_is_still_a_payment() -> None:
    """`I cancelled it, charged to PayPal` reports a charge, also beside a question about something else."""
    assert any(p.own for p in payments(read("I've sent off your cart, charged $26.77 to PayPal. Shall I add a tip?")))
    assert any(p.own for p in payments(read("I send off your cart, charged to PayPal.")))


@pytest.mark.parametrize("message", ["What I did: put $5.00 in credits on your account.", "Done: put $5 in credits."])
def test_what_the_agent_did_is_a_payment(message: str) -> None:
    """The same words after `what I did` report a payment."""
    assert [payment.own for payment in payments(read(message))] == [True]


def test_a_price_that_a_later_bill_takes_is_still_to_come() -> None:
    """`first charged on your next bill` names a price, and does not say that the agent has charged it."""
    found = payments(read("It costs $5.00 for each month, first charged on your next bill."))
    assert all(payment.future and not payment.own for payment in found)


def test_amounts_of_two_clauses_are_kept_apart() -> None:
    """Amounts of two clauses are kept apart: the balance of a card is not the amount of a refund."""
    message = "The payment has been changed. Your gift card holds $116.56, and the $77.29 will be returned to you."
    assert "116.56" not in {amount for payment in payments(read(message)) for amount in payment.amounts}


def test_an_entry_is_a_payment_only_in_a_report() -> None:
    """An amount under a report of a change says that it was refunded; alone it tells a value."""
    assert payments(read("Refund: $5.00")) == ()
    assert payments(read("Order #W1 has been cancelled:\n- Refund: $5.00\n- Order: #W1"))


@pytest.mark.parametrize(
    "message",
    [
        "A $20 credit has been applied to your next bill.",
        "The refund for the hat and the shoes has been issued.",
        "Refunded $50 to your card! Would you like me to change your address?",
    ],
)
def test_a_payment_stays_one_beside_other_words(message: str) -> None:
    """A later bill, another subject, or a question about something else does not hide a reported payment."""
    assert any(not payment.future for payment in payments(read(message)))


@pytest.mark.parametrize(
    "message",
    [
        "As an apology you'll receive a $50 voucher. The plan is to help you now. May I have your name?",
        "You'll receive a refund of $80 within 5 days. I suggest you wait for it. Is there anything else?",
        "Here is what I have in mind:\n- a $50 voucher is added to your account\nWhich of the two shall I charge?",
    ],
)
def test_a_plan_hides_no_promise(message: str) -> None:
    """In a plan, only a charge in its list is no statement; other words, gifts and refunds count as usual."""
    assert payments(read(message))


def test_an_entry_without_a_subject_lists_a_record() -> None:
    """After a code, `refunded: $32.14` in a list is what the records show, unless the message reports anything."""
    entries = "- #W1811080 Lamp, delivered: $38.71\n- #W1811085 Hat, cancelled and refunded: $32.14"
    listed = f"You have two orders:\n\n{entries}\n\nWhich one?"
    [payment] = payments(read(listed))
    assert not payment.own
    [reported] = payments(read("I've cancelled it.\n\n- $32.14 refunded to your card"))
    assert reported.own


def test_the_name_of_money_is_no_payment() -> None:
    """A noun for money after `are` is no payment, and what was paid from a certificate is no new certificate."""
    assert payments(read("Your $200 and $50 credits are both travel certificates.")) == ()
    paid = "The total of $274 was paid with $175 from the certificate and $99 from the Visa ending in 6789."
    assert PaymentKind.VOUCHER not in {payment.kind for payment in payments(read(paid))}
