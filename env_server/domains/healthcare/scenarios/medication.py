"""Plain wishes about prescriptions: refills, renewals, the default pharmacy."""

from collections.abc import Callable, Iterable

from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import LAST_TWELVE_MONTHS, Call, Desk, Row, due_on
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.kit import GoldCall, Move, Part, Request, read, write

SAME_PHARMACY = "Please use the pharmacy that is on the prescription."
PRESCRIPTIONS = "list_prescriptions"


def refill_call(row: Row, pharmacy_id: str | None = None) -> GoldCall:
    """The write that refills a prescription, at its own pharmacy unless another is given."""
    pharmacy = pharmacy_id or row["pharmacy_id"]
    return write("request_refill", prescription_id=row["prescription_id"], pharmacy_id=pharmacy)


def refill(call: Call) -> Part:
    """Refill what is due, at the pharmacy on the prescription."""
    row = call.row("prescriptions")
    said = phrases.prescription(row)
    ask = phrases.one_of(call.rng, "I need a prescription refilled", "Please refill some medication")
    return Part(
        requests=(
            Request(
                ask=f"{ask}{phrases.for_whom(call)}.",
                details=details(call, medication=said, pharmacy=SAME_PHARMACY),
            ),
        ),
        goal=f"You want a prescription refilled {phrases.in_prose(said)}, at the pharmacy that is on it.",
        reads=(call.listing(PRESCRIPTIONS),),
        writes=(refill_call(row),),
        slots={"prescription": row["prescription_id"]},
    )


def other_pharmacy(call: Call, unlike: str) -> Row:
    """A pharmacy other than the one with this id."""
    return call.rng.choice([row for key, row in call.world.rows["pharmacies"].items() if key != unlike])


def refill_elsewhere(call: Call) -> Part:
    """Refill what is due, at another pharmacy."""
    row = call.row("prescriptions")
    pharmacy, said = other_pharmacy(call, row["pharmacy_id"]), phrases.prescription(row)
    where = f"Please send it to {phrases.pharmacy(pharmacy)}."
    return Part(
        requests=(
            Request(
                ask=f"I'd like a refill{phrases.for_whom(call)}, but at a different pharmacy this time.",
                details=details(call, medication=said, pharmacy=where),
            ),
        ),
        goal=f"You want a prescription refilled {phrases.in_prose(said)} at {phrases.pharmacy(pharmacy)}.",
        reads=(call.listing(PRESCRIPTIONS), read("search_pharmacies", city=pharmacy["city"])),
        writes=(refill_call(row, pharmacy["pharmacy_id"]),),
        slots={"prescription": row["prescription_id"], "pharmacy": pharmacy["pharmacy_id"]},
    )


def renew(call: Call) -> Part:
    """Have a used-up or expired prescription renewed by a doctor seen not long ago."""
    row = call.row("prescriptions")
    said = phrases.prescription(row)
    return Part(
        requests=(
            Request(
                ask=f"A prescription has run out and should be renewed{phrases.for_whom(call)}.",
                details=details(call, medication=said),
            ),
        ),
        goal=f"You want a prescription renewed {phrases.in_prose(said)}.",
        reads=(call.listing(PRESCRIPTIONS), call.listing("list_appointments")),
        writes=(write("request_renewal", prescription_id=row["prescription_id"]),),
        slots={"prescription": row["prescription_id"]},
    )


def default_pharmacy(call: Call) -> Part:
    """Change the pharmacy that new prescriptions go to."""
    pharmacy = other_pharmacy(call, call.patient["pharmacy_id"])
    where = f"It should be {phrases.pharmacy(pharmacy)}."
    return Part(
        requests=(
            Request(
                ask=f"Please change the default pharmacy{phrases.for_whom(call)}.",
                details=details(call, pharmacy=where),
            ),
        ),
        goal=f"You want the default pharmacy changed to {phrases.pharmacy(pharmacy)}.",
        reads=(read("search_pharmacies", city=pharmacy["city"]),),
        writes=(write("set_pharmacy", patient_id=call.patient_id, pharmacy_id=pharmacy["pharmacy_id"]),),
        slots={"pharmacy": pharmacy["pharmacy_id"]},
    )


def refillable(row: Row) -> bool:
    """Whether a refill may be passed on today."""
    return bool(
        row["status"] == "active"
        and not row["controlled"]
        and row["refills_left"] > 0
        and row["expires_on"] >= TODAY
        and due_on(row) <= TODAY
        and row["last_filled"] < TODAY
    )


def used_up(row: Row) -> bool:
    """Whether the doctor would have to renew it: nothing left, or expired."""
    return bool(row["status"] == "active" and (row["refills_left"] == 0 or row["expires_on"] < TODAY))


def prescribed(fits: Callable[[Desk, Row, Row], bool]) -> Callable[[Desk, Row], Iterable[str]]:
    """The patient's prescriptions that `fits(desk, patient, prescription)`, where the caller may speak about them."""

    def subjects(desk: Desk, patient: Row) -> Iterable[str]:
        if not desk.may(patient, "prescriptions"):
            return []
        return [row["prescription_id"] for row in desk.of(patient, "prescriptions") if fits(desk, patient, row)]

    return subjects


def seen_by_prescriber(desk: Desk, patient: Row, row: Row) -> bool:
    """Whether the patient had a completed visit with the prescribing doctor in the last twelve months."""
    return desk.seen(patient, row["doctor_id"], LAST_TWELVE_MONTHS)


def _anybody(desk: Desk, patient: Row) -> Iterable[str]:
    return [""] if desk.may(patient, "prescriptions") else []


REFILL = Move(refill, prescribed(lambda _, __, row: refillable(row)))
REFILL_ELSEWHERE = Move(refill_elsewhere, REFILL.subjects)
RENEW = Move(
    renew,
    prescribed(
        lambda desk, patient, row: used_up(row) and not row["controlled"] and seen_by_prescriber(desk, patient, row)
    ),
)
DEFAULT_PHARMACY = Move(default_pharmacy, _anybody)
