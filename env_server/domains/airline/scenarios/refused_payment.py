"""Payment methods that a rule forbids because of the profile's data, and the caller's alternative payment method."""

from dataclasses import replace

from env_server.domains.airline.scenarios import details, phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Row,
    Spot,
    Wish,
    about,
    about_caller,
    direct,
    has,
    open_reservation,
    open_user,
    searches,
    stored,
)
from env_server.domains.airline.scenarios.bookings import BOOK_ASKS
from env_server.domains.airline.scenarios.company import adding, bags_call, extra_cost, first_paid, nearly_full
from env_server.domains.airline.scenarios.flights import cabin_difference, cabins_for, can_change_cabin, seating
from env_server.domains.airline.scenarios.plan import plan
from env_server.domains.airline.scenarios.wanted import Rows, refused
from env_server.domains.kit import Known, Patch, Refusal

DEAR = 60
"""The minimum price in dollars of a change that a gift card does not cover."""

CREDIT = (
    "Please use the ${0} credit in my profile.",
    "Take the credit of ${0} that I have with you.",
    "There should be ${0} of credit in my profile; use that.",
    "I want the ${0} from my profile used for it.",
    "My profile holds a credit of ${0}. It should pay for that.",
    # Kept for the held-out split.
    "I have ${0} stored with you, which should do.",
    "Let the ${0} that you keep for me pay for it.",
    "The stored amount of ${0} is meant for this.",
)
TWO_CREDITS = (
    "Please use up the ${0} credit in my profile, then the ${1} credit, and {2} for the rest.",
    "Take my credits of ${0} and ${1}, in this order, and charge the remainder to {2}.",
    "My profile has ${0} and ${1} of credit; use both, and {2} for what is left.",
    "First all of the ${0}, then all of the ${1} that I have with you, and the rest on {2}.",
    "I want both credits used, ${0} and then ${1}, and {2} for the remainder.",
    # Kept for the held-out split.
    "I have ${0} and another ${1} stored with you; they go in first, and {2} pays what is missing.",
    "Let the ${0} and the ${1} that you keep for me be used up, with {2} for anything beyond.",
    "The stored amounts of ${0} and ${1} come first, and then {2}.",
)
GIFT_CARD = (
    "Please use my gift card.",
    "Take my gift card for the difference.",
    "My gift card should pay for it.",
    "I want to settle it with my gift card.",
    "It goes on my gift card.",
    # Kept for the held-out split.
    "The gift card that I have with you is for that.",
    "Let us use the gift card up on this.",
    "There is a gift card in my profile; charge that.",
)
CARD_ASKS = (
    "have it charged to my credit card",
    "pay for it with my credit card",
    "use my credit card for it",
    "put it on my credit card",
    "settle it by credit card",
    "do the same by credit card",
    # Kept for the held-out split.
    "let my credit card pay for it",
    "take the credit card for that",
    "get it done with a credit card of mine",
)
LARGER_ASKS = (
    "use only the larger of the two, and the card for the rest",
    "take just the bigger one and charge the rest to the card",
    "pay with the larger amount and the card",
    "keep the smaller one and use the larger one with my card",
    "have only the higher of the two used, then the card",
    "leave the smaller one alone and charge what is missing to the card",
    # Kept for the held-out split.
    "save the lesser of the two for another day and pay the rest by card",
    "let the bigger one and the card cover it",
    "spend only the larger one, with the card for the remainder",
)


def paper_for_bags(case: Case) -> Wish:
    """A certificate cannot pay for bags. In the twin the credit is a gift card."""
    paper = case.rng.choice(_covering(case.spot))
    more, card = first_paid(case.spot), case.card()
    trip, amount = details.trip(case, case.reservation), f"{paper['amount']:.0f}"
    pays = details.Paying(Known(case.say(CREDIT, amount), (amount,)), f"the credit of ${amount} in your profile")
    rows, gift = _as_gift_card(case, paper)
    wanted = adding(case, more, card, trip=trip, pays=pays)
    call = bags_call(case, case.reservation["total_baggages"] + more, gift)
    wanted = replace(wanted, writes=(call,), slots={**wanted.slots, "wrong": paper["id"]})
    instead = adding(case, more, card, asks=CARD_ASKS, trip=trip)
    reason = Refusal(
        says=f"the ${amount} in your profile is a travel certificate",
        because=("certificate", "voucher"),
        about=("certificate", "credit", "pay"),
    )
    return refused(case, wanted, reason, (open_reservation(case.reservation),), rows, instead)


def _covering(at: Spot) -> list[Row]:
    """Return the certificates that cover the first paid bag and whose amount is unique in the profile."""
    cost, amounts = extra_cost(at, first_paid(at)), _amounts(at.user)
    return [m for m in stored(at.user, "certificate") if m["amount"] >= cost and amounts.count(m["amount"]) == 1]


def _amounts(user: Row) -> list[float]:
    return [method["amount"] for method in user["payment_methods"].values() if "amount" in method]


def _as_gift_card(case: Case, paper: Row) -> tuple[Rows, Row]:
    """Return the twin's profile: a gift card holds the certificate's amount, and the certificate
    holds another amount.
    """
    taken = _amounts(case.customer)
    other = case.rng.choice([float(n) for n in range(50, 425, 25) if n not in taken])
    while (key := f"gift_card_{case.rng.randrange(10**6, 10**7)}") in case.world.numbers:
        pass
    gift = {"source": "gift_card", "id": key, "amount": paper["amount"]}
    patch: Patch = {
        "users": {case.customer["user_id"]: {"payment_methods": {paper["id"]: {"amount": other}, key: gift}}}
    }
    return Rows(due=patch), gift


def short_gift_card(case: Case) -> Wish:
    """A gift card must cover the price difference. In the twin it does."""
    reservation, card = case.reservation, case.card()
    (gift,) = stored(case.customer, "gift_card")
    name = case.rng.choice(_dearer(case.spot))
    cost = cabin_difference(case.spot, name)
    short, enough = case.rng.randint(20, cost - 10), cost + case.rng.randint(10, 300)
    trip = details.trip(case, reservation)
    pays = details.Paying(Known(case.say(GIFT_CARD), ("gift card",)), "your gift card")
    wanted = seating(case, name, gift, trip=trip, pays=pays)
    instead = seating(case, name, card, asks=CARD_ASKS, trip=trip)
    reason = Refusal(
        says=f"your gift card holds only ${short}, and the difference is ${cost}",
        because=(str(short), str(cost)),
        about=("gift card",),
    )
    rows = Rows(_holding(case, gift, short), _holding(case, gift, enough))
    return refused(
        case, wanted, reason, (open_reservation(reservation), *searches(reservation["flights"])), rows, instead
    )


def _holding(case: Case, gift: Row, amount: int) -> Patch:
    return {"users": {case.customer["user_id"]: {"payment_methods": {gift["id"]: {"amount": float(amount)}}}}}


def _dearer(at: Spot) -> list[str]:
    """Return the other cabins that clearly cost more."""
    return [name for name in cabins_for(at) if cabin_difference(at, name) >= DEAR]


def two_certificates(case: Case) -> Wish:
    """The caller wants to pay with two certificates. One certificate is allowed. In the twin the
    second is a gift card.
    """
    card, papers = case.card(), sorted(stored(case.customer, "certificate"), key=lambda m: -m["amount"])[:2]
    made = plan(case)
    while made.total <= sum(paper["amount"] for paper in papers):
        made = plan(case)
    rows, gift = _as_gift_card(case, papers[1])
    one, two = (f"{paper['amount']:.0f}" for paper in papers)
    text = case.say(TWO_CREDITS, one, two, phrases.method(card))
    words = f"all of the ${one} credit, all of the ${two} credit and then {phrases.yours(phrases.method(card))}"
    pays = details.Paying(Known(text, ((one, two, card["last_four"]), (one, two, card["brand"]))), words)
    due = replace(made, methods=(papers[0], gift, card))
    final = replace(made, methods=(papers[0], card))
    wanted = final.wanted(case, BOOK_ASKS, pays=pays, due=due)
    said = {topic: known for topic, known in wanted.details.items() if topic != "payment"}
    instead = final.wanted(case, LARGER_ASKS, said=said)
    reason = Refusal(
        says=f"both the ${one} and the ${two} in your profile are travel certificates",
        because=("certificate", "voucher"),
        about=("certificate", "credit", "pay"),
    )
    return refused(case, wanted, reason, (open_user(case.customer), *final.searches()), rows, instead)


def _one_gift(at: Spot) -> bool:
    return len(stored(at.user, "gift_card")) == 1 and can_change_cabin(at) and bool(_dearer(at))


def _different(at: Spot) -> bool:
    """Return whether all payment methods of the user hold different amounts."""
    amounts = _amounts(at.user)
    return len(set(amounts)) == len(amounts)


PAPER_FOR_BAGS = about(paper_for_bags, nearly_full, lambda at: bool(_covering(at)))
SHORT_GIFT_CARD = about(short_gift_card, _one_gift, direct)
TWO_CERTIFICATES = about_caller(two_certificates, lambda at: has("certificate", 2)(at) and _different(at))
