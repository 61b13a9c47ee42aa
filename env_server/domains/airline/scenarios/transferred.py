"""Wishes outside what the agent can do, for which the policy demands a transfer to people."""

from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    GONE,
    Case,
    Part,
    Spot,
    about,
    active,
    not_,
    open_reservation,
)
from env_server.domains.airline.scenarios.cancelling import COVERED, NOT_COVERED
from env_server.domains.kit import GoldCall, Request


def _handed_over(case: Case, ask: str, details: dict[str, str], summary: str) -> Part:
    said = {"reservation": phrases.reservation(case, case.reservation)} | details
    answers = {"transfer": "Yes, please transfer me.", "confirm": "No, I want nothing else."}
    call = GoldCall(name="transfer_to_human_agents", arguments={"summary": f"{summary} {case.subject}."}, compare=())
    return Part(
        requests=(Request(ask=ask, details=said | answers),),
        goal=f'You say: "{ask}" {phrases.told(said)} You agree to being transferred if the agent cannot do that.',
        proof=(open_reservation(case.reservation),),
        handover=(call,),
        slots={"reservation": case.subject, **details},
    )


def begun_trip(case: Case) -> Part:
    """A trip that has begun should be cancelled for the rest of the way."""
    why = case.rng.choice((*COVERED, *NOT_COVERED))
    ask = "I am on a trip, and I want to cancel the flights that are left."
    return _handed_over(case, ask, {"reason": why}, "The user wants to cancel the rest of the begun trip")


def begun_and_moved(case: Case) -> Part:
    """A trip that has begun should end by another flight."""
    last = case.reservation["flights"][-1]
    details = {"flight": f"I want to fly one day earlier or later than by {phrases.flight(last)}."}
    ask = "I am on a trip, and I need another flight home."
    return _handed_over(case, ask, details, "The user wants another flight for the rest of the begun trip")


def reinstate(case: Case) -> Part:
    """A cancelled reservation should be brought back."""
    ask = "I cancelled a trip, and now I want it back as it was."
    return _handed_over(case, ask, {}, "The user wants to reinstate the cancelled reservation")


def lost_bag(case: Case) -> Part:
    """A bag did not arrive with a flight that has landed."""
    landed = [leg for leg in case.reservation["flights"] if case.world.status(leg) == "landed"]
    details = {"flight": f"It was {phrases.flight(case.rng.choice(landed))}."}
    ask = "My checked bag did not arrive, and I want it found."
    return _handed_over(case, ask, details, "The user misses a checked bag of reservation")


def _begun(at: Spot) -> bool:
    statuses = set(at.statuses)
    return active(at) and bool(GONE & statuses) and not statuses <= GONE


def _arrived_with_bags(at: Spot) -> bool:
    return active(at) and "landed" in at.statuses and bool(at.reservation["total_baggages"])


BEGUN_TRIP = about(begun_trip, _begun)
BEGUN_AND_MOVED = about(begun_and_moved, _begun)
REINSTATE = about(reinstate, not_(active))
LOST_BAG = about(lost_bag, _arrived_with_bags)
