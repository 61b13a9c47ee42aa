"""Price and allowance rules of the policy, for the world, the tasks and the invariants. The agent computes these values
itself.
"""

from collections.abc import Mapping
from typing import Any

BAG_FEE = 45
"""Dollars for each checked bag beyond the free ones, for the whole trip."""

INSURANCE_FEE = 25
"""Dollars of travel insurance for each passenger."""

CANCELLED_GIFT, DELAYED_GIFT = 90, 40
"""Dollars of a compensation certificate for each passenger."""

LOST_GIFT = 70
"""Dollars of a certificate for each lost bag of an insured reservation."""

MOST_PASSENGERS = {"regular": 4, "silver": 5, "gold": 5}
"""The maximum number of passengers in a reservation, by the membership of the user who books it."""

_FREE_BAGS = {
    "regular": {"basic_economy": 0, "economy": 1, "business": 2},
    "silver": {"basic_economy": 0, "economy": 2, "business": 3},
    "gold": {"basic_economy": 1, "economy": 3, "business": 4},
}


def free_bags(membership: str, cabin: str) -> int:
    """Return the number of free checked bags for each passenger."""
    return _FREE_BAGS[membership][cabin]


def paid_bags(membership: str, cabin: str, passengers: int, bags: int) -> int:
    """Return how many of `bags` checked bags must be paid for."""
    return max(0, bags - passengers * free_bags(membership, cabin))


def price(reservation: Mapping[str, Any]) -> int:
    """Return the current price of a reservation: flights, extra bags and insurance, in dollars."""
    people = len(reservation["passengers"])
    insurance = INSURANCE_FEE * people if reservation["insurance"] == "yes" else 0
    fare: int = sum(leg["price"] for leg in reservation["flights"])
    return fare * people + BAG_FEE * int(reservation["nonfree_baggages"]) + insurance
