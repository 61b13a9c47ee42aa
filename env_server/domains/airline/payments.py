"""Payments and refunds of reservations. Amounts are dollars. `user` is a mutable copy."""

from collections.abc import Sequence

from env_server.domains.airline.checks import AirlineDb
from env_server.domains.airline.tables import USERS, Payment, Reservation, User
from env_server.domains.kit import refuse


def need_payments(db: AirlineDb, user: User, payments: Sequence[Payment], price: int) -> None:
    """Raise a ToolError unless the user has all the methods, each can pay its amount, and together
    they pay the price.
    """
    rules = db.dialect
    for number, payment in enumerate(payments):
        payment_id, amount = payment["payment_id"], payment["amount"]
        method = user["payment_methods"].get(payment_id)
        if method is None:
            refuse(rules.no_such_payment_method, **_owner(user), payment_id=payment_id)
        if rules.checks_amounts:
            need_positive(db, amount)
            if any(payment_id == earlier["payment_id"] for earlier in payments[:number]):
                refuse(rules.named_twice, payment_id=payment_id)
        if method["source"] != "credit_card" and method["amount"] < amount:
            refuse(rules.too_little_to_book, payment_id=payment_id, balance=method["amount"], amount=amount)
    paid = sum(payment["amount"] for payment in payments)
    if paid != price:
        refuse(rules.wrong_sum, price=price, paid=paid)


def need_positive(db: AirlineDb, amount: float) -> None:
    """Raise a ToolError where the dialect checks amounts and this is not more than 0."""
    if db.dialect.checks_amounts and amount <= 0:
        refuse(db.dialect.not_positive, amount=amount)


def pay(user: User, payments: Sequence[Payment]) -> None:
    """Take the payments of a new reservation. A gift card loses its amount, and a certificate is used up as a whole."""
    methods = user["payment_methods"]
    for payment in payments:
        method = methods[payment["payment_id"]]
        if method["source"] == "gift_card":
            method["amount"] -= payment["amount"]
        elif method["source"] == "certificate":
            del methods[payment["payment_id"]]


def settle(db: AirlineDb, reservation: Reservation, payment_id: str, amount: int) -> None:
    """Pay `amount` (less than 0: a refund) for a change of the reservation, with a gift card or a credit card."""
    rules = db.dialect
    user = db[USERS].edit(reservation["user_id"])
    method = user["payment_methods"].get(payment_id)
    if method is None:
        refuse(rules.no_such_payment_method_to_update, **_owner(user), payment_id=payment_id)
    if method["source"] == "certificate":
        refuse(rules.certificate_to_update, payment_id=payment_id)
    if method["source"] == "gift_card":
        if method["amount"] < amount:
            refuse(rules.too_little_to_update, payment_id=payment_id, balance=method["amount"], amount=amount)
        method["amount"] -= amount
        db[USERS].put(user)
    if amount != 0:
        reservation["payment_history"].append({"payment_id": payment_id, "amount": amount})


def refund(db: AirlineDb, reservation: Reservation) -> None:
    """Give back what was paid for a reservation, as the dialect says."""
    history = reservation["payment_history"]
    if not db.dialect.refunds_net:
        history.extend([{"payment_id": entry["payment_id"], "amount": -entry["amount"]} for entry in history])
        return
    user = db[USERS].edit(reservation["user_id"])
    refunds = _refunds(user, history)
    for entry in refunds:
        method = user["payment_methods"][entry["payment_id"]]
        if method["source"] == "gift_card":
            method["amount"] -= entry["amount"]
    history.extend(refunds)
    db[USERS].put(user)


def _refunds(user: User, history: Sequence[Payment]) -> list[Payment]:
    """Return the refund to each card, in order of first payment. The amount that certificates paid is lost."""
    paid: dict[str, int] = {}
    for entry in history:
        paid[entry["payment_id"]] = paid.get(entry["payment_id"], 0) + entry["amount"]
    cards = {k for k, method in user["payment_methods"].items() if method["source"] != "certificate"}
    left = sum(amount for method, amount in paid.items() if method in cards)
    refunds: list[Payment] = []
    for method in (m for m in paid if m in cards):
        amount = min(paid[method], left)
        if amount > 0:
            refunds.append({"payment_id": method, "amount": -amount})
            left -= amount
    return refunds


def _owner(user: User) -> dict[str, str]:
    return {"user_id": user["user_id"], "known": ", ".join(user["payment_methods"])}
