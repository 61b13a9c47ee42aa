"""Wishes that the rows leave to human agents. In the twins the agent itself grants them."""

from datetime import date, timedelta

from env_server.domains.airline.clock import FIRST_DAY, NOW
from env_server.domains.airline.rules import LOST_GIFT
from env_server.domains.airline.scenarios import changes, details, phrases, wordings
from env_server.domains.airline.scenarios.base import (
    Case,
    Row,
    Spot,
    Wish,
    about,
    active,
    all_on_sale,
    cabin,
    changed,
    direct,
    open_reservation,
    write,
)
from env_server.domains.airline.scenarios.cancelling import cancelling
from env_server.domains.airline.scenarios.company import adding, first_paid, nearly_full
from env_server.domains.airline.scenarios.flights import moving, shift, shifts
from env_server.domains.airline.scenarios.wanted import Rows, Wanted, goal
from env_server.domains.kit import Known, Refusal, counted, handover

REVIVE_ASKS = (
    "have more checked bags on a trip that I am going to make",
    "make a trip of mine with more checked bags",
    "go on a trip that I booked, with additional bags",
    "be sure that a trip of mine stands, and add checked bags to it",
    "fly as I once booked, with more bags to check",
    "have a trip of mine in order, with further bags on it",
    # Kept for the held-out split.
    "see a booking of mine good to go, with extra luggage",
    "take a trip that I once booked and bring some more suitcases",
    "travel on an old booking of mine with added luggage",
)
LOST_ASKS = (
    "report checked bags that did not arrive",
    "say that checked baggage of ours was lost",
    "get something done about lost bags",
    "complain about baggage that never came",
    "claim for checked bags that were lost",
    "have it settled that our baggage did not come",
    "sort out a matter of lost luggage",
    "have lost bags dealt with",
    # Kept for the held-out split.
    "make it known that luggage stayed behind",
    "see our missing suitcases taken care of",
    "find a solution for baggage that went astray",
    "put in a claim over suitcases that never turned up",
)
LOST = (
    "The number of lost bags is {0}.",
    "We miss {1}.",
    "{1} did not come.",
    "It is about {1}.",
    "What we lack is {1}.",
    # Kept for the held-out split.
    "The belt came without {1} of ours.",
    "We stood there minus {1}.",
    "Gone: {1}.",
)


def _settled(case: Case, wanted: Wanted, reason: Refusal, summary: str, rows: Rows) -> Wish:
    """Return a wish that only a human agent can grant, for a `reason`. In the twin the agent grants it."""
    known = {**wanted.details, "transfer": case.say(wordings.YES_TRANSFER)}
    told = Wanted(wanted.asks, known, wanted.change, wanted.writes, wanted.slots)
    request, prose = told.request(case), f"{goal(case, told.asks, told.details)} {case.say(AGREE)}"
    return Wish(
        requests=(request,),
        goal=prose,
        proof=(open_reservation(case.reservation),),
        writes=wanted.writes if case.due else (),
        handover=() if case.due else handover(f"{summary} {case.subject}."),
        reason=None if case.due else reason,
        initial=rows.of(case),
        slots=dict(wanted.slots),
    )


AGREE = (
    "If the agent has to transfer you, you agree.",
    "You agree to being transferred, should that be needed.",
    "Should it take a person to settle it, you let yourself be transferred.",
    "An offer to transfer you is fine with you.",
    "You would accept a transfer to a person.",
    # Kept for the held-out split.
    "Being handed over to somebody else is all right with you.",
    "You do not mind a transfer, if there is no other way.",
    "If people have to take over, you say yes to that.",
)


def _begun(case: Case) -> tuple[Rows, Refusal]:
    """The outbound flights have been flown. In the twin they are still ahead."""
    row = case.reservation
    day = case.rng.choice(_past_days(case.spot))
    first = {**row["flights"][0], "date": day}
    booked = (date.fromisoformat(day) - timedelta(days=case.rng.randint(3, 20))).isoformat()
    fields = {"flights": [first, *row["flights"][1:]], "created_at": f"{booked}{row['created_at'][10:]}"}
    reason = Refusal(
        says=f"the trip has begun: {phrases.flight(first)} has landed",
        because=(day, "landed", "begun", "began", "flown", "started", "under way", "underway", "already taken"),
    )
    return Rows(refused={"reservations": {case.subject: fields}}), reason


def _past_days(at: Spot) -> list[str]:
    """Return the days on which the first flight has landed."""
    dates = at.world.flights[at.reservation["flights"][0]["flight_number"]]["dates"]
    past = ((FIRST_DAY + timedelta(days=n)).isoformat() for n in range((NOW.date() - FIRST_DAY).days))
    return [day for day in past if dates[day]["status"] == "landed"]


def begun_trip(case: Case) -> Wish:
    """The caller wants to cancel a trip that has begun. In the twin the trip is still ahead and in business class."""
    rows, reason = _begun(case)
    trip = details.trip(case, case.reservation, numbered=True)
    wanted = cancelling(case, case.reservation, case.say(wordings.NOT_COVERED), trip=trip)
    return _settled(case, wanted, reason, "The user wants to cancel the rest of the begun trip", rows)


def begun_and_moved(case: Case) -> Wish:
    """The caller wants to change the last flight of a trip that has begun. In the twin the trip is still ahead."""
    rows, reason = _begun(case)
    trip = details.trip(case, case.reservation, numbered=True)
    wanted = moving(case, shift(case), case.card(), trip=trip)
    return _settled(case, wanted, reason, "The user wants another flight for the rest of the begun trip", rows)


def reinstate(case: Case) -> Wish:
    """The caller wants more bags on a cancelled reservation, which would have to be reinstated. In the twin it is
    active.
    """
    row = case.reservation
    wanted = adding(case, first_paid(case.spot) + case.rng.randint(0, 2), case.card(), asks=REVIVE_ASKS)
    paid = [dict(entry) for entry in row["payment_history"]]
    back = [{**entry, "amount": -entry["amount"]} for entry in paid]
    reason = Refusal(
        says="the reservation has the status cancelled, and only people can bring it back",
        because=("cancelled", "canceled", "cancellation"),
    )
    rows = Rows(refused={"reservations": {case.subject: {"status": "cancelled", "payment_history": [*paid, *back]}}})
    return _settled(case, wanted, reason, "The user wants to reinstate the cancelled reservation", rows)


def lost_bag(case: Case) -> Wish:
    """Bags are missing after a flight that has landed. In the twin the reservation is insured."""
    row = case.reservation
    leg = case.rng.choice(_landed(case.spot))
    lost = case.rng.randint(1, min(3, row["total_baggages"]))
    trip, words = details.trip(case, row), counted(lost, "checked bag")
    known: dict[str, Known | str] = {
        "reservation": trip.known,
        "flight": Known(case.say(wordings.LAST_FLIGHT, phrases.flight(leg)), (leg["flight_number"], leg["date"])),
        "bag": Known(case.say(LOST, str(lost), words), details.bag_forms(lost)),
    }
    user_id = case.customer["user_id"]
    change = changes.made_good(f"{lost} lost checked bag{'' if lost == 1 else 's'}", user_id)
    call = write("send_certificate", user_id=user_id, amount=LOST_GIFT * lost)
    slots = {"reservation": case.subject, "flight": leg["flight_number"], "lost": lost}
    reason = Refusal(
        says="the reservation has no travel insurance",
        because=(*(("insurance", no) for no in ("no", "not", "without")), "not insured", "isn't insured", "uninsured"),
        about=("bag", "baggage", "luggage"),
    )
    rows = Rows(changed(row, insurance="no"), changed(row, insurance="yes"))
    wanted = Wanted(LOST_ASKS, known, change, (call,), slots)
    return _settled(case, wanted, reason, "The user misses a checked bag of reservation", rows)


def _landed(at: Spot) -> list[Row]:
    return [leg for leg in at.reservation["flights"] if at.world.status(leg) == "landed"]


def _arrived_with_bags(at: Spot) -> bool:
    return active(at) and bool(_landed(at)) and bool(at.reservation["total_baggages"])


def _there_and_back(at: Spot) -> bool:
    """Return whether the trip is ahead, has no change of planes, and starts with a flight that was also flown on an
    earlier day.
    """
    there = at.reservation["flight_type"] == "round_trip" and direct(at) and all_on_sale(at)
    return there and bool(_past_days(at))


BEGUN_TRIP = about(begun_trip, _there_and_back, cabin("business"))
BEGUN_AND_MOVED = about(begun_and_moved, _there_and_back, shifts, cabin("economy", "business"))
REINSTATE = about(reinstate, nearly_full)
LOST_BAG = about(lost_bag, _arrived_with_bags)
