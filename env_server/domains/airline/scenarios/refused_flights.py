"""Changes of flights and cabins that a rule forbids, and what the caller takes instead."""

from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
    Test,
    about,
    all_on_sale,
    cabin,
    direct,
    flights_of,
    open_reservation,
    open_user,
    searches,
    stored,
)
from env_server.domains.airline.scenarios.flights import (
    cabin_details,
    cabin_difference,
    cabins_for,
    can_change_cabin,
    flights_call,
    shift,
    shift_details,
    shifts,
)
from env_server.domains.airline.scenarios.refused import AS_SAID
from env_server.domains.kit import Request


def fixed_flights(case: Case) -> Part:
    """The flights of a basic economy reservation stay as they are."""
    reservation, method = case.reservation, case.card()
    details = shift_details(case, shift(case, reservation), method)
    return Part(
        requests=(Request(ask="I want to change the day of a flight.", details=details | AS_SAID),),
        goal=f"You want to change a flight. {phrases.told(details)} You accept it if you are refused.",
        proof=(open_reservation(reservation),),
        slots={"reservation": case.subject, "flight": details["flight"]},
    )


def upgraded_instead(case: Case) -> Part:
    """The flights of a basic economy reservation stay as they are; the caller then takes another cabin."""
    reservation, method = case.reservation, case.card()
    name = case.rng.choice(cabins_for(case.spot))
    instead = cabin_details(case, name, phrases.paying(method))
    details = shift_details(case, shift(case, reservation), method) | {"reservation": instead["reservation"]}
    return Part(
        requests=(
            Request(ask="I want to change the day of a flight.", details=details | AS_SAID),
            Request(ask=f"Then at least put us into {phrases.CABINS[name]} on the flights we have.", details=instead),
        ),
        goal=f"You want to change a flight. {phrases.told(details)} Only if that is refused, you want another cabin on"
        f" the flights you have. {phrases.told(instead)}",
        proof=(open_reservation(reservation),),
        writes=(flights_call(reservation, name, flights_of(reservation["flights"]), method),),
        slots={"reservation": case.subject, "cabin": name, "flight": details["flight"], "payment": method["id"]},
    )


def elsewhere(case: Case) -> Part:
    """A changed flight has to go where the old one went."""
    reservation = case.reservation
    ends = {two for one, two in case.world.routes if one == reservation["origin"]} - {reservation["destination"]}
    end = case.rng.choice(sorted(ends))
    details = {
        "reservation": phrases.reservation(case, reservation),
        "flight": f"I want to go to {end} on the same day, instead of {reservation['destination']}.",
        "payment": phrases.paying(case.card()),
    }
    return Part(
        requests=(Request(ask="I want to change where a trip goes.", details=details | AS_SAID),),
        goal=f"You want to change the destination of a trip. {phrases.told(details)} You accept it if you are refused.",
        proof=(open_reservation(reservation),),
        slots={"reservation": case.subject, "destination": end},
    )


def one_leg_only(case: Case) -> Part:
    """The cabin has to be the same on all flights; the caller then changes all of them."""
    reservation, method = case.reservation, case.card()
    name = case.rng.choice(cabins_for(case.spot))
    leg = case.rng.choice(reservation["flights"])
    instead = cabin_details(case, name, phrases.paying(method))
    details = instead | {"cabin": f"I want {phrases.CABINS[name]} on {phrases.flight(leg)} only."}
    return Part(
        requests=(
            Request(ask="I'd like to sit in another cabin on one of my flights.", details=details | AS_SAID),
            Request(ask=f"Then make it {phrases.CABINS[name]} on all flights of that trip.", details=instead),
        ),
        goal=f"You want another cabin on one flight. {phrases.told(details)} Only if that is refused, you want it on"
        " all flights of the trip.",
        proof=(open_reservation(reservation),),
        writes=(flights_call(reservation, name, flights_of(reservation["flights"]), method),),
        slots={"reservation": case.subject, "cabin": name, "leg": leg["flight_number"], "payment": method["id"]},
    )


def paper_for_change(case: Case) -> Part:
    """A certificate does not pay for a change; the caller then uses a card."""
    return _paid_otherwise(case, case.rng.choice(stored(case.customer, "certificate")))


def short_gift_card(case: Case) -> Part:
    """A gift card has to cover the difference; the caller then uses a credit card."""
    return _paid_otherwise(case, case.rng.choice(stored(case.customer, "gift_card")))


def _paid_otherwise(case: Case, wrong: Row) -> Part:
    reservation, method = case.reservation, case.card()
    name = case.rng.choice(_dearer(case.spot))
    instead = cabin_details(case, name, phrases.paying(method))
    details = instead | {"payment": phrases.paying(wrong)}
    return Part(
        requests=(
            Request(ask=f"I'd like to change to {phrases.CABINS[name]}.", details=details | AS_SAID),
            Request(ask=f"Then charge {phrases.method(method)}.", details=instead),
        ),
        goal=f"You want another cabin. {phrases.told(details)} Only if {phrases.yours(wrong)} is refused, you pay with"
        f" {phrases.yours(method)}.",
        proof=(open_user(case.customer), open_reservation(reservation), *searches(reservation["flights"])),
        writes=(flights_call(reservation, name, flights_of(reservation["flights"]), method),),
        slots={"reservation": case.subject, "cabin": name, "wrong": wrong["id"], "payment": method["id"]},
    )


def _dearer(at: Spot) -> list[str]:
    """The other cabins whose difference in price none of the user's gift cards and certificates covers."""
    most = max((m["amount"] for m in at.user["payment_methods"].values() if "amount" in m), default=0)
    return [name for name in cabins_for(at) if cabin_difference(at, name) > most]


def _too_dear_for(source: str) -> Test:
    """Reservations with another cabin that costs more than any of the user's cards holds, one of them of this kind."""
    return lambda at: can_change_cabin(at) and bool(stored(at.user, source)) and bool(_dearer(at))


FIXED_FLIGHTS = about(fixed_flights, shifts, cabin("basic_economy"))
UPGRADED_INSTEAD = about(upgraded_instead, shifts, can_change_cabin, cabin("basic_economy"))
ELSEWHERE = about(
    elsewhere, all_on_sale, cabin("economy", "business"), lambda at: at.reservation["flight_type"] == "one_way"
)

ONE_LEG_ONLY = about(one_leg_only, can_change_cabin, lambda at: len(at.reservation["flights"]) > 1)
PAPER_FOR_CHANGE = about(paper_for_change, _too_dear_for("certificate"), direct)
SHORT_GIFT_CARD = about(short_gift_card, _too_dear_for("gift_card"), direct)
