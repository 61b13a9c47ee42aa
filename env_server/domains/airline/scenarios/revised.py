"""Callers who change their mind when asked to confirm; gold is what they want in the end."""

from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Part,
    Spot,
    about,
    all_on_sale,
    cabin,
    flights_of,
    open_reservation,
)
from env_server.domains.airline.scenarios.cancelling import may_cancel, reason
from env_server.domains.airline.scenarios.company import bag_details, bags_call, first_paid, nearly_full
from env_server.domains.airline.scenarios.flights import (
    cabin_details,
    cabins_for,
    flights_call,
    shift,
    shift_details,
    shifts,
)
from env_server.domains.kit import Request


def other_day(case: Case) -> Part:
    """Wants one other flight, then another one on yet another day."""
    reservation, method = case.reservation, case.card()
    first = shift(case, reservation)
    final = shift(case, reservation, besides=first.leg.day)
    details = shift_details(case, first, method)
    revise = f"Wait, I have changed my mind about the flight. {final.leg.words}"
    return Part(
        requests=(Request(ask="I need to change a flight.", details=details, revise=revise),),
        goal=f"You want to change a flight. {phrases.told(details)} When the agent asks you to confirm, you say:"
        f' "{revise}" That is final.',
        reads=(open_reservation(reservation),),
        writes=(flights_call(reservation, reservation["cabin"], final.flights, method),),
        slots={"reservation": case.subject, "first": first.flights, "flights": final.flights, "payment": method["id"]},
    )


def other_cabin(case: Case) -> Part:
    """Wants one other cabin, then another."""
    reservation, method = case.reservation, case.card()
    first, final = case.rng.sample(cabins_for(case.spot), 2)
    details = cabin_details(case, first, phrases.paying(method))
    revise = f"Hold on, I have thought about it: please make it {phrases.CABINS[final]} instead."
    return Part(
        requests=(Request(ask="I want another cabin for a trip.", details=details, revise=revise),),
        goal=f"You want another cabin. {phrases.told(details)} When the agent asks you to confirm, you say:"
        f' "{revise}" That is final.',
        reads=(open_reservation(reservation),),
        writes=(flights_call(reservation, final, flights_of(reservation["flights"]), method),),
        slots={"reservation": case.subject, "first": first, "cabin": final, "payment": method["id"]},
    )


def bags_after_all(case: Case) -> Part:
    """Wants to cancel, then keeps the trip and takes more bags along."""
    more, method = first_paid(case.spot) + case.rng.randint(0, 1), case.card()
    said = bag_details(case, more, f"If they cost something, please use {phrases.method(method)}.")
    details = {"reservation": said["reservation"], "reason": reason(case)}
    revise = f"Wait, please do not cancel it after all. {said['bag']} {said['payment']}"
    return Part(
        requests=(Request(ask="I think I want to cancel a trip.", details=details, revise=revise),),
        goal=f"You want to cancel a trip. {phrases.told(details)} When the agent asks you to confirm, you keep it and"
        f' say: "{revise}"',
        reads=(open_reservation(case.reservation),),
        writes=(bags_call(case, case.reservation["total_baggages"] + more, method),),
        slots={"reservation": case.subject, "more": more, "reason": details["reason"], "payment": method["id"]},
    )


def other_number(case: Case) -> Part:
    """Wants some more bags, then fewer of them."""
    final, method = first_paid(case.spot) + case.rng.randint(0, 1), case.card()
    first = final + case.rng.randint(1, 2)
    details = bag_details(case, first, f"If they cost something, please use {phrases.method(method)}.")
    revise = f"Sorry, I have counted again. Please add only {phrases.count(final, 'checked bag')}."
    return Part(
        requests=(Request(ask="We have more bags than I booked.", details=details, revise=revise),),
        goal=f"You want to add checked bags. {phrases.told(details)} When the agent asks you to confirm, you say:"
        f' "{revise}"',
        reads=(open_reservation(case.reservation),),
        writes=(bags_call(case, case.reservation["total_baggages"] + final, method),),
        slots={"reservation": case.subject, "first": first, "more": final, "payment": method["id"]},
    )


def _two_cabins(at: Spot) -> bool:
    return all_on_sale(at) and len(cabins_for(at)) > 1


OTHER_DAY = about(other_day, shifts, cabin("economy", "business"))
OTHER_CABIN = about(other_cabin, _two_cabins)
BAGS_AFTER_ALL = about(bags_after_all, may_cancel, nearly_full)
OTHER_NUMBER = about(other_number, nearly_full)
