"""The changes that shoppers agree to, and how they recognise them in a proposal."""

from collections.abc import Sequence
from typing import Any

from env_server.domains.kit import GoldCall, Known, Row, WantedChange, change, shape
from env_server.domains.retail.scenarios import phrases

CANCELS = ("cancel", "call off", "call it off", "calling off", "void", "revok", "withdraw")
RETURNS = ("return", "send back", "sending back", "sent back", "take back", "taking back", "give back", "taken back")
SWAPS = ("exchang", "swap", "replac", "switch", "chang", "modif", "trade", "trading", "update", "updating")
PAYS = ("charg", "payment", "pay for", "pay with", "paid with", "bill", "move order", "move the order", "switch order")
SENDS = (
    "chang",
    "update",
    "updating",
    "send",
    "ship",
    "redirect",
    "deliver",
    "modif",
    "correct",
    "set the",
    "rerout",
    "edit",
)
SETS = ("chang", "update", "updating", "modif", "set the", "set your", "correct", "replac", "edit", "sav", "enter")


def cancelling(said: Known, order: Row, why: str) -> WantedChange:
    """Return the change that cancels an order for a reason."""
    because = "it was ordered by mistake" if why.startswith("ordered") else "it is no longer needed"
    return change(
        f"cancel {phrases.meant(said)} because {because}",
        f"{phrases.meant(said)} has been cancelled",
        verbs=CANCELS,
        names=("order", "reason"),
        calls=[shape("cancel_pending_order", order_id=order["order_id"], reason=why)],
    )


def sending(said: Known, order: Row, row: dict[str, str], place: str, *first: str) -> WantedChange:
    """Return the change that sends an order to the address `place`. `first` holds the verbs of the caller's earlier
    wish.
    """
    return change(
        f"change the shipping address of {phrases.meant(said)} to {place}",
        f"the shipping address of {phrases.meant(said)} has been changed",
        verbs=(*first, *SENDS),
        names=("order", "address"),
        calls=[shape("modify_pending_order_address", order_id=order["order_id"], **row)],
    )


def moving(user: Row, row: dict[str, str]) -> WantedChange:
    """Return the change of the profile's default address."""
    return change(
        f"change the default address in your profile to {phrases.address(row)}",
        "the default address in your profile has been changed",
        verbs=SETS,
        names=("address",),
        calls=[shape("modify_user_address", user_id=user["user_id"], **row)],
    )


def paying(said: Known, order: Row, noun: str, **known: Any) -> WantedChange:
    """Return the change of an order's payment method."""
    return change(
        f"charge {phrases.meant(said)} to {noun} instead",
        f"{phrases.meant(said)} has been charged to {noun}",
        verbs=PAYS,
        names=("order", "payment"),
        calls=[shape("modify_pending_order_payment", order_id=order["order_id"], **known)],
    )


def returning(said: Known, items: Sequence[Row], refund: str, call: GoldCall) -> WantedChange:
    """Return the change that returns items of an order."""
    return change(
        f"return {phrases.names(items)} from {phrases.meant(said)}, with the refund going to {refund}",
        f"the return of {phrases.names(items)} has been requested",
        verbs=RETURNS,
        names=("order", "items", "payment"),
        calls=[shape(call.name, **call.arguments)],
    )


def swapping(said: Known, items: Sequence[Row], wanted: str, method: str, call: GoldCall, *named: str) -> WantedChange:
    """Return the change that replaces items of an order as `wanted` says. `named` holds additional topics to name."""
    verb, done = ("change", "changed") if "pending" in call.name else ("exchange", "exchanged")
    return change(
        f"{verb} {phrases.names(items)} in {phrases.meant(said)} for {wanted}, with {method} for the price difference",
        f"{phrases.names(items)} in {phrases.meant(said)} {'have' if len(items) > 1 else 'has'} been {done}",
        verbs=SWAPS,
        names=("order", "items", *named, "payment"),
        calls=[shape(call.name, **call.arguments)],
    )
