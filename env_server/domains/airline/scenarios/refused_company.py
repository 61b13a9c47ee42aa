"""Changes of passengers, bags and insurance that a rule forbids, and what the caller takes instead."""

from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Part,
    about,
    ahead,
    insured,
    not_,
    open_reservation,
    passengers_of,
)
from env_server.domains.airline.scenarios.company import (
    bag_details,
    bags_call,
    first_paid,
    nearly_full,
    others_known,
    passengers_call,
    strangers,
)
from env_server.domains.airline.scenarios.refused import AS_SAID
from env_server.domains.kit import Request


def fewer_passengers(case: Case) -> Part:
    """The number of passengers cannot change; the caller then has somebody else fly."""
    reservation = case.reservation
    after = passengers_of(reservation)
    leaves, comes = after[-1], dict(strangers(case.customer, reservation)[0])
    after[-1] = comes
    said = phrases.reservation(case, reservation)
    details = {"reservation": said, "passenger": f"Please take {phrases.name(leaves)} out; the others still fly."}
    instead = {
        "reservation": said,
        "passenger": f"{phrases.passenger(comes)} takes the place of {phrases.name(leaves)}.",
    }
    return Part(
        requests=(
            Request(ask="One of us cannot come along, and I want the money for that seat.", details=details | AS_SAID),
            Request(ask="Then somebody else will fly in that place.", details=instead),
        ),
        goal=f"You want to take a passenger out of a reservation. {phrases.told(details)} Only if that is refused,"
        f" somebody else flies instead. {phrases.told(instead)}",
        proof=(open_reservation(reservation),),
        writes=(passengers_call(reservation, after),),
        slots={"reservation": case.subject, "passengers": after},
    )


def one_more_passenger(case: Case) -> Part:
    """The number of passengers cannot change; the caller leaves it at that."""
    comes = strangers(case.customer, case.reservation)[0]
    details = {
        "reservation": phrases.reservation(case, case.reservation),
        "passenger": f"{phrases.passenger(comes)} should fly with us.",
    }
    return Part(
        requests=(Request(ask="Please add a passenger to a reservation.", details=details | AS_SAID),),
        goal=f"You want to add a passenger. {phrases.told(details)} You accept it if you are refused.",
        proof=(open_reservation(case.reservation),),
        slots={"reservation": case.subject, "passenger": dict(comes)},
    )


def fewer_bags(case: Case) -> Part:
    """Bags cannot be taken off; the caller leaves it at that."""
    bags = case.reservation["total_baggages"]
    fewer = case.rng.randint(1, min(3, bags))
    details = {
        "reservation": phrases.reservation(case, case.reservation),
        "bag": f"Please take off {phrases.count(fewer, 'checked bag')}.",
    }
    return Part(
        requests=(Request(ask="We have fewer bags than I booked.", details=details | AS_SAID),),
        goal=f"You want checked bags taken off. {phrases.told(details)} You accept it if you are refused.",
        proof=(open_reservation(case.reservation),),
        slots={"reservation": case.subject, "fewer": fewer},
    )


def late_insurance(case: Case) -> Part:
    """Insurance cannot be added after booking; the caller then adds bags."""
    method = case.card()
    more = first_paid(case.spot)
    instead = bag_details(case, more, f"If they cost something, please use {phrases.method(method)}.")
    details = {
        "reservation": instead["reservation"],
        "insurance": "I want the travel insurance for all of us.",
        "payment": f"Please charge {phrases.method(method)}.",
    }
    return Part(
        requests=(
            Request(ask="I'd like to add travel insurance to a reservation.", details=details | AS_SAID),
            Request(ask="Then just add checked bags to it, please.", details=instead),
        ),
        goal=f"You want travel insurance for a reservation. {phrases.told(details)} Only if that is refused, you add"
        f" checked bags instead. {phrases.told(instead)}",
        proof=(open_reservation(case.reservation),),
        writes=(bags_call(case, case.reservation["total_baggages"] + more, method),),
        slots={"reservation": case.subject, "payment": method["id"]},
    )


FEWER_PASSENGERS = about(fewer_passengers, ahead, others_known, lambda at: len(at.reservation["passengers"]) > 1)
ONE_MORE_PASSENGER = about(one_more_passenger, ahead, others_known)
FEWER_BAGS = about(fewer_bags, ahead, lambda at: bool(at.reservation["total_baggages"]))
LATE_INSURANCE = about(late_insurance, nearly_full, not_(insured))
