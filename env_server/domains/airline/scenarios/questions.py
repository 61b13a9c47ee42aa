"""Wishes that change nothing: a value has to be looked up, or worked out, and told."""

from typing import Any

from env_server.domains import kit
from env_server.domains.airline.clock import spoken
from env_server.domains.airline.rules import INSURANCE_FEE
from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Carrier,
    Case,
    Part,
    Row,
    Spot,
    about,
    about_caller,
    active,
    anybody,
    direct,
    open_reservation,
    open_user,
    search,
    searches,
    stored,
)
from env_server.domains.airline.scenarios.company import extra_cost, first_paid, nearly_full
from env_server.domains.airline.scenarios.flights import cabin_difference, cabins_for, can_change_cabin
from env_server.domains.airline.scenarios.plan import BUYING_DAYS
from env_server.domains.kit import GoldCall


def _asked(
    ask: str,
    details: dict[str, str],
    outputs: tuple[str, ...],
    proof: tuple[GoldCall, ...],
    slots: dict[str, Any],
) -> Part:
    """A question: the caller declines whatever is offered and waits for `outputs`, which only `proof` can show."""
    told = f" {phrases.told(details)}" if details else ""
    goal = f'You only want to know something: "{ask}"{told} Nothing should be changed.'
    return kit.asked(ask, goal, details, outputs, proof, slots)


def credit(case: Case) -> Part:
    """What the caller's gift cards and certificates hold together."""
    amount = sum(method["amount"] for kind in ("gift_card", "certificate") for method in stored(case.customer, kind))
    return _asked(
        "What do the gift cards and travel certificates in my profile hold, taken together?",
        {},
        (f"{amount:.0f}",),
        (open_user(case.customer),),
        {"amount": amount},
    )


def paid_in_all(case: Case) -> Part:
    """What the caller has paid for the reservations that are not cancelled."""
    rows = case.world.reservations_of(case.customer)
    live = [row for row in rows if active(Spot(case.world, case.customer, row))]
    amount = sum(entry["amount"] for row in live for entry in row["payment_history"])
    return _asked(
        "What have I paid for all my reservations together, without those I cancelled?",
        {"reservation": "I mean every reservation of mine that is not cancelled, past ones too."},
        (str(amount),),
        tuple(open_reservation(row) for row in rows),
        {"reservations": [row["reservation_id"] for row in live]},
    )


def bag_quote(case: Case) -> Part:
    """What more checked bags would cost."""
    more = first_paid(case.spot) + case.rng.randint(1, 3)
    return _asked(
        "How much would it cost to add checked bags to a reservation?",
        {
            "reservation": phrases.reservation(case, case.reservation),
            "bag": f"It would be {phrases.count(more, 'checked bag')} more than now.",
        },
        (str(extra_cost(case, more)),),
        (open_reservation(case.reservation),),
        {"reservation": case.subject, "more": more},
    )


def cabin_quote(case: Case) -> Part:
    """What another cabin would cost more or less."""
    reservation = case.reservation
    name = case.rng.choice(cabins_for(case.spot))
    return _asked(
        "What would the difference in price be, for all of us, if we changed the cabin?",
        {
            "reservation": phrases.reservation(case, reservation),
            "cabin": f"It would be {phrases.CABINS[name]} on all flights.",
        },
        (str(abs(cabin_difference(case.spot, name))),),
        (open_reservation(reservation), *searches(reservation["flights"])),
        {"reservation": case.subject, "cabin": name},
    )


def cheapest_day(case: Case) -> Part:
    """On which of three days a route is cheapest, by which flight, and for how much."""
    rng, world = case.rng, case.world
    found = None
    while found is None:
        (origin, destination), name = rng.choice(list(world.routes)), rng.choice(list(phrases.CABINS))
        days = [day.isoformat() for day in sorted(rng.sample(BUYING_DAYS, 3))]
        found = _cheapest(world, origin, destination, days, name)
    flight, fare = found
    when = phrases.listed(spoken(day) for day in days)
    return _asked(
        f"Which direct flight from {origin} to {destination} has the lowest fare, and what is it?",
        {
            "flight": f"I could travel on {when}; please compare these three days.",
            "cabin": f"I mean {phrases.CABINS[name]}.",
            "passenger": "I mean the fare for one passenger.",
        },
        (flight, str(fare)),
        tuple(search(origin, destination, day) for day in days),
        {"origin": origin, "destination": destination, "days": days, "cabin": name},
    )


def _cheapest(world: Carrier, origin: str, destination: str, days: list[str], name: str) -> tuple[str, int] | None:
    """Flight number and fare of the one cheapest flight that has a seat; None where it is not the only one."""
    offers = [(flight, flight["dates"][day]) for day in days for flight in world.offers(origin, destination, day)]
    fares = sorted((data["prices"][name], flight["flight_number"]) for flight, data in offers)
    seats = all(data["available_seats"][name] for _, data in offers)
    if len(fares) < 2 or fares[0][0] == fares[1][0] or not seats:
        return None
    return fares[0][1], fares[0][0]


def insurance_quote(case: Case) -> Part:
    """What a flight would cost for some people, with insurance."""
    rng, world = case.rng, case.world
    offers: list[Row] = []
    while not offers:
        (origin, destination), day = rng.choice(list(world.routes)), rng.choice(BUYING_DAYS).isoformat()
        offers = world.offers(origin, destination, day)
    flight, people, name = rng.choice(offers), rng.randint(2, 5), rng.choice(list(phrases.CABINS))
    number = flight["flight_number"]
    amount = (flight["dates"][day]["prices"][name] + INSURANCE_FEE) * people
    return _asked(
        f"What would a trip from {origin} to {destination} cost for all of us, with travel insurance?",
        {
            "flight": f"It would be flight {number} on {spoken(day)}, one way.",
            "cabin": f"In {phrases.CABINS[name]}, if there were seats for us.",
            "passenger": f"There would be {phrases.count(people, 'passenger')}.",
            "bag": "We would have no checked bags.",
        },
        (str(amount),),
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
CHEAPEST_DAY = about_caller(cheapest_day, anybody)
INSURANCE_QUOTE = about_caller(insurance_quote, anybody)
