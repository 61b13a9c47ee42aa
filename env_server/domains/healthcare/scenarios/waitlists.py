"""Wishes about waitlists: join, leave, and what is refused there."""

from collections.abc import Iterable

from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.appointments import (
    FIRST_DAYS,
    FOLLOW_UP,
    OPEN_TO_ALL,
    book_call,
    look_at_times,
)
from env_server.domains.healthcare.scenarios.base import SOON, Call, Desk, Row
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.healthcare.scenarios.strangers import INSIST
from env_server.domains.kit import GoldCall, Move, Part, Request, write


def join(call: Call) -> Part:
    """Join the waitlist of a doctor who has nothing open."""
    doctor = call.row("doctors")
    visit_type = call.rng.choice([kind for kind in doctor["visit_types"] if kind != "new_patient"])
    said = f"It is {phrases.doctor(doctor)}, {phrases.specialty(doctor['specialty'])}."
    kind = f"It would be a {phrases.visit(visit_type)}."
    return Part(
        requests=(
            Request(
                ask=f"I'd like to be put on a doctor's waitlist{phrases.for_whom(call)}.",
                details=details(call, doctor=said, visit=kind),
            ),
        ),
        goal=f"You want to join a doctor's waitlist {phrases.in_prose(said)}. {kind}",
        reads=(call.listing("get_waitlist_entries"), look_at_times(doctor["doctor_id"])),
        writes=(join_call(call, doctor, visit_type),),
        slots={"doctor": doctor["doctor_id"], "visit": visit_type},
    )


def join_call(call: Call, doctor: Row, visit_type: str) -> GoldCall:
    """The write that puts the patient on a doctor's waitlist."""
    return write("join_waitlist", patient_id=call.patient_id, doctor_id=doctor["doctor_id"], visit_type=visit_type)


def leave(call: Call) -> Part:
    """Leave a waitlist."""
    row = call.row("waitlist")
    doctor = phrases.doctor(call.world.doctor(row))
    return Part(
        requests=(
            Request(
                ask=f"There is no need to keep a place on a waitlist{phrases.for_whom(call)} any longer.",
                details=details(call, doctor=f"It is the waitlist of {doctor}."),
            ),
        ),
        goal=f"You want to be taken off the waitlist of {doctor}.",
        reads=(call.listing("get_waitlist_entries"),),
        writes=(write("leave_waitlist", entry_id=row["entry_id"]),),
        slots={"entry": row["entry_id"]},
    )


def join_place(call: Call) -> Part:
    """Join a waitlist and hear the position there."""
    doctor = call.row("doctors")
    entries = call.world.rows["waitlist"].values()
    place = str(sum(row["doctor_id"] == doctor["doctor_id"] for row in entries) + 1)
    said = f"It is {phrases.doctor(doctor)}, {phrases.specialty(doctor['specialty'])}."
    request = Request(
        ask=f"Please put a name on a doctor's waitlist{phrases.for_whom(call)}, and tell me the position there.",
        details=details(call, doctor=said, visit="It would be a follow-up visit."),
        wants=(place,),
    )
    return Part(
        requests=(request,),
        goal=f"You want to join a doctor's waitlist {phrases.in_prose(said)} for a follow-up visit, and to know the"
        " position on it.",
        proof=(look_at_times(doctor["doctor_id"]), call.listing("get_waitlist_entries")),
        writes=(join_call(call, doctor, "follow_up"),),
        outputs=(place,),
        slots={"doctor": doctor["doctor_id"]},
    )


def not_crowded(call: Call) -> Part:
    """Wants to wait for a doctor who has open times, and books the first of them."""
    doctor = call.row("doctors")
    slot = next(s for s in call.world.open_times(doctor["doctor_id"], FIRST_DAYS[0]))
    who = f"It is {phrases.doctor(doctor)}, {phrases.specialty(doctor['specialty'])}."
    when = f"I'd like the very first open time on {phrases.day(FIRST_DAYS[0])} or later."
    kind = "It would be a follow-up visit."
    return Part(
        requests=(
            Request(
                ask=f"Please put a name on a doctor's waitlist{phrases.for_whom(call)}.",
                details=details(call, doctor=who, visit=kind) | INSIST,
            ),
            Request(ask="Then please book an open time.", details=details(call, doctor=who, time=when, visit=kind)),
        ),
        goal=f"You want to join a doctor's waitlist {phrases.in_prose(who)}. Only if that is refused, you book a"
        f" follow-up visit there. {when}",
        proof=(look_at_times(doctor["doctor_id"]),),
        writes=(book_call(call, doctor, slot, "follow_up"),),
        slots={"doctor": doctor["doctor_id"]},
    )


def two_already(call: Call) -> Part:
    """Wants to wait for a third doctor."""
    doctor = call.row("doctors")
    who = f"It is {phrases.doctor(doctor)}, {phrases.specialty(doctor['specialty'])}."
    request = Request(
        ask=f"Please put a name on one more waitlist{phrases.for_whom(call)}.",
        details=details(call, doctor=who, visit="It would be a follow-up visit.") | INSIST,
    )
    return Part(
        requests=(request,),
        goal=f"You want to join one more waitlist {phrases.in_prose(who)} for a follow-up visit, and to keep the two"
        " places you have. You accept it if you are refused.",
        proof=(call.listing("get_waitlist_entries"),),
        slots={"doctor": doctor["doctor_id"]},
    )


def swap(call: Call) -> Part:
    """Give up one of two places for a place with a third doctor."""
    doctor = call.row("doctors")
    entry = call.rng.choice(call.world.of(call.patient, "waitlist"))
    left = phrases.doctor(call.world.doctor(entry))
    who = f"I want to wait for {phrases.doctor(doctor)}, {phrases.specialty(doctor['specialty'])}, instead of {left}."
    return Part(
        requests=(
            Request(
                ask=f"I'd like to give up a place on a waitlist for a place on another{phrases.for_whom(call)}.",
                details=details(call, doctor=who, visit="It would be a follow-up visit."),
            ),
        ),
        goal=f"You want to give up the place on the waitlist of {left}, and then to join that of another doctor for a"
        f" follow-up visit. {who}",
        reads=(call.listing("get_waitlist_entries"), look_at_times(doctor["doctor_id"])),
        writes=(write("leave_waitlist", entry_id=entry["entry_id"]), join_call(call, doctor, "follow_up")),
        slots={"doctor": doctor["doctor_id"], "entry": entry["entry_id"]},
    )


def waitable(desk: Desk, patient: Row) -> list[Row]:
    """The doctors whose waitlist the patient could join: nothing open soon, right age, not waiting for them yet."""
    waiting = {row["doctor_id"] for row in desk.of(patient, "waitlist")}
    return [
        doctor
        for doctor in desk.rows["doctors"].values()
        if doctor["doctor_id"] not in waiting
        and doctor["specialty"] in OPEN_TO_ALL
        and desk.fits(patient, doctor)
        and not desk.open_times(doctor["doctor_id"], TODAY, SOON)
    ]


def _joinable(desk: Desk, patient: Row) -> Iterable[str]:
    room = desk.may(patient, "appointments") and len(desk.of(patient, "waitlist")) < 2
    return [doctor["doctor_id"] for doctor in waitable(desk, patient)[:3]] if room else []


def waiting(desk: Desk, patient: Row) -> Iterable[str]:
    """The patient's waitlist entries."""
    return [row["entry_id"] for row in desk.of(patient, "waitlist") if desk.may(patient, "appointments")]


def _open_soon(desk: Desk, patient: Row) -> Iterable[str]:
    return [
        key
        for key in FOLLOW_UP.subjects(desk, patient)
        if desk.open_times(key, FIRST_DAYS[0], SOON)
        and len(desk.of(patient, "waitlist")) < 2
        and desk.open_times(key, FIRST_DAYS[0])[0] in desk.free_times(patient, key, FIRST_DAYS[0])
    ]


def _third_list(desk: Desk, patient: Row) -> Iterable[str]:
    full = desk.may(patient, "appointments") and len(desk.of(patient, "waitlist")) == 2
    return [row["doctor_id"] for row in waitable(desk, patient)[:3]] if full else []


JOIN = Move(join, _joinable)
JOIN_PLACE = Move(join_place, _joinable)
LEAVE = Move(leave, waiting)
NOT_CROWDED = Move(not_crowded, _open_soon)
TWO_ALREADY = Move(two_already, _third_list)
SWAP = Move(swap, _third_list)
