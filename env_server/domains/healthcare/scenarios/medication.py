"""Plain wishes about prescriptions: refills, renewals, the default pharmacy."""

from collections.abc import Callable, Iterable

from env_server.domains.healthcare.clock import TODAY, days_after
from env_server.domains.healthcare.scenarios import changes, knowing
from env_server.domains.healthcare.scenarios.base import LAST_TWELVE_MONTHS, Case, Desk, due_on
from env_server.domains.healthcare.scenarios.bringing import bring
from env_server.domains.kit import GoldCall, Row, Wish, WishKind, read, write

PRESCRIPTIONS = "list_prescriptions"
RENEWABLE_SINCE = days_after(TODAY, -30)
"""The earliest expiry date for a renewal. A human agent handles prescriptions that expired earlier."""

REFILLS = (
    "have a prescription refilled",
    "get a refill",
    "have some medication filled again",
    "order a refill of a medication",
    "get more of a medication",
    "have a prescription filled once more",
    "request a refill",
    "restock a medication",
    "pick up the next round of a medication",
    "have a prescription topped up",
    "get the next supply of a medication",
)
REFILLS_ELSEWHERE = (
    "get a refill, but at a different pharmacy this time",
    "have a prescription refilled at another pharmacy",
    "have some medication filled at a pharmacy other than the usual one",
    "order a refill to be picked up somewhere else",
    "get a refill from another pharmacy",
    "have a medication filled in a different place than before",
    "send a refill to another pharmacy",
    "pick up the next supply at some other pharmacy",
    "have a refill go to a pharmacy of my choice",
)
RENEWALS = (
    "have a prescription renewed",
    "get a renewal of a prescription",
    "ask the doctor to renew a prescription",
    "have a doctor renew a medication",
    "request the renewal of a prescription",
    "get a prescription written anew",
    "see that a prescription is renewed",
    "have a used-up prescription made good again",
    "have a prescription extended by its doctor",
    "get the doctor to write a prescription again",
)
PHARMACIES = (
    "change the default pharmacy",
    "have new prescriptions go to another pharmacy",
    "set another pharmacy as the usual one",
    "switch the usual pharmacy",
    "put a different pharmacy on file",
    "have another pharmacy as the regular one",
    "name a new pharmacy for prescriptions to come",
    "make some other pharmacy the standard one",
    "have future prescriptions sent to a different pharmacy",
)


def refill_call(row: Row, pharmacy_id: str | None = None) -> GoldCall:
    """Return the write that refills a prescription, at its own pharmacy unless another is given."""
    pharmacy = pharmacy_id or row["pharmacy_id"]
    return write("request_refill", prescription_id=row["prescription_id"], pharmacy_id=pharmacy)


def renew_call(row: Row) -> GoldCall:
    """Return the write that asks for a renewal."""
    return write("request_renewal", prescription_id=row["prescription_id"])


def refill(call: Case) -> Wish:
    """Refill a due prescription at its own pharmacy."""
    row = call.row("prescriptions")
    own = {"medication": knowing.medication(call, row), "pharmacy": knowing.same_pharmacy(call)}
    brought = bring(call, REFILLS, own, changes.refilling(row))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(PRESCRIPTIONS),),
        writes=(refill_call(row),),
        slots={"prescription": row["prescription_id"]},
    )


def other_pharmacy(call: Case, *unlike: str) -> Row:
    """Return a pharmacy other than those with these ids."""
    return call.rng.choice([row for key, row in call.world.rows["pharmacies"].items() if key not in unlike])


def refill_elsewhere(call: Case) -> Wish:
    """Refill a due prescription at another pharmacy."""
    row = call.row("prescriptions")
    pharmacy = other_pharmacy(call, row["pharmacy_id"])
    own = {"medication": knowing.medication(call, row), "pharmacy": knowing.pharmacy(call, pharmacy)}
    brought = bring(call, REFILLS_ELSEWHERE, own, changes.refilling(row, pharmacy))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(PRESCRIPTIONS), read("search_pharmacies", city=pharmacy["city"])),
        writes=(refill_call(row, pharmacy["pharmacy_id"]),),
        slots={"prescription": row["prescription_id"], "pharmacy": pharmacy["pharmacy_id"]},
    )


def renew(call: Case) -> Wish:
    """Renew a used-up or expired prescription of a doctor seen recently."""
    row = call.row("prescriptions")
    brought = bring(call, RENEWALS, {"medication": knowing.medication(call, row)}, changes.renewing(row))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(PRESCRIPTIONS), call.listing("list_appointments")),
        writes=(renew_call(row),),
        slots={"prescription": row["prescription_id"]},
    )


def default_pharmacy(call: Case) -> Wish:
    """Change the pharmacy that new prescriptions go to."""
    pharmacy = other_pharmacy(call, call.patient["pharmacy_id"])
    brought = bring(call, PHARMACIES, {"pharmacy": knowing.pharmacy(call, pharmacy)}, changes.preferring(pharmacy))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(read("search_pharmacies", city=pharmacy["city"]),),
        writes=(write("set_pharmacy", patient_id=call.patient_id, pharmacy_id=pharmacy["pharmacy_id"]),),
        slots={"pharmacy": pharmacy["pharmacy_id"]},
    )


def refillable(row: Row) -> bool:
    """Return whether a refill can be requested today."""
    return bool(
        row["status"] == "active"
        and not row["controlled"]
        and row["refills_left"] > 0
        and row["expires_on"] >= TODAY
        and due_on(row) <= TODAY
        and row["last_filled"] < TODAY
    )


def renewable(desk: Desk, patient: Row, row: Row) -> bool:
    """Return whether a renewal can be requested: used up or recently expired, and its doctor seen in the last year."""
    needed = row["refills_left"] == 0 or row["expires_on"] < TODAY
    good = row["status"] == "active" and not row["controlled"] and row["expires_on"] >= RENEWABLE_SINCE
    return bool(needed and good and seen_by_prescriber(desk, patient, row))


def prescribed(fits: Callable[[Desk, Row, Row], bool]) -> Callable[[Desk, Row], Iterable[str]]:
    """Return the patient's prescriptions that `fits(desk, patient, prescription)`, if the caller
    may speak about them.
    """

    def subjects(desk: Desk, patient: Row) -> Iterable[str]:
        if not desk.may(patient, "prescriptions"):
            return []
        return [row["prescription_id"] for row in desk.of(patient, "prescriptions") if fits(desk, patient, row)]

    return subjects


def seen_by_prescriber(desk: Desk, patient: Row, row: Row) -> bool:
    """Return whether the patient had a completed visit with the prescribing doctor in the last twelve months."""
    return desk.seen(patient, row["doctor_id"], LAST_TWELVE_MONTHS)


def _anybody(desk: Desk, patient: Row) -> Iterable[str]:
    return [""] if desk.may(patient, "prescriptions") else []


REFILL = WishKind(refill, prescribed(lambda _, __, row: refillable(row)))
REFILL_ELSEWHERE = WishKind(refill_elsewhere, REFILL.subjects)
RENEW = WishKind(renew, prescribed(renewable))
DEFAULT_PHARMACY = WishKind(default_pharmacy, _anybody)
