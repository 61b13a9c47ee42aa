"""Wishes outside what the agent can do, for which the policy demands a transfer to people."""

from env_server.domains.kit import GoldCall, Request
from env_server.domains.retail.scenarios import phrases
from env_server.domains.retail.scenarios.base import (
    Case,
    Part,
    Row,
    about_order,
    has_status,
    open_order,
)


def _handed_over(case: Case, order: Row, ask: str, wish: str, summary: str) -> Part:
    said = phrases.order(case, order)
    details = {"order": said, "transfer": "Yes, please transfer me.", "confirm": "No, I want nothing else."}
    call = GoldCall(
        name="transfer_to_human_agents", arguments={"summary": f"{summary} {order['order_id']}."}, compare=()
    )
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"{wish} {phrases.in_prose(said)}. You agree to being transferred if the agent cannot do that.",
        proof=(open_order(order),),
        handover=(call,),
        slots={"order": order["order_id"]},
    )


def lost_parcel(case: Case) -> Part:
    """An order shown as delivered has not arrived."""
    order = case.order
    return _handed_over(
        case,
        order,
        "A parcel that is marked as delivered never reached me, and I want it found.",
        "You never received an order that is marked as delivered, and want the parcel traced",
        "The user never received delivered order",
    )


def reinstate(case: Case) -> Part:
    """A cancelled order should be brought back."""
    order = case.order
    return _handed_over(
        case,
        order,
        "An order of mine was cancelled, and I want it brought back.",
        "You want a cancelled order brought back to life",
        "The user wants to reinstate cancelled order",
    )


def damages(case: Case) -> Part:
    """Something delivered did harm at home, and the caller claims compensation."""
    order = case.order
    return _handed_over(
        case,
        order,
        "Something I received damaged my floor, and I claim compensation for that.",
        "Something in a delivered order damaged your floor, and you claim compensation",
        "The user claims compensation for damage caused by order",
    )


LOST_PARCEL = about_order(lost_parcel, has_status("delivered"))
REINSTATE = about_order(reinstate, has_status("cancelled"))
DAMAGES = about_order(damages, has_status("delivered"))
