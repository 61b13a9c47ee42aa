"""Complaints about cancelled and delayed flights, and the certificates that answer some of them."""

from collections.abc import Sequence
from datetime import timedelta

from env_server.domains.airline.clock import NOW
from env_server.domains.airline.network import CABINS, fares
from env_server.domains.airline.rules import CANCELLED_GIFT, DELAYED_GIFT
from env_server.domains.airline.scenarios import changes, details, phrases, wordings
from env_server.domains.airline.scenarios.base import (
    Case,
    Row,
    Spot,
    Test,
    Wish,
    about,
    ahead,
    cabin,
    check_flight,
    insured,
    not_,
    open_reservation,
    write,
)
from env_server.domains.airline.scenarios.cancelling import cancelling
from env_server.domains.airline.scenarios.flights import movable, moved_searches, moving, shift
from env_server.domains.airline.scenarios.wanted import Rows, Wanted, goal, granted, refused
from env_server.domains.kit import GoldCall, Known, Refusal

CANCELLED_ASKS = (
    "be compensated for a flight of mine that was cancelled",
    "get a compensation for a cancelled flight",
    "claim a compensation because a flight was cancelled",
    "have something in return for a flight that was cancelled",
    "ask for a compensation: a flight of mine is cancelled",
    "complain about a cancelled flight and be compensated for it",
    "receive what is due to me for a cancelled flight",
    "see a cancelled flight made up for",
    # Kept for the held-out split.
    "be given something for the trouble with a flight that got cancelled",
    "have amends made for a flight that was taken out",
    "put in a claim over a flight that was cancelled on me",
    "be made good for one of my flights having been cancelled",
)
DELAYED_ASKS = (
    "be compensated for a flight of that trip that was delayed",
    "get a compensation for the delay of a flight in it, too",
    "claim a compensation because a flight of it is delayed",
    "have something in return for the delay of a flight in it",
    "ask for a compensation as well: a flight of it is delayed",
    "receive what is due to me for the delay of a flight in it",
    # Kept for the held-out split.
    "be given something for the trouble with the delay, too",
    "have amends made for a flight of it running late",
    "put in a claim over the delay of a flight in it",
)
UPSET_ASKS = (
    "be compensated for a flight that does not go as planned",
    "get a compensation for trouble with a flight",
    "claim a compensation because of a disrupted flight",
    "have something in return for a flight that does not keep to its time",
    "ask for a compensation for what becomes of a flight of mine",
    "complain about a flight and be compensated for it",
    "receive what is due to me when a flight is disrupted",
    "see it made up for that a flight of mine is upset",
    # Kept for the held-out split.
    "be given something for the mess with one of my flights",
    "have amends made for a flight that is not as it should be",
    "put in a claim over a flight that will not go as it ought to",
    "be made good for what has happened to my flight",
)
CANCELLED_WORDS = (
    "It was cancelled.",
    "You cancelled it.",
    "I hear that it is cancelled.",
    "It will not go, it is cancelled.",
    "The message said: cancelled.",
    # Kept for the held-out split.
    "I have been told of a cancellation.",
    "According to a friend it is cancelled.",
    "That one was cancelled, I understand.",
)
DELAYED_WORDS = (
    "It is delayed.",
    "It leaves much later.",
    "It has a delay.",
    "I hear that it is delayed.",
    "The message said: delayed.",
    # Kept for the held-out split.
    "I have been told of a delay.",
    "It runs late.",
    "That one is behind its time.",
)
UPSET_WORDS = (
    "I was told that it will not leave as planned.",
    "Something is wrong with it, I hear.",
    "A message said that there is trouble with it.",
    "It seems that it does not go at its time.",
    "My app says that it is disrupted.",
    # Kept for the held-out split.
    "I gather that it is not going to leave as it should.",
    "There was an announcement that it is upset.",
    "People say that it will not be on schedule.",
)
THEN = (
    'When that is done, you want a compensation, too: "{0}"',
    'After that you ask for a compensation: "{0}"',
    'Once that is settled, you complain and want a compensation: "{0}"',
    'Then comes your claim for a compensation: "{0}"',
    'With that behind you, you want to be compensated: "{0}"',
    # Kept for the held-out split.
    'You do not stop there, but want something for the delay: "{0}"',
    'Next you say that you should be compensated: "{0}"',
    'Only then do you bring up a compensation: "{0}"',
)


def deserving(at: Spot) -> bool:
    """Return whether the customer or the reservation qualifies for compensation."""
    return at.user["membership"] != "regular" or insured(at) or at.reservation["cabin"] == "business"


def with_flight(status: str) -> Test:
    """Return a test for reservations ahead that contain a flight with this status."""
    return lambda at: ahead(at) and status in at.statuses


def gift_call(case: Case, dollars: int) -> GoldCall:
    """Return the write that sends a certificate with a fixed dollar amount for each passenger."""
    amount = dollars * len(case.reservation["passengers"])
    return write("send_certificate", user_id=case.customer["user_id"], amount=amount)


def _leg(case: Case, status: str) -> Row:
    """Return the flight of the reservation that has this status."""
    return next(leg for leg in case.reservation["flights"] if case.world.status(leg) == status)


def _claim(
    case: Case, leg: Row, asks: tuple[str, ...], what: Sequence[str], dollars: int, trip: details.Trip | None = None
) -> Wanted:
    """Return a claim for compensation for the disruption of `leg`."""
    words = f"{case.say(wordings.LAST_FLIGHT, phrases.flight(leg))} {case.say(what)}"
    known: dict[str, Known | str] = {
        "reservation": (trip or details.trip(case, case.reservation)).known,
        "flight": Known(words, (leg["flight_number"], leg["date"])),
        "compensation": details.compensation(case),
    }
    change = changes.compensated(phrases.flight(leg), case.customer["user_id"])
    slots = {"reservation": case.subject, "flight": leg["flight_number"], "claim": words}
    return Wanted(asks, known, change, (gift_call(case, dollars),), slots)


def cancelled_gift(case: Case) -> Wish:
    """A customer who qualifies complains about a cancelled flight."""
    leg = _leg(case, "cancelled")
    wanted = _claim(case, leg, CANCELLED_ASKS, CANCELLED_WORDS, CANCELLED_GIFT)
    return granted(case, wanted, proof=(open_reservation(case.reservation), check_flight(leg)))


def _twofold(case: Case, first: Wanted, claim: Wanted, proof: tuple[GoldCall, ...]) -> Wish:
    """Return a change followed by a compensation."""
    flight = claim.details["flight"]
    then = case.say(THEN, flight.text if isinstance(flight, Known) else flight)
    return Wish(
        requests=(first.request(case), claim.request(case)),
        goal=f"{goal(case, first.asks, first.details)} {then}",
        proof=proof,
        writes=(*first.writes, *claim.writes),
        slots={**first.slots, "claim": claim.slots["claim"]},
    )


def delayed_and_cancelled(case: Case) -> Wish:
    """The customer cancels a delayed trip on a valid ground, and then asks for a compensation."""
    leg, trip = _leg(case, "delayed"), details.trip(case, case.reservation)
    why = case.say(wordings.NOT_COVERED if case.reservation["cabin"] == "business" else wordings.COVERED)
    first = cancelling(case, case.reservation, why, trip=trip)
    claim = _claim(case, leg, DELAYED_ASKS, DELAYED_WORDS, DELAYED_GIFT, trip)
    return _twofold(case, first, claim, (open_reservation(case.reservation), check_flight(leg)))


def delayed_and_moved(case: Case) -> Wish:
    """The customer moves a delayed flight to another day, and then asks for a compensation."""
    reservation, trip = case.reservation, details.trip(case, case.reservation)
    leg, made = _leg(case, "delayed"), shift(case)
    first = moving(case, made, case.card(), trip=trip)
    claim = _claim(case, leg, DELAYED_ASKS, DELAYED_WORDS, DELAYED_GIFT, trip)
    proof = (open_reservation(reservation), check_flight(leg), *moved_searches(reservation, made))
    return _twofold(case, first, claim, proof)


def undeserved(case: Case) -> Wish:
    """A regular member without insurance, not in business, complains about a cancelled flight."""
    leg, level = _leg(case, "cancelled"), case.rng.choice(("silver", "gold"))
    wanted = _claim(case, leg, CANCELLED_ASKS, CANCELLED_WORDS, CANCELLED_GIFT)
    reason = Refusal(
        says="you are a regular member, and the reservation is neither insured nor in business",
        because=("regular", "not a silver", "neither silver", "not silver", "standard member"),
        about=("compensation", "compensate", "certificate"),
    )
    due = {"users": {case.customer["user_id"]: {"membership": level}}}
    return refused(case, wanted, reason, (open_reservation(case.reservation), check_flight(leg)), Rows(due=due))


def false_claim(case: Case) -> Wish:
    """The customer complains about a flight that is not cancelled. In the twin it is cancelled."""
    leg = _leg(case, "cancelled")
    wanted = _claim(case, leg, CANCELLED_ASKS, CANCELLED_WORDS, CANCELLED_GIFT)
    on_sale = {
        "status": "available",
        "available_seats": {name: case.rng.randint(1, 14) for name in CABINS},
        "prices": fares(case.rng, 120),
    }
    reason = Refusal(
        says=f"{phrases.flight(leg)} has not been cancelled; it is available as planned",
        because=(
            "available", "not cancelled", "not canceled", "not been cancelled", "not been canceled", "on sale",
            "as planned", "as scheduled", "on schedule", "isn't cancelled", "isn't canceled", "was never cancelled",
        ),
        others=("landed", "flying"),
        about=("compensation", "compensate", "certificate"),
    )  # fmt: skip
    rows = Rows(refused={"flights": {leg["flight_number"]: {"dates": {leg["date"]: on_sale}}}})
    return refused(case, wanted, reason, (open_reservation(case.reservation), check_flight(leg)), rows)


def delay_alone(case: Case) -> Wish:
    """A delayed flight is compensated only after a change, and the caller wants no change. In the twin the flight is
    cancelled.
    """
    leg = _leg(case, "delayed")
    wanted = _claim(case, leg, UPSET_ASKS, UPSET_WORDS, CANCELLED_GIFT)
    reason = Refusal(
        says=f"{phrases.flight(leg)} is delayed, and the reservation was neither changed nor cancelled",
        because=("delayed", "delay"),
        others=("landed", "flying"),
        about=("compensation", "compensate", "certificate"),
    )
    rows = Rows(due={"flights": {leg["flight_number"]: {"dates": {leg["date"]: {"status": "cancelled"}}}}})
    return refused(case, wanted, reason, (open_reservation(case.reservation), check_flight(leg)), rows)


def _cancellable(at: Spot) -> bool:
    return at.reservation["cabin"] == "business" or insured(at)


def _single(at: Spot) -> bool:
    return len(at.reservation["flights"]) == 1


def _days_ahead(at: Spot) -> bool:
    """Return whether the cancelled flight leaves so late that it might still be on sale."""
    cancelled = [leg for leg in at.reservation["flights"] if at.world.status(leg) == "cancelled"]
    return all(leg["date"] > (NOW.date() + timedelta(days=1)).isoformat() for leg in cancelled)


CANCELLED = about(cancelled_gift, with_flight("cancelled"), deserving)
DELAYED_AND_CANCELLED = about(delayed_and_cancelled, with_flight("delayed"), _cancellable)
DELAYED_AND_MOVED = about(
    delayed_and_moved, with_flight("delayed"), _single, movable, deserving, cabin("economy", "business")
)
UNDESERVED = about(undeserved, with_flight("cancelled"), not_(deserving))
FALSE_CLAIM = about(false_claim, with_flight("cancelled"), deserving, _days_ahead)
DELAY_ALONE = about(delay_alone, with_flight("delayed"), deserving)
