"""Wishes for a new reservation."""

from dataclasses import replace

from env_server.domains.airline.clock import spoken
from env_server.domains.airline.rules import MOST_PASSENGERS
from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import Case, Part, about_caller, has, open_user, stored
from env_server.domains.airline.scenarios.plan import BUYING_DAYS, Leg, Plan, companions, pay, plan
from env_server.domains.kit import Request


def _ask(case: Case) -> str:
    return phrases.one_of(
        case.rng, "I'd like to book a flight.", "Please book a trip for me.", "I want to make a new reservation."
    )


def _booked(case: Case, made: Plan) -> Part:
    details = made.details()
    return Part(
        requests=(Request(ask=_ask(case), details=details),),
        goal=f"You want to book a trip. {phrases.told(details)}",
        reads=made.searches(),
        writes=(made.call(),),
        slots=made.slots(),
    )


def book(case: Case) -> Part:
    """A one-way trip."""
    return _booked(case, plan(case))


def book_round_trip(case: Case) -> Part:
    """A trip there and back."""
    return _booked(case, plan(case, round_trip=True))


def book_and_hear(case: Case) -> Part:
    """A round trip, and what it comes to."""
    made = plan(case, round_trip=True)
    details, amount = made.details(), str(made.total)
    ask = "I'd like to book a round trip and to know what it comes to in all."
    return Part(
        requests=(Request(ask=ask, details=details, wants=(amount,)),),
        goal=f"You want to book a trip and to be told the total price. {phrases.told(details)}",
        proof=made.searches(),
        writes=(made.call(),),
        outputs=(amount,),
        slots=made.slots(),
    )


def book_with_change(case: Case) -> Part:
    """A one-way trip with a change of planes, both flights given by number."""
    rng = case.rng
    travellers = companions(case)
    cabin = rng.choice(list(phrases.CABINS))
    legs: tuple[Leg, ...] = ()
    while not legs:
        legs = _connection(case, cabin, len(travellers))
    made = Plan(case.customer, legs, cabin, travellers, len(travellers), rng.choice(("yes", "no")), (case.card(),))
    return _booked(case, replace(made, methods=pay(case, made.total)))


def _connection(case: Case, cabin: str, people: int) -> tuple[Leg, ...]:
    """Two flights on one day, an hour or more apart; none where the draw has led nowhere."""
    rng, world = case.rng, case.world
    (origin, hub), day = rng.choice(list(world.routes)), rng.choice(BUYING_DAYS).isoformat()
    ends = [two for one, two in world.routes if one == hub and two != origin and (origin, two) not in world.routes]
    if not ends:
        return ()
    end, pair = rng.choice(ends), list[Leg]()
    for one, two in ((origin, hub), (hub, end)):
        landing = pair[-1].flight["scheduled_arrival_time_est"] if pair else "00:00:00"
        fits = [
            flight
            for flight in world.offers(one, two, day)
            if flight["dates"][day]["available_seats"][cabin] >= people
            and "+" not in landing
            and int(flight["scheduled_departure_time_est"][:2]) >= int(landing[:2]) + 2
        ]
        if not fits:
            return ()
        flight = rng.choice(fits)
        pair.append(Leg(flight, day, f"From {one} to {two} I would like flight {flight['flight_number']}."))
    return tuple(pair)


def book_and_reconsider(case: Case) -> Part:
    """A booking whose bags and insurance are changed when the agent asks for a yes."""
    first = plan(case)
    final = replace(first, bags=first.bags + 2, insurance="no" if first.insurance == "yes" else "yes")
    final = replace(final, methods=(case.card(),))
    first = replace(first, methods=final.methods)
    details = first.details()
    revise = f"Wait, I have changed my mind. {phrases.bags(final.bags)} {phrases.insurance(final.insurance)}"
    return Part(
        requests=(Request(ask=_ask(case), details=details, revise=revise),),
        goal=f"You want to book a trip. {phrases.told(details)} When the agent asks you to confirm, you change your"
        f' mind: "{revise}" That is final.',
        reads=final.searches(),
        writes=(final.call(),),
        slots=final.slots() | {"first": first.bags},
    )


def two_certificates(case: Case) -> Part:
    """Wants to pay with two certificates, which is one too many, then with the larger one and a card."""
    card, papers = case.card(), sorted(stored(case.customer, "certificate"), key=lambda m: -m["amount"])[:2]
    made = plan(case)
    while made.total <= sum(paper["amount"] for paper in papers):
        made = plan(case)
    final = replace(made, methods=(papers[0], card))
    instead = final.details()
    wish = f"Please use both {phrases.method(papers[0])} and {phrases.method(papers[1])}, and {phrases.method(card)}."
    details = instead | {"payment": wish, "confirm": "Only if both of my certificates are used."}
    return Part(
        requests=(
            Request(ask="I'd like to book a flight and pay with both of my travel certificates.", details=details),
            Request(ask="Then use only the larger certificate, and the card for the rest.", details=instead),
        ),
        goal=f"You want to book a trip. {phrases.told(details)} Only if two certificates are refused, you pay with the"
        f" larger one, and with {phrases.yours(card)} for the rest.",
        proof=(open_user(case.customer), *final.searches()),
        writes=(final.call(),),
        slots=final.slots(),
    )


def too_many_people(case: Case) -> Part:
    """Wants seats for one passenger too many, then leaves out the last."""
    made = plan(case, people=MOST_PASSENGERS)
    others = [u for p in case.peers if (u := case.world.customers[p]) is not case.customer]
    sixth = phrases.me(case.rng.choice([u for u in others if u["name"] != case.customer["name"]]))
    instead = made.details()
    six = phrases.passengers(case.customer, [*made.passengers, sixth])
    details = instead | {"passenger": six, "confirm": "Only if all six of us can fly."}
    return Part(
        requests=(
            Request(ask="I'd like to book a flight for six people.", details=details),
            Request(ask=f"Then {phrases.name(sixth)} stays at home, and we are five.", details=instead),
        ),
        goal=f"You want to book a trip for six. {phrases.told(details)} Only if six people are refused,"
        f" {phrases.name(sixth)} does not come along.",
        proof=made.searches(),
        writes=(made.call(),),
        slots=made.slots() | {"sixth": sixth},
    )


def sold_out(case: Case) -> Part:
    """Wants a cabin without enough seats left, then takes another on the same flight."""
    made, full = _half_sold(case)
    instead = made.details()
    details = instead | {"cabin": f"In {phrases.CABINS[full]}, please.", "confirm": "Only in the cabin that I said."}
    return Part(
        requests=(
            Request(ask="I'd like to book a flight.", details=details),
            Request(ask=f"Then {phrases.CABINS[made.cabin]} on that flight will do.", details=instead),
        ),
        goal=f"You want to book a trip. {phrases.told(details)} Only if {phrases.CABINS[full]} is refused, you take"
        f" {phrases.CABINS[made.cabin]} on the same flight.",
        proof=made.searches(),
        writes=(made.call(),),
        slots=made.slots() | {"full": full},
    )


def _half_sold(case: Case) -> tuple[Plan, str]:
    """A booking by flight number, and a cabin of that flight without enough seats."""
    rng, world = case.rng, case.world
    while True:
        (origin, destination), day = rng.choice(list(world.routes)), rng.choice(BUYING_DAYS).isoformat()
        travellers = companions(case)
        for flight in world.offers(origin, destination, day):
            seats = flight["dates"][day]["available_seats"]
            full = [cabin for cabin in seats if seats[cabin] < len(travellers)]
            free = [cabin for cabin in seats if seats[cabin] >= len(travellers)]
            if full and free:
                words = f"I would like flight {flight['flight_number']} on {spoken(day)}."
                legs, cabin = (Leg(flight, day, words),), rng.choice(free)
                bags, insurance = rng.choice((0, len(travellers))), rng.choice(("yes", "no"))
                return Plan(case.customer, legs, cabin, travellers, bags, insurance, (case.card(),)), rng.choice(full)


BOOK = about_caller(book, has("credit_card"))
BOOK_ROUND_TRIP = about_caller(book_round_trip, has("credit_card"))
BOOK_AND_HEAR = about_caller(book_and_hear, has("credit_card"))
BOOK_WITH_CHANGE = about_caller(book_with_change, has("credit_card"))
BOOK_AND_RECONSIDER = about_caller(book_and_reconsider, has("credit_card"))
TWO_CERTIFICATES = about_caller(two_certificates, has("certificate", 2))
TOO_MANY_PEOPLE = about_caller(too_many_people, lambda at: len(at.user["saved_passengers"]) >= MOST_PASSENGERS - 1)
SOLD_OUT = about_caller(sold_out, has("credit_card"))
