"""Plain wishes about appointments: book, move, cancel."""

from collections.abc import Iterable

from env_server.domains.healthcare.catalogue import SPECIALISTS
from env_server.domains.healthcare.clock import TODAY, days_after
from env_server.domains.healthcare.scenarios import changes, knowing
from env_server.domains.healthcare.scenarios.base import Case, Desk, is_late
from env_server.domains.healthcare.scenarios.bringing import bring
from env_server.domains.healthcare.scenarios.reasons import CHARGED, EXCUSED, reason_given
from env_server.domains.healthcare.tables import PRIMARY_CARE
from env_server.domains.kit import GoldCall, Known, Row, Wish, WishKind, read, write

OPEN_TO_ALL = (*SPECIALISTS, *PRIMARY_CARE)
"""The specialties that any patient may visit."""

FIRST_DAYS = tuple(days_after(TODAY, n) for n in (3, 7, 10, 14, 18, 21))
"""The first days on which callers are free."""

APPOINTMENTS = "list_appointments"

CANCELS = (
    "cancel an appointment",
    "call off an appointment",
    "have an appointment cancelled",
    "give up an appointment",
    "get out of an appointment",
    "take an appointment off the calendar",
    "cancel a visit that is booked",
    "call off a visit to a doctor",
    "have a booked visit struck out",
    "let a booked visit go",
    "drop an appointment",
)
MOVES = (
    "move an appointment",
    "get another time for an appointment",
    "reschedule an appointment",
    "have an appointment moved",
    "change the time of an appointment",
    "shift an appointment to another time",
    "put an appointment on another day",
    "find a different time for a booked visit",
    "have a booked visit at some other time",
    "rearrange an appointment",
    "trade the time of a visit for another",
)
SEES_AGAIN = (
    "book another visit with a doctor seen before",
    "see a doctor again",
    "have another visit with a doctor already known",
    "make an appointment with a doctor seen before",
    "arrange one more visit to a doctor we know",
    "come back to a doctor",
    "return to a doctor for another visit",
    "get back in to see a familiar doctor",
    "set up a further visit with the same doctor as before",
)
SEES_FIRST = (
    "book a visit with a doctor not seen before",
    "see a new doctor",
    "have a first visit with a doctor",
    "make an appointment with a doctor who is new to us",
    "get in with a doctor for the first time",
    "arrange a first appointment with a doctor",
    "meet a doctor we have not been to",
    "become a patient of another doctor",
    "start with a doctor never visited so far",
)
SEES_SPECIALIST = (
    "book a visit with a specialist",
    "see a specialist",
    "make an appointment with a specialist",
    "get in with a specialist",
    "have a visit with a specialist",
    "arrange an appointment at a specialist's",
    "come in to see one of the specialists",
    "be seen by a specialist",
    "find a time with a specialist",
)


def cancel_call(row: Row, reason: str, *, fee: bool = False) -> GoldCall:
    """Return the write that cancels an appointment."""
    return write("cancel_appointment", appointment_id=row["appointment_id"], reason=reason, charge_late_fee=fee)


def move_call(row: Row, slot: tuple[str, str]) -> GoldCall:
    """Return the write that moves an appointment."""
    return write("reschedule_appointment", appointment_id=row["appointment_id"], date=slot[0], time=slot[1])


def look_at_times(doctor_id: str) -> GoldCall:
    """Return the look-up of a doctor's open times, from any day on."""
    return read("get_doctor_availability", doctor_id=doctor_id).model_copy(update={"compare": ("doctor_id",)})


def search(specialty: str) -> GoldCall:
    """Return the look-up of a specialty's doctors, with any filters."""
    return read("search_doctors", specialty=specialty).model_copy(update={"compare": ("specialty",)})


def book_call(call: Case, doctor: Row, slot: tuple[str, str], visit_type: str, referral: str | None = None) -> GoldCall:
    """Return the write that books a visit, on a referral if its id is given."""
    booked = {"referral_id": referral} if referral else {}
    return write(
        "schedule_appointment",
        patient_id=call.patient_id,
        doctor_id=doctor["doctor_id"],
        date=slot[0],
        time=slot[1],
        visit_type=visit_type,
        **booked,
    )


def cancel(call: Case) -> Wish:
    """Cancel an appointment in good time, or late for an excused reason. There is no fee in either case."""
    row = call.row("appointments")
    reason = call.rng.choice(EXCUSED if is_late(row) else (*CHARGED, *EXCUSED))
    own = {"appointment": knowing.appointment(call, row), "reason": reason_given(call, reason)}
    brought = bring(call, CANCELS, own, changes.cancelling(call.world.doctor(row), row["date"]))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(APPOINTMENTS),),
        writes=(cancel_call(row, reason),),
        slots={"appointment": row["appointment_id"], "reason": reason},
    )


Slot = tuple[str, str]


def new_time(call: Case, doctor_id: str, *, after: str = TODAY, but: str = "") -> tuple[Slot, Slot | None, Known]:
    """Return an open time, its arguments if the caller names it, and the caller's words for it."""
    free = [slot for slot in call.world.free_times(call.patient, doctor_id, after) if slot[0] != but]
    starts = [d for d in FIRST_DAYS if d > after and d != but and any(slot[0] >= d for slot in free)]
    start = call.rng.choice(starts or FIRST_DAYS[:1])
    slots = [slot for slot in free if slot[0] >= start]
    named = call.rng.random() < 0.5 or slots[0] != call.world.free_times(call.patient, doctor_id, start)[0]
    slot = call.rng.choice(slots[:12])
    return (slot, slot, knowing.at(call, slot)) if named else (slots[0], None, knowing.first_from(call, start))


def move(call: Case) -> Wish:
    """Move an appointment to an open time."""
    row = call.row("appointments")
    slot, named, when = new_time(call, row["doctor_id"])
    own = {"appointment": knowing.appointment(call, row), "time": when}
    brought = bring(call, MOVES, own, changes.moving(call.world.doctor(row), named))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(APPOINTMENTS), look_at_times(row["doctor_id"])),
        writes=(move_call(row, slot),),
        slots={"appointment": row["appointment_id"], "slot": slot, "named": named},
    )


def follow_up(call: Case) -> Wish:
    """Book a visit with a doctor whom the patient has seen, where no referral is needed."""
    doctor = call.row("doctors")
    visit_type = call.rng.choice([kind for kind in doctor["visit_types"] if kind not in {"new_patient", "procedure"}])
    return _booked(call, doctor, visit_type, SEES_AGAIN)


def first_visit(call: Case) -> Wish:
    """Book a first visit with a doctor who takes new patients, in the network and without need of a referral."""
    return _booked(call, call.row("doctors"), "new_patient", SEES_FIRST)


def referred_visit(call: Case) -> Wish:
    """Book a first visit with a specialist on a referral that is on file."""
    doctor = call.row("doctors")
    referral = call.world.usable_referral(call.patient, doctor["specialty"])
    return _booked(call, doctor, "new_patient", SEES_SPECIALIST, referral)


def _booked(call: Case, doctor: Row, visit_type: str, said: tuple[str, ...], referral: Row | None = None) -> Wish:
    """Return a wish for a visit with a named doctor, at a time that the caller identifies."""
    slot, named, when = new_time(call, doctor["doctor_id"])
    own = {"doctor": knowing.doctor(call, doctor), "time": when, "visit": knowing.visit(call, visit_type)}
    brought = bring(call, said, own, changes.booking(doctor, named, visit_type))
    look = call.listing("get_referrals") if referral else call.listing(APPOINTMENTS)
    on = referral["referral_id"] if referral else None
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(look, search(doctor["specialty"]), look_at_times(doctor["doctor_id"])),
        writes=(book_call(call, doctor, slot, visit_type, on),),
        slots={"doctor": doctor["doctor_id"], "slot": slot, "visit": visit_type, "named": named},
    )


def known(desk: Desk, patient: Row) -> Iterable[Row]:
    """Return the doctors whom the patient has seen and can see again, each once."""
    ids = dict.fromkeys(row["doctor_id"] for row in desk.of(patient, "appointments") if row["status"] == "completed")
    return (doctor for doctor in map(desk.rows["doctors"].__getitem__, ids) if desk.fits(patient, doctor))


def free_for(desk: Desk, patient: Row, doctor: Row) -> bool:
    """Return whether a visit is possible apart from network and referral."""
    return (
        not desk.busy_with(patient, doctor["specialty"])
        and not desk.missed(patient, doctor["doctor_id"])
        and desk.has_free_time(patient, doctor["doctor_id"], FIRST_DAYS[0])
    )


def cancellable(desk: Desk, patient: Row) -> Iterable[str]:
    """Return future appointments."""
    return [row["appointment_id"] for row in desk.scheduled(patient) if desk.may(patient, "appointments")]


def movable(desk: Desk, patient: Row) -> Iterable[str]:
    """Return appointments that may still be moved, with a doctor who has other times."""
    return [
        row["appointment_id"]
        for row in desk.scheduled(patient)
        if desk.may(patient, "appointments")
        and not is_late(row)
        and row["times_rescheduled"] < 2
        and desk.has_free_time(patient, row["doctor_id"], FIRST_DAYS[0])
    ]


def may_see_again(desk: Desk, patient: Row) -> list[str]:
    """Return the doctors, by id, with whom the patient could book another visit."""
    return [
        doctor["doctor_id"]
        for doctor in known(desk, patient)
        if desk.may(patient, "appointments")
        and desk.in_network(patient, doctor)
        and not desk.needs_referral(patient, doctor["specialty"])
        and free_for(desk, patient, doctor)
    ]


def newcomers(desk: Desk, patient: Row) -> list[Row]:
    """Return the doctors whom the patient may see for the first time, referrals apart."""
    return [row for row in unmet(desk, patient) if row["accepts_new_patients"] and desk.in_network(patient, row)]


def unmet(desk: Desk, patient: Row) -> list[Row]:
    """Return the unseen doctors whom the patient could see if they took new patients and the plan paid."""
    return [
        doctor
        for doctor in desk.rows["doctors"].values()
        if doctor["specialty"] in OPEN_TO_ALL
        and desk.fits(patient, doctor)
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


CANCEL = WishKind(cancel, cancellable)
MOVE = WishKind(move, movable)
FOLLOW_UP = WishKind(follow_up, may_see_again)
FIRST_VISIT = WishKind(first_visit, _first_visits)
REFERRED_VISIT = WishKind(referred_visit, _referred_visits)
