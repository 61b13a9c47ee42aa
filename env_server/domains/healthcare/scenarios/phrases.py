"""How callers put things into words: who it is about, days, doctors, pharmacies; and values as agents may name them."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from env_server.domains.healthcare.scenarios.base import Call, Row

_PATIENT_OF = {
    "parent": "my child",
    "legal_guardian": "my ward",
    "adult_child": "my parent",
    "sibling": "the person I look after",
    "caregiver": "the person I look after",
}
"""What patients are to those who speak for them, by the relationship that is on file."""

_WORDS = {
    "new_patient": "first visit",
    "follow_up": "follow-up visit",
    "annual_physical": "annual physical",
    "procedure": "visit for a procedure",
    "video": "video visit",
}

_PHYSICIANS = {
    "cardiology": "cardiologist",
    "dermatology": "dermatologist",
    "endocrinology": "endocrinologist",
    "family_medicine": "family doctor",
    "gastroenterology": "gastroenterologist",
    "gynecology": "gynecologist",
    "internal_medicine": "internist",
    "neurology": "neurologist",
    "ophthalmology": "ophthalmologist",
    "orthopedics": "orthopedist",
    "pediatrics": "pediatrician",
    "psychiatry": "psychiatrist",
}


def full(name: Mapping[str, str]) -> str:
    """`Ada Holm`."""
    return f"{name['first_name']} {name['last_name']}"


def day(text: str) -> str:
    """A date as people say it: `March 9, 2026`."""
    made = date.fromisoformat(text)
    return f"{made:%B} {made.day}, {made.year}"


def money(amount: float) -> str:
    """Dollars with two decimals: `54.10`."""
    return f"{amount:.2f}"


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def specialty(name: str) -> str:
    """`family medicine`."""
    return name.replace("_", " ")


def physician(name: str) -> str:
    """Whom one sees in a specialty: `cardiologist`."""
    return _PHYSICIANS[name]


def visit(visit_type: str) -> str:
    """A kind of visit in words."""
    return _WORDS[visit_type]


def doctor(row: Row) -> str:
    """`Dr. Nell Voss`."""
    return f"Dr. {full(row['name'])}"


def relation(consent: Row) -> str:
    """What the patient is to the caller: `my child`."""
    return _PATIENT_OF[consent["relationship"]]


def for_whom(call: Call) -> str:
    """` for Leo (my child)`, or nothing where patients call themselves; follows a wish."""
    return f" for {call.patient['name']['first_name']} ({relation(call.speaker)})" if call.speaker else ""


def yours(text: str) -> str:
    """What a caller says of their own, as the instruction says it to them."""
    for mine, your in ((" my ", " your "), ("(my ", "(your "), (" me ", " you "), (" me.", " you."), (" I ", " you ")):
        text = text.replace(mine, your)
    return text


def pharmacy(row: Row) -> str:
    """`the Millbrook Old Mill Pharmacy in Millbrook`."""
    return f"the {row['name']} in {row['city']}"


def address(row: Mapping[str, Any]) -> str:
    """An address in the order the tools ask for it."""
    return ", ".join(row[k] for k in ("street", "city", "state", "zip"))
