"""Callers who change their mind when the agent asks for confirmation. Gold is the final wish."""

from env_server.domains.doordash.scenarios import asks, baskets, goals, order_asks
from env_server.domains.doordash.scenarios import details as said
from env_server.domains.doordash.scenarios.base import (
    BEFORE_PICK_UP,
    Case,
    Wish,
    about_caller,
    about_order,
    about_place,
    has_status,
    open_menu,
    open_order,
    open_user,
)
from env_server.domains.doordash.scenarios.book import adding, address_call, becomes_default, fresh_address, label
from env_server.domains.doordash.scenarios.changes import (
    REASONS,
    cancel_call,
    cancelling,
    placed,
    reachable,
    redirect_call,
    redirecting,
    setting_tip,
    tip_call,
)
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.kit import Known, money, prose, wish

OTHER_COUNT_WORDS = (
    "Wait, I have changed my mind: please make it {0} of the {1}; all the rest as I said.",
    "Hold on, {0} of the {1} instead; the rest stays.",
    "On second thought I want {0} of the {1}. Everything else as before.",
    "No, let me have {0} of the {1}; apart from that it is right.",
    "Actually, {0} of the {1}, please. The rest is fine.",
    # Kept for the held-out split.
    "One moment: it should be {0} of the {1} after all, nothing else changes.",
    "Sorry, I need {0} of the {1}; keep the rest.",
    "Let us rather say {0} of the {1}, and all else as it was.",
)
OTHER_ADDRESS_WORDS = (
    "Wait, no: please send it to {} instead.",
    "Hold on, it should rather go to {}.",
    "On second thought, {} is better.",
    "No, let it go to {}.",
    "Actually I will be at {}, so send it there.",
    # Kept for the held-out split.
    "One moment: {} after all.",
    "Sorry, not there. Bring it to {}.",
    "Let us rather take {}.",
)
OTHER_MONEY_WORDS = (
    "Wait, I would rather have the money back as credits.",
    "Hold on, make the refund credits instead.",
    "On second thought, put it on my credits.",
    "No, give it to me as credits.",
    "Actually I prefer credits for the refund.",
    # Kept for the held-out split.
    "One moment: I take credits after all.",
    "Sorry, I want it in credits.",
    "Let us rather turn it into credits.",
)
OTHER_TIP_WORDS = (
    "Wait, please make it ${} in all.",
    "Hold on, ${} in all is better.",
    "On second thought the tip should be ${}.",
    "No, let it be ${} altogether.",
    "Actually I want to tip ${} in all.",
    # Kept for the held-out split.
    "One moment: ${} in all after all.",
    "Sorry, ${} in total is what I mean.",
    "Let us rather say ${} as the tip.",
)
OTHER_NUMBER_WORDS = (
    "Sorry, the number is wrong: it is {}; the rest is right.",
    "Wait, I got the number wrong. It must be {}, all else stays.",
    "Hold on, it is {}; everything else is correct.",
    "No, I misspoke: {}. The rest is as I said.",
    "I see now that it should be {}, and the rest is fine.",
    # Kept for the held-out split.
    "One moment, I read it wrongly: {}. Nothing else changes.",
    "That number was a slip, make it {}; keep the rest.",
    "It ought to be {}, apart from that it is right.",
)


def other_count(case: Case) -> Wish:
    """The caller orders so many of a dish, then another number."""
    [first, *rest] = baskets.draw(case, 1)
    count = first["quantity"] + case.rng.choice((1, 2))
    final = baskets.line(case, case.world.items[first["item_id"]], count, first["options"])
    way, lines = baskets.checkout(case), [final, *rest]
    answers = baskets.food(case, [first, *rest]) | way.details(case)
    later = said.dishes(case, lines)
    revise = case.voice.pick(*OTHER_COUNT_WORDS).format(count, first["name"])
    basket = baskets.ordering(answers | {"items": later}, [*baskets.shapes(lines), way.shape()])
    request = wish(
        case,
        *asks.FOOD,
        details=said.known(answers),
        changes=(basket,),
        revise=revise,
        revised={"items": later.known},
    )
    return Wish(
        requests=(request,),
        goal=goals.goal(case, asks.FOOD, answers, prose.revised(case.voice, revise)),
        reads=(open_menu(case),),
        writes=(*baskets.adds(case, lines), way.call(case.user_id)),
        slots={"lines": baskets.slots(lines), **way.slots()},
    )


def other_address(case: Case) -> Wish:
    """The caller wants an order sent to one address, then to another."""
    first, final = case.rng.sample(reachable(case.at), 2)
    now = case.order["address"]
    answers = {"order": said.order(case), "address": said.spot(case, first, but=(now,))}
    later = said.spot(case, final, but=(now, first))
    revise = case.voice.pick(*OTHER_ADDRESS_WORDS).format(later.words)
    sent = redirecting(case, answers | {"address": later})
    phrases = order_asks.REDIRECT
    request = wish(
        case,
        *phrases,
        details=said.known(answers),
        changes=(sent,),
        revise=revise,
        revised={"address": later.known},
    )
    return Wish(
        requests=(request,),
        goal=goals.goal(case, phrases, answers, prose.revised(case.voice, revise)),
        reads=(open_order(case), open_user(case)),
        writes=(redirect_call(case, final),),
        slots={"order": case.order_id, "first": first["address_id"], "final": final["address_id"]},
    )


def other_money(case: Case) -> Wish:
    """The caller cancels for a refund the way it was paid, then wants credits instead."""
    reason = case.rng.choice(REASONS)
    answers = {
        "order": said.order(case),
        "reason": said.reason(case, reason),
        "payment": said.back_to(case, "original"),
    }
    later = said.back_to(case, "credits")
    revise = case.voice.pick(*OTHER_MONEY_WORDS)
    cancelled = cancelling(case, answers | {"payment": later}, reason, "credits")
    phrases = order_asks.CANCEL
    request = wish(
        case,
        *phrases,
        details=said.known(answers),
        changes=(cancelled,),
        revise=revise,
        revised={"payment": later.known},
    )
    return Wish(
        requests=(request,),
        goal=goals.goal(case, phrases, answers, prose.revised(case.voice, revise)),
        reads=(open_order(case),),
        writes=(cancel_call(case, reason, "credits"),),
        slots={"order": case.order_id, "reason": reason},
    )


def other_tip(case: Case) -> Wish:
    """The caller wants a tip raised to one amount, then to another."""
    first, final = (round(case.order["tip"] + more, 2) for more in case.rng.sample((1.0, 1.5, 2.0, 3.0, 4.0), 2))
    answers = {"order": said.order(case), "tip": said.tip(case, first)}
    later = said.tip(case, final)
    revise = case.voice.pick(*OTHER_TIP_WORDS).format(money(final))
    set_to = setting_tip(case, answers | {"tip": later}, final)
    phrases = order_asks.RAISE_TIP
    request = wish(
        case,
        *phrases,
        details=said.known(answers),
        changes=(set_to,),
        revise=revise,
        revised={"tip": later.known},
    )
    return Wish(
        requests=(request,),
        goal=goals.goal(case, phrases, answers, prose.revised(case.voice, revise)),
        reads=(open_order(case),),
        writes=(tip_call(case, final),),
        slots={"order": case.order_id, "first": first, "final": final},
    )


def corrected_address(case: Case) -> Wish:
    """The caller adds an address, then corrects its number."""
    final = fresh_address(case)
    number, street = final["address1"].split(maxsplit=1)
    first = final | {"address1": f"{int(number) + case.rng.choice((1, 2, 10))} {street}"}
    answers: dict[str, Detail] = {
        "address": said.new_address(case, first),
        "label": label(case, "other"),
        "default": becomes_default(case, default=False),
    }
    revise = case.voice.pick(*OTHER_NUMBER_WORDS).format(final["address1"])
    added = adding(answers, "other", final)
    phrases = order_asks.ADD_ADDRESS
    later = Known(revise, ((final["address1"], final["zip"]),), (first["address1"],))
    request = wish(
        case,
        *phrases,
        details=said.known(answers),
        changes=(added,),
        revise=revise,
        revised={"address": later},
    )
    return Wish(
        requests=(request,),
        goal=goals.goal(case, phrases, answers, prose.revised(case.voice, revise)),
        writes=(address_call(case, "other", final),),
        slots={"first": first, "final": final},
    )


OTHER_COUNT = about_place(other_count)
OTHER_ADDRESS = about_order(other_address, lambda at: at.order["status"] in BEFORE_PICK_UP and len(reachable(at)) > 1)
OTHER_MONEY = about_order(other_money, placed)
OTHER_TIP = about_order(other_tip, lambda at: has_status(*BEFORE_PICK_UP, "picked_up")(at) and not at.on_credits)
CORRECTED_ADDRESS = about_caller(corrected_address)
