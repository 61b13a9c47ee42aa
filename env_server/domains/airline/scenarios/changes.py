"""The changes that callers agree to, and how they recognise them in an agent's proposal."""

from typing import Any

from env_server.domains.airline.scenarios.details import Trip
from env_server.domains.kit import WantedChange, change, shape

_CANCEL = ("cancel", "call off", "calling off", "void", "withdraw")
_MOVE = (
    *("change", "changing", "mov", "switch", "rebook", "replac", "swap", "update", "updating", "reschedul", "put"),
    *("modif", "shift"),
)
_SEAT = (
    *("change", "changing", "upgrad", "downgrad", "mov", "switch", "update", "updating", "modif", "put", "rebook"),
)
_ADD = (
    *("add", "increase", "increasing", "update", "updating", "rais", "chang", "register", "include", "including"),
    *("set the", "setting", "check in", "bring the"),
)
_PEOPLE = (
    *("d correct", "ll correct", "will correct", "would correct", "can correct", "to correct", "shall i correct"),
    *("correct the", "correct a", "correct his", "correct her", "correct their", "correcting", "corrected"),
    *("correction", "chang", "update", "updating", "fix", "replac", "amend", "edit", "modif", "swap", "substitut"),
    *("put", "set the", "setting", "list the"),
)
_BOOK = (
    *("book", "reserve", "reserving", "purchas", "buy", "create", "creating", "make the booking", "make this booking"),
    *("make a booking", "make the reservation", "make a reservation", "making the", "issue the ticket"),
)
_SEND = (
    *("send", "issue a", "issue you", "issue the", "issued", "issuing", "give you", "giving you", "given you", "grant"),
    *("compensat", "provide you", "provided you", "providing you", "arrange", "arranging", "credit you"),
)
"""First words of each change. None is a word that agents need elsewhere, such as in `Is that correct?` or `checked
bags`.
"""


def cancelled(trip: Trip) -> WantedChange:
    """Return the change that cancels a reservation."""
    return change(
        f"cancel {trip.words}",
        f"{trip.words} has been cancelled",
        verbs=_CANCEL,
        names=("reservation",),
        calls=(shape("cancel_reservation", **trip.arguments),),
    )


def moved(trip: Trip, to: str, pays: str) -> WantedChange:
    """Return the change that replaces a flight of a reservation."""
    return change(
        f"change the flight in {trip.words} to {to} and settle the difference with {pays}",
        f"the flight in {trip.words} has been changed",
        verbs=_MOVE,
        names=("reservation", "flight", "payment"),
        calls=(shape("update_reservation_flights", **trip.arguments),),
    )


def reseated(trip: Trip, cabin: str, words: str, pays: str) -> WantedChange:
    """Return the change that sets another cabin. `words` name the cabin and its scope."""
    return change(
        f"change {trip.words} to {words} and settle the difference with {pays}",
        f"{trip.words} has been changed to {words}",
        verbs=_SEAT,
        names=("reservation", "cabin", "payment"),
        calls=(shape("update_reservation_flights", **trip.arguments, cabin=cabin),),
    )


def bagged(trip: Trip, words: str, pays: str, **arguments: Any) -> WantedChange:
    """Return the change that adds checked bags to a reservation."""
    return change(
        f"{words} {trip.words} and charge what it costs to {pays}",
        f"the checked bags of {trip.words} have been updated",
        verbs=_ADD,
        names=("reservation", "bag", "payment"),
        calls=(shape("update_reservation_baggages", **trip.arguments, **arguments),),
    )


def renamed(trip: Trip, words: str, done: str) -> WantedChange:
    """Return the change of a reservation's passengers. `words` describe the change without naming the reservation."""
    return change(
        f"{words} in {trip.words}",
        f"{done} in {trip.words}",
        verbs=_PEOPLE,
        names=("reservation", "passenger"),
        calls=(shape("update_reservation_passengers", **trip.arguments),),
    )


def booked(words: str, **arguments: Any) -> WantedChange:
    """Return the change that books a trip. One confirmation covers all of it."""
    return change(
        f"book {words}",
        "your trip has been booked",
        verbs=_BOOK,
        names=("trip", "flight", "cabin", "passenger", "bag", "insurance", "payment"),
        calls=(shape("book_reservation", **arguments),),
    )


def compensated(flight: str, user_id: str) -> WantedChange:
    """Return the change that sends a certificate for a disruption."""
    return change(
        f"send you a travel certificate as a compensation for {flight}",
        "a travel certificate has been sent to your profile as a compensation",
        verbs=_SEND,
        names=("compensation",),
        calls=(shape("send_certificate", user_id=user_id),),
    )


def made_good(bags: str, user_id: str) -> WantedChange:
    """Return the change that sends a certificate for lost bags."""
    return change(
        f"send you a travel certificate for {bags}",
        "a travel certificate has been sent to your profile for the lost bags",
        verbs=_SEND,
        names=("bag",),
        calls=(shape("send_certificate", user_id=user_id),),
    )
