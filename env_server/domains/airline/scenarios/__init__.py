"""Scenario templates of the airline tasks: which wishes one caller brings, in order."""

from env_server.domains.airline.scenarios import (
    bookings,
    cancelling,
    company,
    compensation,
    flights,
    questions,
    refused,
    refused_company,
    refused_flights,
    revised,
    transferred,
)
from env_server.domains.kit import Template

__all__ = ["TEMPLATES"]

TEMPLATES = (
    # One wish.
    Template("cancel", 1, (cancelling.CANCEL,)),
    Template("book", 2, (bookings.BOOK,)),
    Template("move-flight", 2, (flights.MOVE_FLIGHT,)),
    Template("change-cabin", 2, (flights.CHANGE_CABIN,)),
    Template("add-bags", 2, (company.ADD_BAGS,)),
    Template("correct-passenger", 1, (company.CORRECT_PASSENGER,)),
    Template("book-round-trip", 3, (bookings.BOOK_ROUND_TRIP,)),
    Template("book-with-change", 3, (bookings.BOOK_WITH_CHANGE,)),
    # One wish and a value told back.
    Template("cancel-and-hear", 2, (cancelling.CANCEL_AND_HEAR,)),
    Template("move-and-hear", 3, (flights.MOVE_AND_HEAR,)),
    Template("change-cabin-and-hear", 3, (flights.CHANGE_CABIN_AND_HEAR,)),
    Template("bags-by-gift-card", 3, (company.BAGS_BY_GIFT_CARD,)),
    Template("book-and-hear", 3, (bookings.BOOK_AND_HEAR,)),
    # Questions.
    Template("credit-and-bag-quote", 3, (questions.CREDIT, questions.BAG_QUOTE)),
    Template("cabin-quote", 3, (questions.CABIN_QUOTE,)),
    Template("cheapest-day", 3, (questions.CHEAPEST_DAY,)),
    Template("paid-in-all", 3, (questions.PAID_IN_ALL,)),
    # A change of mind.
    Template("other-day", 3, (revised.OTHER_DAY,)),
    Template("other-cabin", 3, (revised.OTHER_CABIN,)),
    Template("bags-after-all", 3, (revised.BAGS_AFTER_ALL,)),
    Template("book-and-reconsider", 4, (bookings.BOOK_AND_RECONSIDER,)),
    # Two and three wishes.
    Template("book-and-cancel", 3, (bookings.BOOK, cancelling.CANCEL)),
    Template("passenger-and-bags", 3, (company.REPLACE_PASSENGER, company.ADD_BAGS)),
    Template("quote-and-other-number", 3, (questions.INSURANCE_QUOTE, revised.OTHER_NUMBER)),
    Template("overhaul", 4, (flights.MOVE_FLIGHT, company.CORRECT_PASSENGER, company.ADD_BAGS), chain=True),
    Template("three-errands", 4, (questions.CREDIT, flights.CHANGE_CABIN, cancelling.CANCEL)),
    # Complaints.
    Template("cancelled-gift", 3, (compensation.CANCELLED,)),
    Template("cancelled-twice", 4, (cancelling.CANCEL, compensation.CANCELLED), chain=True),
    Template("delayed-and-cancelled", 4, (compensation.DELAYED_AND_CANCELLED,)),
    Template("delayed-and-moved", 4, (compensation.DELAYED_AND_MOVED,)),
    Template("undeserved", 3, (compensation.UNDESERVED,)),
    Template("false-claim", 3, (compensation.FALSE_CLAIM,)),
    Template("delay-alone", 3, (compensation.DELAY_ALONE,)),
    # A wish that a rule forbids.
    Template("no-ground", 3, (refused.NO_GROUND,)),
    Template("moved-instead", 4, (refused.MOVED_INSTEAD,)),
    Template("fixed-flights", 2, (refused_flights.FIXED_FLIGHTS,)),
    Template("upgraded-instead", 4, (refused_flights.UPGRADED_INSTEAD,)),
    Template("elsewhere", 2, (refused_flights.ELSEWHERE,)),
    Template("one-leg-only", 3, (refused_flights.ONE_LEG_ONLY,)),
    Template("paper-for-change", 4, (refused_flights.PAPER_FOR_CHANGE,)),
    Template("short-gift-card", 4, (refused_flights.SHORT_GIFT_CARD,)),
    Template("fewer-passengers", 3, (refused_company.FEWER_PASSENGERS,)),
    Template("one-more-passenger-and-bags", 3, (refused_company.ONE_MORE_PASSENGER, company.ADD_BAGS)),
    Template("fewer-bags", 2, (refused_company.FEWER_BAGS,)),
    Template("late-insurance", 3, (refused_company.LATE_INSURANCE,)),
    Template("trip-over", 2, (refused.TRIP_OVER,)),
    Template("two-certificates", 4, (bookings.TWO_CERTIFICATES,)),
    Template("too-many-people", 4, (bookings.TOO_MANY_PEOPLE,)),
    Template("sold-out", 4, (bookings.SOLD_OUT,)),
    Template("friends-trip-and-cancel", 3, (refused.FRIENDS_TRIP, cancelling.CANCEL)),
    Template("impostor", 2, (refused.IMPOSTORS,)),
    # A wish that only people can settle.
    Template("begun-trip", 2, (transferred.BEGUN_TRIP,)),
    Template("begun-and-moved", 2, (transferred.BEGUN_AND_MOVED,)),
    Template("bags-and-reinstate", 3, (company.ADD_BAGS, transferred.REINSTATE)),
    Template("lost-bag", 2, (transferred.LOST_BAG,)),
)
"""In the order in which a split's indices go through them."""
