"""Wishes about the passengers and bags of a reservation."""

from typing import Any

from env_server.domains.airline.people import FIRST, LAST, birthday
from env_server.domains.airline.rules import BAG_FEE, free_bags, paid_bags
from env_server.domains.airline.scenarios import changes, details, phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Row,
    Spot,
    Wish,
    about,
    ahead,
    open_reservation,
    passengers_of,
    stored,
    write,
)
from env_server.domains.airline.scenarios.wanted import Wanted, granted
from env_server.domains.kit import GoldCall, Known, Tell, Want, full_name, told

MOST_FREE = 3
"""The maximum number of unused free bags of a caller who asks for more bags."""

ADD_ASKS = (
    "add checked bags to a reservation",
    "take more checked bags along",
    "have more checked bags on one of my trips",
    "add luggage to a booking",
    "bring further bags on a trip",
    "get more checked bags entered for a trip",
    "put additional bags on one of my reservations",
    "check in more bags than I booked",
    # Kept for the held-out split.
    "travel with extra luggage",
    "raise the number of our checked bags",
    "have some suitcases added to my booking",
    "carry more baggage than planned",
)
GIFT_ASKS = (
    "add checked bags, paid with my gift card, and know what is left on the card then",
    "take more checked bags along on my gift card and hear the balance that remains",
    "put bags on a trip, pay by gift card, and learn what the card holds afterwards",
    "have more checked bags, charged to my gift card, and be told what is left on it",
    "add luggage with my gift card and know the balance of the card after that",
    "bring further bags, take the money from my gift card, and hear what it still holds",
    # Kept for the held-out split.
    "travel with extra luggage at the expense of my gift card and find out the remaining balance",
    "have suitcases added by means of my gift card and get to know what remains on it",
    "carry more baggage, with the gift card paying, and be told how much the card has left",
)
CORRECT_ASKS = (
    "have a mistake in a passenger's details corrected",
    "correct a passenger's details",
    "fix something that is wrong about a passenger",
    "put right what a booking says of one of us",
    "have the data of a passenger changed",
    "get an error in a passenger's details mended",
    "change what is written about a passenger",
    "have a wrong entry for a passenger corrected",
    # Kept for the held-out split.
    "straighten out an entry about somebody who flies with me",
    "see a slip in the passenger list mended",
    "have a traveller's particulars put right",
    "deal with a typing error in the passenger data",
)
REPLACE_ASKS = (
    "have somebody else fly in place of one of us",
    "put another person in a passenger's place",
    "replace a passenger",
    "let another person travel instead of one of us",
    "swap one passenger for another",
    "give one of our seats to somebody else",
    "change who flies on a trip",
    "have another name in place of a passenger's",
    # Kept for the held-out split.
    "pass one of our places on to another traveller",
    "exchange one of the people on a booking",
    "see another person take over a seat of ours",
    "have a different traveller on board for one of us",
)
CORRECTIONS = {
    "name": (
        "For passenger {0}, the name should be {1}. Everything else is right.",
        "{0} is wrong: the name is {1}.",
        "The one entered as {0} is called {1}.",
        "Instead of {0} it must say {1}.",
        "It says {0} there, and it should be {1}.",
        # Kept for the held-out split.
        "{1} is the right name of the one who stands there as {0}.",
        "Where you have {0}, please write {1}.",
        "Somebody typed {0} for {1}.",
    ),
    "dob": (
        "For passenger {0}, the date of birth should be {1}. Everything else is right.",
        "{0} was born on {1}; the date of birth is wrong.",
        "The date of birth of {0} must be {1}.",
        "{0} has a wrong birthday there; it is {1}.",
        "Please enter {1} as the date of birth of {0}.",
        # Kept for the held-out split.
        "{1} is when {0} was really born.",
        "As to {0}: born on {1}, not on the day that is written there.",
        "The day on which {0} was born reads wrong; make it {1}.",
    ),
}
IN_PLACE = (
    "{0} flies in place of {1}.",
    "{0} takes the place of {1}.",
    "In place of {1} it is {0}.",
    "{1} stays at home, and {0} flies.",
    "Please put {0} where {1} is now.",
    # Kept for the held-out split.
    "{0} comes along, not {1}.",
    "The seat of {1} goes to {0}.",
    "Out with {1}, in with {0}.",
)


def passengers_call(reservation: Row, passengers: list[dict[str, Any]]) -> GoldCall:
    """Return the write that sets a reservation's passengers."""
    return write("update_reservation_passengers", reservation_id=reservation["reservation_id"], passengers=passengers)


def bags_call(case: Case, total: int, method: Row) -> GoldCall:
    """Return the write that brings the reservation to `total` checked bags."""
    return write(
        "update_reservation_baggages",
        reservation_id=case.subject,
        total_baggages=total,
        nonfree_baggages=needed(case.spot, total),
        payment_id=method["id"],
    )


def needed(at: Spot, total: int) -> int:
    """Return how many of `total` bags the reservation must pay for."""
    return paid_bags(at.user["membership"], at.reservation["cabin"], len(at.reservation["passengers"]), total)


def correct_passenger(case: Case) -> Wish:
    """Correct a wrong name or date of birth of a passenger."""
    rng, reservation = case.rng, case.reservation
    after = passengers_of(reservation)
    one = rng.choice(after)
    wrong = full_name(one)
    field = rng.choice(("first_name", "last_name", "dob"))
    new = {"first_name": rng.choice(FIRST), "last_name": rng.choice(LAST), "dob": birthday(rng)}[field]
    one[field] = (
        new if new != one[field] else {"first_name": "Ottilie", "last_name": "Ashby", "dob": "1976-05-04"}[field]
    )
    kind, value = ("dob", one["dob"]) if field == "dob" else ("name", full_name(one))
    what = f"the date of birth of {wrong}" if field == "dob" else f"the name of {wrong}"
    trip = details.trip(case, reservation)
    said = Known(case.say(CORRECTIONS[kind], wrong, value), (value,))
    change = changes.renamed(trip, f"correct {what} to {value}", f"{what} has been corrected to {value}")
    slots = {"reservation": case.subject, "passengers": after}
    known = {"reservation": trip.known, "passenger": said}
    wanted = Wanted(CORRECT_ASKS, known, change, (passengers_call(reservation, after),), slots)
    return granted(case, wanted, reads=(open_reservation(reservation),))


def replacing(case: Case, place: int, comes: Row, *, trip: details.Trip | None = None) -> Wanted:
    """Return the wish that `comes` replaces the passenger at `place`."""
    reservation = case.reservation
    after = passengers_of(reservation)
    leaves, after[place] = after[place], dict(comes)
    trip = trip or details.trip(case, reservation)
    said = Known(case.say(IN_PLACE, phrases.passenger(comes), full_name(leaves)), (full_name(comes),))
    who = f"{full_name(leaves)} by {phrases.passenger(comes)}"
    change = changes.renamed(trip, f"replace {who}", f"{full_name(leaves)} has been replaced by {full_name(comes)}")
    slots = {"reservation": case.subject, "passengers": after}
    known = {"reservation": trip.known, "passenger": said}
    return Wanted(REPLACE_ASKS, known, change, (passengers_call(reservation, after),), slots)


def replace_passenger(case: Case) -> Wish:
    """Replace a passenger with a person saved in the profile."""
    place = case.rng.randrange(len(case.reservation["passengers"]))
    comes = case.rng.choice(strangers(case.customer, case.reservation))
    return granted(case, replacing(case, place, comes), reads=(open_reservation(case.reservation),))


def others_known(at: Spot) -> bool:
    """Return whether the profile has a saved person who is not on the reservation."""
    return bool(strangers(at.user, at.reservation))


def strangers(user: Row, reservation: Row) -> list[Row]:
    """Return people saved in the profile who are not on the reservation."""
    return [one for one in user["saved_passengers"] if one not in reservation["passengers"]]


def extra_cost(at: Spot, more: int) -> int:
    """Return the price of `more` checked bags, in dollars."""
    return int(BAG_FEE * (needed(at, at.reservation["total_baggages"] + more) - at.reservation["nonfree_baggages"]))


def first_paid(at: Spot) -> int:
    """Return how many more bags it takes until one must be paid for."""
    return max(1, all_free(at) - int(at.reservation["total_baggages"]) + 1)


def all_free(at: Spot) -> int:
    """Return the number of free bags of the reservation."""
    return free_bags(at.user["membership"], at.reservation["cabin"]) * len(at.reservation["passengers"])


def nearly_full(at: Spot) -> bool:
    """Return whether the trip is ahead and a few more bags would exceed the free bags."""
    return ahead(at) and first_paid(at) <= MOST_FREE + 1


def adding(
    case: Case,
    more: int,
    method: Row,
    *,
    asks: tuple[str, ...] = ADD_ASKS,
    trip: details.Trip | None = None,
    pays: details.Paying | None = None,
    wants: tuple[tuple[Want, Tell], ...] = (),
) -> Wanted:
    """Return the wish for `more` checked bags."""
    trip, pays = trip or details.trip(case, case.reservation), pays or details.paying(case, method)
    known: dict[str, Known | str] = {
        "reservation": trip.known,
        "bag": details.more_bags(case, more),
        "payment": pays.known,
    }
    change = changes.bagged(trip, f"add {phrases.bags(more)} to", pays.words)
    slots = {"reservation": case.subject, "more": more, "payment": method["id"]}
    call = bags_call(case, case.reservation["total_baggages"] + more, method)
    return Wanted(asks, known, change, (call,), slots, wants)


def add_bags(case: Case) -> Wish:
    """Add checked bags, some of which may be free."""
    more = first_paid(case.spot) + case.rng.randint(0, 2)
    return granted(case, adding(case, more, case.card()), reads=(open_reservation(case.reservation),))


def bags_by_gift_card(case: Case) -> Wish:
    """Add checked bags, pay with a gift card and hear its new balance."""
    more, gift = first_paid(case.spot) + case.rng.randint(0, 1), case.rng.choice(_rich(case.customer))
    left = str(int(gift["amount"]) - extra_cost(case.spot, more))
    value = told(
        left, f"Your gift card holds ${left} now.", "gift card", "card", "balance", "left", "remain", "remaining",
        "hold",
    )  # fmt: skip
    wanted = adding(case, more, gift, asks=GIFT_ASKS, wants=(value,))
    return granted(case, wanted, proof=(open_reservation(case.reservation),))


def _rich(user: Row) -> list[Row]:
    """Return gift cards that cover more than two paid bags."""
    return [gift for gift in stored(user, "gift_card") if gift["amount"] > 3 * BAG_FEE]


CORRECT_PASSENGER = about(correct_passenger, ahead)
REPLACE_PASSENGER = about(replace_passenger, ahead, others_known)
ADD_BAGS = about(add_bags, nearly_full)
BAGS_BY_GIFT_CARD = about(bags_by_gift_card, nearly_full, lambda at: bool(_rich(at.user)))
