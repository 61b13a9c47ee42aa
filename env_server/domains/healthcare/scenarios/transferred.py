"""Wishes that only people can settle, for which the policy demands a transfer."""

from collections.abc import Iterable

from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.appointments import APPOINTMENTS
from env_server.domains.healthcare.scenarios.base import Call, Desk, Row
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.healthcare.scenarios.files import released
from env_server.domains.healthcare.scenarios.medication import PRESCRIPTIONS, prescribed
from env_server.domains.healthcare.scenarios.questions import OWED
from env_server.domains.kit import GoldCall, Move, Part, Request

AGREE = {"transfer": "Yes, please transfer me.", "confirm": "No, I want nothing else."}


def _handed_over(call: Call, ask: str, goal: str, look: GoldCall, summary: str, **own: str) -> Part:
    handover = GoldCall(name="transfer_to_human_agents", arguments={"summary": summary}, compare=())
    return Part(
        requests=(Request(ask=ask, details=details(call, **own) | AGREE),),
        goal=f"{goal} You agree to being transferred if the agent cannot help.",
        proof=(look,),
        handover=(handover,),
        slots={"subject": call.subject},
    )


def dose(call: Call) -> Part:
    """Asks whether a dose may be changed."""
    said = phrases.prescription(call.row("prescriptions"))
    return _handed_over(
        call,
        f"I have a question about how much of a medication to take{phrases.for_whom(call)}: may the dose be doubled?",
        f"You want to know whether the dose of a medication may be doubled {phrases.in_prose(said)}.",
        call.listing(PRESCRIPTIONS),
        f"A question about the dose of prescription {call.subject}.",
        medication=said,
    )


def meaning(call: Call) -> Part:
    """Asks what a lab result means."""
    said = phrases.result(call.row("lab_results"))
    return _handed_over(
        call,
        f"I have the numbers of a lab result{phrases.for_whom(call)}, and want to know what they mean for the health.",
        f"You want to know what a lab result means {phrases.in_prose(said)}; the values alone do not help you.",
        call.listing("get_lab_results"),
        f"A question about the meaning of lab result {call.subject}.",
        result=said,
    )


def dispute(call: Call) -> Part:
    """Disputes what is owed."""
    return _handed_over(
        call,
        f"You say that I owe you money{phrases.for_whom(call)}. That is wrong, and I want it struck out.",
        "You dispute the amount that is owed to the clinics and want it struck out.",
        call.listing("get_patient_info"),
        f"Patient {call.patient_id} disputes the balance.",
        amount="I dispute all of it.",
    )


def married_name(call: Call) -> Part:
    """Wants the name on file changed."""
    return _handed_over(
        call,
        "I have taken another last name, and want the name on my file changed.",
        "You have taken another last name and want the name on your file changed.",
        call.listing("get_patient_info"),
        f"Patient {call.patient_id} wants the name on file changed.",
        new_name="My new last name is Amberley.",
    )


def complaint(call: Call) -> Part:
    """Complains about a doctor."""
    row = call.row("appointments")
    said = f"It is about the visit on {phrases.day(row['date'])} with {phrases.doctor(call.world.doctor(row))}."
    return _handed_over(
        call,
        f"I want to complain about the way a doctor behaved at a visit{phrases.for_whom(call)}.",
        f"You want to complain about how a doctor behaved {phrases.in_prose(said)}.",
        call.listing(APPOINTMENTS),
        f"A complaint about the doctor of appointment {call.subject}.",
        appointment=said,
    )


def _visited(desk: Desk, patient: Row) -> Iterable[str]:
    rows = desk.of(patient, "appointments") if desk.may(patient, "appointments") else []
    return [row["appointment_id"] for row in rows if row["status"] == "completed"]


DOSE = Move(dose, prescribed(lambda _, __, row: row["status"] == "active"))
MEANING = Move(meaning, released)
DISPUTE = Move(dispute, OWED.subjects)
MARRIED_NAME = Move(married_name, lambda desk, patient: [""] if desk.speaker(patient) is None else [])
COMPLAINT = Move(complaint, _visited)
