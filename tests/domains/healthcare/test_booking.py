"""Appointments and their times."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.healthcare.booking import LATE_FEE
from env_server.domains.healthcare.clock import NOW, TODAY
from tests.domains.healthcare.clinic import GONE, LATER, SOON, Clinic

VISIT = {"patient_id": "P1", "doctor_id": "D1", "date": LATER, "time": "09:00", "visit_type": "follow_up"}
HEART = VISIT | {"doctor_id": "D2"}


@pytest.fixture
def clinic() -> Clinic:
    """Fresh clinics."""
    return Clinic()


def test_availability_shows_times_still_to_come(clinic: Clinic) -> None:
    """Only open times in the future are shown, and only days that have some, in order."""
    assert clinic.done("get_doctor_availability", doctor_id="D1") == {TODAY: ["16:00"], LATER: ["09:00", "11:30"]}
    assert clinic.done("get_doctor_availability", doctor_id="D1", date=SOON) == {LATER: ["09:00", "11:30"]}
    assert "YYYY-MM-DD" in clinic.refused("get_doctor_availability", doctor_id="D1", from_date="tomorrow")


def test_booking_takes_the_time(clinic: Clinic) -> None:
    """The appointment is stored with its copay, and its time is taken."""
    booked = clinic.done("book_appointment", **VISIT)
    assert booked | VISIT == booked
    assert (booked["status"], booked["copay"], booked["times_rescheduled"]) == ("scheduled", 20.0, 0)
    assert clinic.open_times("D1", LATER) == ["11:30"]
    assert "open then: 11:30" in clinic.refused("schedule_appointment", **VISIT | {"patient_id": "P2"})
    assert clinic.done("get_appointment_details", appointment_id=booked["appointment_id"]) == booked


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"time": "10:00"}, "open then: 09:00, 11:30"),
        ({"date": SOON}, "nothing is open then"),
        ({"date": GONE}, "nothing is open then"),
        ({"date": TODAY, "time": "08:30"}, "open then: 16:00"),
        ({"date": "2027-01-01"}, "nothing is open then"),
        ({"date": "16 March"}, "YYYY-MM-DD"),
        ({"visit_type": "procedure"}, "offers no 'procedure' visit"),
        ({"visit_type": "chat"}, "chat"),
        ({"doctor_id": "D4"}, "aged 0 to 17"),
        ({"doctor_id": "D9"}, "'D9'"),
        ({"patient_id": "P9"}, "'P9'"),
        ({"referral_id": "R9"}, "'R9'"),
    ],
)
def test_what_cannot_be_booked_is_refused(clinic: Clinic, change: dict[str, str], complaint: str) -> None:
    """A booking needs an open time in the future, of a doctor who offers the visit to patients of that age."""
    assert complaint in clinic.refused("schedule_appointment", **VISIT | change)


def test_a_patient_is_in_one_place_at_a_time(clinic: Clinic) -> None:
    """A second visit at the same time is refused, also with another doctor; after a cancellation the time is free."""
    first = clinic.done("schedule_appointment", **VISIT)["appointment_id"]
    assert first in clinic.refused("schedule_appointment", **HEART)
    clinic.done("cancel_appointment", appointment_id=first, reason="illness", charge_late_fee=False)
    clinic.done("schedule_appointment", **HEART)


def test_a_birthday_before_the_visit_counts(clinic: Clinic) -> None:
    """The age counts on the day of the visit: Kim, 13 today, turns 14 tomorrow."""
    assert "is 14 on" in clinic.refused("schedule_appointment", **HEART | {"patient_id": "P2"})


@pytest.mark.parametrize(
    ("doctor_id", "visit_type", "plan_id", "copay"),
    [
        ("D1", "follow_up", "basic", 20.0),
        ("D1", "annual_physical", "basic", 0.0),
        ("D1", "video", "basic", 5.0),
        ("D1", "follow_up", "choice", 35.0),
        ("D2", "follow_up", "basic", 40.0),
        ("D2", "follow_up", "choice", 150.0),
        ("D3", "annual_physical", "basic", 150.0),
    ],
)
def test_the_copay_is_the_plans(clinic: Clinic, doctor_id: str, visit_type: str, plan_id: str, copay: float) -> None:
    """The copay follows from the plan in force on the date, the network, the specialty and the kind of visit."""
    new = {"patient_id": "P1", "plan_id": plan_id, "member_id": "X", "effective_date": LATER}
    clinic.done("update_insurance", **new)
    time = "10:00" if doctor_id == "D3" else "09:00"
    wish = VISIT | {"doctor_id": doctor_id, "visit_type": visit_type, "time": time}
    assert clinic.done("schedule_appointment", **wish)["copay"] == copay


def test_a_referral_is_used_and_given_back(clinic: Clinic) -> None:
    """A visit uses up the referral with which it is booked, until it is cancelled."""
    booked = clinic.done("schedule_appointment", **HEART, referral_id="R1")
    assert (booked["referral_id"], clinic.row("referrals", "R1")["visits_used"]) == ("R1", 2)
    arguments = {"appointment_id": booked["appointment_id"], "reason": "illness", "charge_late_fee": False}
    clinic.done("cancel_appointment", **arguments)
    assert clinic.row("referrals", "R1")["visits_used"] == 1


@pytest.mark.parametrize(
    ("referral_id", "complaint"),
    [("R2", "are used"), ("R4", "for neurology"), ("R5", "not for patient"), ("R6", "'denied'")],
)
def test_a_referral_must_fit(clinic: Clinic, referral_id: str, complaint: str) -> None:
    """A referral must be the patient's, for the specialty, approved and not used up; otherwise nothing changes."""
    assert complaint in clinic.refused("schedule_appointment", **HEART, referral_id=referral_id)


def test_whether_one_may_book_is_the_agents_to_see(clinic: Clinic) -> None:
    """The tool books without a needed referral, outside the network, and with full doctors: the policy decides."""
    clinic.done("schedule_appointment", **HEART)
    clinic.done("schedule_appointment", **HEART | {"doctor_id": "D3", "time": "10:00"})


def test_moving_frees_the_old_time(clinic: Clinic) -> None:
    """A moved appointment keeps its id and counts the move; the old time is open again, in order."""
    moved = clinic.done("reschedule_appointment", appointment_id="A1", new_date=LATER, new_time="11:30")
    assert (moved["date"], moved["time"], moved["times_rescheduled"]) == (LATER, "11:30", 1)
    assert clinic.open_times("D1", SOON) == ["08:30"]
    assert clinic.open_times("D1", LATER) == ["09:00"]
    back = clinic.done("reschedule_appointment", appointment_id="A1", date=SOON, time="08:30")
    assert (back["times_rescheduled"], clinic.open_times("D1", SOON)) == (2, [])
    assert clinic.open_times("D1", LATER) == ["09:00", "11:30"]


def test_a_time_on_a_day_without_hours_opens_that_day(clinic: Clinic) -> None:
    """An appointment on a day that is not in the calendar also returns its time."""
    clinic.done("cancel_appointment", appointment_id="A3", reason="clinic_request", charge_late_fee=False)
    assert clinic.open_times("D2", "2026-03-17") == ["10:00"]


@pytest.mark.parametrize(("appointment_id", "complaint"), [("A2", "'completed'"), ("A4", "begun"), ("A9", "'A9'")])
def test_what_is_over_stays(clinic: Clinic, appointment_id: str, complaint: str) -> None:
    """A visit that took place, has begun or is unknown can be neither moved nor cancelled."""
    assert complaint in clinic.refused(
        "reschedule_appointment", appointment_id=appointment_id, date=LATER, time="09:00"
    )
    arguments = {"appointment_id": appointment_id, "reason": "illness", "charge_late_fee": False}
    assert complaint in clinic.refused("cancel_appointment", **arguments)


@pytest.mark.parametrize("charged", [True, False])
def test_the_agent_decides_on_the_fee(clinic: Clinic, charged: bool) -> None:
    """The agent's argument decides on the fee, whatever the hour; the time and the reason are stored."""
    arguments = {"appointment_id": "A1", "reason": "bereavement", "charge_late_fee": charged}
    row = clinic.done("cancel_appointment", **arguments)
    assert (row["status"], row["cancel_reason"], row["cancelled_at"]) == ("cancelled", "bereavement", NOW)
    assert row.get("late_fee") == (LATE_FEE if charged else None)
    assert clinic.row("patients", "P1")["balance"] == (50.1 if charged else 10.1)
    assert clinic.open_times("D1", SOON) == ["08:30"]
    assert "'cancelled'" in clinic.refused("cancel_appointment", **arguments)


STEP = st.one_of(
    st.tuples(st.just("schedule_appointment"), st.sampled_from([TODAY, LATER]), st.sampled_from(["09:00", "16:00"])),
    st.tuples(st.just("reschedule_appointment"), st.sampled_from([TODAY, LATER]), st.sampled_from(["11:30", "16:00"])),
    st.tuples(st.just("cancel_appointment"), st.just(""), st.just("")),
)


@given(st.lists(st.tuples(STEP, st.integers(0, 5)), max_size=8))
def test_a_time_is_either_open_or_taken_once(steps: list[tuple[tuple[str, str, str], int]]) -> None:
    """After any calls, the open and the taken times together are the same, each once."""
    clinic = Clinic()
    whole = taken_or_open(clinic)
    for (name, date, time), pick in steps:
        scheduled = clinic.done("list_appointments", patient_id="P1", status="scheduled")
        appointment_id = scheduled[pick % len(scheduled)]["appointment_id"] if scheduled else ""
        if name == "schedule_appointment":
            clinic.call(name, **VISIT | {"date": date, "time": time})
        elif name == "reschedule_appointment":
            clinic.call(name, appointment_id=appointment_id, date=date, time=time)
        else:
            clinic.call(name, appointment_id=appointment_id, reason="illness", charge_late_fee=False)
        assert taken_or_open(clinic) == whole


def taken_or_open(clinic: Clinic) -> list[tuple[str, str, str]]:
    """Every time that is open or taken, with repetitions."""
    found: list[tuple[str, str, str]] = []
    for change in clinic.db.state.dump():
        row: Any = change.row
        if change.table == "days":
            assert row["open_times"] == sorted(set(row["open_times"]))
            found += [(row["doctor_id"], row["date"], time) for time in row["open_times"]]
        elif change.table == "appointments" and row["status"] == "scheduled":
            found.append((row["doctor_id"], row["date"], row["time"]))
    return sorted(found)
