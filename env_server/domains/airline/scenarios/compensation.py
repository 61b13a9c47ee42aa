"""Complaints about cancelled and delayed flights, and the certificates that answer some of them.

Where a complaint has to be turned down, the score shows that the agent looked, changed nothing and handed nobody over;
it does not show in which words the agent refused.
"""

from env_server.domains.airline.rules import CANCELLED_GIFT, DELAYED_GIFT
from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
    Test,
    about,
    ahead,
    all_on_sale,
    cabin,
    check_flight,
    insured,
    not_,
    open_reservation,
    write,
)
from env_server.domains.airline.scenarios.cancelling import COVERED, NOT_COVERED, cancel_call
from env_server.domains.airline.scenarios.flights import flights_call, movable, moved_searches, shift, shift_details
from env_server.domains.kit import GoldCall, Request

ONLY_MONEY = {"confirm": "I do not want anything else. I only want to be compensated."}
"""What callers answer who are offered something else than a compensation."""


def deserving(at: Spot) -> bool:
    """Whether the customer or the reservation is of a kind that is compensated."""
    return at.user["membership"] != "regular" or insured(at) or at.reservation["cabin"] == "business"


def with_flight(status: str) -> Test:
    """Reservations ahead, one of whose flights stands so."""
    return lambda at: ahead(at) and status in at.statuses


def gift_call(case: Case, dollars: int) -> GoldCall:
    """The write that sends a certificate of so many dollars for each passenger."""
    amount = dollars * len(case.reservation["passengers"])
    return write("send_certificate", user_id=case.customer["user_id"], amount=amount)


def _leg(case: Case, status: str) -> Row:
    """The flight of the reservation that stands so."""
    return next(leg for leg in case.reservation["flights"] if case.world.status(leg) == status)


def _complaint(case: Case, leg: Row, what: str, *, besides: str = "") -> tuple[Request, str]:
    """A claim for compensation because `leg` was cancelled or delayed, and the goal in prose."""
    details = {
        "reservation": phrases.reservation(case, case.reservation),
        "flight": f"It is about {phrases.flight(leg)}. It was {what}.",
    }
    ask = phrases.one_of(
        case.rng,
        f"My flight was {what}, and I think I should be compensated for that.",
        f"One of my flights was {what}. I want a compensation.",
    )
    request = Request(ask=ask, details=details | ONLY_MONEY)
    return request, f"You want a compensation for a {what} flight{besides}. {phrases.told(details)}"


def cancelled_gift(case: Case) -> Part:
    """A customer who deserves it complains about a cancelled flight."""
    leg = _leg(case, "cancelled")
    request, goal = _complaint(case, leg, "cancelled")
    accepting = {topic: text for topic, text in request.details.items() if topic != "confirm"}
    return Part(
        requests=(request.model_copy(update={"details": accepting}),),
        goal=goal,
        proof=(open_reservation(case.reservation), check_flight(leg)),
        writes=(gift_call(case, CANCELLED_GIFT),),
        slots={"reservation": case.subject},
    )


def delayed_and_cancelled(case: Case) -> Part:
    """A delayed trip is cancelled for a ground that counts; then the customer asks for a compensation."""
    leg = _leg(case, "delayed")
    why = case.rng.choice(NOT_COVERED if case.reservation["cabin"] == "business" else COVERED)
    said = phrases.reservation(case, case.reservation)
    details = {"reservation": said, "reason": why}
    then = {"reservation": said, "flight": f"It is about {phrases.flight(leg)}, which is delayed."}
    return Part(
        requests=(
            Request(ask="I want to cancel a trip of mine.", details=details),
            Request(ask="A flight of that trip is delayed. I'd like to be compensated for that, too.", details=then),
        ),
        goal=f"You want to cancel a trip. {phrases.told(details)} When that is done, you want a compensation because"
        f" {phrases.flight(leg)} is delayed.",
        proof=(open_reservation(case.reservation), check_flight(leg)),
        writes=(cancel_call(case.reservation), gift_call(case, DELAYED_GIFT)),
        slots={"reservation": case.subject, "reason": why},
    )


def delayed_and_moved(case: Case) -> Part:
    """A delayed flight is changed for one on another day; then the customer asks for a compensation."""
    reservation, method = case.reservation, case.card()
    leg, made = _leg(case, "delayed"), shift(case, case.reservation)
    details = shift_details(case, made, method)
    then = {"reservation": details["reservation"], "flight": f"It is about {phrases.flight(leg)}, which is delayed."}
    return Part(
        requests=(
            Request(ask="I want to take another flight, on another day.", details=details),
            Request(ask="The flight that I had is delayed. I'd like a compensation for that, too.", details=then),
        ),
        goal=f"You want to change a flight. {phrases.told(details)} When that is done, you want a compensation because"
        f" {phrases.flight(leg)} is delayed.",
        proof=(open_reservation(reservation), check_flight(leg), *moved_searches(reservation, made)),
        writes=(
            flights_call(reservation, reservation["cabin"], made.flights, method),
            gift_call(case, DELAYED_GIFT),
        ),
        slots={"reservation": case.subject, "flights": made.flights, "words": made.leg.words, "payment": method["id"]},
    )


def _turned_down(case: Case, leg: Row, what: str, *, besides: str = "") -> Part:
    request, goal = _complaint(case, leg, what, besides=besides)
    return Part(
        requests=(request,),
        goal=f"{goal} You accept it if you are refused, and want nothing else.",
        proof=(open_reservation(case.reservation), check_flight(leg)),
        slots={"reservation": case.subject, "flight": leg["flight_number"], "claim": request.ask},
    )


def undeserved(case: Case) -> Part:
    """A regular member without insurance, not in business, complains about a cancelled flight."""
    return _turned_down(case, _leg(case, "cancelled"), "cancelled")


def false_claim(case: Case) -> Part:
    """The flight complained about was neither cancelled nor delayed."""
    leg = case.rng.choice(case.reservation["flights"])
    return _turned_down(case, leg, case.rng.choice(("cancelled", "delayed")))


def delay_alone(case: Case) -> Part:
    """A delayed flight is compensated only after a change or a cancellation, and the caller wants neither."""
    return _turned_down(case, _leg(case, "delayed"), "delayed", besides=", without any change to the trip")


def _cancellable(at: Spot) -> bool:
    return at.reservation["cabin"] == "business" or insured(at)


def _single(at: Spot) -> bool:
    return len(at.reservation["flights"]) == 1


CANCELLED = about(cancelled_gift, with_flight("cancelled"), deserving)
DELAYED_AND_CANCELLED = about(delayed_and_cancelled, with_flight("delayed"), _cancellable)
DELAYED_AND_MOVED = about(
    delayed_and_moved, with_flight("delayed"), _single, movable, deserving, cabin("economy", "business")
)
UNDESERVED = about(undeserved, with_flight("cancelled"), not_(deserving))
FALSE_CLAIM = about(false_claim, all_on_sale, deserving)
DELAY_ALONE = about(delay_alone, with_flight("delayed"), deserving)
