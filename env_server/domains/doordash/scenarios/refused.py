"""Wishes about orders that a rule forbids: the agent has to look, refuse, and settle what the caller takes instead.

Where the caller takes nothing instead, the score shows that the agent looked, changed nothing and handed nobody over.
It does not show that the agent refused in words: one that looks and then says nothing useful until the caller gives up
ends in the same state with the same calls, and scores the same.
"""

from env_server.domains.doordash.history import within
from env_server.domains.doordash.scenarios import phrases
from env_server.domains.doordash.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
    about_caller,
    about_order,
    has_status,
    open_order,
    open_user,
    order_status,
    read,
    write,
)
from env_server.domains.doordash.scenarios.changes import (
    REASONS,
    back_to,
    before_pick_up,
    cancel_call,
    costly,
    fee,
    tip_call,
)
from env_server.domains.kit import ONLY_ASKING, Request

AS_SAID = {"confirm": "Only if it is done just as I said."}
"""What callers answer to a question for a yes while they wish something forbidden: it accepts no alternative."""


def cancel_on_the_way(case: Case) -> Part:
    """An order that was picked up cannot be cancelled; the caller then wants to know what it cost."""
    said, (_, refund) = phrases.order(case), back_to(case)
    reason, total = REASONS[case.rng.choice(list(REASONS))], phrases.money(case.order["total"])
    then = Request(
        ask="Then at least tell me what I paid for it in all.",
        details={"order": said, "confirm": ONLY_ASKING},
        wants=(total,),
    )
    details = {"order": said, "reason": reason, "payment": refund} | AS_SAID
    return Part(
        requests=(Request(ask="I want to cancel an order.", details=details), then),
        goal=f"You want to cancel an order {phrases.in_prose(said)}. Asked why: {reason} {refund} If that is refused,"
        " you want to know what you paid for it in all.",
        proof=(open_order(case),),
        outputs=(total,),
        slots={"order": case.order_id, "reason": reason},
    )


def no_waiver(case: Case) -> Part:
    """A fee is not waived without a ground; the caller then pays it, and hears how much it is."""
    said, (to, refund) = phrases.order(case), back_to(case)
    reason, cost = case.rng.choice(list(REASONS)), phrases.money(fee(case.order))
    details = {"order": said, "reason": REASONS[reason], "payment": refund}
    only = {"fee": "I do not want to pay any fee.", "confirm": "Only if there is no fee at all."}
    return Part(
        requests=(
            Request(ask="I want to cancel an order without paying a fee.", details=details | only),
            Request(
                ask="Then cancel it with the fee, and tell me how much that is.",
                details=details | {"fee": "I will pay it."},
                wants=(cost,),
            ),
        ),
        goal=f"You want to cancel an order {phrases.in_prose(said)} without any fee. Asked why: {REASONS[reason]}"
        f" {refund} Only if a cancellation without a fee is refused, you accept the fee, and want to know how much it"
        " is.",
        proof=(order_status(case),),
        writes=(cancel_call(case, reason, to),),
        outputs=(cost,),
        slots={"order": case.order_id, "reason": reason, "to": to},
    )


def redirect_on_the_way(case: Case) -> Part:
    """An order that was picked up cannot be redirected; the caller then tips more."""
    address = case.rng.choice(_others(case.at))
    more, said = case.rng.choice((1.0, 2.0, 3.0)), phrases.order(case)
    tip = round(case.order["tip"] + more, 2)
    return Part(
        requests=(
            Request(
                ask="My order is going to the wrong address.",
                details={"order": said, "address": f"It should go to {phrases.spot(address)}."} | AS_SAID,
            ),
            Request(
                ask="Too bad. Then I want to tip the courier more, as I have to ask them to wait.",
                details={"order": said, "tip": f"Please add ${phrases.money(more)} to the tip there is."},
            ),
        ),
        goal=f"You want an order {phrases.in_prose(said)} sent to {phrases.spot(address)}. Only if that is refused, you"
        f" want ${phrases.money(more)} added to its tip.",
        proof=(open_order(case),),
        writes=(tip_call(case, tip),),
        slots={"order": case.order_id, "address": address["address_id"], "tip": tip},
    )


def redirect_too_far(case: Case) -> Part:
    """The new address is beyond the restaurant's radius; the caller then wants to meet the courier outside."""
    address, said = case.rng.choice(_too_far(case.at)), phrases.order(case)
    outside = {"order": said, "instructions": phrases.handing("meet_outside")}
    return Part(
        requests=(
            Request(
                ask="I need an order sent to another address of mine.",
                details={"order": said, "address": f"It should go to {phrases.spot(address)}."} | AS_SAID,
            ),
            Request(ask="Then leave the address, but change the instructions for the courier.", details=outside),
        ),
        goal=f"You want an order {phrases.in_prose(said)} sent to {phrases.spot(address)}. Only if that is refused, the"
        f" address stays, but the instructions should change: {phrases.handing('meet_outside')}",
        proof=(open_order(case),),
        writes=(write("update_order", order_id=case.order_id, instructions="meet_outside"),),
        slots={"order": case.order_id, "address": address["address_id"]},
    )


def tip_back(case: Case) -> Part:
    """A tip is not lowered once the courier has the order."""
    tip, said = round(case.order["tip"] - case.rng.choice((1.0, 1.5, 2.0)), 2), phrases.order(case)
    details = {"order": said, "tip": f"The tip should be ${phrases.money(tip)} in all."}
    return Part(
        requests=(Request(ask="I want part of a tip back.", details=details | AS_SAID),),
        goal=f"You want the tip of an order {phrases.in_prose(said)} lowered to ${phrases.money(tip)} in all. You"
        " accept it if you are refused.",
        proof=(open_order(case),),
        slots={"order": case.order_id, "tip": tip},
    )


def strong_at_door(case: Case) -> Part:
    """An order with alcohol is handed over in person; the caller then gives the courier a larger tip."""
    said, more = phrases.order(case), case.rng.choice((1.0, 1.5, 2.5))
    tip = round(case.order["tip"] + more, 2)
    details = {"order": said, "instructions": phrases.handing("leave_at_door")}
    return Part(
        requests=(
            Request(ask="I want to change the instructions for an order.", details=details | AS_SAID),
            Request(
                ask="Then I will open the door, but I want to tip more.",
                details={"order": said, "tip": f"Please add ${phrases.money(more)} to the tip there is."},
            ),
        ),
        goal=f"You want an order {phrases.in_prose(said)} left at your door. Only if that is refused, you want"
        f" ${phrases.money(more)} added to its tip instead.",
        proof=(open_order(case),),
        writes=(tip_call(case, tip),),
        slots={"order": case.order_id, "tip": tip},
    )


def friends_order(case: Case) -> Part:
    """Wants to cancel somebody else's order."""
    peers = (case.world.customers[p] for p in case.peers if p != case.user_id)
    foreign = case.rng.choice([order["order_id"] for peer in peers for order in case.world.orders_of(peer)])
    reason = REASONS[case.rng.choice(list(REASONS))]
    details = {
        "order": f"The order number is {foreign}. It is a friend's.",
        "reason": reason,
        "payment": "Please refund my friend.",
    }
    return Part(
        requests=(Request(ask="Please cancel an order for a friend of mine.", details=details | AS_SAID),),
        goal=f"You want order {foreign} cancelled, which a friend placed with their own account. Asked why: {reason}"
        " You accept it if you are refused.",
        proof=(read("get_order_details", order_id=foreign),),
        slots={"order": foreign, "reason": reason},
    )


def keep_default(case: Case) -> Part:
    """The default address cannot be removed; the caller then has another one removed."""
    default, other = case.at.addresses[0], case.rng.choice(case.at.addresses[1:])
    return Part(
        requests=(
            Request(
                ask="I want an address removed from my account.",
                details={"address": f"I mean {phrases.spot(default)}. My default address is not to change."} | AS_SAID,
            ),
            Request(
                ask="Then keep that one, but remove another.",
                details={"address": f"Please remove {phrases.spot(other)}."},
            ),
        ),
        goal=f"You want {phrases.spot(default)} removed without another address becoming the default one. Only if that"
        f" is refused, you want {phrases.spot(other)} removed.",
        proof=(open_user(case),),
        writes=(write("remove_address", user_id=case.user_id, address_id=other["address_id"]),),
        slots={"default": default["address_id"], "other": other["address_id"]},
    )


def _others(at: Spot) -> list[Row]:
    return [a for a in at.addresses if a["address_id"] != at.order["address"]["address_id"]]


def _too_far(at: Spot) -> list[Row]:
    return [a for a in _others(at) if not within(at.place, a)]


def _tipped(at: Spot) -> bool:
    return at.order["status"] in {"picked_up", "delivered"} and at.order["tip"] >= 2.5


CANCEL_ON_THE_WAY = about_order(cancel_on_the_way, has_status("picked_up"))
NO_WAIVER = about_order(no_waiver, lambda at: costly(at) and not at.on_credits)
REDIRECT_ON_THE_WAY = about_order(
    redirect_on_the_way, lambda at: at.order["status"] == "picked_up" and bool(_others(at)) and not at.on_credits
)
REDIRECT_TOO_FAR = about_order(
    redirect_too_far,
    lambda at: (
        before_pick_up(at) and bool(_too_far(at)) and not at.strong and at.order["instructions"] != "meet_outside"
    ),
)
TIP_BACK = about_order(tip_back, _tipped)
STRONG_AT_DOOR = about_order(strong_at_door, lambda at: before_pick_up(at) and at.strong and not at.on_credits)
FRIENDS_ORDER = about_caller(friends_order)
KEEP_DEFAULT = about_caller(keep_default, lambda at: len(at.addresses) > 1)
