"""Wishes that change nothing. The agent looks up or computes a value and tells it."""

from collections.abc import Sequence
from typing import Any

from env_server.domains import kit
from env_server.domains.airline.rules import INSURANCE_FEE
from env_server.domains.airline.scenarios import details, phrases, wordings
from env_server.domains.airline.scenarios.base import (
    Carrier,
    Case,
    Row,
    Spot,
    Wish,
    about,
    about_caller,
    active,
    direct,
    open_reservation,
    open_user,
    search,
    searches,
    stored,
)
from env_server.domains.airline.scenarios.company import extra_cost, first_paid, nearly_full
from env_server.domains.airline.scenarios.flights import DIFFERENCE, cabin_difference, cabins_for, can_change_cabin
from env_server.domains.airline.scenarios.plan import BUYING_DAYS
from env_server.domains.airline.scenarios.wanted import goal
from env_server.domains.kit import GoldCall, Known, Tell, Want, counted, listed, spoken, told

CREDIT_ASKS = (
    "know what the gift cards and travel certificates in my profile hold, taken together",
    "find out how much my gift cards and certificates come to together",
    "hear the sum of all my gift cards and travel certificates",
    "learn what credit I have in gift cards and certificates altogether",
    "be told the total on my gift cards and travel certificates",
    "get the combined value of my gift cards and certificates",
    # Kept for the held-out split.
    "see what all my certificates and gift cards amount to when added up",
    "have the money on my gift cards and my certificates counted together",
    "understand how much credit, gift cards plus certificates, I possess",
)
PAID_ASKS = (
    "know what I have paid for all my reservations together, without those I cancelled",
    "find out how much I paid for all bookings of mine that are not cancelled",
    "hear the sum that I have paid for my reservations, leaving out the cancelled ones",
    "learn what my trips have cost me altogether, apart from those I cancelled",
    "be told the total that I paid for all reservations that still stand",
    "get the total of my payments for every booking that is not cancelled",
    # Kept for the held-out split.
    "see what all my bookings amount to, those given up left aside",
    "have everything added up that I spent on trips I did not cancel",
    "understand how much money went into all my uncancelled bookings",
)
ALL_OF_THEM = (
    "I mean every reservation of mine that is not cancelled, past ones too.",
    "All of them, also those that are over, but none that is cancelled.",
    "Every booking in my profile, old or new, that was not cancelled.",
    "Past trips count as well; cancelled ones do not.",
    "Whatever I did not cancel, flown or not.",
    # Kept for the held-out split.
    "Take in all that still stand, even if they are long flown.",
    "Each one except those that I called off, however old.",
    "The whole list, minus what has been cancelled.",
)
BAG_ASKS = (
    "know how much it would cost to add checked bags to a reservation",
    "find out what more checked bags on a trip would cost",
    "hear the price of additional bags for one of my bookings",
    "learn what I would pay for taking more checked bags along",
    "be told what extra bags on a reservation would come to",
    "get the price for putting more luggage on a trip",
    # Kept for the held-out split.
    "see what further suitcases would do to the bill of a trip",
    "have the costs of extra luggage worked out for a booking",
    "understand how much additional baggage would set me back",
)
WOULD_ADD = (
    "It would be {0} more than now.",
    "I think of {0} in addition.",
    "Say, {0} on top.",
    "{0} more, perhaps.",
    "We might take {0} extra.",
    # Kept for the held-out split.
    "Suppose that it is {0} beyond those booked.",
    "Reckon with {0} above the present number.",
    "Let us assume {0} besides ours.",
)
SEAT_ASKS = (
    "know what the difference in price would be, for all of us, if we changed the cabin",
    "find out what another cabin would cost us more or less, all together",
    "hear the difference in price for everybody if we sat in another cabin",
    "learn how the price would differ for all of us in another cabin",
    "be told what a change of cabin would mean for the price of all our seats",
    "get the difference in fare for all passengers in case of another cabin",
    # Kept for the held-out split.
    "see what a different class would do to the price for the whole party",
    "have the difference for everyone worked out if we went in another class",
    "understand how the fares for all of us would shift in some other cabin",
)
WOULD_SIT = (
    "It would be {0} on all flights.",
    "I think of {0} for the whole trip.",
    "Say, {0} all the way.",
    "In {0}, perhaps, on every flight.",
    "We might sit in {0} throughout.",
    # Kept for the held-out split.
    "Suppose that it is {0} from beginning to end.",
    "Reckon with {0} on each flight.",
    "Let us assume {0}, everywhere.",
)
CHEAPEST_ASKS = (
    "know which direct flight on a route has the lowest fare, and what that fare is",
    "find out the cheapest direct flight between two cities and its fare",
    "hear which direct flight costs least, and how much",
    "learn the number and the fare of the cheapest direct flight on a route",
    "be told the cheapest direct flight among some days, with its fare",
    "get the lowest fare for a direct flight, and the flight that has it",
    # Kept for the held-out split.
    "see on which nonstop flight I would pay least, and what",
    "have a few days compared for the cheapest nonstop flight and its price",
    "understand what is the least expensive direct flight on some days, and its fare",
)
COMPARED = (
    "It is {0}. I could travel on {1}; please compare these three days.",
    "{0}, on one of these days: {1}.",
    "I want to go {0}; possible are {1}.",
    "The route is {0}, and the days to compare are {1}.",
    "Look {0}, please, and at each of {1}.",
    # Kept for the held-out split.
    "It would go {0}, and {1} are all fine with me.",
    "Three days would do for {0}: {1}.",
    "{0}; I am free on {1}.",
)
FOR_ONE = (
    "I mean the fare for one passenger.",
    "For one person.",
    "The price of a single seat.",
    "Just for one of us.",
    "Take the fare of one traveller.",
    # Kept for the held-out split.
    "One seat is what I ask about.",
    "Count one head only.",
    "What a single person pays.",
)
TRIP_ASKS = (
    "know what a trip would cost for all of us, with travel insurance",
    "find out what a flight for several people comes to, insurance included",
    "hear the price of a trip for all of us together, insured",
    "learn what we would pay in all for a flight with travel insurance",
    "be told the total for a flight for our party, with insurance for everybody",
    "get the whole price of a one-way flight for us, insurance included",
    # Kept for the held-out split.
    "see what an insured trip would cost our whole group",
    "have the price of a flight with insurance worked out for the lot of us",
    "understand how much we would spend altogether on a flight plus insurance",
)
WOULD_FLY = (
    "It would be flight {0} {1} on {2}, one way.",
    "I think of {0} {1} on {2}, only there.",
    "Say, {0} {1}, on {2}, one way.",
    "With {0} {1}; the day is {2}. One way only.",
    "On {2} by {0} {1}, one way.",
    # Kept for the held-out split.
    "Suppose that we take {0} {1} on {2}, without a way back.",
    "Reckon with {0} {1}, one way, on {2}.",
    "Let us assume {0} {1} on {2}, just one way.",
)
WOULD_BE = (
    "There would be {0}.",
    "We are {0}.",
    "It is for {0}.",
    "{0}, all together.",
    "Please work it out for {0}.",
    # Kept for the held-out split.
    "Our party is {0}.",
    "Suppose that it is {0}.",
    "The head count: {0}.",
)
TOTAL = (
    "total", "cost", "costs", "price", "in all", "together", "altogether", "comes to", "come to", "combined", "sum",
    "paid", "pay", "amount", "balance", "hold", "overall", "credit",
)  # fmt: skip
"""Words that name a price or a sum."""


def _asked(
    case: Case,
    asks: Sequence[str],
    known: dict[str, Known | str],
    values: Sequence[tuple[Want, Tell]],
    proof: tuple[GoldCall, ...],
    slots: dict[str, Any],
) -> Wish:
    """Return a question. The caller declines every offer and waits for `values`, which only the look-ups in `proof`
    show.
    """
    prose = f"{goal(case, asks, known)} {case.say(wordings.QUESTION)}"
    return kit.asked(case, asks, prose, known, values, proof, slots)


def credit(case: Case) -> Wish:
    """Ask for the total on the caller's gift cards and certificates."""
    amount = sum(method["amount"] for kind in ("gift_card", "certificate") for method in stored(case.customer, kind))
    says = f"Your gift cards and certificates hold ${amount:.0f} in total."
    values = [told(f"{amount:.0f}", says, "gift card", "certificate", "credit", "combined", "together")]
    return _asked(case, CREDIT_ASKS, {}, values, (open_user(case.customer),), {"amount": amount})


def paid_in_all(case: Case) -> Wish:
    """Ask for the total that the caller has paid for reservations that are not cancelled."""
    rows = case.world.reservations_of(case.customer)
    live = [row for row in rows if active(Spot(case.world, case.customer, row))]
    amount = str(sum(entry["amount"] for row in live for entry in row["payment_history"]))
    return _asked(
        case,
        PAID_ASKS,
        {"reservation": case.say(ALL_OF_THEM)},
        [told(amount, f"You have paid ${amount} in total.", *TOTAL)],
        tuple(open_reservation(row) for row in rows),
        {"reservations": [row["reservation_id"] for row in live]},
    )


def bag_quote(case: Case) -> Wish:
    """Ask for the price of more checked bags."""
    more = first_paid(case.spot) + case.rng.randint(1, 3)
    known: dict[str, Known | str] = {
        "reservation": details.trip(case, case.reservation).known,
        "bag": case.say(WOULD_ADD, counted(more, "checked bag")),
    }
    amount = str(extra_cost(case.spot, more))
    values = [told(amount, f"These bags would cost ${amount}.", "bag", "baggage", "luggage", "suitcase", "fee")]
    slots = {"reservation": case.subject, "more": more}
    return _asked(case, BAG_ASKS, known, values, (open_reservation(case.reservation),), slots)


def cabin_quote(case: Case) -> Wish:
    """Ask for the price difference to another cabin."""
    reservation = case.reservation
    name = case.rng.choice(cabins_for(case.spot))
    known: dict[str, Known | str] = {
        "reservation": details.trip(case, reservation).known,
        "cabin": case.say(WOULD_SIT, phrases.CABINS[name]),
    }
    amount = cabin_difference(case.spot, name)
    says = f"The difference would be ${abs(amount)} {'more' if amount > 0 else 'less'} for all of you."
    proof = (open_reservation(reservation), *searches(reservation["flights"]))
    slots = {"reservation": case.subject, "cabin": name}
    return _asked(case, SEAT_ASKS, known, [told(str(abs(amount)), says, *DIFFERENCE)], proof, slots)


def cheapest_day(case: Case) -> Wish:
    """Ask on which of three days a route is cheapest, with which flight, and at what price."""
    rng, world = case.rng, case.world
    found = None
    while found is None:
        (origin, destination), name = rng.choice(list(world.routes)), rng.choice(list(phrases.CABINS))
        days = [day.isoformat() for day in sorted(rng.sample(BUYING_DAYS, 3))]
        found = _cheapest(world, origin, destination, days, name)
    flight, fare = found
    when = listed(spoken(day) for day in days)
    known: dict[str, Known | str] = {
        "flight": case.say(COMPARED, f"from {origin} to {destination}", when),
        "cabin": case.say(wordings.CABIN, phrases.CABINS[name]),
        "passenger": case.say(FOR_ONE),
    }
    says = f"The cheapest direct flight is {flight}, and its fare is ${fare}."
    words = ("cheapest", "lowest", "fare", "least", "price", "flight", "cost", "costs")
    return _asked(
        case,
        CHEAPEST_ASKS,
        known,
        [told(flight, says, *words, kind="text"), told(str(fare), says, *words)],
        tuple(search(origin, destination, day) for day in days),
        {"origin": origin, "destination": destination, "days": days, "cabin": name},
    )


def _cheapest(world: Carrier, origin: str, destination: str, days: list[str], name: str) -> tuple[str, int] | None:
    """Return the flight number and fare of the cheapest flight with a free seat. Return None if it is not unique."""
    offers = [(flight, flight["dates"][day]) for day in days for flight in world.offers(origin, destination, day)]
    fares = sorted((data["prices"][name], flight["flight_number"]) for flight, data in offers)
    seats = all(data["available_seats"][name] for _, data in offers)
    if len(fares) < 2 or fares[0][0] == fares[1][0] or not seats:
        return None
    return fares[0][1], fares[0][0]


def insurance_quote(case: Case) -> Wish:
    """Ask for the price of a flight for some people, with insurance."""
    rng, world = case.rng, case.world
    offers: list[Row] = []
    while not offers:
        (origin, destination), day = rng.choice(list(world.routes)), rng.choice(BUYING_DAYS).isoformat()
        offers = world.offers(origin, destination, day)
    flight, people, name = rng.choice(offers), rng.randint(2, 5), rng.choice(list(phrases.CABINS))
    number = flight["flight_number"]
    amount = str((flight["dates"][day]["prices"][name] + INSURANCE_FEE) * people)
    known: dict[str, Known | str] = {
        "flight": case.say(WOULD_FLY, number, phrases.route(flight), spoken(day)),
        "cabin": case.say(wordings.CABIN, phrases.CABINS[name]),
        "passenger": case.say(WOULD_BE, counted(people, "passenger")),
        "bag": case.say(wordings.NO_BAGS),
    }
    return _asked(
        case,
        TRIP_ASKS,
        known,
        [told(amount, f"With insurance the trip would cost ${amount} in total.", *TOTAL)],
        (search(origin, destination, day),),
        {"flight": number, "day": day, "cabin": name, "people": people},
    )


def _has_credit(at: Spot) -> bool:
    return len(stored(at.user, "gift_card")) + len(stored(at.user, "certificate")) > 1


def _several(at: Spot) -> bool:
    rows = at.world.reservations_of(at.user)
    return sum(active(Spot(at.world, at.user, row)) for row in rows) > 1 and len(rows) <= 6


CREDIT = about_caller(credit, _has_credit)
PAID_IN_ALL = about_caller(paid_in_all, _several)
BAG_QUOTE = about(bag_quote, nearly_full)
CABIN_QUOTE = about(cabin_quote, can_change_cabin, direct)
CHEAPEST_DAY = about_caller(cheapest_day)
INSURANCE_QUOTE = about_caller(insurance_quote)
