"""The callers' words for people, days, doctors and pharmacies, and the agents' forms of values."""

from collections.abc import Mapping
from typing import Any

from env_server.domains.healthcare.scenarios.base import Case
from env_server.domains.kit import Row, full_name

_PATIENT_OF = {
    "parent": "my child",
    "legal_guardian": "my ward",
    "adult_child": "my parent",
    "sibling": "the person I look after",
    "caregiver": "the person I look after",
}
"""The caller's words for the patient, by the relationship on file."""

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


def specialty(name: str) -> str:
    """Return a specialty in words: `family medicine`."""
    return name.replace("_", " ")


def physician(name: str) -> str:
    """Return the title of a doctor of a specialty: `cardiologist`."""
    return _PHYSICIANS[name]


def visit(visit_type: str) -> str:
    """Return a kind of visit in words."""
    return _WORDS[visit_type]


def doctor(row: Row) -> str:
    """Return a doctor's name with title: `Dr. Nell Voss`."""
    return f"Dr. {full_name(row['name'])}"


def relation(consent: Row) -> str:
    """Return the caller's words for the patient: `my child`."""
    return _PATIENT_OF[consent["relationship"]]


def for_whom(call: Case) -> str:
    """Return ` for Leo (my child)` to append to a wish. Return nothing if patients call themselves."""
    return f" for {call.patient['name']['first_name']} ({relation(call.speaker)})" if call.speaker else ""


def yours(text: str) -> str:
    """Return a caller's text in the second person, as an instruction."""
    for mine, your in ((" my ", " your "), ("(my ", "(your "), (" me ", " you "), (" me.", " you."), (" I ", " you ")):
        text = text.replace(mine, your)
    return text


def pharmacy(row: Row) -> str:
    """Return a pharmacy in words: `the Millbrook Old Mill Pharmacy in Millbrook`."""
    return f"the {row['name']} in {row['city']}"


def address(row: Mapping[str, Any]) -> str:
    """Return an address in the order in which the tools ask for it."""
    return ", ".join(row[k] for k in ("street", "city", "state", "zip"))
