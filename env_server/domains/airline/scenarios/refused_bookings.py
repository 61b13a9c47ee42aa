"""Bookings that a rule forbids because of the profile or the flights, and the caller's alternative."""

from dataclasses import replace

from env_server.domains.airline.rules import MOST_PASSENGERS
from env_server.domains.airline.scenarios import details, phrases
from env_server.domains.airline.scenarios.base import Case, Wish, about_caller, has, open_user
from env_server.domains.airline.scenarios.bookings import BOOK_ASKS
from env_server.domains.airline.scenarios.plan import BUYING_DAYS, Leg, Plan, companions, plan, seats
from env_server.domains.airline.scenarios.refused_flights import seats_left
from env_server.domains.airline.scenarios.wanted import Rows, refused
from env_server.domains.kit import Refusal, full_name

ALL_OF_US = max(MOST_PASSENGERS.values())

WITHOUT_ASKS = (
    "book it for the rest of us, without {0}",
    "leave {0} at home and book for the others",
    "take {0} off the list and book it for the others",
    "go without {0}, and book that",
    "have it booked for all of us but {0}",
    "make the booking for everybody else, {0} stays",
    # Kept for the held-out split.
    "travel as one fewer: {0} does not come along",
    "get it for us others, and {0} will not be there",
    "book the same for all except {0}",
)
OTHER_CABIN_ASKS = (
    "take {0} on that flight",
    "fly by it in {0}",
    "book the same flight in {0}",
    "have {0} seats on that flight",
    "go in {0} by the same flight",
    "sit in {0} on it",
    # Kept for the held-out split.
    "make do with {0}, if it is that flight",
    "settle for {0} on the same plane",
    "be on that plane in {0}",
)


def too_many_people(case: Case) -> Wish:
    """The caller wants one seat more than regular members may have. In the twin the membership allows it."""
    card, level = case.card(), case.rng.choice(("silver", "gold"))
    user_id = case.customer["user_id"]
    regular = {**case.customer, "membership": "regular"}
    made = replace(plan(case, people=ALL_OF_US), user=regular, methods=(card,))
    fewer = replace(made, passengers=made.passengers[:-1])
    last = full_name(made.passengers[-1])
    pays = details.paying(case, card)
    wanted = made.wanted(case, BOOK_ASKS, pays=pays, due=replace(made, user={**case.customer, "membership": level}))
    said = {t: known for t, known in wanted.details.items() if t != "passenger"}
    asks = tuple(ask.format(last) for ask in WITHOUT_ASKS)
    said["passenger"] = details.passengers(case, fewer.passengers)
    instead = fewer.wanted(case, asks, said=said, pays=pays)
    reason = Refusal(
        says=f"you are a regular member, who may book for {MOST_PASSENGERS['regular']} passengers at most",
        because=("regular",),
        about=("passenger", "people"),
    )
    rows = Rows({"users": {user_id: {"membership": "regular"}}}, {"users": {user_id: {"membership": level}}})
    return refused(case, wanted, reason, (open_user(case.customer), *made.searches()), rows, instead)


def sold_out(case: Case) -> Wish:
    """The caller wants a cabin without enough free seats. In the twin there are enough."""
    final, full = _half_sold(case)
    (leg,), people = final.legs, len(final.passengers)
    made = replace(final, cabin=full)
    left, more = seats(leg.flight, leg.day, full), people + case.rng.randint(0, 6)
    pays = details.paying(case, *final.methods)
    wanted = made.wanted(case, BOOK_ASKS, pays=pays)
    said = {t: known for t, known in wanted.details.items() if t != "cabin"}
    said["cabin"] = details.cabin(case, final.cabin)
    asks = tuple(ask.format(phrases.CABINS[final.cabin]) for ask in OTHER_CABIN_ASKS)
    instead = final.wanted(case, asks, said=said, pays=pays)
    reason = Refusal(
        says=f"{leg.words} has only {left} seat{'' if left == 1 else 's'} left in {phrases.CABINS[full]}",
        because=seats_left(left),
        about=(phrases.CABINS[full], "cabin"),
    )
    on_sale = {leg.flight["flight_number"]: {"dates": {leg.day: {"available_seats": {full: more}}}}}
    return refused(case, wanted, reason, final.searches(), Rows(due={"flights": on_sale}), instead)


def _half_sold(case: Case) -> tuple[Plan, str]:
    """Return a booking by flight number and a cabin of that flight that lacks enough seats."""
    rng, world = case.rng, case.world
    while True:
        (origin, destination), day = rng.choice(list(world.routes)), rng.choice(BUYING_DAYS).isoformat()
        travellers = companions(case)
        for flight in world.offers(origin, destination, day):
            left = flight["dates"][day]["available_seats"]
            full = [cabin for cabin in left if left[cabin] < len(travellers)]
            free = [cabin for cabin in left if left[cabin] >= len(travellers)]
            if full and free:
                legs, cabin = (Leg(flight, day, "number"),), rng.choice(free)
                bags, insurance = rng.choice((0, len(travellers))), rng.choice(("yes", "no"))
                return Plan(case.customer, legs, cabin, travellers, bags, insurance, (case.card(),)), rng.choice(full)


TOO_MANY_PEOPLE = about_caller(too_many_people, lambda at: len(at.user["saved_passengers"]) >= ALL_OF_US - 1)
SOLD_OUT = about_caller(sold_out, has("credit_card"))
