"""Plain English for what the airline's rows hold: flights, passengers, numbers of things and payment methods."""

import re
from collections.abc import Iterable

from env_server.domains.airline.clock import spoken
from env_server.domains.airline.scenarios.base import Row

CABINS = {"basic_economy": "basic economy", "economy": "economy", "business": "business"}
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SECOND = {"i": "you", "me": "you", "my": "your", "mine": "yours", "we": "you", "us": "you", "our": "your"}
_FIRST = re.compile(r"\b(?:I|me|my|mine|we|us|our)\b")


def listed(parts: Iterable[str]) -> str:
    """Return a list in words: `a`, `a and b`, `a, b and c`."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def word(number: int) -> str:
    """Return a small number in words."""
    return _COUNTS[number] if number < len(_COUNTS) else str(number)


def count(number: int, noun: str) -> str:
    """Return a counted noun: `one bag`, `two bags`."""
    return f"{word(number)} {noun}{'' if number == 1 else 's'}"


def route(row: Row) -> str:
    """Return a route in words: `from BOS to DEN`."""
    return f"from {row['origin']} to {row['destination']}"


def flight(leg: Row) -> str:
    """Return `flight KS120 from BOS to DEN on May 20, 2024`."""
    return f"flight {leg['flight_number']} {route(leg)} on {spoken(leg['date'])}"


def name(passenger: Row) -> str:
    """First and last name."""
    return f"{passenger['first_name']} {passenger['last_name']}"


def passenger(row: Row) -> str:
    """Return a name with the date of birth."""
    return f"{name(row)} (born {row['dob']})"


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
    return _FIRST.sub(lambda match: _SECOND[match[0].lower()], text)
