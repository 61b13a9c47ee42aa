"""The owner of a row, and the tools that find or check the caller."""

import pytest

from env_server.domains.healthcare import domain
from env_server.domains.healthcare.owners import owner
from tests.domains.healthcare.clinic import Clinic

IDENTIFYING = {"find_patient", "find_patient_by_phone", "get_patient_info", "get_proxies"}


@pytest.mark.parametrize(
    ("value", "whose"),
    [("P1", "P1"), ("A3", "P1"), ("RX2", "P1"), ("L1", "P1"), ("R5", "P2"), ("W1", "P2"), ("C1", "P2")],
)
def test_rows_on_file_are_a_patients(value: str, whose: str) -> None:
    """Patients, and all rows on file for them, belong to the patient."""
    assert owner(Clinic().db, value) == whose


@pytest.mark.parametrize("value", ["D1", "PH1", "basic", "70551", "D1@2026-03-16", "P9", ""])
def test_what_is_the_clinics_is_nobodys(value: str) -> None:
    """Doctors, pharmacies, plans, procedures, days and unknown rows belong to no patient."""
    assert owner(Clinic().db, value) is None


def test_the_tools_that_tell_who_calls_are_marked() -> None:
    """Marked are exactly the tools that find a patient, or show the second factor or the proxies."""
    assert {tool.name for tool in domain.tools if tool.identifies} == IDENTIFYING
