"""Callers who change their mind when the agent asks for confirmation. Gold is the final wish."""

from env_server.domains.kit import prose, wish
from env_server.domains.retail import people
from env_server.domains.retail.scenarios import agreed, asks, phrases, words
from env_server.domains.retail.scenarios.base import (
    Case,
    Spot,
    Wish,
    about_caller,
    about_order,
    has_status,
    open_order,
    open_products,
    paid_with,
)
from env_server.domains.retail.scenarios.changes import (
    a_reason,
    address_call,
    return_call,
    return_details,
    send_call,
    swap_call,
    swap_details,
    swap_tool,
)


def other_version(case: Case) -> Wish:
    """The caller wants one variant, then another."""
    order = case.order
    item = case.rng.choice([item for item in order["items"] if len(case.shop.others(item)) > 1])
    first, final = case.rng.sample(case.shop.others(item), 2)
    method, said = case.pay_with(), phrases.order(case, order)
    details = swap_details(case, said, [item], [first], method)
    revise = case.voice.pick(*words.REVISED_VERSION).format(phrases.options(final))
    call = swap_call(swap_tool(order), order, [item], [final], method)
    noun = phrases.method(case.methods[method])
    change = agreed.swapping(said, [item], phrases.versions([item], [final]), noun, call, "new_items")
    request = wish(
        case,
        *asks.VERSION,
        details=details,
        changes=[change],
        revise=revise,
        revised={"new_items": phrases.variants(case, [item], [final])},
    )
    return Wish(
        requests=(request,),
        goal=phrases.goal(case, asks.VERSION, details, prose.revised(case.voice, revise)),
        reads=(open_order(order), *open_products([item])),
        writes=(call,),
        slots={"order": order["order_id"], "first": first["item_id"], "new": final["item_id"], "payment": method},
    )


def fewer_items(case: Case) -> Wish:
    """The caller wants to return several items, then keeps one of them."""
    order = case.order
    items = case.rng.sample(order["items"], case.rng.randint(2, len(order["items"])))
    kept, rest = items[-1], items[:-1]
    method, said = paid_with(order), phrases.order(case, order)
    details = return_details(case, said, items, method)
    revise = case.voice.pick(*words.FEWER).format(kept=phrases.names([kept]), rest=phrases.names(rest))
    call = return_call(order, rest, method)
    request = wish(
        case,
        *asks.FEWER,
        details=details,
        changes=[agreed.returning(said, rest, phrases.method(case.methods[method]), call)],
        revise=revise,
        revised={"items": phrases.things(case, order, rest)},
    )
    return Wish(
        requests=(request,),
        goal=phrases.goal(case, asks.FEWER, details, prose.revised(case.voice, revise)),
        reads=(open_order(order),),
        writes=(call,),
        slots={"order": order["order_id"], "items": [i["item_id"] for i in rest], "kept": kept["item_id"]},
    )


def redirect_instead(case: Case) -> Wish:
    """The caller wants to cancel, then only to have the order sent elsewhere."""
    order, new = case.order, people.address(case.rng)
    why, said = a_reason(case, order), phrases.order(case, order)
    details = {"order": said, "reason": phrases.reason(case, why)}
    revise = case.voice.pick(*words.NOT_CANCEL).format(phrases.address(new))
    request = wish(
        case,
        *asks.UNSURE,
        details=details,
        changes=[agreed.sending(said, order, new, phrases.address(new), *agreed.CANCELS)],
        revise=revise,
        revised={"address": phrases.new_address(case, new)},
    )
    return Wish(
        requests=(request,),
        goal=phrases.goal(case, asks.UNSURE, details, prose.revised(case.voice, revise)),
        reads=(open_order(order),),
        writes=(send_call(order, new),),
        slots={"order": order["order_id"], "reason": why, "address": new},
    )


def corrected_address(case: Case) -> Wish:
    """The caller gives a new default address, and then corrects it."""
    first, other = people.address(case.rng), people.address(case.rng)
    final = first | {"address1": other["address1"], "address2": other["address2"]}
    details = {"address": phrases.new_address(case, first)}
    revise = case.voice.pick(*words.CORRECTED).format(phrases.address(final))
    request = wish(
        case,
        *asks.CORRECT,
        details=details,
        changes=[agreed.moving(case.user, final)],
        revise=revise,
        revised={"address": phrases.new_address(case, final)},
    )
    return Wish(
        requests=(request,),
        goal=phrases.goal(case, asks.CORRECT, details, prose.revised(case.voice, revise)),
        writes=(address_call("modify_user_address", "user_id", case.user["user_id"], final),),
        slots={"first": first, "address": final},
    )


def _two_others(at: Spot) -> bool:
    choices = (at.shop.others(item) for item in at.order["items"])
    return at.order["status"] in {"pending", "delivered"} and any(len(others) > 1 for others in choices)


OTHER_VERSION = about_order(other_version, _two_others)
FEWER_ITEMS = about_order(fewer_items, lambda at: at.order["status"] == "delivered" and len(at.order["items"]) > 1)
REDIRECT_INSTEAD = about_order(redirect_instead, has_status("pending"))
CORRECTED_ADDRESS = about_caller(corrected_address)
