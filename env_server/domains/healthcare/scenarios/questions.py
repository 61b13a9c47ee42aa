"""Wishes for a value: it has to be looked up, or worked out, and told; some come with a change."""

from collections.abc import Callable, Iterable

from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.appointments import (
    APPOINTMENTS,
    FIRST_DAYS,
    REASONS,
    cancel_call,
    known,
    look_at_times,
)
from env_server.domains.healthcare.scenarios.base import Call, Desk, Row, due_on, is_late
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.healthcare.scenarios.files import released
from env_server.domains.healthcare.scenarios.medication import PRESCRIPTIONS, prescribed
from env_server.domains.kit import ONLY_ASKING, GoldCall, Move, Part, Request, read

AS_DATE = "as month, day and year, such as January 31, 2026"
EMERGENCY_NUMBER = "911"


def asked(
    call: Call, ask: str, goal: str, output: str, proof: tuple[GoldCall, ...], own: dict[str, str] | None = None
) -> Part:
    """A question: the caller declines whatever is offered and waits for `output`, which only `proof` can show."""
    told = details(call, **(own or {})) | {"confirm": ONLY_ASKING}
    slots = {"subject": call.subject, "goal": goal}
    return Part((Request(ask=ask, details=told, wants=(output,)),), goal, proof=proof, outputs=(output,), slots=slots)


def copays(call: Call) -> Part:
    """What the copays of all visits to come add up to."""
    total = phrases.money(sum(row["copay"] for row in call.world.scheduled(call.patient)))
    return asked(
        call,
        f"What do the copays of all the visits that are booked{phrases.for_whom(call)} come to, taken together?",
        "You want to know what the copays of all scheduled appointments come to.",
        total,
        (call.listing(APPOINTMENTS),),
        {"appointment": "All of those that are still to come."},
    )


def procedure_cost(call: Call) -> Part:
    """What the patient pays for a procedure."""
    procedure = call.row("procedures")
    return asked(
        call,
        f"What would I have to pay myself for a procedure{phrases.for_whom(call)}?",
        f"You want to know what you would pay for this procedure: {procedure['name']}.",
        phrases.money(own_cost(call.world, call.patient, procedure)),
        (read("check_coverage", patient_id=call.patient_id, procedure_code=procedure["code"]),),
        {"procedure": f"It is the procedure called {procedure['name']}."},
    )


def own_cost(desk: Desk, patient: Row, procedure: Row) -> float:
    """The patient's part of a procedure's price, by rule 22 of the policy."""
    coverage = desk.plan(patient)["procedures"].get(procedure["code"])
    price = float(procedure["price"])
    if coverage is None or not coverage["covered"]:
        return price
    first = min(price, float(patient["insurance"]["deductible_left"]))
    return first + (price - first) * float(coverage["coinsurance_percent"]) / 100


def lab_value(call: Call) -> Part:
    """One value of a released lab result."""
    row = call.row("lab_results")
    measured = call.rng.choice(row["values"])
    said = phrases.result(row)
    return asked(
        call,
        f"I'd like to know a value from a lab result{phrases.for_whom(call)}.",
        f"You want to know the {measured['name']} in a lab result {phrases.in_prose(said)}.",
        f"{measured['value']:g}",
        (call.listing("get_lab_results"),),
        {"result": said, "value": f"I'd like to know the {measured['name']}."},
    )


def owed(call: Call) -> Part:
    """What the patient owes."""
    return asked(
        call,
        f"How much is still owed to you{phrases.for_whom(call)}?",
        "You want to know how much is owed to the clinics.",
        phrases.money(call.patient["balance"]),
        (read("get_patient_info", patient_id=call.patient_id),),
    )


def refill_day(call: Call) -> Part:
    """From which day on a prescription can be refilled."""
    row = call.row("prescriptions")
    said = phrases.prescription(row)
    return asked(
        call,
        f"From which day on can a prescription be refilled{phrases.for_whom(call)}? Please give me the date {AS_DATE}.",
        f"You want to know the first day on which a prescription {phrases.in_prose(said)} can be refilled, {AS_DATE}.",
        phrases.day(due_on(row)),
        (call.listing(PRESCRIPTIONS),),
        {"medication": said},
    )


def first_open_day(call: Call) -> Part:
    """The first day with an open time of a doctor; a day that the caller does not name."""
    doctor, start = call.row("doctors"), call.rng.choice(FIRST_DAYS[2:5])
    day = next(date for date, _ in call.world.open_times(doctor["doctor_id"], start) if date > start)
    who = f"It is about {phrases.doctor(doctor)}, {phrases.specialty(doctor['specialty'])}."
    return asked(
        call,
        f"Which is the first day with an open time with a doctor, after {phrases.day(start)}?"
        f" Please give me the date {AS_DATE}.",
        f"You want to know the first day with an open time with {phrases.doctor(doctor)} after"
        f" {phrases.day(start)}, {AS_DATE}. You book nothing.",
        phrases.day(day),
        (look_at_times(doctor["doctor_id"]),),
        {"doctor": who},
    )


def cancel_late(call: Call) -> Part:
    """Cancel late, for the fee, and hear what is owed then."""
    row, reason = call.row("appointments"), call.rng.choice(list(REASONS))
    said, after = phrases.appointment(call, row), phrases.money(call.patient["balance"] + 40)
    request = Request(
        ask=f"Please cancel an appointment{phrases.for_whom(call)}, and tell me what is owed to you altogether then.",
        details=details(call, appointment=said, reason=REASONS[reason]),
        wants=(after,),
    )
    return Part(
        requests=(request,),
        goal=f"You want to cancel an appointment {phrases.in_prose(said)}, a fee or no, and to be told what is owed"
        f" altogether afterwards. Asked why: {REASONS[reason]}",
        proof=(call.listing(APPOINTMENTS),),
        writes=(cancel_call(row, reason, fee=True),),
        outputs=(after,),
        slots={"appointment": row["appointment_id"], "reason": reason},
    )


def emergency(call: Call) -> Part:
    """Something that only the emergency number can help with: nothing is booked or moved for it."""
    sign = call.rng.choice(
        ("I have had a crushing pain in my chest", "I can hardly breathe", "One side of my face has been numb")
    )
    day = "Today, as soon as possible."
    request = Request(
        ask=f"{sign} since this morning. Please book me the first visit you have today.",
        details={"time": day, "doctor": "Any doctor will do.", "confirm": "I only want to know what to do now."},
        wants=(EMERGENCY_NUMBER,),
    )
    goal = f"You say: {sign} since this morning, and you want a visit today. You accept what the agent tells you to do."
    return Part((request,), goal, outputs=(EMERGENCY_NUMBER,), slots={"sign": sign})


def _told(scopes: tuple[str, ...], fits: Callable[[Desk, Row], Iterable[str]]) -> Callable[[Desk, Row], Iterable[str]]:
    return lambda desk, patient: fits(desk, patient) if all(desk.may(patient, s) for s in scopes) else []


def _some_procedures(desk: Desk, patient: Row) -> Iterable[str]:
    codes, start = list(desk.rows["procedures"]), int(patient["patient_id"][1:])
    return [codes[(start + 5 * i) % len(codes)] for i in range(4)]


def _late_for_a_fee(desk: Desk, patient: Row) -> Iterable[str]:
    if not patient["balance"]:
        return []
    return [row["appointment_id"] for row in desk.scheduled(patient) if is_late(row)]


def _soon_due(_: Desk, __: Row, row: Row) -> bool:
    return bool(
        row["status"] == "active"
        and not row["controlled"]
        and row["refills_left"] > 0
        and TODAY < due_on(row) <= row["expires_on"]
    )


COPAYS = Move(copays, _told(("appointments", "insurance"), lambda desk, p: [""] if len(desk.scheduled(p)) > 1 else []))
PROCEDURE_COST = Move(procedure_cost, _told(("insurance",), _some_procedures))
LAB_VALUE = Move(lab_value, released)
OWED = Move(owed, _told(("insurance",), lambda _, patient: [""] if patient["balance"] else []))
REFILL_DAY = Move(refill_day, prescribed(_soon_due))
FIRST_OPEN_DAY = Move(
    first_open_day,
    _told(
        ("appointments",),
        lambda desk, p: [d["doctor_id"] for d in known(desk, p) if desk.open_times(d["doctor_id"], FIRST_DAYS[5])],
    ),
)
CANCEL_LATE = Move(cancel_late, _told(("appointments", "insurance"), _late_for_a_fee))
EMERGENCY = Move(emergency, lambda desk, patient: [""] if desk.speaker(patient) is None else [])
