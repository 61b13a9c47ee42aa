"""Callers who change their mind when asked to confirm; gold is what they want in the end."""

from env_server.domains.doordash.scenarios import baskets, phrases
from env_server.domains.doordash.scenarios.base import (
    Case,
    Part,
    about_caller,
    about_order,
    about_place,
    has_status,
    open_menu,
    open_order,
    open_user,
    write,
)
from env_server.domains.doordash.scenarios.changes import (
    BEFORE_PICK_UP,
    REASONS,
    address_call,
    cancel_call,
    new_address,
    reachable,
    tip_call,
)
from env_server.domains.kit import Request


def other_count(case: Case) -> Part:
    """Orders so many of a dish, then another number."""
    [first, *rest] = baskets.draw(case, 1)
    count = first["quantity"] + case.rng.choice((1, 2))
    final = baskets.line(case, case.world.items[first["item_id"]], count, first["options"])
    way = baskets.checkout(case)
    answers = baskets.details(case.place, [first, *rest]) | way.details()
    revise = f"Wait, I have changed my mind: please make it {count} of the {first['name']}; all the rest as I said."
    return Part(
        requests=(Request(ask="I'd like to order something to eat.", details=answers, revise=revise),),
        goal=f"You want to order food. {baskets.prose(answers)} When the agent asks you to confirm, you change your"
        f" mind and want {count} of the {first['name']}; that is final.",
        reads=(open_menu(case),),
        writes=(*baskets.adds(case, [final, *rest]), way.call(case.user_id)),
        slots={"lines": baskets.slots([final, *rest]), **way.slots()},
    )


def other_address(case: Case) -> Part:
    """Wants an order sent to one address, then to another."""
    first, final = case.rng.sample(reachable(case.at), 2)
    said = phrases.order(case)
    details = {"order": said, "address": f"It should go to {phrases.spot(first)}."}
    revise = f"Wait, no: please send it to {phrases.spot(final)} instead."
    return Part(
        requests=(Request(ask="I need an order delivered somewhere else.", details=details, revise=revise),),
        goal=f"You want an order {phrases.in_prose(said)} sent to {phrases.spot(first)}. When the agent asks you to"
        f" confirm, you change your mind and want {phrases.spot(final)}; that is final.",
        reads=(open_order(case), open_user(case)),
        writes=(write("update_order", order_id=case.order_id, address_id=final["address_id"]),),
        slots={"order": case.order_id, "first": first["address_id"], "final": final["address_id"]},
    )


def other_money(case: Case) -> Part:
    """Cancels for a refund the way it was paid, then wants credits instead."""
    said, reason = phrases.order(case), case.rng.choice(list(REASONS))
    details = {"order": said, "reason": REASONS[reason], "payment": "Please refund me the way I paid."}
    revise = "Wait, I would rather have the money back as credits."
    return Part(
        requests=(Request(ask="I'd like to cancel an order.", details=details, revise=revise),),
        goal=f"You want to cancel an order {phrases.in_prose(said)} and get the money back the way you paid. Asked why:"
        f" {REASONS[reason]} When the agent asks you to confirm, you change your mind and want credits; that is final.",
        reads=(open_order(case),),
        writes=(cancel_call(case, reason, "credits"),),
        slots={"order": case.order_id, "reason": reason},
    )


def other_tip(case: Case) -> Part:
    """Wants a tip raised to one amount, then to another."""
    first, final = (round(case.order["tip"] + more, 2) for more in case.rng.sample((1.0, 1.5, 2.0, 3.0, 4.0), 2))
    said = phrases.order(case)
    details = {"order": said, "tip": f"The tip should be ${phrases.money(first)} in all."}
    revise = f"Wait, please make it ${phrases.money(final)} in all."
    return Part(
        requests=(Request(ask="I want to tip the courier of an order more.", details=details, revise=revise),),
        goal=f"You want the tip of an order {phrases.in_prose(said)} raised to ${phrases.money(first)} in all. When the"
        f" agent asks you to confirm, you change your mind and want ${phrases.money(final)} in all; that is final.",
        reads=(open_order(case),),
        writes=(tip_call(case, final),),
        slots={"order": case.order_id, "first": first, "final": final},
    )


def corrected_address(case: Case) -> Part:
    """Adds an address, then corrects its number."""
    final = new_address(case)
    number, street = final["address1"].split(maxsplit=1)
    first = final | {"address1": f"{int(number) + case.rng.choice((1, 2, 10))} {street}"}
    answers = {
        "address": f"The new address is {phrases.parts(first)}.",
        "label": 'Call it "other".',
        "default": "My default address stays as it is.",
    }
    revise = f"Sorry, the number is wrong: it is {final['address1']}; the rest is right."
    return Part(
        requests=(Request(ask="I'd like to add an address to my account.", details=answers, revise=revise),),
        goal=f'You want to add an address: {phrases.parts(first)}, with the label "other", your default address staying'
        f" as it is. When the agent asks you to confirm, you notice it must be {final['address1']}; that is final.",
        writes=(address_call(case, "other", final),),
        slots={"first": first, "final": final},
    )


OTHER_COUNT = about_place(other_count)
OTHER_ADDRESS = about_order(other_address, lambda at: at.order["status"] in BEFORE_PICK_UP and len(reachable(at)) > 1)
OTHER_MONEY = about_order(other_money, lambda at: at.order["status"] == "placed" and not at.on_credits)
OTHER_TIP = about_order(other_tip, lambda at: has_status(*BEFORE_PICK_UP, "picked_up")(at) and not at.on_credits)
CORRECTED_ADDRESS = about_caller(corrected_address)
