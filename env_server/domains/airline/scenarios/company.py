"""Wishes about who comes along, and with how many bags."""

from typing import Any

from env_server.domains.airline.people import FIRST, LAST, birthday
from env_server.domains.airline.rules import BAG_FEE, free_bags, paid_bags
from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
    about,
    ahead,
    open_reservation,
    passengers_of,
    stored,
    write,
)
from env_server.domains.kit import GoldCall, Request

MOST_FREE = 3
"""Free bags that a caller may have left who asks for more."""


def passengers_call(reservation: Row, passengers: list[dict[str, Any]]) -> GoldCall:
    """The write that sets a reservation's passengers."""
    return write("update_reservation_passengers", reservation_id=reservation["reservation_id"], passengers=passengers)


def bags_call(case: Case, total: int, method: Row) -> GoldCall:
    """The write that brings the reservation to `total` checked bags."""
    return write(
        "update_reservation_baggages",
        reservation_id=case.subject,
        total_baggages=total,
        nonfree_baggages=paid_bags(
            case.customer["membership"], case.reservation["cabin"], len(case.reservation["passengers"]), total
        ),
        payment_id=method["id"],
    )


def correct_passenger(case: Case) -> Part:
    """A name or a date of birth was given wrongly."""
    rng, reservation = case.rng, case.reservation
    after = passengers_of(reservation)
    one = rng.choice(after)
    wrong = dict(one)
    field = rng.choice(("first_name", "last_name", "dob"))
    new = {"first_name": rng.choice(FIRST), "last_name": rng.choice(LAST), "dob": birthday(rng)}[field]
    one[field] = (
        new if new != one[field] else {"first_name": "Ottilie", "last_name": "Ashby", "dob": "1976-05-04"}[field]
    )
    changed = {"dob": f"the date of birth should be {one['dob']}"}.get(field, f"the name should be {phrases.name(one)}")
    details = {
        "reservation": phrases.reservation(case, reservation),
        "passenger": f"For passenger {phrases.name(wrong)}, {changed}. Everything else about the passengers is right.",
    }
    return Part(
        requests=(Request(ask="There is a mistake in a passenger's details.", details=details),),
        goal=f"You want a passenger's details corrected. {phrases.told(details)}",
        reads=(open_reservation(reservation),),
        writes=(passengers_call(reservation, after),),
        slots={"reservation": case.subject, "passengers": after},
    )


def replace_passenger(case: Case) -> Part:
    """Somebody saved in the profile flies in place of a passenger."""
    reservation = case.reservation
    after = passengers_of(reservation)
    place = case.rng.randrange(len(after))
    leaves, comes = after[place], dict(case.rng.choice(strangers(case.customer, reservation)))
    after[place] = comes
    details = {
        "reservation": phrases.reservation(case, reservation),
        "passenger": f"{phrases.passenger(comes)} flies in place of {phrases.name(leaves)}.",
    }
    return Part(
        requests=(Request(ask="Somebody else is going to fly in place of one of us.", details=details),),
        goal=f"You want one passenger replaced by another. {phrases.told(details)}",
        reads=(open_reservation(reservation),),
        writes=(passengers_call(reservation, after),),
        slots={"reservation": case.subject, "passengers": after},
    )


def others_known(at: Spot) -> bool:
    """Whether somebody is saved in the profile who is not on the reservation."""
    return bool(strangers(at.user, at.reservation))


def strangers(user: Row, reservation: Row) -> list[Row]:
    """People saved in the profile who are not on the reservation."""
    return [one for one in user["saved_passengers"] if one not in reservation["passengers"]]


def bag_details(case: Case, more: int, payment: str) -> dict[str, str]:
    """What a caller answers about more bags."""
    return {
        "reservation": phrases.reservation(case, case.reservation),
        "bag": f"Please add {phrases.count(more, 'checked bag')} to those we have.",
        "payment": payment,
    }


def extra_cost(case: Case, more: int) -> int:
    """What `more` checked bags cost, in dollars."""
    reservation = case.reservation
    paid = paid_bags(
        case.customer["membership"],
        reservation["cabin"],
        len(reservation["passengers"]),
        reservation["total_baggages"] + more,
    )
    return int(BAG_FEE * (paid - reservation["nonfree_baggages"]))


def first_paid(at: Spot) -> int:
    """How many more bags it takes until one has to be paid for."""
    free = free_bags(at.user["membership"], at.reservation["cabin"]) * len(at.reservation["passengers"])
    return max(1, free - int(at.reservation["total_baggages"]) + 1)


def nearly_full(at: Spot) -> bool:
    """Ahead, and so near to the free bags that a few more have to be paid for."""
    return ahead(at) and first_paid(at) <= MOST_FREE + 1


def add_bags(case: Case) -> Part:
    """More checked bags, some of which may be free."""
    more, method = first_paid(case.spot) + case.rng.randint(0, 2), case.card()
    details = bag_details(case, more, f"If they cost something, please use {phrases.method(method)}.")
    return Part(
        requests=(Request(ask="I'd like to add checked bags to a reservation.", details=details),),
        goal=f"You want to add checked bags to a reservation. {phrases.told(details)}",
        reads=(open_reservation(case.reservation),),
        writes=(bags_call(case, case.reservation["total_baggages"] + more, method),),
        slots={"reservation": case.subject, "more": more, "payment": method["id"]},
    )


def bags_by_gift_card(case: Case) -> Part:
    """More checked bags, paid with a gift card whose new balance the caller wants to hear."""
    more, gift = first_paid(case.spot) + case.rng.randint(0, 1), case.rng.choice(_rich(case.customer))
    left = str(int(gift["amount"]) - extra_cost(case, more))
    details = bag_details(case, more, phrases.paying(gift))
    ask = "I'd like to add checked bags, paid with my gift card, and to know what is left on the card then."
    return Part(
        requests=(Request(ask=ask, details=details, wants=(left,)),),
        goal=f"You want to add checked bags and to be told what is left on the card. {phrases.told(details)}",
        proof=(open_reservation(case.reservation),),
        writes=(bags_call(case, case.reservation["total_baggages"] + more, gift),),
        outputs=(left,),
        slots={"reservation": case.subject, "more": more, "payment": gift["id"]},
    )


def _rich(user: Row) -> list[Row]:
    """Gift cards that cover two paid bags and then some."""
    return [gift for gift in stored(user, "gift_card") if gift["amount"] > 3 * BAG_FEE]


CORRECT_PASSENGER = about(correct_passenger, ahead)
REPLACE_PASSENGER = about(replace_passenger, ahead, others_known)
ADD_BAGS = about(add_bags, nearly_full)
BAGS_BY_GIFT_CARD = about(bags_by_gift_card, nearly_full, lambda at: bool(_rich(at.user)))
