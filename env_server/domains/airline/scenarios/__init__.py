"""Scenario templates of the airline tasks: which wishes one caller brings, in order."""

from env_server.domains.airline.scenarios import (
    bookings,
    cancelling,
    company,
    compensation,
    flights,
    questions,
    refused,
    refused_bookings,
    refused_company,
    refused_flights,
    refused_payment,
    revised,
    transferred,
)
from env_server.domains.kit import Template, WishKind

__all__ = ["TEMPLATES"]

QUESTIONS = (
    Template("credit-and-bag-quote", (questions.CREDIT, questions.BAG_QUOTE)),
    Template("cabin-quote", (questions.CABIN_QUOTE,)),
    Template("cheapest-day", (questions.CHEAPEST_DAY,)),
    Template("paid-in-all", (questions.PAID_IN_ALL,)),
)

GRANTED = (
    Template("overhaul", (flights.MOVE_FLIGHT, company.CORRECT_PASSENGER, company.ADD_BAGS), chain=True),
    Template("three-errands", (questions.CREDIT, flights.CHANGE_CABIN, cancelling.CANCEL, company.ADD_BAGS)),
    Template(
        "book-and-cancel", (bookings.BOOK_ROUND_TRIP, cancelling.CANCEL, company.REPLACE_PASSENGER, company.ADD_BAGS)
    ),
    Template("cancelled-twice", (cancelling.CANCEL, compensation.CANCELLED, bookings.BOOK_BY_CARD), chain=True),
    Template("delayed-and-cancelled", (bookings.BOOK_WITH_CHANGE, compensation.DELAYED_AND_CANCELLED)),
    Template("delayed-and-moved", (compensation.DELAYED_AND_MOVED, revised.OTHER_NUMBER)),
    Template("second-thoughts", (revised.OTHER_DAY, revised.OTHER_CABIN, company.CORRECT_PASSENGER)),
    Template("book-and-reconsider", (questions.INSURANCE_QUOTE, bookings.BOOK_AND_RECONSIDER)),
)

REFUSED: dict[str, tuple[WishKind, ...]] = {
    # Cancelling.
    "no-ground": (refused.NO_GROUND, company.CORRECT_PASSENGER),
    "moved-instead": (refused.MOVED_INSTEAD,),
    "no-insurance": (refused.ILL_UNINSURED, bookings.BOOK),
    "trip-over": (refused.TRIP_OVER, bookings.BOOK_AND_HEAR),
    "friends-trip-and-cancel": (
        refused.FRIENDS_TRIP,
        cancelling.CANCEL,
        company.ADD_BAGS,
        company.CORRECT_PASSENGER,
    ),
    "impostor": (refused.IMPOSTORS,),
    # Flights and cabins.
    "fixed-flights": (
        refused_flights.FIXED_FLIGHTS,
        company.ADD_BAGS,
        company.REPLACE_PASSENGER,
        bookings.BOOK_BY_CARD,
    ),
    "upgraded-instead": (refused_flights.UPGRADED_INSTEAD,),
    "full-flight": (refused_flights.FULL_FLIGHT, company.REPLACE_PASSENGER, company.ADD_BAGS),
    "one-leg-only": (refused_flights.ONE_LEG_ONLY,),
    "cabin-full": (refused_flights.CABIN_FULL, company.BAGS_BY_GIFT_CARD),
    # Ways to pay.
    "paper-for-change": (refused_payment.PAPER_FOR_BAGS,),
    "short-gift-card": (refused_payment.SHORT_GIFT_CARD,),
    "two-certificates": (refused_payment.TWO_CERTIFICATES,),
    # Passengers and bags.
    "fewer-passengers": (refused_company.FEWER_PASSENGERS,),
    "one-more-passenger": (refused_company.ONE_MORE_PASSENGER, cancelling.CANCEL_AND_HEAR),
    "fewer-bags": (refused_company.FEWER_BAGS, company.REPLACE_PASSENGER, flights.CHANGE_CABIN),
    # Bookings.
    "too-many-people": (refused_bookings.TOO_MANY_PEOPLE,),
    "sold-out": (refused_bookings.SOLD_OUT,),
    # Complaints.
    "undeserved": (cancelling.CANCEL, compensation.UNDESERVED),
    "false-claim": (revised.OTHER_CARD, compensation.FALSE_CLAIM),
    "delay-alone": (flights.MOVE_AND_HEAR, compensation.DELAY_ALONE),
    # What only people can settle.
    "begun-trip": (flights.CHANGE_CABIN_AND_HEAR, transferred.BEGUN_TRIP),
    "begun-and-moved": (refused_payment.PAPER_FOR_BAGS, transferred.BEGUN_AND_MOVED),
    "reinstate": (company.ADD_BAGS, transferred.REINSTATE),
    "lost-bag": (refused.MOVED_INSTEAD, transferred.LOST_BAG),
}
"""Wishes that the rows refuse or hand over to a human agent. Each has a twin that grants the wish."""

_CHAINS = frozenset({"undeserved"})


def _pair(name: str, kinds: tuple[WishKind, ...]) -> tuple[Template, Template]:
    chain = name in _CHAINS
    return Template(name, kinds, chain), Template(f"{name}-due", kinds, chain, due=True)


_PAIRS = [_pair(name, kinds) for name, kinds in REFUSED.items()]

TEMPLATES = (
    *QUESTIONS,
    *(template for template, _ in _PAIRS),
    *GRANTED,
    *(twin for _, twin in _PAIRS),
)
"""All templates, in the order in which the indices of a split use them."""
