"""Callers who change their mind when the agent asks for confirmation. Gold is the final wish."""

from typing import Any

from env_server.domains.airline.scenarios import details
from env_server.domains.airline.scenarios.base import (
    Case,
    Spot,
    Wish,
    about,
    all_on_sale,
    cabin,
    open_reservation,
    stored,
)
from env_server.domains.airline.scenarios.bookings import AFTER_ALL
from env_server.domains.airline.scenarios.company import adding, first_paid, nearly_full
from env_server.domains.airline.scenarios.flights import cabins_for, moving, seating, shift, shifts
from env_server.domains.airline.scenarios.wanted import Wanted, goal
from env_server.domains.kit import Known, prose, wish


def _reconsidered(case: Case, first: Wanted, final: Wanted, revised: dict[str, Known], slots: dict[str, Any]) -> Wish:
    """Return a wish whose caller wants `first` until the agent asks for confirmation, and then `final`. The details in
    `revised` change.
    """
    revise = " ".join([case.say(AFTER_ALL), *(known.text for known in revised.values())])
    request = wish(case, *first.asks, details=first.details, changes=(final.change,), revise=revise, revised=revised)
    return Wish(
        requests=(request,),
        goal=f"{goal(case, first.asks, first.details)} {prose.revised(case.voice, revise)}",
        reads=(open_reservation(case.reservation),),
        writes=final.writes,
        slots={**final.slots, **slots},
    )


def other_day(case: Case) -> Wish:
    """The caller wants one other flight, then another one on yet another day."""
    method, first, trip = case.card(), shift(case), details.trip(case, case.reservation)
    final = shift(case, besides=first.leg.day)
    wanted, then = (moving(case, made, method, trip=trip) for made in (first, final))
    revised = {"flight": Known(final.leg.said(case), (final.leg.says,))}
    return _reconsidered(case, wanted, then, revised, {"first": first.flights})


def other_cabin(case: Case) -> Wish:
    """The caller wants one other cabin, then another."""
    method, trip = case.card(), details.trip(case, case.reservation)
    first, final = case.rng.sample(cabins_for(case.spot), 2)
    wanted, then = (seating(case, name, method, trip=trip) for name in (first, final))
    revised = {"cabin": details.cabin(case, final, case.reservation["cabin"])}
    return _reconsidered(case, wanted, then, revised, {"first": first})


def other_card(case: Case) -> Wish:
    """The caller wants bags paid with one credit card, then with another."""
    more, cards = first_paid(case.spot) + case.rng.randint(0, 2), stored(case.customer, "credit_card")
    first, final = case.rng.sample(cards, 2)
    trip = details.trip(case, case.reservation)
    wanted, then = (adding(case, more, card, trip=trip) for card in (first, final))
    return _reconsidered(case, wanted, then, {"payment": details.paying(case, final).known}, {"first": first["id"]})


def other_number(case: Case) -> Wish:
    """The caller wants some more bags, then fewer of them."""
    final, method = first_paid(case.spot) + case.rng.randint(0, 1), case.card()
    first = final + case.rng.randint(1, 2)
    trip = details.trip(case, case.reservation)
    wanted, then = (adding(case, more, method, trip=trip) for more in (first, final))
    return _reconsidered(case, wanted, then, {"bag": details.more_bags(case, final)}, {"first": first})


def _two_cabins(at: Spot) -> bool:
    return all_on_sale(at) and len(cabins_for(at)) > 1


OTHER_DAY = about(other_day, shifts, cabin("economy", "business"))
OTHER_CABIN = about(other_cabin, _two_cabins)
OTHER_CARD = about(other_card, nearly_full, lambda at: len(stored(at.user, "credit_card")) > 1)
OTHER_NUMBER = about(other_number, nearly_full)
