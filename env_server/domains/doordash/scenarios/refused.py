"""Wishes about orders that the rows grant or forbid. The same words lead to a change, or to a
refusal after a look-up.
"""

from collections.abc import Mapping
from typing import Any

from env_server.domains import kit
from env_server.domains.doordash.history import within
from env_server.domains.doordash.scenarios import baskets, goals, order_asks, patches
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios.base import (
    Case,
    Fate,
    Row,
    Spot,
    Wish,
    about_caller,
    about_order,
    check_way,
    decided,
    open_order,
    open_user,
    order_status,
)
from env_server.domains.doordash.scenarios.book import remove_call, removing
from env_server.domains.doordash.scenarios.changes import (
    REASONS,
    back_to,
    before_pick_up,
    cancel_call,
    cancelling,
    costly,
    fee,
    fee_told,
    instruct_call,
    instructing,
    more_tip,
    pays,
    placed,
    raising,
    reachable,
    redirect_call,
    redirected,
    redirecting,
    setting_tip,
    tip_call,
    tippable,
)
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.doordash.scenarios.ordering import strong_items
from env_server.domains.kit import Form, Known, Refusal, prose, told, wish


def _clock(moment: str) -> str:
    """Return the time of day of a moment: `18:05`."""
    return moment[11:]


UNDER_WAY: tuple[Form, ...] = (
    *("picked up", "pick up", "picked_up", "on its way", "on the way", "with the courier", "courier has it"),
    *("out for delivery", "collected", "courier already has", "left the restaurant"),
)
"""The agents' phrases for an order that a courier has picked up."""

_ARRIVED = ("was delivered", "has been delivered", "been cancelled", "is preparing", "being prepared")


def picked_up(case: Case, fields: Mapping[str, Any], *about: Form) -> Fate:
    """Return the refusal of an action that is possible only until an order is picked up."""
    at = _clock(fields["picked_up_at"])
    says = f"the order was picked up at {at} and is with the courier"
    refusal = Refusal(says, (*UNDER_WAY, at), _ARRIVED, about)
    return Fate(refusals=(refusal,), initial=patches.order(case, **fields))


def cancel_on_the_way(case: Case) -> Wish:
    """A picked-up order cannot be cancelled. The caller then asks for its price."""
    (to, money), reason = back_to(case), case.rng.choice(REASONS)
    answers = {"order": said.order(case), "reason": said.reason(case, reason), "payment": money}
    total, fields = kit.money(case.order["total"]), patches.on_the_way(case)
    want, tell = told(total, f"In all you paid ${total} for it.", "paid", "total", "cost", "in all", "charged", wish=1)
    requests = (
        wish(
            case,
            *order_asks.CANCEL,
            details=said.known(answers),
            changes=(cancelling(case, answers, reason, to),),
        ),
        wish(
            case,
            *order_asks.PAID_FOR_IT,
            details={"order": answers["order"].known},
            wants=(want,),
            instead=True,
        ),
    )
    goal = f"{goals.goal(case, order_asks.CANCEL, answers)} {goals.instead(case, order_asks.PAID_FOR_IT)}"
    refused = picked_up(case, fields)
    return decided(
        case,
        requests,
        goal,
        (open_order(case),),
        {"order": case.order_id, "reason": reason},
        due=Fate(writes=(cancel_call(case, reason, to),)),
        otherwise=Fate(tells=(tell,), refusals=refused.refusals, initial=refused.initial),
    )


NO_FEE: tuple[Form, ...] = (
    *("no fee", "without a fee", "without any fee", "without fee", "free of charge", "no charge", "without charge"),
    *("waive", "waived", "waiving", "free", "at no cost", "no cost", "0", "fee free", "no cancellation fee"),
    *("without paying", "no fees"),
)


def no_waiver(case: Case) -> Wish:
    """A fee is waived only for an order that is half an hour late. Otherwise the caller pays it."""
    (to, money), reason = back_to(case), case.rng.choice(REASONS)
    free = Detail(Known(case.voice.pick(*order_asks.NO_FEE), NO_FEE), "no fee")
    answers = {"order": said.order(case), "reason": said.reason(case, reason), "payment": money, "fee": free}
    paying, late = answers | {"fee": pays(case)}, case.rng.randint(33, 74)
    want, tell = fee_told(fee(case.order), wish=1)
    promised = _clock(case.order["promised_at"])
    refusal = Refusal(
        f"the order is not late: it was promised for {promised}",
        (promised, "not late", "not yet late", "not overdue", ("0", "late"), "on time", "not 30 minutes"),
        about=("fee", "waive"),
    )
    requests = (
        wish(
            case,
            *order_asks.CANCEL_FREE,
            details=said.known(answers),
            changes=(cancelling(case, answers, reason, to, waive=True),),
        ),
        wish(
            case,
            *order_asks.CANCEL_PAYING,
            details=said.known(paying),
            changes=(cancelling(case, answers, reason, to),),
            wants=(want,),
            instead=True,
        ),
    )
    goal = f"{goals.goal(case, order_asks.CANCEL_FREE, answers)} {goals.instead(case, order_asks.CANCEL_PAYING)}"
    return decided(
        case,
        requests,
        goal,
        (order_status(case),),
        {"order": case.order_id, "reason": reason, "to": to},
        due=Fate(
            writes=(cancel_call(case, reason, to, waive=True),),
            initial=patches.order(case, **patches.late_by(late)),
        ),
        otherwise=Fate(
            writes=(cancel_call(case, reason, to),),
            tells=(tell,),
            refusals=(refusal,),
        ),
    )


def redirect_on_the_way(case: Case) -> Wish:
    """A picked-up order cannot be redirected. The caller then tips more."""
    address, more = case.rng.choice(reachable(case.at)), case.rng.choice((1.0, 2.0, 3.0))
    answers, fields = redirected(case, address), patches.on_the_way(case)
    tipped = {"order": answers["order"], "tip": more_tip(case, more)}
    requests = (
        wish(
            case,
            *order_asks.REDIRECT,
            details=said.known(answers),
            changes=(redirecting(case, answers),),
        ),
        wish(
            case,
            *order_asks.RAISE_TIP,
            details=said.known(tipped),
            changes=(raising(case, tipped),),
            instead=True,
        ),
    )
    goal = " ".join(
        (
            goals.goal(case, order_asks.REDIRECT, answers),
            goals.instead(case, order_asks.RAISE_TIP, {"tip": tipped["tip"]}),
        )
    )
    refused = picked_up(case, fields, "address")
    return decided(
        case,
        requests,
        goal,
        (open_order(case),),
        {"order": case.order_id, "address": address["address_id"], "more": more},
        due=Fate(writes=(redirect_call(case, address),)),
        otherwise=Fate(
            writes=(tip_call(case, round(case.order["tip"] + more, 2)),),
            refusals=refused.refusals,
            initial=refused.initial,
        ),
    )


def out_of_range(case: Case, address: Row, *about: Form) -> Refusal:
    """Return the refusal of an address that is too far from the restaurant."""
    miles, radius = case.place["miles"][address["zip"]], case.place["delivery_radius"]
    says = f"that address is {miles} miles from {case.place['name']}, which delivers up to {radius} miles"
    units: tuple[Form, ...] = tuple((str(number), unit) for number in (miles, radius) for unit in ("mile", "mi"))
    return Refusal(says, units, about=about)


def in_range(case: Case, address: Row) -> dict[str, Any]:
    """Return the fields of the restaurant if it delivers to the address."""
    return {"delivery_radius": round(case.place["miles"][address["zip"]] + 0.6, 1)}


def redirect_too_far(case: Case) -> Wish:
    """The new address is beyond the restaurant's radius. The caller then wants to meet the courier outside."""
    address = case.rng.choice(_too_far(case.at))
    answers = redirected(case, address)
    outside = {"order": answers["order"], "instructions": said.handing(case, "meet_outside")}
    requests = (
        wish(
            case,
            *order_asks.REDIRECT,
            details=said.known(answers),
            changes=(redirecting(case, answers),),
        ),
        wish(
            case,
            *order_asks.INSTRUCT,
            details=said.known(outside),
            changes=(instructing(case, outside, "meet_outside"),),
            instead=True,
        ),
    )
    goal = " ".join(
        (
            goals.goal(case, order_asks.REDIRECT, answers),
            goals.instead(case, order_asks.INSTRUCT, {"instructions": outside["instructions"]}),
        )
    )
    return decided(
        case,
        requests,
        goal,
        (open_order(case), check_way(case, address)),
        {"order": case.order_id, "address": address["address_id"]},
        due=Fate(
            writes=(redirect_call(case, address),),
            initial=patches.place(case.place, **in_range(case, address)),
        ),
        otherwise=Fate(
            writes=(instruct_call(case, "meet_outside"),),
            refusals=(out_of_range(case, address, "address"),),
        ),
    )


def tip_back(case: Case) -> Wish:
    """A tip cannot be lowered after the courier has the order."""
    tip = round(case.order["tip"] - case.rng.choice((1.0, 1.5, 2.0)), 2)
    answers, fields = {"order": said.order(case), "tip": said.tip(case, tip)}, patches.on_the_way(case)
    requests = (
        wish(
            case,
            *order_asks.LOWER_TIP,
            details=said.known(answers),
            changes=(setting_tip(case, answers, tip),),
        ),
    )
    return decided(
        case,
        requests,
        f"{goals.goal(case, order_asks.LOWER_TIP, answers)} {prose.accepts(case.voice)}",
        (open_order(case),),
        {"order": case.order_id, "tip": tip},
        due=Fate(writes=(tip_call(case, tip),)),
        otherwise=picked_up(case, fields, "tip"),
    )


def strong_at_door(case: Case) -> Wish:
    """An order with alcohol is handed over in person. The caller then raises the courier's tip."""
    more = case.rng.choice((1.0, 1.5, 2.5))
    strong = baskets.line(case, case.rng.choice(strong_items(case.at)), 1)
    answers = {"order": said.order(case), "instructions": said.handing(case, "leave_at_door")}
    tipped = {"order": answers["order"], "tip": more_tip(case, more)}
    requests = (
        wish(
            case,
            *order_asks.INSTRUCT,
            details=said.known(answers),
            changes=(instructing(case, answers, "leave_at_door"),),
        ),
        wish(
            case,
            *order_asks.RAISE_TIP,
            details=said.known(tipped),
            changes=(raising(case, tipped),),
            instead=True,
        ),
    )
    goal = " ".join(
        (
            goals.goal(case, order_asks.INSTRUCT, answers),
            goals.instead(case, order_asks.RAISE_TIP, {"tip": tipped["tip"]}),
        )
    )
    refusal = Refusal(
        f"there is alcohol in the order, the {strong['name']}",
        (strong["name"], "alcohol", "alcoholic"),
        about=("door", "instructions"),
    )
    return decided(
        case,
        requests,
        goal,
        (open_order(case),),
        {"order": case.order_id, "more": more, "strong": strong["line_id"]},
        due=Fate(
            writes=(instruct_call(case, "leave_at_door"),),
            initial=patches.order(case, instructions="hand_to_me"),
        ),
        otherwise=Fate(
            writes=(tip_call(case, round(case.order["tip"] + more, 2)),),
            refusals=(refusal,),
            initial=patches.order(case, instructions="hand_to_me", **patches.billed(case, [strong])),
        ),
    )


NOT_YOURS: tuple[Form, ...] = (
    *("another customer", "another account", "another user", "another person", "someone else", "somebody else"),
    *("different account", "different customer", "different user", "not yours", "not your order", "not your own"),
    *("not in your account", "not under your account", "not among your orders", "not one of your orders"),
    *("does not belong to you", "doesn't belong to you", "not belong", "other customer", "not linked to your account"),
    *("not part of your account", "isn't yours", "isn't in your account", "not on your account", "belongs to another"),
)


def strange_order(case: Case) -> Wish:
    """Only its own customer can have an order cancelled."""
    (to, money), reason = back_to(case), case.rng.choice(REASONS)
    peer = case.world.customers[case.rng.choice([p for p in case.peers if p != case.user_id])]
    order = said.order(case, numbered=True)
    order = Detail(Known(order.known.text, (case.order_id,)), order.words)
    answers = {"order": order, "reason": said.reason(case, reason), "payment": money}
    paid = next(m["id"] for m in peer["payment_methods"].values() if m["source"] != "credits")
    theirs = {
        "user_id": peer["user_id"],
        "payment_method_id": paid,
        "address": dict(peer["addresses"][peer["default_address_id"]]),
    }
    requests = (
        wish(
            case,
            *order_asks.CANCEL,
            details=said.known(answers),
            changes=(cancelling(case, answers, reason, to),),
        ),
    )
    return decided(
        case,
        requests,
        f"{goals.goal(case, order_asks.CANCEL, answers)} {prose.accepts(case.voice)}",
        (open_order(case),),
        {"order": case.order_id, "reason": reason},
        due=Fate(writes=(cancel_call(case, reason, to),)),
        otherwise=Fate(
            refusals=(Refusal("that order belongs to another customer", NOT_YOURS),),
            initial=patches.order(case, **theirs),
        ),
    )


THE_DEFAULT: tuple[Form, ...] = (
    *("is your default", "is the default", "it's your default", "that's your default", "as your default"),
    *("as the default", "as default", "your current default", "currently your default", "being your default"),
    *("default address cannot", "default address can't", "default address can not", "is currently the default"),
)


def keep_default(case: Case) -> Wish:
    """The default address cannot be removed. The caller then has another one removed."""
    named, other = case.rng.sample(case.at.addresses, 2)
    stays = Detail(Known(case.voice.pick(*order_asks.STAYS)), "your default address staying")
    answers = {"address": said.spot(case, named, *order_asks.REMOVE_IT, but=(other,)), "default": stays}
    rather = {"address": said.spot(case, other, *order_asks.REMOVE_IT, but=(named,))}
    requests = (
        wish(
            case,
            *order_asks.REMOVE_ADDRESS,
            details=said.known(answers),
            changes=(removing(answers["address"], "address"),),
        ),
        wish(
            case,
            *order_asks.REMOVE_OTHER,
            details=said.known(rather),
            changes=(removing(rather["address"], "address"),),
            instead=True,
        ),
    )
    goal = " ".join(
        (
            goals.goal(case, order_asks.REMOVE_ADDRESS, answers),
            goals.instead(case, order_asks.REMOVE_OTHER, rather),
        )
    )
    return decided(
        case,
        requests,
        goal,
        (open_user(case),),
        {"named": named["address_id"], "other": other["address_id"]},
        due=Fate(
            writes=(remove_call(case, named),),
            initial=patches.user(case, default_address_id=other["address_id"]),
        ),
        otherwise=Fate(
            writes=(remove_call(case, other),),
            refusals=(Refusal("it is your default address", THE_DEFAULT, about=("address",)),),
            initial=patches.user(case, default_address_id=named["address_id"]),
        ),
    )


def _too_far(at: Spot) -> list[Row]:
    others = [a for a in at.addresses if a["address_id"] != at.order["address"]["address_id"]]
    return [a for a in others if not within(at.place, a)]


CANCEL_ON_THE_WAY = about_order(cancel_on_the_way, placed)
NO_WAIVER = about_order(no_waiver, lambda at: costly(at) and at.cancellable and not at.on_credits)
REDIRECT_ON_THE_WAY = about_order(
    redirect_on_the_way, lambda at: before_pick_up(at) and bool(reachable(at)) and not at.on_credits
)
REDIRECT_TOO_FAR = about_order(
    redirect_too_far,
    lambda at: (
        before_pick_up(at) and bool(_too_far(at)) and not at.strong and at.order["instructions"] != "meet_outside"
    ),
)
TIP_BACK = about_order(tip_back, tippable)
STRONG_AT_DOOR = about_order(
    strong_at_door,
    lambda at: before_pick_up(at) and at.adult and not at.strong and not at.on_credits and bool(strong_items(at)),
)
STRANGE_ORDER = about_order(strange_order, placed)
KEEP_DEFAULT = about_caller(keep_default, lambda at: len(at.addresses) > 1)
