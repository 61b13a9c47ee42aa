"""Plain English for what the airline's rows hold: flights, passengers, numbers of things and payment methods."""

from env_server.domains.airline.scenarios.base import Row
from env_server.domains.kit import full_name, spoken, turned

CABINS = {"basic_economy": "basic economy", "economy": "economy", "business": "business"}
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SECOND = {"I": "you", "me": "you", "my": "your", "mine": "yours", "we": "you", "us": "you", "our": "your"}


def route(row: Row) -> str:
    """Return a route in words: `from BOS to DEN`."""
    return f"from {row['origin']} to {row['destination']}"


def flight(leg: Row) -> str:
    """Return `flight KS120 from BOS to DEN on May 20, 2024`."""
    return f"flight {leg['flight_number']} {route(leg)} on {spoken(leg['date'])}"


def passenger(row: Row) -> str:
    """Return a name with the date of birth."""
    return f"{full_name(row)} (born {row['dob']})"


def me(user: Row) -> dict[str, str]:
    """Return the user as a passenger."""
    return {**user["name"], "dob": user["dob"]}


def bags(number: int) -> str:
    """Return `2 checked bags`, or `no checked bags`."""
    return f"{number or 'no'} checked bag{'' if number == 1 else 's'}"


def insured(answer: str) -> str:
    """Return `with travel insurance` or the words for no insurance."""
    return "with travel insurance" if answer == "yes" else "without travel insurance (no insurance)"


def method(row: Row) -> str:
    """Return the owner's words for a payment method. The amounts distinguish cards of one kind."""
    if row["source"] == "credit_card":
        return f"my {row['brand']} card ending in {row['last_four']}"
    kind = "gift card" if row["source"] == "gift_card" else "travel certificate"
    return f"my {kind} with ${row['amount']:.0f} on it"


def yours(text: str) -> str:
    """Return a first-person text in the second person."""
    return turned(text, _SECOND)
