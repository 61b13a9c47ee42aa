"""How callers put things into words: reservations, flights, passengers, bags, ways to pay, and what they know."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from env_server.domains.airline.clock import spoken
from env_server.domains.airline.scenarios.base import Case, Row

_UNNUMBERED = 0.35
_SILENT = frozenset({"confirm", "transfer"})
"""Details that are answers to one question only, and no part of a wish."""

CABINS = {"basic_economy": "basic economy", "economy": "economy", "business": "business"}
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def one_of(rng: Random, *texts: str) -> str:
    """One of several ways to say the same."""
    return rng.choice(texts)


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def count(number: int, noun: str) -> str:
    """`one bag`, `two bags`."""
    word = _COUNTS[number] if number < len(_COUNTS) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"


def reservation(case: Case, row: Row) -> str:
    """The reservation by its number, or by the way and the day where no other of the caller's has the same."""
    ways = [_way(other) for other in case.world.reservations_of(case.customer)]
    if ways.count(_way(row)) == 1 and case.rng.random() < _UNNUMBERED:
        origin, destination, day = _way(row)
        return (
            f"I do not have the number at hand; it is my trip from {origin} to {destination} that begins on"
            f" {spoken(day)}."
        )
    number = row["reservation_id"]
    return one_of(case.rng, f"It is reservation {number}.", f"The reservation number is {number}.")


def _way(row: Row) -> tuple[str, str, str]:
    return row["origin"], row["destination"], row["flights"][0]["date"]


def flight(leg: Row) -> str:
    """`flight KS120 from BOS to DEN on May 20, 2024`."""
    return f"flight {leg['flight_number']} from {leg['origin']} to {leg['destination']} on {spoken(leg['date'])}"


def name(passenger: Row) -> str:
    """First and last name."""
    return f"{passenger['first_name']} {passenger['last_name']}"


def passenger(row: Row) -> str:
    """A name with the date of birth."""
    return f"{name(row)} (born {row['dob']})"


def passengers(user: Row, rows: Sequence[Row]) -> str:
    """Who flies, in order; the caller is `me`, since the profile has their name and date of birth."""
    if rows == [me(user)]:
        return "It is only me, with my name and date of birth as in my profile."
    known = {name(me(user)): f"me, {passenger(me(user))}"}
    who = listed(known.get(name(row)) or passenger(row) for row in rows)
    return f"There are {count(len(rows), 'passenger')}, in this order: {who}."


def me(user: Row) -> dict[str, str]:
    """The user as a passenger."""
    return {**user["name"], "dob": user["dob"]}


def bags(number: int) -> str:
    """How many checked bags there are."""
    return f"The number of checked bags is {number} in all." if number else "There are no checked bags."


def insurance(answer: str) -> str:
    """Whether to take the insurance."""
    return "Yes, with travel insurance, please." if answer == "yes" else "No travel insurance, please."


def method(row: Row) -> str:
    """A payment method as its owner calls it; amounts tell cards of one kind apart."""
    if row["source"] == "credit_card":
        return f"my {row['brand']} card ending in {row['last_four']}"
    kind = "gift card" if row["source"] == "gift_card" else "travel certificate"
    return f"my {kind} with ${row['amount']:.0f} on it"


def yours(row: Row) -> str:
    """A payment method of the caller, in the second person."""
    return method(row).replace("my ", "your ", 1)


def paying(row: Row) -> str:
    """What a caller answers when asked how the difference is settled."""
    return f"Please use {method(row)}."


def told(details: Mapping[str, str]) -> str:
    """The details for the instruction: what the caller says when asked."""
    spoken_ones = [text for topic, text in details.items() if topic not in _SILENT]
    return f'Asked for details, you say: "{" ".join(spoken_ones)}"'
