"""Changes of passengers and bags that a rule forbids because of the reservation's data, and the caller's alternative
wish.
"""

from collections.abc import Sequence
from dataclasses import replace

from env_server.domains.airline.people import person
from env_server.domains.airline.scenarios import changes, details, phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Row,
    Wish,
    about,
    ahead,
    changed,
    open_reservation,
    passengers_of,
)
from env_server.domains.airline.scenarios.company import (
    MOST_FREE,
    all_free,
    bags_call,
    needed,
    others_known,
    passengers_call,
    replacing,
    strangers,
)
from env_server.domains.airline.scenarios.wanted import Rows, Wanted, refused
from env_server.domains.kit import Form, Known, Refusal, counted, full_name, listed, number_word

ROSTER_ASKS = (
    "change who flies on a reservation",
    "have the passengers of a booking set anew",
    "change the passenger list of a trip",
    "say who is really going to fly on a trip",
    "get the list of passengers right",
    "have other names on a booking",
    "put the right people on a reservation",
    "update the passengers of a trip",
    # Kept for the held-out split.
    "see the people on one of my bookings set right",
    "settle who is on board on a trip of ours",
    "have a booking made out to the people who really go",
    "give the final list of travellers for a booking",
)
ROSTER = (
    "The passengers should be, in this order: {0}. Nobody else.",
    "In the end it is {0}, in this order, and no others.",
    "Those who fly are {0}, in just that order.",
    "Please have these on it, one after the other: {0}. Only these.",
    "The list should read: {0}. That is all of them.",
    # Kept for the held-out split.
    "On board will be {0}, as I say them, and that is it.",
    "Exactly these, in this order: {0}.",
    "It comes down to {0}, in the order in which I name them.",
)
SWAP_ASKS = (
    "let somebody else take a place on it",
    "have another person fly in place of one passenger",
    "put somebody else in one of the seats",
    "give one of the places to another person",
    "replace one passenger by somebody else",
    "have one passenger swapped for another",
    # Kept for the held-out split.
    "see another person take over one of the seats",
    "pass one of its places on to someone",
    "have a different traveller on board in one place",
)
NUMBER_ASKS = (
    "have the number of checked bags on a reservation put right",
    "change the number of our checked bags",
    "set the checked bags of a trip to another number",
    "correct how many checked bags we have on a booking",
    "have the bags on one of my trips changed",
    "get the count of checked bags right",
    "say how many checked bags we really have",
    "update the checked bags of a reservation",
    # Kept for the held-out split.
    "see the figure for our luggage set right",
    "have the baggage on my booking brought to the right number",
    "settle how much luggage we check in",
    "give the true number of our suitcases",
)


def _roster(case: Case, trip: details.Trip, people: Sequence[Row]) -> Wanted:
    """Return the wish that exactly `people` fly on the reservation."""
    me = phrases.me(case.customer)
    who = listed(phrases.passenger(row) for row in people)
    known = {
        "reservation": trip.known,
        "passenger": Known(case.say(ROSTER, who), (_first_names([p for p in people if p != me] or people),)),
    }
    names = listed(full_name(row) for row in people)
    change = changes.renamed(trip, f"change the passengers to {names}", f"the passengers have been changed to {names}")
    after = [dict(row) for row in people]
    call = passengers_call(case.reservation, after)
    return Wanted(ROSTER_ASKS, known, change, (call,), {"reservation": case.subject, "passengers": after})


def _first_names(people: Sequence[Row]) -> Form:
    return tuple(row["first_name"] for row in people)


def _booked(count: int, *names: str) -> Refusal:
    """The number of passengers cannot change, and the reservation has another."""
    nouns = ("passenger", "people", "person", "traveler", "seat", "traveller")
    forms = [(str(count), noun) for noun in nouns] + [f"{number_word(count)} {noun}" for noun in nouns]
    return Refusal(
        says=f"the reservation has {counted(count, 'passenger')}, and their number cannot change",
        because=(*forms, *names),
        about=("passenger",),
    )


def fewer_passengers(case: Case) -> Wish:
    """The caller gives fewer passengers than the reservation has. In the twin the number is equal and only a name
    differs.
    """
    reservation = case.reservation
    now, trip = passengers_of(reservation), details.trip(case, reservation)
    wanted = _roster(case, trip, now[:-1])
    place = case.rng.randrange(len(now))
    comes = case.rng.choice(strangers(case.customer, reservation))
    instead = replace(replacing(case, place, comes, trip=trip), asks=SWAP_ASKS)
    rows = Rows(due=changed(reservation, passengers=[*now[:-2], now[-1]]))
    reason = _booked(len(now), full_name(now[-1]))
    return refused(case, wanted, reason, (open_reservation(reservation),), rows, instead)


def one_more_passenger(case: Case) -> Wish:
    """The caller gives more passengers than the reservation has. In the twin the number is equal and only a name
    differs.
    """
    reservation = case.reservation
    now, comes = passengers_of(reservation), case.rng.choice(strangers(case.customer, reservation))
    wanted = _roster(case, details.trip(case, reservation), [*now, comes])
    taken = {full_name(row) for row in (*now, comes)}
    while full_name(other := person(case.rng)) in taken:
        pass
    rows = Rows(due=changed(reservation, passengers=[*now, other]))
    return refused(case, wanted, _booked(len(now)), (open_reservation(reservation),), rows)


def fewer_bags(case: Case) -> Wish:
    """The caller asks for fewer checked bags than are booked. In the twin the reservation has fewer bags."""
    rng, reservation, card = case.rng, case.reservation, case.card()
    number = all_free(case.spot) + rng.randint(1, 2)
    many, few = number + rng.randint(1, 3), number - rng.randint(1, number)
    trip, pays = details.trip(case, reservation), details.paying(case, card)
    known: dict[str, Known | str] = {
        "reservation": trip.known,
        "bag": details.bags(case, number),
        "payment": pays.known,
    }
    words = f"change the number of checked bags to {number} for"
    change = changes.bagged(trip, words, pays.words, total_baggages=number)
    slots = {"reservation": case.subject, "bags": number, "payment": card["id"]}
    wanted = Wanted(NUMBER_ASKS, known, change, (bags_call(case, number, card),), slots)
    rows = Rows(
        *(
            changed(reservation, total_baggages=total, nonfree_baggages=needed(case.spot, total))
            for total in (many, few)
        )
    )
    nouns = ("bag", "baggage", "luggage")
    reason = Refusal(
        says=f"{many} checked bags are booked, and bags cannot be taken off",
        because=tuple((str(many), noun) for noun in nouns),
        about=nouns,
    )
    return refused(case, wanted, reason, (open_reservation(reservation),), rows)


FEWER_PASSENGERS = about(fewer_passengers, ahead, others_known, lambda at: len(at.reservation["passengers"]) > 1)
ONE_MORE_PASSENGER = about(one_more_passenger, ahead, others_known)
FEWER_BAGS = about(fewer_bags, ahead, lambda at: all_free(at) <= MOST_FREE)
