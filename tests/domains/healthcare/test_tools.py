"""Healthcare's tools on a patient's file and on look-ups; test_booking.py tests visits."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.filing import MOST_CONSENTS
from tests.domains.healthcare.clinic import LATER, ROWS, Clinic

JO = {"first_name": "Jo", "last_name": "Doe", "dob": "1980-12-31"}


@pytest.fixture
def clinic() -> Clinic:
    """Fresh clinics."""
    return Clinic()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("find_patient", {"first_name": "jo ", "last_name": "DOE", "dob": "1980-12-31"}),
        ("find_patient_by_phone", {"phone": "+1 (303) 555 0142", "dob": "1980-12-31"}),
        ("search_patients", {"firstname": "Jo", "lastname": "Doe", "date_of_birth": "1980-12-31"}),
    ],
)
def test_patients_are_found_however_it_is_written(clinic: Clinic, name: str, arguments: dict[str, str]) -> None:
    """Case, spaces and the form of a number do not matter; a family's phone with a birthday finds one patient."""
    assert clinic.done(name, **arguments) == ["P1"]


def test_nobody_is_found_by_half_of_the_facts(clinic: Clinic) -> None:
    """Name and phone need the right date of birth, and a malformed date is named."""
    assert "no patient" in clinic.refused("find_patient", **JO | {"dob": "1980-12-30"})
    assert "no patient" in clinic.refused("find_patient_by_phone", phone="303-555-0142", dob="1980-12-30")
    assert "YYYY-MM-DD" in clinic.refused("find_patient", **JO | {"dob": "31/12/1980"})


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("get_patient_info", {"patient_id": "P1"}, ROWS["patients"][0]),
        ("get_proxies", {"patient_id": "P2"}, ROWS["consents"]),
        ("get_proxies", {"patient_id": "P1"}, []),
        ("get_appointment_details", {"appointment_id": "A3"}, ROWS["appointments"][2]),
        ("list_appointments", {"patient_id": "P1"}, [ROWS["appointments"][i] for i in (1, 3, 0, 2)]),
        ("list_appointments", {"patient_id": "P1", "status": "completed"}, [ROWS["appointments"][1]]),
        ("get_doctor_details", {"doctor_id": "D4"}, ROWS["doctors"][3]),
        ("search_doctors", {"specialty": "cardiology"}, ROWS["doctors"][1:3]),
        ("search_doctors", {"specialty": "cardiology", "plan_id": "choice"}, [ROWS["doctors"][2]]),
        ("search_doctors", {"specialty": "cardiology", "accepts_new_patients": True}, [ROWS["doctors"][1]]),
        ("search_doctors", {"specialty": "cardiology", "city": "denver"}, ROWS["doctors"][1:3]),
        ("search_doctors", {"specialty": "cardiology", "city": "Boulder"}, []),
        ("list_prescriptions", {"patient_id": "P1"}, ROWS["prescriptions"]),
        ("get_lab_results", {"patient_id": "P1"}, ROWS["lab_results"]),
        ("get_referrals", {"patient_id": "P2"}, [ROWS["referrals"][4]]),
        ("search_pharmacies", {"city": " denver"}, ROWS["pharmacies"]),
        ("list_procedures", {}, {"Electrocardiogram": "93000", "MRI of the brain": "70551"}),
    ],
)
def test_look_ups_show_the_rows(clinic: Clinic, name: str, arguments: dict[str, Any], answer: Any) -> None:
    """Look-ups by id, of a patient, or by a search show whole rows."""
    assert clinic.done(name, **arguments) == answer


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_patient_info", {"patient_id": "P9"}),
        ("get_proxies", {"patient_id": "P9"}),
        ("list_appointments", {"patient_id": "P9"}),
        ("get_appointment_details", {"appointment_id": "P9"}),
        ("get_doctor_details", {"doctor_id": "P9"}),
        ("get_doctor_availability", {"doctor_id": "P9"}),
        ("search_doctors", {"specialty": "cardiology", "plan_id": "P9"}),
        ("get_waitlist_entries", {"patient_id": "P9"}),
        ("get_insurance_coverage", {"patient_id": "P9"}),
        ("check_coverage", {"patient_id": "P1", "procedure_code": "P9"}),
        ("leave_waitlist", {"entry_id": "P9"}),
        ("request_refill", {"prescription_id": "RX1", "pharmacy_id": "P9"}),
        ("request_referral", {"patient_id": "P9", "specialty": "neurology"}),
        ("set_pharmacy", {"patient_id": "P1", "pharmacy_id": "P9"}),
        ("revoke_consent", {"consent_id": "P9"}),
    ],
)
def test_what_is_not_there_is_named(clinic: Clinic, name: str, arguments: dict[str, str]) -> None:
    """The error for an unknown id names it."""
    assert "'P9'" in clinic.refused(name, **arguments)


def test_plans_are_listed_without_their_procedures(clinic: Clinic) -> None:
    """A plan is shown with the costs of visits; its procedures are checked one by one."""
    plans = clinic.done("list_plans")
    assert [(plan["plan_id"], plan["copays"]["primary"]) for plan in plans] == [("basic", 20.0), ("choice", 35.0)]
    assert not any("procedures" in plan for plan in plans)


def test_coverage_is_that_of_the_plan_in_force(clinic: Clinic) -> None:
    """Price, the plan's part and the deductible are in one answer; a procedure that the plan lacks is not covered."""
    scan = clinic.done("check_coverage", patient_id="P1", procedure_code="70551")
    assert scan == {
        "procedure": ROWS["procedures"][0],
        "plan_id": "basic",
        "covered": True,
        "coinsurance_percent": 20.0,
        "prior_authorization": True,
        "deductible_left": 120.5,
    }
    other = clinic.done("check_coverage", patient_id="P1", procedure_code="93000")
    assert (other["covered"], other["coinsurance_percent"]) == (False, 100.0)


@pytest.mark.parametrize(("start", "now"), [(TODAY, "choice"), ("2026-04-01", "basic")])
def test_new_insurance_is_in_force_from_its_day_on(clinic: Clinic, start: str, now: str) -> None:
    """Insurance from today replaces the present one; later insurance is stored beside it."""
    arguments = {"patient_id": "P1", "plan_id": "choice", "member_id": " x7 ", "effective_date": start}
    clinic.done("update_insurance", **arguments)
    shown = clinic.done("get_insurance_coverage", patient_id="P1")
    assert (shown["insurance"]["plan_id"], shown["plan"]["plan_id"]) == (now, now)
    new = shown["upcoming_insurance"] or shown["insurance"]
    assert new == {"plan_id": "choice", "member_id": "X7", "effective_date": start, "deductible_left": 500.0}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"effective_date": "2026-03-08"}, "past"), ({"effective_date": "soon"}, "YYYY-MM-DD"), ({"plan_id": "x"}, "'x'")],
)
def test_bad_insurance_is_refused(clinic: Clinic, change: dict[str, str], complaint: str) -> None:
    """Insurance cannot begin in the past, nor be of an unknown plan."""
    good = {"patient_id": "P1", "plan_id": "choice", "member_id": "X7", "effective_date": TODAY}
    assert complaint in clinic.refused("update_insurance", **good | change)


def test_a_waitlist_keeps_its_order(clinic: Clinic) -> None:
    """New entries go last, others move up when one leaves, and one who comes back is last again."""
    wish = {"doctor_id": "D1", "visit_type": "follow_up"}
    mine = clinic.done("join_waitlist", patient_id="P1", **wish)
    assert (mine["position"], mine["joined_at"], mine["status"]) == (3, "2026-03-09T09:00", "waiting")
    assert "already" in clinic.refused("join_waitlist", patient_id="P1", **wish)
    assert clinic.done("leave_waitlist", entry_id="W1")["status"] == "left"
    assert "already" in clinic.refused("leave_waitlist", entry_id="W1")
    assert clinic.done("get_waitlist_entries", patient_id="P2") == []
    assert [entry["position"] for entry in clinic.done("get_waitlist_entries", patient_id="P1")] == [2]
    assert clinic.done("join_waitlist", patient_id="P2", **wish)["position"] == 3
    assert "position" not in clinic.row("waitlist", mine["entry_id"])


@pytest.mark.parametrize(
    ("doctor_id", "visit_type", "complaint"), [("D4", "follow_up", "aged 0 to 17"), ("D1", "procedure", "offers no")]
)
def test_nobody_waits_for_what_cannot_be(clinic: Clinic, doctor_id: str, visit_type: str, complaint: str) -> None:
    """A waitlist takes only visits that the doctor offers to patients of that age."""
    arguments = {"patient_id": "P1", "doctor_id": doctor_id, "visit_type": visit_type}
    assert complaint in clinic.refused("join_waitlist", **arguments)


def test_a_refill_uses_one_up_where_it_is_asked_for(clinic: Clinic) -> None:
    """A refill lowers the count and has today's date and the named pharmacy; the patient's own pharmacy stays."""
    filled = clinic.done("request_refill", prescription_id="RX1", pharmacy_id="PH2")
    assert (filled["refills_left"], filled["last_filled"], filled["pharmacy_id"]) == (1, TODAY, "PH2")
    assert clinic.row("patients", "P1")["pharmacy_id"] == "PH1"
    assert "today already" in clinic.refused("request_refill", prescription_id="RX1", pharmacy_id="PH2")


@pytest.mark.parametrize("key", ["RX4", "RX5", "RX6"])
def test_what_the_policy_forbids_the_back_end_lets_through(clinic: Clinic, key: str) -> None:
    """The tool fills controlled, expired and too early prescriptions: only the policy forbids it."""
    assert clinic.done("request_refill", prescription_id=key, pharmacy_id="PH1")["refills_left"] == 1


@pytest.mark.parametrize(("key", "complaint"), [("RX2", "no refills left"), ("RX3", "'discontinued'")])
def test_an_empty_or_ended_prescription_is_not_filled(clinic: Clinic, key: str, complaint: str) -> None:
    """There must be a refill left on an active prescription."""
    assert complaint in clinic.refused("request_refill", prescription_id=key, pharmacy_id="PH1")


def test_a_renewal_is_asked_for_once(clinic: Clinic) -> None:
    """A request for renewal is stored once; a second one, or one for an ended prescription, is refused."""
    assert clinic.done("request_renewal", prescription_id="RX2")["renewal_requested_on"] == TODAY
    assert "already" in clinic.refused("request_renewal", prescription_id="RX2")
    assert "discontinued" in clinic.refused("request_renewal", prescription_id="RX3")


def test_a_referral_is_asked_of_the_primary_doctor(clinic: Clinic) -> None:
    """A referral is requested once, and is worth no visit yet; primary care has none."""
    referral = clinic.done("request_referral", patient_id="P1", specialty="dermatology")
    assert (referral["status"], referral["referring_doctor_id"]) == ("requested", "D1")
    assert (referral["visits_allowed"], referral["issued_on"]) == (0, TODAY)
    assert "already" in clinic.refused("request_referral", patient_id="P1", specialty="dermatology")
    assert "already" in clinic.refused("request_referral", patient_id="P1", specialty="neurology")
    assert "primary care" in clinic.refused("request_referral", patient_id="P1", specialty="pediatrics")


def test_results_are_sent_once_by_each_channel(clinic: Clinic) -> None:
    """The tool checks only that a result has values, and sends nothing twice; the policy decides on the release."""
    clinic.done("send_lab_results", result_id="L2", channel="portal")
    assert clinic.done("send_lab_results", result_id="L2", channel="email")["sent_to"] == ["email", "portal"]
    assert "already" in clinic.refused("send_lab_results", result_id="L2", channel="email")
    assert "no values" in clinic.refused("send_lab_results", result_id="L3", channel="mail")
    assert "fax" in clinic.refused("send_lab_results", result_id="L1", channel="fax")


def test_contact_details_change_one_by_one(clinic: Clinic) -> None:
    """Only the named details change; each is stored in one form and found by it."""
    row = clinic.done("update_contact_details", patient_id="P1", phone="1 720 555.0111", state="wy", email="JO@x.org")
    assert (row["phone"], row["email"]) == ("720-555-0111", "jo@x.org")
    assert row["address"] == ROWS["patients"][0]["address"] | {"state": "WY"}
    assert clinic.done("find_patient_by_phone", phone="7205550111", dob=JO["dob"]) == ["P1"]
    assert "no patient" in clinic.refused("find_patient_by_phone", phone="3035550142", dob=JO["dob"])


@pytest.mark.parametrize(
    "change",
    [{}, {"phone": "555-0142"}, {"email": "jo"}, {"zip": "8020"}, {"state": "Colorado"}, {"city": " "}, {"street": ""}],
)
def test_broken_contact_details_are_refused(clinic: Clinic, change: dict[str, str]) -> None:
    """A malformed detail is refused by name, and so is a call without any change."""
    assert next(iter(change), "nothing") in clinic.refused("update_contact_details", patient_id="P1", **change)


def test_a_pharmacy_is_set_for_the_patient_alone(clinic: Clinic) -> None:
    """Prescriptions at another pharmacy stay there."""
    assert clinic.done("set_pharmacy", patient_id="P1", pharmacy_id="PH2")["pharmacy_id"] == "PH2"
    assert clinic.row("prescriptions", "RX1")["pharmacy_id"] == "PH1"


def test_a_consent_is_recorded_and_revoked(clinic: Clinic) -> None:
    """Scopes are stored once each, in order; a person has one consent in force, and may get a new one after its end."""
    lee = {"patient_id": "P1", "first_name": " Lee", "last_name": "Ray", "dob": "1979-05-05", "relationship": "spouse"}
    wish = lee | {"scopes": ["results", "appointments", "results"], "expires_on": "2027-03-09"}
    row = clinic.done("record_consent", **wish)
    assert (row["scopes"], row["granted_on"], row["status"]) == (["appointments", "results"], TODAY, "active")
    assert clinic.done("get_proxies", patient_id="P1") == [row]
    assert "revoke it first" in clinic.refused("record_consent", **wish | {"first_name": "LEE"})
    assert clinic.done("revoke_consent", consent_id=row["consent_id"])["status"] == "revoked"
    assert "already" in clinic.refused("revoke_consent", consent_id=row["consent_id"])
    again = clinic.done("record_consent", **wish | {"scopes": ["insurance"]})
    assert again["consent_id"] != row["consent_id"]
    assert len(clinic.done("get_proxies", patient_id="P1")) == 2


def test_consents_are_counted(clinic: Clinic) -> None:
    """A patient may have twenty consents on file, ended ones included."""
    wish = {"patient_id": "P1", **JO, "relationship": "spouse", "scopes": ["results"], "expires_on": LATER}
    for _ in range(MOST_CONSENTS - len(clinic.done("get_proxies", patient_id="P1"))):
        row = clinic.done("record_consent", **wish)
        clinic.done("revoke_consent", consent_id=row["consent_id"])
    assert "20 consents on file" in clinic.refused("record_consent", **wish)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"scopes": []}, "at least one"),
        ({"scopes": ["money"]}, "money"),
        ({"expires_on": "2026-03-08"}, "past"),
        ({"dob": "x"}, "dob"),
        ({"relationship": "friend"}, "friend"),
    ],
)
def test_a_consent_must_be_for_something_by_somebody(clinic: Clinic, change: dict[str, Any], complaint: str) -> None:
    """No scope, an unknown scope or relationship, and a past or malformed date are refused."""
    good = {"patient_id": "P1", **JO, "relationship": "spouse", "scopes": ["results"], "expires_on": LATER}
    assert complaint in clinic.refused("record_consent", **good | change)


WRITES: list[tuple[str, dict[str, Any]]] = [
    (
        "schedule_appointment",
        {"patient_id": "P1", "doctor_id": "D1", "date": LATER, "time": "09:00", "visit_type": "video"},
    ),
    ("reschedule_appointment", {"appointment_id": "A1", "date": LATER, "time": "11:30"}),
    ("cancel_appointment", {"appointment_id": "A3", "reason": "illness", "charge_late_fee": True}),
    ("join_waitlist", {"patient_id": "P1", "doctor_id": "D1", "visit_type": "follow_up"}),
    ("join_waitlist", {"patient_id": "P1", "doctor_id": "D2", "visit_type": "follow_up"}),
    ("request_refill", {"prescription_id": "RX1", "pharmacy_id": "PH2"}),
    ("request_referral", {"patient_id": "P1", "specialty": "dermatology"}),
    ("request_referral", {"patient_id": "P1", "specialty": "cardiology"}),
    ("send_lab_results", {"result_id": "L1", "channel": "mail"}),
    ("update_contact_details", {"patient_id": "P1", "city": "Boulder"}),
    ("set_pharmacy", {"patient_id": "P1", "pharmacy_id": "PH2"}),
    ("update_insurance", {"patient_id": "P1", "plan_id": "choice", "member_id": "X", "effective_date": "2026-05-01"}),
]


@given(st.permutations(WRITES))
def test_the_order_of_wishes_does_not_matter(order: list[tuple[str, dict[str, Any]]]) -> None:
    """Ids of new rows follow from their content, so that the same wishes in any order end in the same state."""
    one, other = Clinic(), Clinic()
    for name, arguments in WRITES:
        one.done(name, **arguments)
    for name, arguments in order:
        other.done(name, **arguments)
    assert one.db.state.hash == other.db.state.hash


def test_other_names_lead_somewhere_and_to_one_place() -> None:
    """No two tools share a name or alias, and each alias of an argument names one of the tool's arguments."""
    own = list(Clinic.tools.tools.values())
    names = [name for tool in own for name in (tool.name, *tool.aliases)]
    assert len(names) == len(set(names))
    for tool in own:
        fields = set(tool.argument_names)
        assert set(tool.argument_aliases.values()) <= fields, tool.name
        assert not set(tool.argument_aliases) & fields, tool.name
