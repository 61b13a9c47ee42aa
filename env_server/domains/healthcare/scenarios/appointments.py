"""Plain wishes about appointments: book, move, cancel."""

from collections.abc import Iterable

from env_server.domains.healthcare.catalogue import SPECIALISTS
from env_server.domains.healthcare.clock import TODAY, days_after
from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import Call, Desk, Row, is_late
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.healthcare.tables import PRIMARY_CARE
from env_server.domains.kit import GoldCall, Move, Part, Request, read, write

REASONS = {
    "no_longer_needed": "The visit is not needed any more.",
    "schedule_conflict": "Something else has come up at that very time.",
    "changed_doctor": "We have changed to another doctor.",
    "transport_problem": "The car broke down and there is no other way to get there.",
}
"""Reasons for which a late cancellation costs the fee, as callers put them."""

EXCUSED = {
    "illness": "There is flu in the house.",
    "bereavement": "There has been a death in the family.",
    "severe_weather": "The storm has closed our road.",
    "clinic_request": "Your clinic rang and asked me to cancel it.",
}
"""Reasons for which it does not."""

OPEN_TO_ALL = (*SPECIALISTS, *PRIMARY_CARE)
"""The specialties that anybody may have business with."""

FIRST_DAYS = tuple(days_after(TODAY, n) for n in (3, 7, 10, 14, 18, 21))
"""From when on callers are free."""

APPOINTMENTS = "list_appointments"


def cancel_call(row: Row, reason: str, *, fee: bool = False) -> GoldCall:
    """The write that cancels an appointment."""
    return write("cancel_appointment", appointment_id=row["appointment_id"], reason=reason, charge_late_fee=fee)


def move_call(row: Row, slot: tuple[str, str]) -> GoldCall:
    """The write that moves an appointment."""
    return write("reschedule_appointment", appointment_id=row["appointment_id"], date=slot[0], time=slot[1])


def look_at_times(doctor_id: str) -> GoldCall:
    """The look-up of a doctor's open times, from whatever day on."""
    return read("get_doctor_availability", doctor_id=doctor_id).model_copy(update={"compare": ("doctor_id",)})


def book_call(call: Call, doctor: Row, slot: tuple[str, str], visit_type: str, referral: Row | None = None) -> GoldCall:
    """The write that books a visit, on a referral if one is given."""
    booked = {"referral_id": referral["referral_id"]} if referral else {}
    return write(
        "schedule_appointment",
        patient_id=call.patient_id,
        doctor_id=doctor["doctor_id"],
        date=slot[0],
        time=slot[1],
        visit_type=visit_type,
        **booked,
    )


def cancel(call: Call) -> Part:
    """Cancel an appointment in good time, or late for a reason that is excused: no fee either way."""
    row = call.row("appointments")
    reasons = EXCUSED if is_late(row) else REASONS | EXCUSED
    reason = call.rng.choice(list(reasons))
    said = phrases.appointment(call, row)
    ask = phrases.one_of(call.rng, "I'd like to cancel an appointment", "Please cancel an appointment")
    return Part(
        requests=(
            Request(
                ask=f"{ask}{phrases.for_whom(call)}.",
                details=details(call, appointment=said, reason=reasons[reason]),
            ),
        ),
        goal=f"You want to cancel an appointment {phrases.in_prose(said)}. Asked why: {reasons[reason]}",
        reads=(call.listing(APPOINTMENTS),),
        writes=(cancel_call(row, reason),),
        slots={"appointment": row["appointment_id"], "reason": reason},
    )


def new_time(call: Call, doctor_id: str, *, after: str = TODAY) -> tuple[tuple[str, str], str]:
    """An open time, and words that single it out: the earliest from some day on, or day and hour."""
    starts = [d for d in FIRST_DAYS if d > after and call.world.free_times(call.patient, doctor_id, d)]
    start = call.rng.choice(starts or FIRST_DAYS[:1])
    slots = call.world.free_times(call.patient, doctor_id, start)
    if call.rng.random() < 0.5:
        return slots[0], f"I'd like the very first open time on {phrases.day(start)} or later."
    slot = call.rng.choice(slots[:12])
    return slot, f"I'd like {phrases.day(slot[0])} at {slot[1]}."


def move(call: Call) -> Part:
    """Move an appointment to an open time."""
    row = call.row("appointments")
    slot, wish = new_time(call, row["doctor_id"])
    said = phrases.appointment(call, row)
    ask = phrases.one_of(call.rng, "I need to move an appointment", "I'd like another time for an appointment")
    return Part(
        requests=(Request(ask=f"{ask}{phrases.for_whom(call)}.", details=details(call, appointment=said, time=wish)),),
        goal=f"You want to move an appointment {phrases.in_prose(said)}. Asked when: {wish}",
        reads=(call.listing(APPOINTMENTS), look_at_times(row["doctor_id"])),
        writes=(move_call(row, slot),),
        slots={"appointment": row["appointment_id"], "slot": slot, "wish": wish},
    )


def follow_up(call: Call) -> Part:
    """Book a visit with a doctor whom the patient has seen, where no referral is needed."""
    doctor = call.row("doctors")
    visit_type = call.rng.choice([kind for kind in doctor["visit_types"] if kind not in {"new_patient", "procedure"}])
    return booking(call, doctor, visit_type, "another visit with a doctor seen before")


def first_visit(call: Call) -> Part:
    """Book a first visit with a doctor who takes new patients, in the network and without need of a referral."""
    return booking(call, call.row("doctors"), "new_patient", "a visit with a doctor not seen before")


def referred_visit(call: Call) -> Part:
    """Book a visit with a specialist on a referral that is on file."""
    doctor = call.row("doctors")
    seen = call.world.seen(call.patient, doctor["doctor_id"])
    referral = call.world.usable_referral(call.patient, doctor["specialty"])
    return booking(call, doctor, "follow_up" if seen else "new_patient", "a visit with a specialist", referral)


def booking(call: Call, doctor: Row, visit_type: str, what: str, referral: Row | None = None) -> Part:
    """A wish for a visit with a doctor by name, at a time that the caller singles out."""
    slot, wish = new_time(call, doctor["doctor_id"])
    said = f"It is with {phrases.doctor(doctor)}, {phrases.specialty(doctor['specialty'])}."
    kind = f"It would be a {phrases.visit('follow_up' if visit_type == 'new_patient' else visit_type)}."
    if visit_type == "new_patient":
        kind = "We have not met before." if call.speaker is None else "They have not met before."
    look = call.listing("get_referrals") if referral else call.listing(APPOINTMENTS)
    search = read("search_doctors", specialty=doctor["specialty"]).model_copy(update={"compare": ("specialty",)})
    return Part(
        requests=(
            Request(
                ask=f"I'd like to book {what}{phrases.for_whom(call)}.",
                details=details(call, doctor=said, time=wish, visit=kind),
            ),
        ),
        goal=f"You want to book {what} {phrases.in_prose(said)}. {kind} Asked when: {wish}",
        reads=(look, search, look_at_times(doctor["doctor_id"])),
        writes=(book_call(call, doctor, slot, visit_type, referral),),
        slots={"doctor": doctor["doctor_id"], "slot": slot, "visit": visit_type, "wish": wish},
    )


def known(desk: Desk, patient: Row) -> Iterable[Row]:
    """The doctors whom the patient has seen, and could see again, each once."""
    ids = dict.fromkeys(row["doctor_id"] for row in desk.of(patient, "appointments") if row["status"] == "completed")
    return (doctor for doctor in map(desk.rows["doctors"].__getitem__, ids) if desk.fits(patient, doctor))


def free_for(desk: Desk, patient: Row, doctor: Row) -> bool:
    """Whether the patient has nothing scheduled in the specialty, and the doctor something open."""
    later = desk.free_times(patient, doctor["doctor_id"], FIRST_DAYS[0])
    return not desk.busy_with(patient, doctor["specialty"]) and bool(later)


def cancellable(desk: Desk, patient: Row) -> Iterable[str]:
    """Appointments to come."""
    return [row["appointment_id"] for row in desk.scheduled(patient) if desk.may(patient, "appointments")]


def movable(desk: Desk, patient: Row) -> Iterable[str]:
    """Appointments that may still be moved, with a doctor who has other times."""
    return [
        row["appointment_id"]
        for row in desk.scheduled(patient)
        if desk.may(patient, "appointments")
        and not is_late(row)
        and row["times_rescheduled"] < 2
        and desk.free_times(patient, row["doctor_id"], FIRST_DAYS[0])
    ]


def _follow_ups(desk: Desk, patient: Row) -> Iterable[str]:
    return [
        doctor["doctor_id"]
        for doctor in known(desk, patient)
        if desk.may(patient, "appointments")
        and desk.in_network(patient, doctor)
        and not desk.needs_referral(patient, doctor["specialty"])
        and free_for(desk, patient, doctor)
    ]


def newcomers(desk: Desk, patient: Row) -> list[Row]:
    """The doctors whom the patient may see for the first time, referrals apart."""
    return [
        doctor
        for doctor in desk.rows["doctors"].values()
        if doctor["accepts_new_patients"]
        and doctor["specialty"] in OPEN_TO_ALL
        and desk.fits(patient, doctor)
        and desk.in_network(patient, doctor)
        and not desk.seen(patient, doctor["doctor_id"])
        and free_for(desk, patient, doctor)
    ]


def _first_visits(desk: Desk, patient: Row) -> Iterable[str]:
    if not desk.may(patient, "appointments"):
        return []
    found = [row for row in newcomers(desk, patient) if not desk.needs_referral(patient, row["specialty"])]
    return [row["doctor_id"] for row in found[:3]]


def _referred_visits(desk: Desk, patient: Row) -> Iterable[str]:
    if not desk.may(patient, "appointments"):
        return []
    found = [
        row
        for row in newcomers(desk, patient)
        if desk.needs_referral(patient, row["specialty"]) and desk.usable_referral(patient, row["specialty"])
    ]
    return [row["doctor_id"] for row in found[:3]]


CANCEL = Move(cancel, cancellable)
MOVE = Move(move, movable)
FOLLOW_UP = Move(follow_up, _follow_ups)
FIRST_VISIT = Move(first_visit, _first_visits)
REFERRED_VISIT = Move(referred_visit, _referred_visits)
