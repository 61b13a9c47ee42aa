"""Wishes about visits that a rule forbids: the agent has to look, refuse, and settle what the caller takes instead."""

from collections.abc import Iterable

from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.appointments import (
    APPOINTMENTS,
    REASONS,
    book_call,
    cancel_call,
    movable,
    move_call,
    new_time,
    newcomers,
)
from env_server.domains.healthcare.scenarios.base import LAST_TWELVE_MONTHS, Call, Desk, Row, is_late
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.healthcare.scenarios.files import refer_call
from env_server.domains.healthcare.scenarios.strangers import INSIST
from env_server.domains.kit import GoldCall, Move, Part, Request, read


def _cancel_instead(call: Call, ask: str, why: str, *, fee: bool) -> Part:
    """A wish to move that is refused; the caller then cancels."""
    row, reason = call.row("appointments"), call.rng.choice(list(REASONS))
    said = phrases.appointment(call, row)
    wish = "The first open time of the next days will do."
    paid = " I know that there is a fee." if fee else ""
    first = details(call, appointment=said, time=wish) | INSIST
    then = details(call, appointment=said, reason=REASONS[reason])
    return Part(
        requests=(
            Request(ask=f"{ask}{phrases.for_whom(call)}.", details=first),
            Request(ask=f"Then please cancel it.{paid}", details=then),
        ),
        goal=f"You want to move an appointment {phrases.in_prose(said)} {why}. Asked when: {wish}"
        f" Only if that is refused, you want it cancelled, fee or no. Asked why: {REASONS[reason]}",
        proof=(call.listing(APPOINTMENTS),),
        writes=(cancel_call(row, reason, fee=fee),),
        slots={"appointment": row["appointment_id"], "reason": reason},
    )


def too_late(call: Call) -> Part:
    """It begins in less than 24 hours and cannot be moved; it is then cancelled for the fee."""
    return _cancel_instead(call, "I need another time for an appointment", "that is less than a day away", fee=True)


def third_move(call: Call) -> Part:
    """It has been moved twice; it is then cancelled, in good time."""
    return _cancel_instead(call, "I have to move an appointment once more", "that was moved before", fee=False)


def waive(call: Call) -> Part:
    """Wants a late cancellation without the fee, then accepts it."""
    row, reason = call.row("appointments"), call.rng.choice(list(REASONS))
    said = phrases.appointment(call, row)
    told = details(call, appointment=said, reason=REASONS[reason])
    return Part(
        requests=(
            Request(
                ask=f"Please cancel an appointment{phrases.for_whom(call)}, but without any fee for it.",
                details=told | {"confirm": "Only if there is no fee."},
            ),
            Request(ask="All right, then cancel it and charge the fee.", details=told),
        ),
        goal=f"You want to cancel an appointment {phrases.in_prose(said)} and to pay no fee. Asked why:"
        f" {REASONS[reason]} Only if a fee is unavoidable, you accept it.",
        proof=(call.listing(APPOINTMENTS),),
        writes=(cancel_call(row, reason, fee=True),),
        slots={"appointment": row["appointment_id"], "reason": reason},
    )


def second_visit(call: Call) -> Part:
    """Wants a second visit in a specialty; the one that is booked is moved instead."""
    row = call.row("appointments")
    doctor = call.world.doctor(row)
    slot, wish = new_time(call, row["doctor_id"])
    who = f"It is with {phrases.doctor(doctor)}, {phrases.specialty(doctor['specialty'])}."
    first = details(call, doctor=who, time=wish, visit="It would be a follow-up visit.") | INSIST
    then = details(call, appointment=phrases.appointment(call, row), time=wish)
    return Part(
        requests=(
            Request(ask=f"I'd like to book one more visit with a doctor{phrases.for_whom(call)}.", details=first),
            Request(ask="In that case, move the appointment that is booked to that time.", details=then),
        ),
        goal=f"You want another visit {phrases.in_prose(who)} beside the one that is booked there. Asked when:"
        f" {wish} Only if that is refused, you want the booked one moved to that time.",
        proof=(call.listing(APPOINTMENTS),),
        writes=(move_call(row, slot),),
        slots={"appointment": row["appointment_id"], "slot": slot, "wish": wish},
    )


def no_referral(call: Call) -> Part:
    """Wants to book where a referral is needed and none is good; it is requested instead."""
    doctor = call.row("doctors")
    specialty = doctor["specialty"]
    _, wish = new_time(call, doctor["doctor_id"])
    who = f"It is with {phrases.doctor(doctor)}, {phrases.specialty(specialty)}."
    return Part(
        requests=(
            Request(
                ask=f"I'd like to see a specialist{phrases.for_whom(call)}.",
                details=details(call, doctor=who, time=wish) | INSIST,
            ),
            Request(
                ask="Then please ask for the referral that is needed.",
                details=details(call, specialty=f"To {phrases.specialty(specialty)}."),
            ),
        ),
        goal=f"You want to book a visit {phrases.in_prose(who)}. Asked when: {wish} Only if a referral stands"
        " in the way, you want it requested.",
        proof=(call.listing("get_referrals"), call.listing(APPOINTMENTS)),
        writes=(refer_call(call, specialty),),
        slots={"doctor": doctor["doctor_id"], "wish": wish},
    )


def not_seen_lately(call: Call) -> Part:
    """Wants a referral without having seen the primary doctor for a year: nothing is requested."""
    specialty = phrases.specialty(call.subject)
    return Part(
        requests=(
            Request(
                ask=f"Please request a referral{phrases.for_whom(call)}.",
                details=details(call, specialty=f"The referral would be to {specialty}.") | INSIST,
            ),
        ),
        goal=f"You want a referral to {specialty} requested. You accept it if you are refused.",
        proof=(call.listing(APPOINTMENTS),),
        slots={"specialty": call.subject},
    )


def _another_doctor(call: Call, why: str) -> Part:
    """A doctor who cannot be booked, and another of the specialty who then is, for the first time."""
    wrong = call.row("doctors")
    fitting = [row for row in newcomers(call.world, call.patient) if row["specialty"] == wrong["specialty"]]
    right = call.rng.choice([row for row in fitting if row is not wrong])
    slot, wish = new_time(call, right["doctor_id"])
    field = phrases.specialty(wrong["specialty"])
    first = details(call, doctor=f"It is {phrases.doctor(wrong)}, {field}.", time="As soon as possible.") | INSIST
    then = details(call, doctor=f"It is {phrases.doctor(right)}, {field}.", time=wish)
    return Part(
        requests=(
            Request(ask=f"I'd like a first visit with a doctor{phrases.for_whom(call)}.", details=first),
            Request(ask="Then I'll take another doctor, one not seen before either.", details=then),
        ),
        goal=f"You want a first visit with {phrases.doctor(wrong)}, {field}, {why}. Only if that is refused, you take"
        f" {phrases.doctor(right)} of the same specialty, not seen before either. Asked when: {wish}",
        proof=(search(wrong["specialty"]),),
        writes=(book_call(call, right, slot, "new_patient"),),
        slots={"wrong": wrong["doctor_id"], "right": right["doctor_id"], "slot": slot, "wish": wish},
    )


def search(specialty: str) -> GoldCall:
    """The look-up of a specialty's doctors, however it is narrowed down."""
    return read("search_doctors", specialty=specialty)


def out_of_network(call: Call) -> Part:
    """A doctor outside the network of an HMO or EPO."""
    return _another_doctor(call, "whom friends recommend")


def full_practice(call: Call) -> Part:
    """A doctor who takes no new patients."""
    return _another_doctor(call, "who is close by")


def _late(desk: Desk, patient: Row) -> Iterable[str]:
    if not desk.may(patient, "appointments"):
        return []
    return [row["appointment_id"] for row in desk.scheduled(patient) if is_late(row)]


def _moved_twice(desk: Desk, patient: Row) -> Iterable[str]:
    rows = desk.scheduled(patient) if desk.may(patient, "appointments") else []
    return [row["appointment_id"] for row in rows if row["times_rescheduled"] > 1 and not is_late(row)]


def _unreferred(desk: Desk, patient: Row) -> Iterable[str]:
    """Specialists who could be booked if there were a referral, and for whom one can be requested."""
    recent = desk.seen(patient, patient["primary_doctor_id"], LAST_TWELVE_MONTHS)
    if not recent or not desk.may(patient, "appointments"):
        return []
    barred = [
        specialty for specialty in desk.plan(patient)["referral_specialties"] if _no_use(desk, patient, specialty)
    ]
    return [row["doctor_id"] for row in newcomers(desk, patient) if row["specialty"] in barred][:4]


def _no_use(desk: Desk, patient: Row, specialty: str) -> bool:
    """Whether every referral to the specialty is denied, has expired or is used up."""
    return all(
        row["status"] == "denied"
        or (row["status"] == "approved" and (row["expires_on"] < TODAY or row["visits_used"] == row["visits_allowed"]))
        for row in desk.of(patient, "referrals")
        if row["specialty"] == specialty
    )


def _not_seen(desk: Desk, patient: Row) -> Iterable[str]:
    recent = desk.seen(patient, patient["primary_doctor_id"], LAST_TWELVE_MONTHS)
    if recent or not desk.may(patient, "appointments"):
        return []
    specialties = desk.plan(patient)["referral_specialties"]
    return [specialty for specialty in specialties if _no_use(desk, patient, specialty)][:3]


def _with_others(desk: Desk, patient: Row, wrong: list[Row]) -> Iterable[str]:
    """Those of `wrong` in whose specialty another doctor can be booked without a referral."""
    if not desk.may(patient, "appointments"):
        return []
    found = {d["specialty"] for d in newcomers(desk, patient) if not desk.needs_referral(patient, d["specialty"])}
    return [row["doctor_id"] for row in wrong if row["specialty"] in found][:4]


def _outside(desk: Desk, patient: Row) -> Iterable[str]:
    if desk.plan(patient)["kind"] not in {"HMO", "EPO"} or "upcoming_insurance" in patient:
        return []
    doctors = desk.rows["doctors"].values()
    wrong = [d for d in doctors if not desk.in_network(patient, d) and desk.fits(patient, d)]
    return _with_others(desk, patient, [d for d in wrong if not desk.seen(patient, d["doctor_id"])])


def _full(desk: Desk, patient: Row) -> Iterable[str]:
    wrong = [
        row
        for row in desk.rows["doctors"].values()
        if not row["accepts_new_patients"]
        and desk.in_network(patient, row)
        and desk.fits(patient, row)
        and not desk.seen(patient, row["doctor_id"])
    ]
    return _with_others(desk, patient, wrong)


TOO_LATE = Move(too_late, _late)
THIRD_MOVE = Move(third_move, _moved_twice)
WAIVE = Move(waive, _late)
SECOND_VISIT = Move(second_visit, movable)
NO_REFERRAL = Move(no_referral, _unreferred)
NOT_SEEN_LATELY = Move(not_seen_lately, _not_seen)
OUT_OF_NETWORK = Move(out_of_network, _outside)
FULL_PRACTICE = Move(full_practice, _full)
